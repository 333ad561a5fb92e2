/* The gate's scopes: every case of the gate's tier, in as many processes as were asked for. */
#include "cli/exhaust.h"
#include "cli/gate.h"
#include "cli/session.h"
#include "core/base/clock.h"

static constexpr uint64_t most_explained = 3;

static void explain(Gate *gate, const ScopePlan *plan, const ExhaustResult *result) {
  Error error = {};
  if (result->kept == 0) return;
  Examiner *examiner = examiner_create(plan, nullptr, &error);
  if (examiner == nullptr) return;
  Text report = text_create(gate->arena);
  examiner->report = &report;
  examiner_call_all(examiner, exhaust_usual_stride(plan));
  examiner->replay = arena_printf(gate->arena, "--scope %s --tier gate", plan->scope->name);
  for (uint64_t i = 0; i < result->kept && i < most_explained; i++)
    (void)examiner_explain(examiner, &result->named[i]);
  examiner_destroy(examiner);
  check_tell(&gate->checker, report.bytes);
}

static void run_scope(Gate *gate, const ScopePlan *plan, GateRow *row) {
  ExhaustResult result;
  Error error = {};
  ExhaustOptions options = {.jobs = (uint64_t)gate->exhaust_jobs,
      .shards = 1,
      .stop = session_is_interrupted,
      .stride = exhaust_usual_stride(plan)};
  if (!exhaust_run(plan, &options, gate->arena, &result, &error)) {
    gate->status = status_worse(gate->status, session_fail(&error));
    row->open += plan->count;
    return;
  }
  row->failed += result.tally.failed;
  row->open += result.tally.open + (result.cases - result.tally.cases);
  row->passed += result.tally.cases - result.tally.failed - result.tally.open;
  if (result.tally.failed > 0 || result.tally.open > 0) {
    Text text = text_create(gate->arena);
    exhaust_print_tally(&text, plan->scope->name, "gate", &result.tally);
    text_string(&text, "\n");
    check_tell(&gate->checker, text.bytes);
    explain(gate, plan, &result);
  }
}

void gate_exhaust(Gate *gate) {
  GateRow row = {.what = "scopes"};
  double start = clock_wall();
  uint32_t count = 0;
  for (uint32_t i = 0; i < scope_count && !session_is_interrupted(); i++) {
    ScopePlan *plan = scope_plan_create(&scopes[i], TIER_GATE);
    count += plan->count > 0;
    if (plan->count > 0) run_scope(gate, plan, &row);
    scope_plan_destroy(plan);
  }
  row.seconds = clock_wall() - start;
  row.note = arena_printf(gate->arena, "all cases of %u scopes", count);
  gate_row(gate, row);
}
