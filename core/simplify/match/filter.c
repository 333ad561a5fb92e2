/* Filters avoid running plans that cannot fire. Each is a cheap necessary condition of a match:
 * guards over the ends of a constraint and the bounds of its sum; guards over a divisor and the
 * bounds of its dividend; a nonzero constant summand, if the plan takes one; a coefficient other
 * than 1 and -1, if the plan needs a common divisor above 1; a multiple of the divisor; as many
 * summands as the plan chooses; bounds with a single value.
 *
 * Keeps: a plan that a filter rejects would not have fired. */
#include "core/simplify/match/filter.h"

#include <assert.h>

#include "core/base/checked.h"
#include "core/simplify/match/match.h"

/* ---- analysing a plan ---- */

typedef struct Letters {
  int32_t lo, hi;  /* of a constraint's ends; -1: none */
  int32_t divisor; /* of a division; -1: none */
  int32_t rest;    /* of the root's whole sum; -1: none */
} Letters;

static bool take_value(Letters *letters, const MatchStep *step) {
  switch (step->value) {
    case VALUE_LO: letters->lo = step->letter; return true;
    case VALUE_HI: letters->hi = step->letter; return true;
    case VALUE_DIVISOR: letters->divisor = step->letter; return step->sum == 0;
    case VALUE_COEFFICIENT:
    case VALUE_UNIT: break;
  }
  return false;
}

static bool take_step(Letters *letters, const MatchStep *step) {
  if (step->kind == STEP_REST && step->sum == 0 && letters->rest < 0) {
    letters->rest = step->letter;
    return true;
  }
  return step->kind == STEP_BIND && formula_is_one(&step->formula) && take_value(letters, step);
}

/* The plan binds only the root's whole sum and the constraint's ends or the divisor. */
static bool is_plain(const MatchPlan *plan, Letters *letters) {
  *letters = (Letters){-1, -1, -1, -1};
  for (uint32_t i = 0; i + 1 < plan->step_count; i++)
    if (plan->steps[i].kind != STEP_GUARD && !take_step(letters, &plan->steps[i])) return false;
  return letters->rest >= 0;
}

static bool end_of_code(const Letters *letters, const Code *code, FilterEnd *end) {
  bool is_bound = (code->op == CODE_LO || code->op == CODE_HI) && code->letter == letters->rest;
  if (is_bound) *end = code->op == CODE_LO ? FILTER_LO : FILTER_HI;
  else if (code->op != CODE_CONSTANT) return false;
  else if (code->letter == letters->lo) *end = FILTER_FROM;
  else if (code->letter == letters->hi) *end = FILTER_TO;
  else if (code->letter == letters->divisor) *end = FILTER_DIVISOR;
  else return false;
  return true;
}

static bool end_of(
    const Letters *letters, const Formula *formula, FilterGuard *guard, FilterEnd *end) {
  FilterEnd divisor;
  const Code *items = formula->items;
  if (formula->count == 0) {
    *end = FILTER_NUMBER;
    guard->number = formula->value;
    return true;
  }
  if (!end_of_code(letters, &items[0], end) || formula->count == 2) return false;
  if (formula->count == 1) return true;
  if (formula->count > 3 || items[2].op != CODE_FLOORDIV || *end < FILTER_LO ||
      !end_of_code(letters, &items[1], &divisor) || divisor != FILTER_DIVISOR)
    return false;
  *end = *end == FILTER_LO ? FILTER_LO_QUOTIENT : FILTER_HI_QUOTIENT;
  return true;
}

static bool needs_bounds(const FilterGuard *guard) {
  return guard->left >= FILTER_LO || guard->right >= FILTER_LO;
}

/* Guards that compare two of these numbers, those without bounds first; the match checks the
 * others. */
static void filter_by_guards(MatchPlan *plan, const Letters *letters, FilterKind kind) {
  PlanFilter *filter = &plan->filter;
  assert(letters->rest >= 0);
  for (uint32_t turn = 0; turn < 2; turn++)
    for (uint32_t i = 0; i < plan->guard_count && filter->count < filter_max_guards; i++) {
      FilterGuard guard = {.relation = plan->guards[i].relation};
      if (end_of(letters, &plan->guards[i].left, &guard, &guard.left) &&
          end_of(letters, &plan->guards[i].right, &guard, &guard.right) &&
          (guard.left != FILTER_NUMBER || guard.right != FILTER_NUMBER) &&
          needs_bounds(&guard) == (turn == 1))
        filter->guards[filter->count++] = guard;
    }
  if (filter->count > 0) filter->kind = kind;
}

static bool is_constant_of(const Code *code, uint8_t letter) {
  return code->op == CODE_CONSTANT && code->letter == letter;
}

