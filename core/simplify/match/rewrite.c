/* The fixed point: the first rule that fires rewrites an atom or a sum, until none fires.
 * Subexpressions are rewritten before, so that a rule sees only finished parts. Results are
 * memoized in the node until facts change.
 *
 * Rewriting terminates because every rule strictly decreases its order (docs/matching.md); the
 * engine's rules never reach the limit `fuel`. The recursion is at most rewrite_max_depth over
 * atoms, and as much over sums. That fits the stack of a main thread (7 KB a level) and is more
 * than nests of 10,000 levels need (below 300). A user's rule that fires on its own result for
 * ever ends there. */
#include <assert.h>

#include "core/simplify/match/cancel.h"
#include "core/simplify/match/filter.h"

static constexpr uint32_t rewrite_max_depth = 400;

static NormalSum *rewrite_fail(Simplifier *simplifier) {
  simplifier->has_failed = true;
  return nullptr;
}

static bool may_fire(Simplifier *simplifier) {
  assert(simplifier->has_users_rules || simplifier->fired < simplifier->fuel);
  if (simplifier->fired >= simplifier->fuel) simplifier->has_failed = simplifier->is_endless = true;
  return !simplifier->has_failed;
}

static bool atom_is_kept(const Simplifier *simplifier, const NormalAtom *atom) {
  return atom->op == EXPR_VAR && simplifier->options->keep_points;
}

/* True for a variable that no rule replaces: rules need bounds of one value. */
static bool variable_remains(const Simplifier *simplifier, const NormalAtom *atom) {
  if (atom->op != EXPR_VAR || !simplifier->has_only_point) return false;
  Interval bounds = simplifier->bounds[atom->var_kind][atom->var_index];
  return bounds.lo != bounds.hi;
}

static NormalSum *apply_rules(Simplifier *simplifier, NormalAtom *atom) {
  const PlanList *plans = &simplifier->rules->by_op[atom->op];
  Reach reach = reach_of_atom(atom);
  for (uint32_t i = 0; i < plans->count; i++) {
    NormalSum *result;
    if (!filter_atom(simplifier, plans->items[i], atom, &reach)) continue;
    if (match_atom(simplifier, plans->items[i], atom, &result)) return result;
    if (!may_fire(simplifier)) return nullptr;
  }
  return sum_atom(atom);
}

NormalSum *rewrite_atom(Simplifier *simplifier, NormalAtom *atom) {
  if (simplifier->rules_off || variable_remains(simplifier, atom)) return sum_atom(atom);
  if (memo_holds(simplifier, atom->rewritten_memo)) {
    trace_repeated(simplifier, atom, nullptr, atom->rewritten);
    return atom->rewritten;
  }
  if (atom->is_open || atom_is_kept(simplifier, atom)) return sum_atom(atom);
  if (simplifier->depth >= rewrite_max_depth) return rewrite_fail(simplifier);
  simplifier->depth++;
  assert(atom_is_canonical(atom));
  atom->is_open = true;
  NormalSum *result = apply_rules(simplifier, atom);
  atom->is_open = false;
  assert(simplifier->depth > 0);
  simplifier->depth--;
  if (result == nullptr) return nullptr;
  assert(simplifier->memo >= 2);
  atom->rewritten_memo = simplifier->memo;
  atom->rewritten = result;
  return result;
}

/* Applies the first rule on sums that fires; returns the sum itself if none does, or if it
 * fails. */
static NormalSum *apply_one(Simplifier *simplifier, NormalSum *sum) {
  const PlanList *plans = &simplifier->rules->on_sums;
  for (uint32_t i = 0; i < plans->count; i++) {
    NormalSum *result;
    if (!filter_sum(plans->items[i], sum)) continue;
    if (match_sum(simplifier, plans->items[i], sum, &result)) return result;
  }
  return sum;
}

