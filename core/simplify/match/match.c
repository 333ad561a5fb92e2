/* Runs the steps of a plan. Steps with a choice (a summand, an argument, a divisor) try their
 * candidates in order. The first candidate for which all later steps succeed and the right side has
 * a value is the match; a failed candidate is undone.
 *
 * Keeps: a rule fires only on an instance of its left side whose guard holds, and only if the
 * result differs. The recursion is as deep as a plan has choices. */
#include "core/simplify/match/match.h"

#include <assert.h>

#include "core/base/checked.h"
#include "core/simplify/match/parts.h"
#include "core/simplify/trace/trace.h"

static bool match_run(Match *match, const MatchStep *step);

typedef struct Saved {
  SumView sums[plan_max_sums];
  uint8_t picked_count, contained_count, argument_count;
  BumpMark mark;
} Saved;

static void save(const Match *match, Saved *saved) {
  for (uint32_t i = 0; i < match->plan->sum_count; i++) saved->sums[i] = match->sums[i];
  saved->picked_count = match->picked_count;
  saved->contained_count = match->contained_count;
  saved->argument_count = match->argument_count;
  saved->mark = bump_mark(&match->simplifier->normal.temp);
}

static void match_restore(Match *match, const Saved *saved) {
  assert(match->picked_count >= saved->picked_count &&
         match->contained_count >= saved->contained_count);
  for (uint32_t i = 0; i < match->plan->sum_count; i++) match->sums[i] = saved->sums[i];
  match->picked_count = saved->picked_count;
  match->contained_count = saved->contained_count;
  match->argument_count = saved->argument_count;
  bump_release(&match->simplifier->normal.temp, saved->mark);
}

static SumView view_of(NormalSum *sum) {
  return (SumView){
      .items = sum->items, .count = sum->count, .constant = sum->constant, .whole = sum};
}

/* ---- choices ---- */

static bool is_taken(const Match *match, uint8_t sum, uint32_t index) {
  for (uint32_t i = 0; i < match->picked_count; i++)
    if (match->picked[i].sum == sum && match->picked[i].index == index) return true;
  return false;
}

/* A sum with more summands keeps its signs: each negation would visit all of them. */
static constexpr uint32_t negated_max = 256;

/* Only a sum with a negative summand can become shorter by negation. */
static bool may_turn(const Match *match, const SumView *view, const NormalAtom *atom) {
  if (match->plan->order != ORDER_TURNS || atom->count != 1) return true;
  const NormalSum *argument = atom->arguments[0];
  bool subtracts = argument->count > 0 && argument->items[0].coefficient < 0;
  for (uint32_t i = 1; i < argument->count && !subtracts; i++)
    subtracts = argument->items[i].coefficient < 0;
  return view->count <= negated_max && (subtracts || view->items[0].coefficient < 0);
}

static bool run_pick(Match *match, const MatchStep *step) {
  Saved saved;
  save(match, &saved);
  const SumView view = match->sums[step->sum];
  for (uint32_t i = 0; i < view.count; i++) {
    NormalAtom *atom = view.items[i].atom;
    if (atom->op != step->op || is_taken(match, step->sum, i) || !may_turn(match, &view, atom))
      continue;
    assert(match->picked_count < plan_max_picks);
    match->picked[match->picked_count++] =
        (Picked){.sum = step->sum, .index = i, .coefficient = view.items[i].coefficient};
    match->owners[step->other] = atom;
    match->sums[step->other] = view_of(atom->arguments[0]);
    if (match_run(match, step + 1)) return true;
    match_restore(match, &saved);
  }
  return false;
}

static bool run_argument(Match *match, const MatchStep *step) {
  Saved saved;
  save(match, &saved);
  assert(match->atom != nullptr); /* only atoms have arguments */
  for (uint32_t i = 0; i < match->atom->count; i++) {
    if (match->argument_count == 1 && match->arguments[0] == i) continue;
    assert(match->argument_count < 2);
    match->arguments[match->argument_count++] = i;
    match->owners[step->other] = match->atom;
    match->sums[step->other] = view_of(match->atom->arguments[i]);
    if (match_run(match, step + 1)) return true;
    match_restore(match, &saved);
  }
  return false;
}