/* `(a + c floordiv 2) floordiv c`, which is 0 if a is 0, for every c > 0. */
static bool is_nearest_quotient(const Formula *formula, uint8_t letter) {
  const Code *items = formula->items;
  return formula->count == 7 && is_constant_of(&items[0], letter) && items[1].op == CODE_CONSTANT &&
         items[2].op == CODE_INTEGER && items[2].value == 2 && items[3].op == CODE_FLOORDIV &&
         items[4].op == CODE_ADD && is_constant_of(&items[5], items[1].letter) &&
         items[6].op == CODE_FLOORDIV;
}

/* True if the guard fails where the letter is 0. */
static bool fails_at_zero(const PlanGuard *guard, uint8_t letter) {
  if (guard->right.count > 0 || relation_holds(guard->relation, 0, guard->right.value))
    return false;
  return (guard->left.count == 1 && is_constant_of(&guard->left.items[0], letter)) ||
         is_nearest_quotient(&guard->left, letter);
}

static bool must_not_be_zero(const MatchPlan *plan, uint8_t letter) {
  bool must = false;
  for (uint32_t i = 0; i < plan->guard_count; i++) must |= fails_at_zero(&plan->guards[i], letter);
  return must;
}

/* True if a step takes a part of the root's constant, which is then not 0. */
static bool takes_constant(const MatchPlan *plan) {
  bool takes = false;
  for (uint32_t i = 0; i < plan->step_count; i++) {
    const MatchStep *step = &plan->steps[i];
    takes |=
        step->kind == STEP_PART_CONSTANT || (step->kind == STEP_TAKE_CONSTANT && step->sum == 0 &&
                                                must_not_be_zero(plan, step->letter));
  }
  return takes;
}

/* True if the step takes the multiples of the divisor out of the dividend. */
static bool takes_multiples(const MatchPlan *plan, const MatchStep *step) {
  const MatchStep *bind = plan->steps;
  return plan->root == PLAN_ATOM && step->kind == STEP_DIVISIBLE && step->sum == 0 &&
         bind->kind == STEP_BIND && bind->value == VALUE_DIVISOR && bind->sum == 0 &&
         formula_is_one(&bind->formula) && step->formula.count == 1 &&
         is_constant_of(&step->formula.items[0], bind->letter);
}

static uint8_t picks_of(const MatchPlan *plan) {
  uint8_t picks = 0;
  for (uint32_t i = 0; i < plan->step_count; i++)
    picks += plan->steps[i].kind == STEP_PICK && plan->steps[i].sum == 0;
  return picks;
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
  plan->filter = (PlanFilter){.picks = picks_of(plan)};
  if (plan->root == PLAN_SUM)
    plan->filter.kind = takes_constant(plan) ? FILTER_CONSTANT : FILTER_NONE;
  else if (is_point(plan)) plan->filter.kind = FILTER_POINT;
  else if (plan->root == PLAN_CONSTRAINT && is_plain(plan, &letters))
    filter_by_guards(plan, &letters, FILTER_ENDS);
  else if (plan->root == PLAN_ATOM && is_plain(plan, &letters) && letters.divisor >= 0)
    filter_by_guards(plan, &letters, FILTER_DIVISION);
  else if (on_root && first->kind == STEP_GCD) plan->filter.kind = FILTER_FACTOR;
  else if (on_root && first->kind == STEP_TAKE_CONSTANT && must_not_be_zero(plan, first->letter))
    plan->filter.kind = FILTER_CONSTANT;
  else if (takes_multiples(plan, first)) plan->filter.kind = FILTER_MULTIPLE;
  else plan->filter.kind = spread_kind(plan);
}

/* ---- applying a filter ---- */

static bool reach_bounds(Simplifier *simplifier, NormalSum *sum, Reach *reach) {
  Interval bounds;
  reach->is_known = true;
  reach->is_bounded = facts_known(simplifier, sum, &bounds);
  if (!reach->is_bounded) return false;
  reach->ends[FILTER_LO] = bounds.lo;
  reach->ends[FILTER_HI] = bounds.hi;
  int64_t divisor = reach->ends[FILTER_DIVISOR];
  if (divisor <= 0) return true;
  reach->ends[FILTER_LO_QUOTIENT] = floordiv64(bounds.lo, divisor);
  reach->ends[FILTER_HI_QUOTIENT] = floordiv64(bounds.hi, divisor);
  return true;
}

