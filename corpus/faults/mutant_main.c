/* Runs cases with one judge alone: with a mutant every case must come out refuted, without
 * one every case must pass.
 *     seeded CASES oracle|smt refuted|passes [RULES]
 * Prints what the judge says, witness included. A judge that cannot decide has not caught the
 * fault. */
#include <stdio.h>
#include <string.h>

#include "core/base/file.h"
#include "judge/cases/case_run.h"

static bool read_rules(Arena *arena, const char *path, RuleSet *rules, Error *error) {
  Source *source = ARENA_NEW(arena, Source, 1);
  return rules_engine(arena, rules, error) &&
         file_read(arena, path, (size_t)1 << 20, source, error) &&
         rules_parse(arena, source, rules, error);
}

/* The witness: the result is refuted, wrong or inexact, and says where. */
static bool is_witness(const char *text) {
  bool is_refuted = strncmp(text, "refuted ", 8) == 0 || strncmp(text, "wrong ", 6) == 0 ||
                    strncmp(text, "= inexact: ", 9) == 0;
  return is_refuted && strpbrk(text, "0123456789") != nullptr;
}

static bool run_case(Judge *judge, Arena *arena, const Case *one, bool must_be_refuted) {
  CaseResult result;
  case_run(judge, arena, one, &result);
  printf("%s: %s\n  %s\n", one->name, case_outcome_text(result.outcome), result.text);
  if (!must_be_refuted) return result.outcome == CASE_PASSED;
  return result.outcome == CASE_FAILED && is_witness(result.text);
}

static bool run_cases(Arena *arena, const JudgeOptions *options, const char *path,
    bool must_be_refuted, Error *error) {
  Source source;
  CaseFile cases;
  if (!file_read(arena, path, (size_t)1 << 20, &source, error) ||
      !cases_parse(arena, &source, &cases, error))
    return false;
  Judge *judge = judge_create(options, error);
  if (judge == nullptr) return false;
  bool all = true;
  for (uint32_t i = 0; i < cases.count; i++)
    all &= run_case(judge, arena, &cases.items[i], must_be_refuted);
  judge_destroy(judge);
  return all;
}

int main(int argc, char **argv) {
  if (argc < 4) return 3;
  Arena *arena = arena_create();
  Error error = {};
  RuleSet rules = {};
  bool by_oracle = strcmp(argv[2], "oracle") == 0;
  JudgeOptions options = {.without_oracle = !by_oracle, .without_smt = by_oracle};
  bool ready = argc < 5 || read_rules(arena, argv[4], &rules, &error);
  if (argc > 4) options.rules = &rules;
  bool all = ready && run_cases(arena, &options, argv[1], strcmp(argv[3], "refuted") == 0, &error);
  if (error.kind != ERROR_NONE) error_print(&error, stderr);
  arena_destroy(arena);
  return all ? 0 : 1;
}
