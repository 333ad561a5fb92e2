/* Builds pieces. A constraint whose sum is a constant inside its interval is dropped. */
#include "smt/relation/piece.h"

#include <assert.h>

bool piece_is_well_formed(const Sums *sums, const Piece *piece) {
  for (uint32_t i = 0; i < piece->hidden.count; i++)
    if (!sums_has_atom(sums, piece->hidden.items[i]) ||
        sums->atoms[piece->hidden.items[i]].kind != ATOM_FREE)
      return false;
  for (uint32_t i = 0; i < piece->withins.count; i++)
    if (!sums_has(sums, piece->withins.items[i].sum)) return false;
  return true;
}

bool withins_hold_at(const Sums *sums, const Withins *withins, const Wide *values) {
  for (uint32_t i = 0; i < withins->count; i++) {
    const Within *within = &withins->items[i];
    Wide value;
    if (!sum_evaluate(sums, values, within->sum, &value) || value < within->lo ||
        value > within->hi)
      return false;
  }
  return true;
}

bool within_has(const Within *within, Wide value) {
  return (within->lo == -no_bound || value >= within->lo) &&
         (within->hi == no_bound || value <= within->hi);
}

bool withins_are_false(const Sums *sums, const Withins *withins) {
  for (uint32_t i = 0; i < withins->count; i++) {
    const Within *within = &withins->items[i];
    Wide value;
    if (within->lo > within->hi) return true;
    if (sum_is_constant(sums, within->sum, &value) && !within_has(within, value)) return true;
  }
  return false;
}

Withins withins_replaced(Sums *sums, const Withins *withins, uint32_t atom, Sum by) {
  assert(sums_has_atom(sums, atom));
  assert(sums_has(sums, by));
  Sum *changed = ARENA_NEW(sums->arena, Sum, withins->count);
  for (uint32_t i = 0; i < withins->count; i++) changed[i] = withins->items[i].sum;
  sums_replace_atom(sums, atom, by, withins->count, changed);
  Withins replaced = {};
  for (uint32_t i = 0; i < withins->count; i++)
    *ARENA_PUSH(sums->arena, &replaced) =
        (Within){.sum = changed[i], .lo = withins->items[i].lo, .hi = withins->items[i].hi};
  return replaced;
}

void piece_within(Sums *sums, Piece *piece, Sum sum, Wide lo, Wide hi) {
  assert(sums_has(sums, sum));
  Wide value;
  if (sum_is_constant(sums, sum, &value) && lo <= value && value <= hi) return;
  *ARENA_PUSH(sums->arena, &piece->withins) = (Within){.sum = sum, .lo = lo, .hi = hi};
}

void piece_equal(Sums *sums, Piece *piece, Sum a, Sum b) {
  assert(sums_has(sums, a));
  assert(sums_has(sums, b));
  piece_within(sums, piece, sum_subtract(sums, a, b), 0, 0);
}

void piece_ordered(Sums *sums, Piece *piece, Sum a, Sum b) {
  piece_within(sums, piece, sum_subtract(sums, b, a), 0, no_bound);
}

void piece_inside(Sums *sums, Piece *piece, Sum x, Sum size) {
  piece_within(sums, piece, x, 0, no_bound);
  piece_within(sums, piece, sum_subtract(sums, size, x), 1, no_bound);
}

Sum piece_hidden(Sums *sums, Piece *piece, const char *name, Wide lo, Wide hi) {
  uint32_t atom = 0;
  Sum sum = sum_free(sums, name);
  if (sum_is_atom(sums, sum, &atom)) *ARENA_PUSH(sums->arena, &piece->hidden) = atom;
  piece_within(sums, piece, sum, lo, hi);
  return sum;
}

Piece piece_copy(Sums *sums, const Piece *piece) {
  assert(piece_is_well_formed(sums, piece));
  Piece copy = {.map = piece->map, .variables = piece->variables};
  for (uint32_t i = 0; i < piece->hidden.count; i++)
    *ARENA_PUSH(sums->arena, &copy.hidden) = piece->hidden.items[i];
  for (uint32_t i = 0; i < piece->withins.count; i++)
    *ARENA_PUSH(sums->arena, &copy.withins) = piece->withins.items[i];
  assert(piece_is_well_formed(sums, &copy));
  return copy;
}

bool piece_is_stated_as(const Piece *a, const Piece *b) {
  if (a->hidden.count > 0 || b->hidden.count > 0 || a->withins.count != b->withins.count)
    return false;
  for (uint32_t i = 0; i < a->withins.count; i++) {
    const Within *one = &a->withins.items[i], *other = &b->withins.items[i];
    if (!sum_same(one->sum, other->sum) || one->lo != other->lo || one->hi != other->hi)
      return false;
  }
  return true;
}

void relation_add(Sums *sums, Relation *relation, Piece piece) {
  assert(piece_is_well_formed(sums, &piece));
  *ARENA_PUSH(sums->arena, relation) = piece;
}