static bool guards_hold(
    Simplifier *simplifier, const PlanFilter *filter, NormalSum *sum, Reach *reach) {
  for (uint32_t i = 0; i < filter->count; i++) {
    const FilterGuard *guard = &filter->guards[i];
    if (needs_bounds(guard) && !reach->is_known && !reach_bounds(simplifier, sum, reach))
      return false;
    if (needs_bounds(guard) && !reach->is_bounded) return false;
    int64_t left = guard->left == FILTER_NUMBER ? guard->number : reach->ends[guard->left],
            right = guard->right == FILTER_NUMBER ? guard->number : reach->ends[guard->right];
    if (!relation_holds(guard->relation, left, right)) return false;
  }
  return true;
}

bool filter_constraint(
    Simplifier *simplifier, const MatchPlan *plan, const Demand *demand, Reach *reach) {
  switch (plan->filter.kind) {
    case FILTER_ENDS: return guards_hold(simplifier, &plan->filter, demand->sum, reach);
    case FILTER_FACTOR: return demand->sum->has_factors;
    case FILTER_CONSTANT: return demand->sum->constant != 0;
    case FILTER_DIVISION:
    case FILTER_MULTIPLE:
    case FILTER_SPREAD:
    case FILTER_SPREAD_NEGATIVE:
    case FILTER_POINT:
    case FILTER_NONE: return true;
  }
  assert(false);
  return true;
}

static bool may_have_multiple(const NormalAtom *atom) {
  const NormalSum *sum = atom->arguments[0];
  if (atom->divisor <= 1 || sum->has_factors) return true;
  return sum->constant != 0 && sum->constant % atom->divisor == 0;
}

bool filter_atom(Simplifier *simplifier, const MatchPlan *plan, NormalAtom *atom, Reach *reach) {
  Interval bounds;
  switch (plan->filter.kind) {
    case FILTER_DIVISION: return guards_hold(simplifier, &plan->filter, atom->arguments[0], reach);
    case FILTER_FACTOR: return atom->count != 1 || atom->arguments[0]->has_factors;
    case FILTER_CONSTANT: return atom->count != 1 || atom->arguments[0]->constant != 0;
    case FILTER_MULTIPLE: return may_have_multiple(atom);
    case FILTER_SPREAD:
    case FILTER_SPREAD_NEGATIVE: return spread_may_hold(simplifier, plan->filter.kind, atom);
    case FILTER_POINT:
      return facts_known(simplifier, sum_atom(atom), &bounds) && bounds.lo == bounds.hi;
    case FILTER_ENDS:
    case FILTER_NONE: return true;
  }
  assert(false);
  return true;
}

static bool may_fire_on_variable(Simplifier *simplifier, const MatchPlan *plan, Reach *reach) {
  static constexpr uint16_t variable = 1u << EXPR_VAR;
  int64_t extent = reach->ends[FILTER_HI] - reach->ends[FILTER_LO],
          divisor = reach->ends[FILTER_DIVISOR];
  if ((plan->needs & ~variable) != 0 || plan->order == ORDER_SIGN) return false;
  switch (plan->filter.kind) {
    case FILTER_DIVISION: return guards_hold(simplifier, &plan->filter, nullptr, reach);
    case FILTER_FACTOR:
    case FILTER_CONSTANT: return false;
    case FILTER_MULTIPLE: return divisor == 1;
    case FILTER_SPREAD: return extent < divisor;
    case FILTER_SPREAD_NEGATIVE: return extent <= 1;
    case FILTER_POINT: return reach->ends[FILTER_LO_QUOTIENT] == reach->ends[FILTER_HI_QUOTIENT];
    case FILTER_ENDS:
    case FILTER_NONE: return true;
  }
  assert(false);
  return true;
}

bool filter_variable(Simplifier *simplifier, ExprOp op, Interval bounds, int64_t divisor) {
  const PlanList *plans = &simplifier->main.by_op[op];
  Reach reach = {.is_known = true,
      .is_bounded = true,
      .ends = {[FILTER_DIVISOR] = divisor,
          [FILTER_LO] = bounds.lo,
          [FILTER_HI] = bounds.hi,
          [FILTER_LO_QUOTIENT] = floordiv64(bounds.lo, divisor),
          [FILTER_HI_QUOTIENT] = floordiv64(bounds.hi, divisor)}};
  assert(divisor > 0 && bounds.lo <= bounds.hi);
  for (uint32_t i = 0; i < plans->count; i++)
    if (may_fire_on_variable(simplifier, plans->items[i], &reach)) return true;
  return false;
}

bool filter_sum(const MatchPlan *plan, const NormalSum *sum) {
  assert(plan->root == PLAN_SUM);
  return sum->count >= plan->filter.picks &&
         (plan->filter.kind != FILTER_CONSTANT || sum->constant != 0);
}
