/* The gate's scopes: every case of tier `gate`, in the requested number of processes. Scopes with
 * few cases run first, so that a fault of one operation is found within seconds. */
#include <string.h>

#include "cli/exhaust/exhaust.h"
#include "cli/gate/gate.h"
#include "cli/session.h"
#include "cli/session_guard.h"
#include "core/adapters/mlir/load.h"
#include "core/base/clock.h"

static constexpr uint64_t most_explained = 3, few_cases = 8192;

/* Prints the first cases that failed or are open. */
static void exhaust_gate_explain(Gate *gate, const ScopePlan *plan, const ExhaustResult *result) {
  Text report = text_create(gate->arena);
  if (result->kept == 0 || session_is_interrupted()) return;
  Examiner *examiner = gate_examiner(gate, plan, &report);
  if (examiner == nullptr) return;
  for (uint64_t i = 0; i < result->kept && i < most_explained; i++)
    (void)examiner_explain(examiner, &result->named[i]);
  examiner_destroy(examiner);
  gate_say(gate, report.bytes);
}

static void keep_failures(Gate *gate, const ScopePlan *plan, const ExhaustResult *result) {
  if (result->groups.count > 0) session_note(STATUS_REFUTED);
  for (uint32_t i = 0; i < result->groups.count; i++) {
    const FaultGroup *group = &result->groups.items[i];
    failures_add(&gate->failures, &(Failure){.stage = plan->scope->name,
                                      .operations = group->operations,
                                      .count = group->cases,
                                      .size = group->size,
                                      .scope = plan->scope,
                                      .smallest = group->smallest});
  }
}

/* Open cases are explained at once; failures are kept for the end. */
static void report_scope(Gate *gate, const ScopePlan *plan, const ExhaustResult *result) {
  bool is_shown = result->tally.failed == 0 || !gate->checker.quiet;
  keep_failures(gate, plan, result);
  if (!is_shown || (result->tally.failed == 0 && result->tally.open == 0)) return;
  Text text = text_create(gate->arena);
  exhaust_print_tally(&text, plan->scope->name, "gate", &result->tally);
  text_string(&text, "\n");
  gate_say(gate, text.bytes);
  exhaust_gate_explain(gate, plan, result);
}

/* Static because a scope's callback has no user state. */
static struct {
  GatePart *part;
  uint64_t before, all; /* cases of finished scopes, and of all scopes of the part */
} bar;

static void show_scope(const ScopePlan *plan, uint64_t cases, uint64_t, double) {
  gate_at(bar.part, "cases", bar.before + cases, bar.all, plan->scope->name);
}

static void run_scope(Gate *gate, const ScopePlan *plan, GateRow *row) {
  ExhaustResult *result = ARENA_NEW(gate->arena, ExhaustResult, 1);
  Error error = {};
  ExhaustOptions options = {.jobs = (uint64_t)gate->exhaust_jobs,
      .shards = 1,
      .first = gate->fail_fast,
      .engine = gate->engine,
      .accepted = &gate->checker.accepted,
      .wants_exact = gate->wants_exact,
      .stop = session_must_end,
      .progress = show_scope,
      .stride = exhaust_usual_stride(plan)};
  if (!exhaust_run(plan, &options, gate->arena, result, &error))
    gate->status = status_worse(gate->status, session_fail(&error));
  if (!result->is_known) {
    row->open += plan->count;
    return;
  }
  row->failed += result->tally.failed;
  row->open += result->tally.open + (result->cases - result->tally.cases);
  row->known += result->tally.counts[EXHAUST_known];
  row->avoidable += result->tally.counts[EXHAUST_avoidable];
  row->passed += result->tally.cases - result->tally.failed - result->tally.open -
                 result->tally.counts[EXHAUST_known];
  gate_baseline_add(gate, plan->scope->name, result->faults);
  report_scope(gate, plan, result);
}

static bool is_in_part(const Gate *gate, const Scope *scope, uint64_t cases, bool few) {
  return cases > 0 && (cases < few_cases) == few && gate_runs_scope(gate, scope) &&
         (gate->scope == nullptr || strcmp(gate->scope, scope->name) == 0);
}

static uint64_t cases_of_part(const Gate *gate, bool few) {
  uint64_t cases = 0;
  for (uint32_t i = 0; i < scope_count; i++) {
    uint64_t count = scope_cases(&scopes[i], TIER_GATE);
    if (is_in_part(gate, &scopes[i], count, few)) cases += count;
  }
  return cases;
}

/* Every scope would end so: it is said once. */
static bool lacks_judge(Gate *gate, GateRow *row) {
  Error error = {};
  if (gate->engine != nullptr || mlir_library_is_as_named(&error)) return false;
  gate->status = status_worse(gate->status, session_fail(&error));
  row->open = bar.all;
  row->note = "not run: MLIR cannot be opened";
  return true;
}

void gate_exhaust(Gate *gate, bool few) {
  GateRow row = {.what = few ? "small scopes" : "scopes"};
  double start = clock_wall();
  bar = (typeof(bar)){.part = &gate->part, .all = cases_of_part(gate, few)};
  if (bar.all > 0 && lacks_judge(gate, &row)) {
    gate_row(gate, row);
    return;
  }
  gate_at(&gate->part, "cases", 0, bar.all, "");
  uint32_t count = 0;
  for (uint32_t i = 0; i < scope_count && !gate_should_end(gate); i++) {
    ScopePlan *plan = scope_plan_create(&scopes[i], TIER_GATE);
    bool is_wanted = is_in_part(gate, &scopes[i], plan->count, few);
    count += is_wanted;
    if (is_wanted) run_scope(gate, plan, &row);
    if (is_wanted) bar.before += plan->count;
    scope_plan_destroy(plan);
  }
  row.seconds = clock_wall() - start;
  if (count == 0 && gate->scope != nullptr) return;
  row.note = arena_printf(gate->arena, "all cases of %u scope%s", count, count == 1 ? "" : "s");
  gate_row(gate, row);
}
