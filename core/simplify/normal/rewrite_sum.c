/* Rewrites a whole sum from its variables up, after facts have changed; atoms' results under the
 * old facts are not used. The recursion is as deep as atoms nest. */

#include "core/simplify/closure.h"

static NormalSum *rewrite_again(Simplifier *simplifier, NormalAtom *atom) {
  if (atom->op == EXPR_ADD) return convert_bounded(simplifier, atom->expr);
  if (atom->op == EXPR_VAR || memo_holds(simplifier, atom->rewritten_memo))
    return rewrite_atom(simplifier, atom);
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  NormalSum **arguments = BUMP_NEW(&simplifier->normal.temp, NormalSum *, atom->count);
  NormalSum *result = nullptr;
  bool fits = true;
  for (uint32_t i = 0; fits && i < atom->count; i++) {
    arguments[i] = rewrite_sum(simplifier, atom->arguments[i]);
    fits = arguments[i] != nullptr;
  }
  if (fits && atom->count == 1)
    result = rewrite_division(simplifier, atom->op, arguments[0], atom->divisor);
  else if (fits) result = rewrite_combined(simplifier, atom->op, arguments, atom->count);
  bump_release(&simplifier->normal.temp, mark);
  return result != nullptr || simplifier->has_failed ? result : sum_atom(atom);
}

/* Summands of a stated atom stand among the others once they are rewritten, and then the sums of
 * the first ones can leave int64 where the atom's value did not. */
static bool can_be_written(Simplifier *simplifier, NormalSum *sum) {
  Interval ignored;
  return !closure_is_needed(simplifier) || facts_sum(simplifier, sum, &ignored);
}

/* If the rewritten sum leaves int64, the sum is kept. */
NormalSum *rewrite_sum(Simplifier *simplifier, NormalSum *sum) {
  if (memo_holds(simplifier, sum->rewritten_memo)) return rewrite_finished(simplifier, sum);
  if (simplifier->rules == &simplifier->text && (sum->all_ops & simplifier->text.needs) == 0)
    return sum;
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  Gather gather = gather_create(&simplifier->normal, sum->count);
  gather_constant(&gather, 1, sum->constant);
  NormalSum *result = nullptr;
  bool fits = true;
  for (uint32_t i = 0; fits && i < sum->count; i++) {
    NormalSum *one = rewrite_again(simplifier, sum->items[i].atom);
    fits = one != nullptr;
    if (fits) gather_sum(&gather, sum->items[i].coefficient, one);
  }
  if (fits) result = rewrite_collected(simplifier, &gather);
  if (result != nullptr && result != sum && !can_be_written(simplifier, result)) result = nullptr;
  if (result == nullptr && !simplifier->has_failed) result = sum;
  bump_release(&simplifier->normal.temp, mark);
  if (result != nullptr) rewrite_remember(simplifier, sum, result);
  return result;
}