static NormalSum *sum_fixed_point(Simplifier *simplifier, NormalSum *sum) {
  for (;;) {
    NormalSum *before = sum;
    if ((sum->ops & simplifier->rules->cancel_needs) != 0) sum = cancel_sum(simplifier, sum);
    if ((sum->ops & simplifier->rules->sum_needs) != 0) sum = apply_one(simplifier, sum);
    if (!may_fire(simplifier)) return nullptr;
    if (sum == before) return sum;
  }
}

/* A rule's right side is rewritten before it replaces the left one, so calls of this nest. */
static NormalSum *apply_sum_rules(Simplifier *simplifier, NormalSum *sum) {
  assert(simplifier->rules == &simplifier->main || simplifier->rules == &simplifier->text);
  if (simplifier->has_failed || simplifier->sum_depth >= rewrite_max_depth)
    return rewrite_fail(simplifier);
  simplifier->sum_depth++;
  NormalSum *result = sum_fixed_point(simplifier, sum);
  assert(simplifier->sum_depth > 0);
  simplifier->sum_depth--;
  return result;
}

void rewrite_remember(Simplifier *simplifier, NormalSum *sum, NormalSum *result) {
  assert(summands_are_canonical(result->items, result->count));
  sum->rewritten = result;
  sum->rewritten_memo = simplifier->memo;
  result->rewritten = result;
  result->rewritten_memo = simplifier->memo;
}

NormalSum *rewrite_finished(Simplifier *simplifier, NormalSum *sum) {
  if (simplifier->rules_off) return sum;
  if (memo_holds(simplifier, sum->rewritten_memo)) {
    trace_repeated(simplifier, nullptr, sum, sum->rewritten);
    return sum->rewritten;
  }
  NormalSum *result = sum_has_rules(simplifier, sum) ? apply_sum_rules(simplifier, sum) : sum;
  assert(result == nullptr || summands_are_canonical(result->items, result->count));
  if (result != nullptr) rewrite_remember(simplifier, sum, result);
  return result;
}

NormalSum *rewrite_collected(Simplifier *simplifier, Gather *gather) {
  NormalSum *sum = gather_finish(gather);
  return sum == nullptr ? nullptr : rewrite_finished(simplifier, sum);
}

NormalSum *rewrite_division(
    Simplifier *simplifier, ExprOp op, NormalSum *argument, int64_t divisor) {
  NormalAtom *atom = atom_division(&simplifier->normal, op, argument, divisor);
  return atom == nullptr ? rewrite_fail(simplifier) : rewrite_atom(simplifier, atom);
}

/* ---- products, minima and maxima ---- */

void sums_push(Bump *bump, SumList *list, NormalSum *sum) {
  if (list->count == list->capacity) {
    uint32_t capacity = list->capacity == 0 ? 8 : 2 * list->capacity;
    NormalSum **items = BUMP_NEW(bump, NormalSum *, capacity);
    for (uint32_t i = 0; i < list->count; i++) items[i] = list->items[i];
    list->items = items;
    list->capacity = capacity;
  }
  assert(sum != nullptr && list->count < list->capacity);
  list->items[list->count++] = sum;
}

/* Flattens arguments that have the same operator. */
static SumList rewrite_flatten(
    Simplifier *simplifier, ExprOp op, NormalSum **arguments, uint32_t count) {
  SumList flat = {};
  for (uint32_t i = 0; i < count; i++) {
    NormalSum *one = arguments[i];
    const NormalAtom *atom =
        sum_is_atom(one) && one->items[0].atom->op == op ? one->items[0].atom : nullptr;
    if (atom == nullptr) sums_push(&simplifier->normal.temp, &flat, one);
    for (uint32_t j = 0; atom != nullptr && j < atom->count; j++)
      sums_push(&simplifier->normal.temp, &flat, atom->arguments[j]);
  }
  return flat;
}

static NormalSum *scaled_sum(Simplifier *simplifier, int64_t scale, NormalSum *sum) {
  Gather gather = gather_create(&simplifier->normal, sum->count);
  gather_sum(&gather, scale, sum);
  return rewrite_collected(simplifier, &gather);
}

