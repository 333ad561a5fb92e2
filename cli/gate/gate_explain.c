/* The counterexample of a failure. A failure of a scope has its case's number alone, so the case is
 * judged again. */
#include "cli/gate/gate.h"

Examiner *gate_examiner(Gate *gate, const ScopePlan *plan, Text *report) {
  Error error = {};
  Examiner *examiner = examiner_create_of(plan, nullptr, gate->engine, &error);
  if (examiner == nullptr) return nullptr;
  examiner->report = report;
  examiner->accepted = &gate->checker.accepted;
  if (gate->wants_exact) examiner_want_exact(examiner);
  examiner_call_all(examiner, exhaust_usual_stride(plan));
  examiner->replay = arena_printf(gate->arena, "--scope %s --tier gate", plan->scope->name);
  return examiner;
}

/* After an interrupt there is no time to judge a case again. */
static void name_case(const ScopePlan *plan, uint64_t number, Text *report) {
  text_printf(
      report, "case %llu: not judged again after the interrupt\n", (unsigned long long)number);
  scope_write_case(plan, number, report);
  text_printf(report, "  %-12s affirm exhaust --scope %s --tier gate --case %llu\n", "shown by",
      plan->scope->name, (unsigned long long)number);
}

const char *gate_explain(Gate *gate, const Failure *failure) {
  if (failure->text != nullptr) return failure->text;
  ScopePlan *plan = scope_plan_create(failure->scope, TIER_GATE);
  Text report = text_create(gate->arena);
  if (session_is_interrupted()) {
    name_case(plan, failure->smallest.number, &report);
    scope_plan_destroy(plan);
    return report.bytes;
  }
  Examiner *examiner = gate_examiner(gate, plan, &report);
  if (examiner != nullptr) {
    examiner->is_brief = true;
    (void)examiner_explain(examiner, &failure->smallest);
    examiner_destroy(examiner);
  }
  scope_plan_destroy(plan);
  return report.bytes;
}
