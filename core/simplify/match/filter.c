/* Filters avoid running plans that cannot fire. Each is a cheap necessary condition of a match:
 * guards over the ends of a constraint and the bounds of its sum; a nonzero constant summand, if
 * the plan takes one; a coefficient other than 1 and -1, if the plan needs a common divisor above
 * 1; bounds with a single value.
 *
 * Keeps: a plan that a filter rejects would not have fired. */
#include "core/simplify/match/filter.h"

#include <assert.h>

#include "core/simplify/match/match.h"

/* ---- analysing a plan ---- */

typedef struct Letters {
  int32_t lo, hi, rest; /* the letters of a constraint's ends and of its whole sum; -1: none */
} Letters;

static bool is_one(const Formula *formula) { return formula->count == 0 && formula->value == 1; }

static bool take_step(Letters *letters, const MatchStep *step) {
  if (step->kind == STEP_REST && step->sum == 0 && letters->rest < 0) {
    letters->rest = step->letter;
    return true;
  }
  if (step->kind != STEP_BIND || !is_one(&step->formula)) return false;
  if (step->value == VALUE_LO) letters->lo = step->letter;
  else if (step->value == VALUE_HI) letters->hi = step->letter;
  return step->value == VALUE_LO || step->value == VALUE_HI;
}

static bool is_plain_constraint(const MatchPlan *plan, Letters *letters) {
  *letters = (Letters){-1, -1, -1};
  if (plan->root != PLAN_CONSTRAINT) return false;
  for (uint32_t i = 0; i + 1 < plan->step_count; i++)
    if (plan->steps[i].kind != STEP_GUARD && !take_step(letters, &plan->steps[i])) return false;
  return letters->rest >= 0;
}

static bool end_of(const Letters *letters, const Formula *formula, FilterEnd *end) {
  if (formula->count != 1) return false;
  const Code *code = &formula->items[0];
  bool is_end = code->op == CODE_CONSTANT,
       is_bound = (code->op == CODE_LO || code->op == CODE_HI) && code->letter == letters->rest;
  if (is_bound) *end = code->op == CODE_LO ? FILTER_LO : FILTER_HI;
  else if (is_end && code->letter == letters->lo) *end = FILTER_FROM;
  else if (is_end && code->letter == letters->hi) *end = FILTER_TO;
  else return false;
  return true;
}

/* Guards that compare two of the four ends; the match checks the others. */
static void filter_by_ends(MatchPlan *plan, const Letters *letters) {
  PlanFilter *filter = &plan->filter;
  for (uint32_t i = 0; i < plan->guard_count && filter->count < filter_max_guards; i++) {
    FilterGuard guard = {.relation = plan->guards[i].relation};
    if (end_of(letters, &plan->guards[i].left, &guard.left) &&
        end_of(letters, &plan->guards[i].right, &guard.right))
      filter->guards[filter->count++] = guard;
  }
  assert(filter->count <= filter_max_guards && letters->rest >= 0);
  if (filter->count > 0) filter->kind = FILTER_ENDS;
}

static bool must_not_be_zero(const MatchPlan *plan, uint8_t letter) {
  for (uint32_t i = 0; i < plan->guard_count; i++) {
    const PlanGuard *guard = &plan->guards[i];
    if (guard->relation == REL_NE && guard->left.count == 1 &&
        guard->left.items[0].op == CODE_CONSTANT && guard->left.items[0].letter == letter &&
        guard->right.count == 0 && guard->right.value == 0)
      return true;
  }
  return false;
}

/* The first step that does more than bind ends and divisors, or check guards. */
static const MatchStep *first_of(const MatchPlan *plan) {
  const MatchStep *step = plan->steps;
  while (step->kind == STEP_BIND || step->kind == STEP_GUARD) step++;
  assert(step < plan->steps + plan->step_count);
  return step;
}

static bool is_point(const MatchPlan *plan) {
  if (plan->root != PLAN_ANY_ATOM || plan->guard_count != 1) return false;
  const PlanGuard *guard = &plan->guards[0];
  return guard->relation == REL_EQ && guard->left.count == 1 && guard->right.count == 1 &&
         guard->left.items[0].op == CODE_LO && guard->right.items[0].op == CODE_HI;
}

void plan_filter(MatchPlan *plan) {
  Letters letters;
  const MatchStep *first = first_of(plan);
  bool on_root = (plan->root == PLAN_CONSTRAINT || plan->root == PLAN_ATOM) && first->sum == 0;
  plan->filter = (PlanFilter){};
  if (is_point(plan)) plan->filter.kind = FILTER_POINT;
  else if (is_plain_constraint(plan, &letters)) filter_by_ends(plan, &letters);
  else if (on_root && first->kind == STEP_GCD) plan->filter.kind = FILTER_FACTOR;
  else if (on_root && first->kind == STEP_TAKE_CONSTANT && must_not_be_zero(plan, first->letter))
    plan->filter.kind = FILTER_CONSTANT;
}

/* ---- applying a filter ---- */

static bool asks_bounds(FilterEnd end) { return end == FILTER_LO || end == FILTER_HI; }

static bool ends_hold(
    Simplifier *simplifier, const PlanFilter *filter, const Demand *demand, Reach *reach) {
  for (uint32_t i = 0; i < filter->count; i++) {
    const FilterGuard *guard = &filter->guards[i];
    assert(guard->left <= FILTER_HI && guard->right <= FILTER_HI);
    if (asks_bounds(guard->left) || asks_bounds(guard->right)) {
      if (!reach->is_known) {
        reach->is_known = true;
        reach->is_bounded = facts_known(simplifier, demand->sum, &reach->bounds);
      }
      if (!reach->is_bounded) return false;
    }
    const int64_t ends[] = {[FILTER_FROM] = demand->in.lo,
        [FILTER_TO] = demand->in.hi,
        [FILTER_LO] = reach->bounds.lo,
        [FILTER_HI] = reach->bounds.hi};
    if (!relation_holds(guard->relation, ends[guard->left], ends[guard->right])) return false;
  }
  return true;
}

bool filter_constraint(
    Simplifier *simplifier, const MatchPlan *plan, const Demand *demand, Reach *reach) {
  switch (plan->filter.kind) {
    case FILTER_ENDS: return ends_hold(simplifier, &plan->filter, demand, reach);
    case FILTER_FACTOR: return demand->sum->has_factors;
    case FILTER_CONSTANT: return demand->sum->constant != 0;
    case FILTER_POINT:
    case FILTER_NONE: return true;
  }
  assert(false);
  return true;
}

bool filter_atom(Simplifier *simplifier, const MatchPlan *plan, NormalAtom *atom) {
  Interval bounds;
  switch (plan->filter.kind) {
    case FILTER_FACTOR: return atom->count != 1 || atom->arguments[0]->has_factors;
    case FILTER_CONSTANT: return atom->count != 1 || atom->arguments[0]->constant != 0;
    case FILTER_POINT:
      return facts_known(simplifier, sum_atom(atom), &bounds) && bounds.lo == bounds.hi;
    case FILTER_ENDS:
    case FILTER_NONE: return true;
  }
  assert(false);
  return true;
}