static NormalSum *divided_sum(Simplifier *simplifier, const NormalSum *sum, int64_t content) {
  Gather gather = gather_create(&simplifier->normal, sum->count);
  for (uint32_t i = 0; i < sum->count; i++)
    gather_atom(&gather, sum->items[i].coefficient / content, sum->items[i].atom);
  assert(sum->constant % content == 0);
  gather.constant = sum->constant / content;
  return gather_finish(&gather);
}

/* Multiplies the content of each argument into `scale`; removes constants. */
static bool take_factors(
    Simplifier *simplifier, NormalSum **arguments, uint32_t *count, int64_t *scale) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < *count; i++) {
    NormalSum *one = arguments[i];
    int64_t content = sum_is_constant(one)
                          ? one->constant
                          : summands_content(one->items, one->count, one->constant);
    if (content == 0 && !sum_is_constant(one)) content = 1;
    if (!simplifier_mul(simplifier, *scale, content, scale)) return false;
    if (sum_is_constant(one)) continue;
    arguments[kept] = content == 1 ? one : divided_sum(simplifier, one, content);
    if (arguments[kept++] == nullptr) return false;
  }
  assert(kept <= *count);
  *count = kept;
  return true;
}

NormalSum *rewrite_product(
    Simplifier *simplifier, int64_t scale, NormalSum **arguments, uint32_t count) {
  if (!take_factors(simplifier, arguments, &count, &scale)) return nullptr;
  if (count == 0 || scale == 0) return sum_constant(&simplifier->normal, scale);
  if (count == 1) return scaled_sum(simplifier, scale, arguments[0]);
  SumList flat = rewrite_flatten(simplifier, EXPR_MUL, arguments, count);
  NormalAtom *atom = atom_combined(&simplifier->normal, EXPR_MUL, flat.items, flat.count);
  NormalSum *product = atom == nullptr ? rewrite_fail(simplifier) : rewrite_atom(simplifier, atom);
  return product == nullptr ? nullptr : scaled_sum(simplifier, scale, product);
}

static NormalSum *combined_as_stated(
    Simplifier *simplifier, ExprOp op, NormalSum **arguments, uint32_t count) {
  if (count == 1) return arguments[0];
  NormalAtom *atom = atom_combined(&simplifier->normal, op, arguments, count);
  return atom == nullptr ? rewrite_fail(simplifier) : sum_atom(atom);
}

/* A minimum or maximum, flattened, with each argument once. */
static NormalSum *rewrite_extremum(
    Simplifier *simplifier, ExprOp op, NormalSum **arguments, uint32_t count) {
  NormalSum *stated = simplifier->rules_off || simplifier->tracer != nullptr
                          ? combined_as_stated(simplifier, op, arguments, count)
                          : nullptr;
  if (simplifier->rules_off) return stated;
  SumList flat = rewrite_flatten(simplifier, op, arguments, count);
  flat.count = sums_distinct(flat.items, flat.count);
  assert(flat.items != nullptr && flat.count > 0);
  if (flat.count > combined_max)
    flat = (SumList){.count = sums_distinct(arguments, count), .items = arguments};
  count = flat.count;
  NormalSum *sum = combined_as_stated(simplifier, op, flat.items, count);
  if (sum == nullptr) return nullptr;
  trace_rearranged(simplifier, stated, sum);
  return count == 1 ? sum : rewrite_atom(simplifier, sum->items[0].atom);
}

NormalSum *rewrite_combined(
    Simplifier *simplifier, ExprOp op, NormalSum **arguments, uint32_t count) {
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  NormalSum *result = op == EXPR_MUL ? rewrite_product(simplifier, 1, arguments, count)
                                     : rewrite_extremum(simplifier, op, arguments, count);
  bump_release(&simplifier->normal.temp, mark);
  return result;
}

const Rewriter *rewriter_by_rules(void) {
  static const Rewriter rewriter = {
      .collected = rewrite_collected, .division = rewrite_division, .combined = rewrite_combined};
  return &rewriter;
}
