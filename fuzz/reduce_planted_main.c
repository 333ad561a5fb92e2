/* Reduces a module in which a planted fault hides among other operations:
 *     reduce_planted HLO MOST_OPERATIONS [RULES]
 * Passes when a judge sees the fault, at most so many operations are left, and the case that is written is refuted again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "fuzz/shrink.h"
#include "judge/case_run.h"

static bool is_refuted_again(Shrink *shrink, const char *text, Error *error) {
  Source source = {.name = "reduced", .text = text, .length = strlen(text), .first_line = 1};
  CaseFile cases;
  CaseResult result;
  Judge *judge = judge_create(&(JudgeOptions){.rules = shrink->rules}, error);
  if (judge == nullptr || !cases_parse(shrink->arena, &source, &cases, error) || cases.count != 1) return false;
  case_run(judge, shrink->arena, &cases.items[0], &result);
  judge_destroy(judge);
  return result.outcome == CASE_FAILED;
}

static bool read_rules(Shrink *shrink, const char *path, Error *error) {
  Source *source = ARENA_NEW(shrink->arena, Source, 1);
  RuleSet *rules = ARENA_NEW(shrink->arena, RuleSet, 1);
  shrink->rules = rules;
  return rules_engine(shrink->arena, rules, error) && file_read(shrink->arena, path, 1 << 20, source, error) && rules_parse(shrink->arena, source, rules, error);
}

static bool run(Shrink *shrink, int argc, char **argv, Error *error) {
  Source source;
  if ((argc > 3 && !read_rules(shrink, argv[3], error)) || !file_read(shrink->arena, argv[1], 1 << 24, &source, error)) return false;
  if (shrink_module(shrink, &source, error) != SHRINK_DONE) return false;
  Text text = text_create(shrink->arena);
  shrink_print_case(&text, shrink, "a planted fault", "test", "FILE.case");
  printf("%s%u operations, %u trials\n", text.bytes, shrink->operations, shrink->trials);
  return shrink->operations <= (uint32_t)atoi(argv[2]) && is_refuted_again(shrink, text.bytes, error);
}

int main(int argc, char **argv) {
  if (argc < 3) return 3;
  Error error = {};
  Shrink shrink = {.arena = arena_create(), .seconds = 30, .most_trials = 20000};
  bool passed = run(&shrink, argc, argv, &error);
  if (error.kind != ERROR_NONE) error_print(&error, stderr);
  arena_destroy(shrink.arena);
  return passed ? 0 : 1;
}