static bool run_unit(Match *match, const MatchStep *step) {
  Saved saved;
  save(match, &saved);
  const SumView view = parts_whole(match, match->sums[step->sum]);
  Interval all;
  bool bounded = parts_box(match, &view, &all);
  for (uint32_t i = 0; i < view.count; i++) {
    Summand alone = {1, view.items[i].atom};
    match->unit_coefficients[step->letter] = view.items[i].coefficient;
    parts_bind(match, step->letter, &(SumView){.items = &alone, .count = 1});
    match->sums[step->sum] = (SumView){.items = view.items,
        .count = view.count,
        .constant = view.constant,
        .lacks = true,
        .lacking = i,
        .all = bounded ? &all : nullptr};
    if (match_run(match, step + 1)) return true;
    match_restore(match, &saved);
  }
  return false;
}

static bool run_gcd(Match *match, const MatchStep *step) {
  Saved saved;
  save(match, &saved);
  int64_t divisors[parts_max_divisors];
  int64_t start = step->divisor_known ? match->owners[step->sum]->divisor : 0;
  uint32_t count = parts_divisors(match, &match->sums[step->sum], start, divisors);
  for (uint32_t i = 0; i < count; i++) {
    assert(divisors[i] > 1 && (i == 0 || divisors[i] < divisors[i - 1]));
    match->constants[step->letter] = divisors[i];
    if (match_run(match, step + 1)) return true;
    match_restore(match, &saved);
  }
  return false;
}

/* ---- values ---- */

static bool exact_quotient(int64_t value, int64_t divisor, int64_t *quotient) {
  if (divisor == 0 || (divisor == -1 && value == INT64_MIN) || value % divisor != 0) return false;
  *quotient = value / divisor;
  assert(*quotient * divisor == value);
  return true;
}

static bool match_value_of(const Match *match, const MatchStep *step, int64_t *value) {
  switch (step->value) {
    case VALUE_DIVISOR: *value = match->owners[step->sum]->divisor; return true;
    case VALUE_UNIT: *value = match->unit_coefficients[step->at]; return true;
    case VALUE_LO: *value = match->in.lo; return true;
    case VALUE_HI: *value = match->in.hi; return true;
    case VALUE_COEFFICIENT: {
      const Picked *picked = &match->picked[step->at];
      if (picked->sum == 0 && match->plan->root == PLAN_SUM)
        return exact_quotient(picked->coefficient, match->scale, value);
      *value = picked->coefficient;
      return true;
    }
  }
  assert(false);
  return false;
}

static bool run_value(Match *match, const MatchStep *step) {
  int64_t value, known;
  if (!match_value_of(match, step, &value) || !match_evaluate(match, &step->formula, &known))
    return false;
  if (step->kind == STEP_CHECK) return value == known;
  return exact_quotient(value, known, &match->constants[step->letter]);
}

static bool run_scale(Match *match, const MatchStep *step) {
  int64_t known;
  return match_evaluate(match, &step->formula, &known) &&
         exact_quotient(match->picked[step->at].coefficient, known, &match->scale);
}

static bool guard_holds(Match *match, const PlanGuard *guard) {
  int64_t left, right;
  if (!match_evaluate(match, &guard->left, &left) || !match_evaluate(match, &guard->right, &right))
    return false;
  return relation_holds(guard->relation, left, right);
}

/* ---- steps without a choice ---- */

static bool run_subtract(Match *match, const MatchStep *step) {
  int64_t coefficient;
  SumView *view = &match->sums[step->sum];
  if (!match_evaluate(match, &step->formula, &coefficient)) return false;
  if (step->kind == STEP_SUBTRACT) {
    const SumView part = parts_whole(match, match->exprs[step->letter].view);
    return parts_subtract(match, view, coefficient, &part);
  }
  view->whole = nullptr;
  return simplifier_sub(match->simplifier, view->constant, coefficient, &view->constant);
}

