/* The gate's scopes on an engine with a planted fault: some case must fail, and be explained. The search ends with the first one. Without a fault none does.
 *     exhaust_fault SCOPE refuted|passes [RULES] */
#include <stdio.h>
#include <string.h>

#include "core/base/file.h"
#include "judge/exhaust_run.h"

/* The first case that fails, in the order of the scope, as the gate judges it. */
static bool is_refuted(const ScopePlan *plan, const RuleSet *rules) {
  Error error = {};
  Arena *arena = arena_create();
  Text report = text_create(arena);
  Examiner *examiner = examiner_create(plan, rules, &error);
  if (examiner == nullptr) return false;
  examiner->report = &report;
  examiner_call_all(examiner, exhaust_usual_stride(plan));
  Status status = STATUS_PROVED;
  uint64_t number = 0;
  for (; number < plan->count && status != STATUS_REFUTED; number++) status = examiner_judge(examiner, number, &(ExhaustTally){});
  printf("%s: %llu of %llu cases\n%s", plan->scope->name, (unsigned long long)number, (unsigned long long)plan->count, report.length == 0 ? "" : report.bytes);
  bool is_said = status == STATUS_REFUTED && strstr(report.bytes, "--case ") != nullptr;
  examiner_destroy(examiner);
  arena_destroy(arena);
  return is_said;
}

static bool read_rules(Arena *arena, const char *path, RuleSet *rules, Error *error) {
  Source *source = ARENA_NEW(arena, Source, 1);
  return rules_engine(arena, rules, error) && file_read(arena, path, (size_t)1 << 20, source, error) && rules_parse(arena, source, rules, error);
}

static bool passes(Arena *arena, const ScopePlan *plan, const RuleSet *rules) {
  ExhaustResult result;
  Error error = {};
  ExhaustOptions options = {.jobs = 1, .shards = 1, .rules = rules, .stride = exhaust_usual_stride(plan)};
  if (!exhaust_run(plan, &options, arena, &result, &error)) return false;
  printf("%s: %llu cases, %llu failed, %llu open\n", plan->scope->name, (unsigned long long)result.tally.cases, (unsigned long long)result.tally.failed,
         (unsigned long long)result.tally.open);
  return result.is_complete && result.tally.failed == 0 && result.tally.open == 0;
}

int main(int argc, char **argv) {
  const Scope *scope = argc >= 3 ? scope_find(argv[1]) : nullptr;
  if (scope == nullptr) return STATUS_BAD;
  Arena *arena = arena_create();
  RuleSet rules = {};
  Error error = {};
  bool is_right = argc < 4 || read_rules(arena, argv[3], &rules, &error);
  ScopePlan *plan = scope_plan_create(scope, TIER_GATE);
  const RuleSet *given = argc < 4 ? nullptr : &rules;
  is_right = is_right && plan->count > 0 && (strcmp(argv[2], "refuted") == 0 ? is_refuted(plan, given) : passes(arena, plan, given));
  if (error.kind != ERROR_NONE) error_print(&error, stderr);
  scope_plan_destroy(plan);
  arena_destroy(arena);
  return is_right ? 0 : 1;
}
