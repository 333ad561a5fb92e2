/* The counterexample of a failure. A failure of a scope has its case's number alone, so the case is
 * judged again. */
#include "cli/gate/gate.h"

Examiner *gate_examiner(Gate *gate, const ScopePlan *plan, Text *report) {
  Error error = {};
  Examiner *examiner = examiner_create_of(plan, nullptr, gate->engine, &error);
  if (examiner == nullptr) return nullptr;
  examiner->report = report;
  examiner->accepted = &gate->checker.accepted;
  examiner_call_all(examiner, exhaust_usual_stride(plan));
  examiner->replay = arena_printf(gate->arena, "--scope %s --tier gate", plan->scope->name);
  return examiner;
}

const char *gate_explain(Gate *gate, const Failure *failure) {
  if (failure->text != nullptr) return failure->text;
  ScopePlan *plan = scope_plan_create(failure->scope, TIER_GATE);
  Text report = text_create(gate->arena);
  Examiner *examiner = gate_examiner(gate, plan, &report);
  if (examiner != nullptr) {
    examiner->is_brief = true;
    (void)examiner_explain(examiner, &failure->smallest);
    examiner_destroy(examiner);
  }
  scope_plan_destroy(plan);
  return report.bytes;
}