static bool run_part_constant(Match *match, const MatchStep *step) {
  int64_t value, left, constant = match->sums[0].constant;
  if (!match_evaluate(match, &step->formula, &value) ||
      !simplifier_mul(match->simplifier, value, match->scale, &value))
    return false;
  match->part_constant = value;
  return simplifier_sub(match->simplifier, constant, value, &left) &&
         ((value > 0 && left >= 0) || (value < 0 && left <= 0));
}

static bool run_contained(Match *match, const MatchStep *step) {
  int64_t coefficient;
  if (!match_evaluate(match, &step->formula, &coefficient) ||
      !simplifier_mul(match->simplifier, coefficient, match->scale, &coefficient) ||
      !parts_contained(match, &match->sums[0], coefficient, step->letter))
    return false;
  assert(match->contained_count < plan_max_picks);
  match->contained[match->contained_count++] =
      (Contained){.letter = step->letter, .coefficient = coefficient};
  return true;
}

static bool run_multiples(Match *match, const MatchStep *step) {
  int64_t divisor;
  SumView quotient;
  SumView *view = &match->sums[step->sum];
  if (!match_evaluate(match, &step->formula, &divisor)) return false;
  bool splits = step->kind == STEP_DIVISIBLE;
  if (!(splits ? parts_divisible(match, view, divisor, &quotient)
               : parts_all_divisible(match, view, divisor, &quotient)))
    return false;
  parts_bind(match, step->letter, &quotient);
  if (!splits) *view = (SumView){};
  return true;
}

static bool take_constant(Match *match, const MatchStep *step) {
  SumView *view = &match->sums[step->sum];
  if (step->sum == 0 && match->plan->root == PLAN_SUM) {
    match->part_constant = view->constant;
    return exact_quotient(view->constant, match->scale, &match->constants[step->letter]);
  }
  match->constants[step->letter] = view->constant;
  if (view->constant != 0) view->whole = nullptr;
  view->constant = 0;
  return true;
}

static bool take_shift(Match *match, const MatchStep *step) {
  int64_t step_size, moved;
  SumView *view = &match->sums[step->sum];
  Interval bounds;
  if (!match_evaluate(match, &step->formula, &step_size) || step_size <= 0) return false;
  if (!facts_items(match->simplifier, view->items, view->count, view->constant, &bounds))
    return false;
  int64_t shift = floordiv64(bounds.lo, step_size);
  match->constants[step->letter] = shift;
  if (shift != 0) view->whole = nullptr;
  return simplifier_mul(match->simplifier, step_size, shift, &moved) &&
         simplifier_sub(match->simplifier, view->constant, moved, &view->constant);
}

static bool run_common(Match *match, const MatchStep *step) {
  SumView common;
  if (!parts_common(match, &match->sums[step->sum], &match->sums[step->other], &common))
    return false;
  parts_bind(match, step->letter, &common);
  return true;
}

static bool uses_sum(StepKind kind) {
  return kind != STEP_GUARD && kind != STEP_BIND && kind != STEP_CHECK;
}

static bool is_empty(const SumView *view) { return view->count == 0 && view->constant == 0; }

static bool run_plain(Match *match, const MatchStep *step) {
  if (uses_sum(step->kind) && step->kind != STEP_REST && match->sums[step->sum].lacks)
    match->sums[step->sum] = parts_whole(match, match->sums[step->sum]);
  switch (step->kind) {
    case STEP_BIND:
    case STEP_CHECK: return run_value(match, step);
    case STEP_SCALE: return run_scale(match, step);
    case STEP_DROP_PICKED: parts_drop_picked(match, step->sum); return true;
    case STEP_SUBTRACT:
    case STEP_SUBTRACT_CONSTANT: return run_subtract(match, step);
    case STEP_TAKE_CONSTANT: return take_constant(match, step);
    case STEP_TAKE_SHIFT: return take_shift(match, step);
    case STEP_DIVISIBLE:
    case STEP_ALL_DIVISIBLE: return run_multiples(match, step);
    case STEP_REST:
      parts_bind(match, step->letter, &match->sums[step->sum]);
      match->sums[step->sum] = (SumView){};
      return true;
    case STEP_EMPTY: return is_empty(&match->sums[step->sum]);
    case STEP_COMMON: return run_common(match, step);
    case STEP_CONTAINED: return run_contained(match, step);
    case STEP_PART_CONSTANT: return run_part_constant(match, step);
    case STEP_GUARD: return guard_holds(match, &match->plan->guards[step->at]);
    case STEP_PICK:
    case STEP_ARGUMENT:
    case STEP_UNIT:
    case STEP_GCD:
    case STEP_DONE: break;
  }
  assert(false);
  return false;
}

