/* Reduces a subject that hides a mutant, and prints its row of the table of all mutants:
 *     reduce_mutant NAME FILE OUTPUT [RULES]
 *         FILE: input of `affirm reduce`; `mutants`: rules changed in one place until the prover
 *         fails
 * Passes if a fault is found and this program refutes the case in OUTPUT again. Seconds are
 * processor time of this process and its children, so that a busy machine does not change a row. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/base/file.h"
#include "core/base/choices.h"
#include "generate/mutate_rule.h"
#include "reduce/shrink_form.h"
#include "reduce/shrink_subject.h"
#include "judge/cases/case_run.h"

static constexpr uint32_t most_mutants = 4000;

static bool is_refuted_again(Shrink *shrinking, const char *text, Error *error) {
  Source source = {.name = "reduced", .text = text, .length = strlen(text), .first_line = 1};
  CaseFile cases;
  CaseResult result;
  Judge *judge = judge_create(&(JudgeOptions){.rules = shrinking->rules}, error);
  if (judge == nullptr || !cases_parse(shrinking->arena, &source, &cases, error) ||
      cases.count != 1)
    return false;
  case_run(judge, shrinking->arena, &cases.items[0], &result);
  judge_destroy(judge);
  return result.outcome == CASE_FAILED;
}

static bool read_rules(Shrink *shrinking, const char *path, Error *error) {
  Source *source = ARENA_NEW(shrinking->arena, Source, 1);
  RuleSet *rules = ARENA_NEW(shrinking->arena, RuleSet, 1);
  shrinking->rules = rules;
  return rules_engine(shrinking->arena, rules, error) &&
         file_read(shrinking->arena, path, 1 << 20, source, error) &&
         rules_parse(shrinking->arena, source, rules, error);
}

static bool reduce_one(Shrink *shrinking, const Subject *subject, Error *error) {
  shrinking->form = subject->form;
  shrinking->kind = subject->kind;
  return shrink(shrinking, &subject->text, error) == SHRINK_DONE &&
         strcmp(shrinking->signature.text, "refuted") != 0;
}

/* Reduces the first subject of the file that shows the fault. */
static bool reduce_file(Shrink *shrinking, const char *path, Error *error) {
  Source file;
  Subjects subjects;
  if (!file_read(shrinking->arena, path, 1 << 24, &file, error) ||
      !subjects_read(shrinking->arena, path, &file, &subjects, error))
    return false;
  for (uint32_t i = 0; i < subjects.count; i++)
    if (reduce_one(shrinking, &subjects.items[i], error)) return true;
  return false;
}

/* Finds the first changed rule on which the prover fails, as text; the changes are
 * deterministic. */
static bool find_mutant(Shrink *shrinking, const RuleSet *rules, Text *text, Error *error) {
  RandomChoices random = choices_of_seed(1);
  Hunt hunt = {.shrink = shrinking, .scratch = arena_create()};
  Child *child = child_create(shrinking->arena, look_rules, &hunt);
  bool found = false;
  for (uint32_t i = 0; i < most_mutants && !found; i++) {
    uint8_t bytes[24];
    for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (uint8_t)choose(&random.choices, 256);
    Rule rule = fuzz_mutate_rule(shrinking->arena, rules, bytes, sizeof bytes);
    FaultSignature signature;
    *text = text_create(shrinking->arena);
    rule_print(text, &rule);
    for (uint32_t k = 0; k < 2 && !found; k++) {
      if (!child_query(child, k == 0 ? "proved" : "false_step", text->bytes, text->length, 10,
              &signature, error))
        break;
      found = signature.text[0] != 0 && strcmp(signature.text, "timeout") != 0;
    }
  }
  child_destroy(child);
  arena_destroy(hunt.scratch);
  return found;
}

/* Hides the changed rule before three true rules. */
static bool reduce_mutants(Shrink *shrinking, Error *error) {
  RuleSet rules = {};
  Text text;
  if (!rules_engine(shrinking->arena, &rules, error) ||
      !find_mutant(shrinking, &rules, &text, error))
    return false;
  for (uint32_t i = 0; i < 3; i++) {
    Rule rule = rules.items[i];
    rule.name = arena_printf(shrinking->arena, "true-%u", i);
    rule_print(&text, &rule);
  }
  Subject subject = {.form = FORM_RULES,
      .kind = "proved",
      .text = {.name = "mutant", .text = text.bytes, .length = text.length, .first_line = 1}};
  return reduce_one(shrinking, &subject, error);
}

/* True if no case can fail: the prover's sampling refutes a false rule before a wrong proof shows,
 * and a case about MLIR itself passes as long as MLIR is wrong. The last look is then the only
 * confirmation. */
static bool has_no_failing_case(const Shrink *shrinking) {
  return shrinking->form == FORM_RULES || strncmp(shrinking->signature.text, "mlir_", 5) == 0;
}

static double seconds_of(int who) {
  struct rusage usage = {};
  getrusage(who, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static bool reduce_mutant_main_run(Shrink *shrinking, int argc, char **argv, Error *error) {
  if (argc > 4 && !read_rules(shrinking, argv[4], error)) return false;
  if (!(strcmp(argv[2], "mutants") == 0 ? reduce_mutants(shrinking, error)
                                        : reduce_file(shrinking, argv[2], error))) {
    printf("%-28s nothing is seen in %s\n", argv[1], argv[2]);
    return false;
  }
  printf("%-28s %4u %-16s %6u trials %6.2f s  %s\n", argv[1], shrinking->size,
      shrink_unit(shrinking->form), shrinking->trials,
      seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN), shrinking->signature.text);
  if (shrinking->body == nullptr) return shrinking->form == FORM_TEXT;
  Text text = text_create(shrinking->arena);
  shrink_print_case(&text, shrinking, argv[1], nullptr, "test", argv[3]);
  FILE *file = fopen(argv[3], "w");
  bool written = file != nullptr && fputs(text.bytes, file) != EOF;
  if (file != nullptr && fclose(file) != 0) written = false;
  return written &&
         (has_no_failing_case(shrinking) || is_refuted_again(shrinking, text.bytes, error));
}

int main(int argc, char **argv) {
  if (argc < 4) return 3;
  Error error = {};
  Shrink shrinking = {.arena = arena_create(), .seconds = 120, .most_trials = 20000, .kind = ""};
  bool passed = reduce_mutant_main_run(&shrinking, argc, argv, &error);
  if (error.kind != ERROR_NONE) error_print(&error, stderr);
  arena_destroy(shrinking.arena);
  return passed ? 0 : 1;
}
