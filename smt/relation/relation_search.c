/* Searches hidden integers at one point: visible atoms become constants, then the hidden atom with
 * the narrowest interval (by constraints on this atom only) is tried value by value. A constraint
 * that has become constant and false ends a branch. Depth is the number of hidden atoms; the number
 * of visited nodes is bounded. */
#include "smt/relation/relation_search.h"

#include <assert.h>

#include "core/base/budget.h"

static constexpr uint32_t most_positions = 4'000;

typedef struct RelationSearch {
  Sums *sums;
  const Wide *atoms;
  uint32_t atom_count;
  uint32_t positions;
} RelationSearch;

/* The value of an element at a constant index: that of the atom with the same index at the
 * point. */
static Wide value_at(const RelationSearch *search, const SumAtom *wanted) {
  const Sums *sums = search->sums;
  for (uint32_t i = 0; i < search->atom_count; i++) {
    const SumAtom *atom = &sums->atoms[i];
    if (atom->kind != ATOM_VALUE || atom->instruction != wanted->instruction ||
        atom->index_count != wanted->index_count)
      continue;
    bool same = true;
    for (uint32_t k = 0; k < wanted->index_count && same; k++) {
      Wide here, there;
      same = sum_is_constant(sums, wanted->index[k], &there) &&
             sum_evaluate(sums, search->atoms, atom->index[k], &here) && here == there;
    }
    if (same) return search->atoms[i];
  }
  return wanted->lo;
}

/* Replaces values at constant indices by constants, innermost first. False if this does not end. */
static bool fill_values(RelationSearch *search, Withins *withins) {
  Sums *sums = search->sums;
  for (uint32_t round = 0; round < 200; round++) {
    bool any = false;
    for (uint32_t at = 0; at < sums->atom_count && !any; at++) {
      SumAtom atom = sums->atoms[at];
      Wide value;
      bool constant = atom.kind == ATOM_VALUE;
      for (uint32_t k = 0; k < atom.index_count && constant; k++)
        constant = sum_is_constant(sums, atom.index[k], &value);
      if (!constant) continue;
      bool *inside = ARENA_NEW(sums->arena, bool, sums->atom_count);
      inside[at] = true;
      sums_mark_dependent(sums, inside);
      for (uint32_t i = 0; i < withins->count; i++) {
        if (!sum_depends(sums, inside, withins->items[i].sum)) continue;
        sums_replace_atom(
            sums, at, sum_of_constant(sums, value_at(search, &atom)), 1, &withins->items[i].sum);
        any = true;
      }
    }
    if (!any) return true;
  }
  return false;
}

static bool interval_of(
    const RelationSearch *search, const Withins *withins, uint32_t atom, Wide *lo, Wide *hi) {
  bool any = false;
  for (uint32_t i = 0; i < withins->count; i++) {
    const SumNode *node = &search->sums->sums[withins->items[i].sum.at];
    if (node->term_count != 1 || node->terms[0].atom != atom) continue;
    Wide c = node->terms[0].coefficient, low = withins->items[i].lo - node->constant,
         high = withins->items[i].hi - node->constant;
    Wide least = c > 0 ? -wide_floordiv(-low, c) : -wide_floordiv(high, -c);
    Wide most = c > 0 ? wide_floordiv(high, c) : wide_floordiv(-low, -c);
    if (!any || least > *lo) *lo = least;
    if (!any || most < *hi) *hi = most;
    any = true;
  }
  return any;
}

static bool atom_occurs(const RelationSearch *search, const Withins *withins, uint32_t atom) {
  bool *inside = ARENA_NEW(search->sums->arena, bool, search->sums->atom_count);
  inside[atom] = true;
  sums_mark_dependent(search->sums, inside);
  for (uint32_t i = 0; i < withins->count; i++)
    if (sum_depends(search->sums, inside, withins->items[i].sum)) return true;
  return false;
}

static SearchResult search_from(RelationSearch *search, Withins withins, const Atoms *hidden) {
  if (++search->positions > most_positions || budget_is_spent() || !fill_values(search, &withins) ||
      search->sums->overflow)
    return FOUND_TOO_FAR;
  if (withins_are_false(search->sums, &withins)) return FOUND_NONE;
  uint32_t narrowest = 0;
  Wide lo = 0, hi = 0;
  bool bounded = false, left = false;
  for (uint32_t i = 0; i < hidden->count; i++) {
    Wide low, high;
    if (!atom_occurs(search, &withins, hidden->items[i])) continue;
    left = true;
    if (!interval_of(search, &withins, hidden->items[i], &low, &high)) continue;
    if (low > high) return FOUND_NONE;
    if (bounded && high - low >= hi - lo) continue;
    bounded = true;
    narrowest = hidden->items[i];
    lo = low;
    hi = high;
  }
  if (!left) return FOUND;
  if (!bounded || hi - lo >= most_positions) return FOUND_TOO_FAR;
  for (Wide value = lo; value <= hi; value++) {
    SearchResult found = search_from(search,
        withins_replaced(search->sums, &withins, narrowest, sum_of_constant(search->sums, value)),
        hidden);
    if (found != FOUND_NONE) return found;
  }
  return FOUND_NONE;
}

/* Replaces every visible free atom by its constant, in one pass. */
static Withins at_point(RelationSearch *search, const Piece *piece) {
  Sums *sums = search->sums;
  bool *set = ARENA_NEW(sums->arena, bool, search->atom_count);
  Sum *by = ARENA_NEW(sums->arena, Sum, search->atom_count);
  for (uint32_t i = 0; i < search->atom_count; i++) set[i] = sums->atoms[i].kind == ATOM_FREE;
  for (uint32_t i = 0; i < piece->hidden.count; i++) set[piece->hidden.items[i]] = false;
  for (uint32_t i = 0; i < search->atom_count; i++)
    if (set[i]) by[i] = sum_of_constant(sums, search->atoms[i]);
  AtomChange change = {.count = search->atom_count, .set = set, .by = by};
  Withins withins = {};
  for (uint32_t i = 0; i < piece->withins.count; i++) {
    Within within = piece->withins.items[i];
    within.sum = sum_replace(sums, &change, within.sum);
    *ARENA_PUSH(sums->arena, &withins) = within;
  }
  return withins;
}

SearchResult relation_search(Sums *sums, const Piece *piece, uint32_t count, const Wide *atoms) {
  assert(piece_is_well_formed(sums, piece));
  assert(count <= sums->atom_count);
  RelationSearch search = {.sums = sums, .atoms = atoms, .atom_count = count};
  return search_from(&search, at_point(&search, piece), &piece->hidden);
}