/* ---- results ---- */

/* For a minimum or maximum with more arguments, a pair is tried only if the pair's own result is
 * lighter. With fewer arguments the effect on the others counts too; trying that costs the number
 * of subsets. */
static constexpr uint32_t tried_whole_max = 6;

static bool is_worth_trying(const Match *match, const NormalSum *built) {
  const NormalAtom *atom = match->atom;
  if (match->plan->order != ORDER_LIGHTER || match->simplifier->rules_off ||
      atom->count <= tried_whole_max)
    return true;
  if (atom->op != EXPR_MIN && atom->op != EXPR_MAX) return true;
  return built->weight <= atom->arguments[match->arguments[0]]->weight +
                              atom->arguments[match->arguments[1]]->weight;
}

/* If another argument has no bounds, no result has bounds, and finish_bounded rejects it. Checked
 * before the rest is rewritten: otherwise every one of the subsets would be rewritten and
 * rejected. */
static bool others_have_bounds(const Match *match) {
  const NormalAtom *atom = match->atom;
  Interval ignored;
  for (uint32_t i = 0; i < atom->count; i++)
    if (i != match->arguments[0] && i != match->arguments[1] &&
        !facts_sum(match->simplifier, atom->arguments[i], &ignored))
      return false;
  return true;
}

static bool finish_atom(Match *match) {
  Simplifier *simplifier = match->simplifier;
  NormalAtom *atom = match->atom;
  bool takes_two = match->plan->root == PLAN_ATOM && atom->count > 2;
  if (takes_two && !others_have_bounds(match)) return false;
  Gather gather = gather_create(&simplifier->normal, 8);
  if (!build_template(match, match->plan->right, 1, &gather)) return false;
  NormalSum *built = simplifier->rewriter->collected(simplifier, &gather);
  if (built != nullptr && takes_two) {
    if (!is_worth_trying(match, built)) return false;
    NormalSum **arguments = BUMP_NEW(&simplifier->normal.temp, NormalSum *, atom->count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < atom->count; i++)
      if (i != match->arguments[0] && i != match->arguments[1])
        arguments[count++] = atom->arguments[i];
    arguments[count++] = built;
    built = simplifier->rewriter->combined(simplifier, atom->op, arguments, count);
  }
  assert(built == nullptr || summands_are_canonical(built->items, built->count));
  match->result = built;
  return built != nullptr && built != sum_atom(atom);
}

static bool finish_sum(Match *match) {
  Simplifier *simplifier = match->simplifier;
  const SumView *sum = &match->sums[0];
  Gather gather = gather_create(&simplifier->normal, sum->count + 8);
  for (uint32_t i = 0; i < sum->count; i++)
    if (!is_taken(match, 0, i)) gather_atom(&gather, sum->items[i].coefficient, sum->items[i].atom);
  gather_constant(&gather, 1, sum->constant);
  gather_constant(&gather, -1, match->part_constant);
  for (uint32_t i = 0; i < match->contained_count; i++) {
    const SumView *part = &match->exprs[match->contained[i].letter].view;
    int64_t minus;
    if (!simplifier_sub(match->simplifier, 0, match->contained[i].coefficient, &minus))
      return false;
    gather_items(&gather, minus, part->items, part->count);
    gather_constant(&gather, minus, part->constant);
  }
  if (!build_template(match, match->plan->right, match->scale, &gather)) return false;
  match->result = gather_finish(&gather);
  return match->result != nullptr && match->result != match->subject;
}

