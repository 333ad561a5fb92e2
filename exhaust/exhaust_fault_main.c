/* Runs a scope of the gate on an engine with a mutant: some case must fail, and its fault must be
 * explained. The search ends with the first chunk that fails. Without a mutant no case fails; with
 * AFFIRM_FEW only every fourth chunk is judged, since ci/gate judges all, and with
 * AFFIRM_BRIEF every sixteenth.
 *     exhaust_fault SCOPE refuted|passes [RULES] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "exhaust/exhaust_run.h"

static bool read_rules(Arena *arena, const char *path, RuleSet *rules, Error *error) {
  Source *source = ARENA_NEW(arena, Source, 1);
  return rules_engine(arena, rules, error) &&
         file_read(arena, path, (size_t)1 << 20, source, error) &&
         rules_parse(arena, source, rules, error);
}

static bool judge_scope(
    Arena *arena, const ScopePlan *plan, const ExhaustOptions *options, ExhaustResult *result) {
  Error error = {};
  if (!exhaust_run(plan, options, arena, result, &error)) {
    error_print(&error, stderr);
    return false;
  }
  printf("%s: %llu of %llu cases, %llu failed, %llu open\n", plan->scope->name,
      (unsigned long long)result->tally.cases, (unsigned long long)plan->count,
      (unsigned long long)result->tally.failed, (unsigned long long)result->tally.open);
  return true;
}

/* Explains the first failed case and prints the report. */
static bool is_explained(Arena *arena, const ScopePlan *plan, const ExhaustOptions *options,
    const ExhaustResult *result) {
  Error error = {};
  Text report = text_create(arena);
  Examiner *examiner = examiner_create(plan, options->rules, &error);
  if (examiner == nullptr) return false;
  examiner->report = &report;
  examiner_call_all(examiner, options->stride);
  Status status = STATUS_PROVED;
  for (uint64_t i = 0; i < result->kept && status != STATUS_REFUTED; i++)
    status = examiner_explain(examiner, &result->named[i]);
  examiner_destroy(examiner);
  printf("%s", report.bytes);
  return status == STATUS_REFUTED && strstr(report.bytes, "--case ") != nullptr;
}

static bool is_refuted(Arena *arena, const ScopePlan *plan, const RuleSet *rules) {
  ExhaustResult result;
  ExhaustOptions options = {.jobs = 1,
      .shards = 1,
      .rules = rules,
      .stride = exhaust_usual_stride(plan),
      .case_seconds = 2,
      .first = true};
  return judge_scope(arena, plan, &options, &result) && result.tally.failed > 0 &&
         is_explained(arena, plan, &options, &result);
}

static bool passes(Arena *arena, const ScopePlan *plan, const RuleSet *rules) {
  ExhaustResult result;
  bool is_few = getenv("AFFIRM_FEW") != nullptr, is_brief = getenv("AFFIRM_BRIEF") != nullptr;
  ExhaustOptions options = {.jobs = 1,
      .shards = is_brief ? 16
                : is_few ? 4
                         : 1,
      .rules = rules,
      .stride = exhaust_usual_stride(plan)};
  if (options.shards > 1)
    printf("skipped: all but one of %u chunks of cases\n", (unsigned)options.shards);
  return judge_scope(arena, plan, &options, &result) && result.is_complete &&
         result.tally.cases > 0 && result.tally.failed == 0 && result.tally.open == 0;
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
  is_right = is_right && plan->count > 0 &&
             (strcmp(argv[2], "refuted") == 0 ? is_refuted(arena, plan, given)
                                              : passes(arena, plan, given));
  if (error.kind != ERROR_NONE) error_print(&error, stderr);
  scope_plan_destroy(plan);
  arena_destroy(arena);
  return is_right ? 0 : 1;
}
