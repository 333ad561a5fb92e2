/* The gate's scopes on an engine with a planted fault: at least one case must fail, and be explained. Without a fault none does.
 *     exhaust_fault SCOPE refuted|passes [RULES] */
#include <stdio.h>
#include <string.h>

#include "core/base/file.h"
#include "judge/exhaust_run.h"

static bool is_explained(const ScopePlan *plan, const RuleSet *rules, uint64_t number) {
  Error error = {};
  Arena *arena = arena_create();
  Text report = text_create(arena);
  Examiner *examiner = examiner_create(plan, rules, &error);
  if (examiner == nullptr) return false;
  examiner->report = &report;
  Status status = examiner_judge(examiner, number, &(ExhaustTally){});
  fputs(report.bytes, stdout);
  bool is_said = status == STATUS_REFUTED && strstr(report.bytes, "--case ") != nullptr;
  examiner_destroy(examiner);
  arena_destroy(arena);
  return is_said;
}

static bool read_rules(Arena *arena, const char *path, RuleSet *rules, Error *error) {
  Source *source = ARENA_NEW(arena, Source, 1);
  return rules_engine(arena, rules, error) && file_read(arena, path, (size_t)1 << 20, source, error) && rules_parse(arena, source, rules, error);
}

static bool run(Arena *arena, const ScopePlan *plan, const RuleSet *rules, bool must_fail) {
  ExhaustResult result;
  Error error = {};
  if (plan->count == 0 || !exhaust_run(plan, &(ExhaustOptions){.jobs = 1, .shards = 1, .rules = rules}, arena, &result, &error)) return false;
  printf("%s: %llu cases, %llu failed, %llu open\n", plan->scope->name, (unsigned long long)result.tally.cases, (unsigned long long)result.tally.failed,
         (unsigned long long)result.tally.open);
  if (!result.is_complete) return false;
  if (!must_fail) return result.tally.failed == 0 && result.tally.open == 0;
  return result.tally.failed > 0 && is_explained(plan, rules, result.numbers[0]);
}

int main(int argc, char **argv) {
  const Scope *scope = argc >= 3 ? scope_find(argv[1]) : nullptr;
  if (scope == nullptr) return STATUS_BAD;
  Arena *arena = arena_create();
  RuleSet rules = {};
  Error error = {};
  bool is_right = argc < 4 || read_rules(arena, argv[3], &rules, &error);
  ScopePlan *plan = scope_plan_create(scope, TIER_GATE);
  is_right = is_right && run(arena, plan, argc < 4 ? nullptr : &rules, strcmp(argv[2], "refuted") == 0);
  if (error.kind != ERROR_NONE) error_print(&error, stderr);
  scope_plan_destroy(plan);
  arena_destroy(arena);
  return is_right ? 0 : 1;
}