static bool finish_constraint(Match *match) {
  Simplifier *simplifier = match->simplifier;
  Gather gather = gather_create(&simplifier->normal, 8);
  Demand *after = &match->demand;
  if (!match_evaluate(match, &match->plan->lo, &after->in.lo) ||
      !match_evaluate(match, &match->plan->hi, &after->in.hi) ||
      !build_template(match, match->plan->right, 1, &gather))
    return false;
  after->sum = simplifier->rewriter->collected(simplifier, &gather);
  return after->sum != nullptr && (after->sum != match->subject || after->in.lo != match->in.lo ||
                                      after->in.hi != match->in.hi);
}

static bool finish_root(Match *match) {
  switch (match->plan->root) {
    case PLAN_ATOM:
    case PLAN_ANY_ATOM: return finish_atom(match);
    case PLAN_SUM: return finish_sum(match);
    case PLAN_CONSTRAINT: return finish_constraint(match);
  }
  assert(false);
  return false;
}

/* The length of the interval of a constraint; else 0. */
static uint64_t interval_length(const Match *match, const Interval *in) {
  return match->plan->root == PLAN_CONSTRAINT ? digits_of(in->lo) + digits_of(in->hi) : 0;
}

/* Checks the orders that restrict the result. */
static bool obeys_order(const Match *match, const NormalSum *result) {
  const NormalSum *before = match->atom != nullptr ? &match->atom->alone : match->subject;
  switch (match->plan->order) {
    case ORDER_LIGHTER: return result->weight < before->weight;
    case ORDER_TEXT:
    case ORDER_TURNS:
      return sum_length(result) + interval_length(match, &match->demand.in) <
             sum_length(before) + interval_length(match, &match->in);
    case ORDER_NONE:
    case ORDER_SIGN:
    case ORDER_CANCELS: return true;
  }
  assert(false);
  return false;
}

/* A result that could leave int64 somewhere on the domain is rejected. */
static bool finish_bounded(Match *match) {
  Interval ignored;
  if (!finish_root(match)) return false;
  NormalSum *result = match->plan->root == PLAN_CONSTRAINT ? match->demand.sum : match->result;
  assert(summands_are_canonical(result->items, result->count));
  return obeys_order(match, result) && facts_sum(match->simplifier, result, &ignored);
}

/* Tries the match without recording, so that a failed candidate costs the record nothing. */
static bool would_finish(Match *match) {
  uint64_t fired = match->simplifier->fired;
  Tracer *tracer = memo_try(match->simplifier);
  bool finishes = finish_bounded(match);
  memo_record(match->simplifier, tracer);
  match->simplifier->fired = fired;
  return finishes;
}

/* Records the right side as stated first, and then its rewriting. */
static bool finish_traced(Match *match) {
  if (!would_finish(match) || simplifier_skips(match->simplifier)) return false;
  match->simplifier->rules_off = true;
  bool stated = finish_root(match);
  match->simplifier->rules_off = false;
  if (!stated) return false;
  TraceMark mark = trace_fired(match);
  if (finish_bounded(match)) return true;
  trace_undo(match->simplifier->tracer, mark);
  memo_forget(match->simplifier);
  return false;
}

/* Completes the letters that lack a summand, and ends the match; puts them back if it goes on. */
static bool match_finish(Match *match) {
  SumView kept[rule_max_letters];
  uint32_t lacking = parts_complete(match, kept);
  bool fired = match->open != nullptr                 ? match->finish(match)
               : match->simplifier->tracer == nullptr ? finish_bounded(match)
                                                      : finish_traced(match);
  if (!fired) {
    parts_uncomplete(match, lacking, kept);
    return false;
  }
  assert(!match->simplifier->rules_off);
  if (match->open == nullptr) simplifier_fired(match->simplifier, match->plan->rule);
  return true;
}

static bool match_run(Match *match, const MatchStep *step) {
  for (;; step++) {
    switch (step->kind) {
      case STEP_PICK: return run_pick(match, step);
      case STEP_ARGUMENT: return run_argument(match, step);
      case STEP_UNIT: return run_unit(match, step);
      case STEP_GCD: return run_gcd(match, step);
      case STEP_DONE: return match_finish(match);
      case STEP_BIND:
      case STEP_CHECK:
      case STEP_SCALE:
      case STEP_DROP_PICKED:
      case STEP_SUBTRACT:
      case STEP_SUBTRACT_CONSTANT:
      case STEP_TAKE_CONSTANT:
      case STEP_TAKE_SHIFT:
      case STEP_DIVISIBLE:
      case STEP_ALL_DIVISIBLE:
      case STEP_REST:
      case STEP_EMPTY:
      case STEP_COMMON:
      case STEP_CONTAINED:
      case STEP_PART_CONSTANT:
      case STEP_GUARD:
        if (!run_plain(match, step)) return false;
    }
  }
}

