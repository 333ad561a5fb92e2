/* Sums written anew when the ranks of variables change: the same sums, their summands and arguments
 * in the order of the new ranks. No rule fires. Each node is made once. Recursion is as deep as
 * atoms nest, at most normal_max_depth. */
#include <assert.h>

#include "core/simplify/facts/constraints.h"

static Sum *reorder_atom(Simplifier *simplifier, Atom *atom) {
  if (atom->op == EXPR_VAR) return sum_atom(simplifier->atoms[atom->var_kind][atom->var_index]);
  if (atom->op == EXPR_ADD) return sum_atom(atom);
  if (memo_holds(simplifier, atom->rewritten_memo)) return atom->rewritten;
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  Sum **arguments = BUMP_NEW(&simplifier->normal.temp, Sum *, atom->count);
  Sum *result = nullptr;
  bool fits = true;
  for (uint32_t i = 0; fits && i < atom->count; i++) {
    arguments[i] = reorder_sum(simplifier, atom->arguments[i]);
    fits = arguments[i] != nullptr;
  }
  if (fits && atom->count == 1)
    result = rewrite_division(simplifier, atom->op, arguments[0], atom->divisor);
  else if (fits) result = rewrite_combined(simplifier, atom->op, arguments, atom->count);
  bump_release(&simplifier->normal.temp, mark);
  atom->rewritten = result;
  atom->rewritten_memo = result == nullptr ? 0 : simplifier->memo;
  return result;
}

Sum *reorder_sum(Simplifier *simplifier, Sum *sum) {
  assert(simplifier->rules_off);
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  Gather gather = gather_create(&simplifier->normal, sum->count);
  gather_constant(&gather, 1, sum->constant);
  bool fits = true;
  for (uint32_t i = 0; fits && i < sum->count; i++) {
    Sum *one = reorder_atom(simplifier, sum->items[i].atom);
    fits = one != nullptr;
    if (fits) gather_sum(&gather, sum->items[i].coefficient, one);
  }
  Sum *result = fits ? gather_finish(&gather) : nullptr;
  bump_release(&simplifier->normal.temp, mark);
  return result;
}

static bool reorder_one(Simplifier *simplifier, Sum **sum) {
  Interval ignored;
  *sum = reorder_sum(simplifier, *sum);
  return *sum != nullptr && facts_sum(simplifier, *sum, &ignored);
}

void make_variables(Simplifier *simplifier) {
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++)
      simplifier->atoms[kind][i] =
          atom_variable(&simplifier->normal, (VarKind)kind, i, simplifier->ranks[kind][i]);
}

bool reorder(Simplifier *simplifier, uint32_t count, Sum **results, Demands *demands) {
  make_variables(simplifier);
  simplifier_new_epoch(simplifier);
  simplifier->rules_off = true;
  bool fits = true;
  for (uint32_t i = 0; fits && i < count; i++) fits = reorder_one(simplifier, &results[i]);
  for (uint32_t i = 0; fits && i < demands->count; i++)
    fits = reorder_one(simplifier, &demands->items[i].sum);
  if (fits) trace_reordered(simplifier);
  simplifier->rules_off = false;
  simplifier_new_epoch(simplifier);
  return fits && !simplifier->has_failed;
}
