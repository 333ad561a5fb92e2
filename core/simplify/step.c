/* Converts a map to normal form without rules, and matches the rule only at the given place, with
 * the trace on: the first step of the rule in the trace is the rewrite.
 *
 * Keeps: conditions of the rule's order line are checked as in any other match. Rewrites by the
 * rule elsewhere in the map are ignored. */
#include "core/simplify/step.h"

#include "core/simplify/match/cancel.h"
#include "core/simplify/trace/trace.h"

static const MatchPlan *only_plan(const PlanSet *set, const PlanList *on_constraints) {
  for (uint32_t op = 0; op <= EXPR_MAX; op++) {
    if (set->by_op[op].count > 0) return set->by_op[op].items[0];
    if (set->on_cancel[op].count > 0) return set->on_cancel[op].items[0];
  }
  if (set->on_sums.count > 0) return set->on_sums.items[0];
  return on_constraints->count > 0 ? on_constraints->items[0] : nullptr;
}

/* Selects the rule, and its stage. */
static const MatchPlan *step_plan(Simplifier *alone) {
  const MatchPlan *plan = only_plan(&alone->main, &alone->on_constraints);
  if (plan != nullptr) return plan;
  alone->rules = &alone->text;
  alone->leads = true;
  alone->writing++;
  return only_plan(&alone->text, &alone->text_on_constraints);
}

static bool step_on_constraint(Simplifier *alone, const MatchPlan *plan, Tracer *tracer) {
  Demand after;
  if (tracer->demands.count == 0) return false;
  trace_at_constraint(alone, 0);
  return match_constraint(alone, plan, tracer->demands.items[0], &after);
}

/* In the first result; for a map without results, in the first constraint. */
static bool step_inside(
    Simplifier *alone, const MatchPlan *plan, const Tracer *tracer, NormalSum *position) {
  NormalSum *result;
  if (tracer->result_count > 0) trace_at_result(alone, 0);
  else trace_at_constraint(alone, 0);
  if (plan->order == ORDER_CANCELS) return cancel_sum(alone, position) != position;
  if (plan->root == PLAN_SUM) return match_sum(alone, plan, position, &result);
  return sum_is_atom(position) &&
         (plan->root == PLAN_ANY_ATOM || position->items[0].atom->op == plan->op) &&
         match_atom(alone, plan, position->items[0].atom, &result);
}

static NormalSum *position_of(Simplifier *alone, Expr at) {
  alone->rules_off = true;
  NormalSum *position = convert_in(alone, at);
  alone->rules_off = false;
  simplifier_new_epoch(alone);
  return position;
}

static bool first_step(const Trace *trace, const Rule *rule, TraceStep *step) {
  for (uint32_t i = 0; i < trace->count; i++)
    if (trace->items[i].rule == rule) {
      *step = trace->items[i];
      return true;
    }
  return false;
}

bool simplify_step(
    Simplifier *alone, const Map *map, Expr at, uint32_t skipped, Arena *arena, TraceStep *step) {
  Trace trace = {.arena = arena};
  Tracer tracer;
  alone->normal.has_overflow = false;
  simplifier_begin(alone, map);
  bool fires = trace_open(&tracer, alone, map, &trace);
  const MatchPlan *plan = step_plan(alone);
  alone->skipped = skipped;
  if (fires && plan->root == PLAN_CONSTRAINT) fires = step_on_constraint(alone, plan, &tracer);
  else if (fires) {
    NormalSum *position = position_of(alone, at);
    fires = position != nullptr && step_inside(alone, plan, &tracer, position);
  }
  alone->tracer = nullptr;
  alone->skipped = 0;
  return fires && first_step(&trace, plan->rule, step);
}