/* ---- roots ---- */

/* Letters are not initialised: a plan reads none before binding it. */
static void match_prepare(Match *match, Simplifier *simplifier, const MatchPlan *plan) {
  assert(plan->sum_count <= plan_max_sums && plan->step_count > 0);
  match->simplifier = simplifier;
  match->plan = plan;
  match->atom = nullptr;
  match->open = nullptr;
  match->subject = nullptr;
  match->scale = 1;
  match->part_constant = 0;
  match->picked_count = match->contained_count = match->argument_count = 0;
}

static bool has_order(const MatchPlan *plan, const NormalSum *sum) {
  switch (plan->order) {
    case ORDER_NONE:
    case ORDER_LIGHTER:
    case ORDER_TEXT:
    case ORDER_TURNS:
    case ORDER_CANCELS: return true;
    case ORDER_SIGN: return sum->count > 0 && sum->items[0].coefficient < 0;
  }
  assert(false);
  return false;
}

bool match_atom(
    Simplifier *simplifier, const MatchPlan *plan, NormalAtom *atom, NormalSum **result) {
  bool is_division = plan->root == PLAN_ATOM && atom->count == 1;
  if (is_division &&
      ((plan->needs & ~atom->arguments[0]->ops) != 0 || !has_order(plan, atom->arguments[0])))
    return false;
  Match match;
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  match_prepare(&match, simplifier, plan);
  match.atom = atom;
  match.owners[0] = atom;
  if (is_division) match.sums[0] = view_of(atom->arguments[0]);
  if (plan->root == PLAN_ANY_ATOM) {
    Summand *alone = BUMP_NEW(&simplifier->normal.temp, Summand, 1);
    *alone = (Summand){1, atom};
    match.exprs[0] = (Letter){.view.items = alone, .view.count = 1, .view.whole = sum_atom(atom)};
  }
  bool fired = match_run(&match, plan->steps);
  bump_release(&simplifier->normal.temp, mark);
  *result = fired ? match.result : nullptr;
  return fired;
}

bool match_sum(Simplifier *simplifier, const MatchPlan *plan, NormalSum *sum, NormalSum **result) {
  if ((plan->needs & ~sum->ops) != 0) return false;
  Match match;
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  match_prepare(&match, simplifier, plan);
  match.sums[0] = view_of(sum);
  match.subject = sum;
  bool fired = match_run(&match, plan->steps);
  bump_release(&simplifier->normal.temp, mark);
  *result = fired ? match.result : nullptr;
  return fired;
}

bool match_open(Simplifier *simplifier, const MatchPlan *plan, OpenSum *open, uint32_t at,
    Summand item, MatchFinish *finish) {
  Match match;
  match_prepare(&match, simplifier, plan);
  match.open = open;
  match.finish = finish;
  match.open_at = at;
  match.sums[0] = (SumView){.items = &item, .count = 1};
  return match_run(&match, plan->steps);
}

bool match_constraint(Simplifier *simplifier, const MatchPlan *plan, Demand before, Demand *after) {
  return has_order(plan, before.sum) && match_any_sign(simplifier, plan, before, after);
}

bool match_any_sign(Simplifier *simplifier, const MatchPlan *plan, Demand before, Demand *after) {
  if ((plan->needs & ~before.sum->ops) != 0) return false;
  Match match;
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  match_prepare(&match, simplifier, plan);
  match.sums[0] = view_of(before.sum);
  match.subject = before.sum;
  match.in = before.in;
  bool fired = match_run(&match, plan->steps);
  bump_release(&simplifier->normal.temp, mark);
  assert(!fired || match.demand.sum != nullptr);
  if (fired) *after = match.demand;
  return fired;
}
