/* First, quotients are normalised for the piece's own bounds. Then quotients are removed one at a
 * time, each by the first equation that defines one. Each step removes a quotient and adds none,
 * and the number of steps is bounded.
 * If coefficients would exceed what sums represent, the piece is left unchanged. */
#include "smt/relation/relation_linear.h"

#include <assert.h>

#include "smt/terms/sums_parts.h"

static constexpr uint32_t most_named = 256;

typedef struct Named {
  uint32_t atom, within; /* of the equation */
  Sum value;
} Named;

static bool is_inside(const Sums *sums, uint32_t atom, Sum sum) {
  assert(sums_has_atom(sums, atom));
  assert(sums_has(sums, sum));
  bool *inside = ARENA_NEW(sums->arena, bool, sums->atom_count);
  inside[atom] = true;
  sums_mark_dependent(sums, inside);
  return sum_depends(sums, inside, sum);
}

/* c*q + rest = known with c = 1 or -1: q = c*(known - rest). */
static bool name_in(Sums *sums, const Within *within, uint32_t term, Named *named) {
  assert(sums_has(sums, within->sum));
  SumTerm quotient = sum_node(sums, within->sum)->terms[term];
  if (sums->atoms[quotient.atom].kind != ATOM_QUOTIENT ||
      (quotient.coefficient != 1 && quotient.coefficient != -1))
    return false;
  Sum rest = sum_subtract(
      sums, within->sum, sum_scale(sums, sum_of_atom(sums, quotient.atom), quotient.coefficient));
  Sum value = sum_scale(
      sums, sum_subtract(sums, sum_of_constant(sums, within->lo), rest), quotient.coefficient);
  if (is_inside(sums, quotient.atom, rest) ||
      !sum_scale_fits(sums, value, sums->atoms[quotient.atom].divisor))
    return false;
  named->atom = quotient.atom;
  named->value = value;
  return true;
}

static bool find_named(Sums *sums, const Piece *piece, Named *named) {
  assert(piece_is_well_formed(sums, piece));
  for (named->within = 0; named->within < piece->withins.count; named->within++) {
    const Within *within = &piece->withins.items[named->within];
    if (within->lo != within->hi) continue;
    for (uint32_t k = 0; k < sum_node(sums, within->sum)->term_count; k++)
      if (name_in(sums, within, k, named)) return true;
  }
  return false;
}

/* The piece without the equation, with the value in place of the quotient, and the constraints that
 * make the value the quotient. */
static Piece with_value(Sums *sums, const Piece *piece, const Named *named) {
  assert(piece_is_well_formed(sums, piece));
  Piece changed = {.hidden = piece->hidden, .map = piece->map, .variables = piece->variables};
  SumAtom quotient = sums->atoms[named->atom];
  Withins replaced = withins_replaced(sums, &piece->withins, named->atom, named->value);
  for (uint32_t i = 0; i < replaced.count; i++)
    if (i != named->within)
      piece_within(
          sums, &changed, replaced.items[i].sum, replaced.items[i].lo, replaced.items[i].hi);
  piece_within(sums, &changed, sum_combine(sums, quotient.a, named->value, -quotient.divisor), 0,
      quotient.divisor - 1);
  return changed;
}

static bool has_quotient(const Sums *sums, const Piece *piece) {
  assert(piece_is_well_formed(sums, piece));
  for (uint32_t i = 0; i < piece->withins.count; i++) {
    const SumNode *node = sum_node(sums, piece->withins.items[i].sum);
    for (uint32_t k = 0; k < node->term_count; k++)
      if (sums->atoms[node->terms[k].atom].kind == ATOM_QUOTIENT) return true;
  }
  return false;
}

/* Atoms and their replacements, [count]. */
typedef struct RelationLinearTwins {
  uint32_t count;
  bool *set;
  Sum *by;
} RelationLinearTwins;

static RelationLinearTwins twins_create(const Sums *sums, uint32_t count) {
  return (RelationLinearTwins){.count = count,
      .set = ARENA_NEW(sums->arena, bool, count),
      .by = ARENA_NEW(sums->arena, Sum, count)};
}

/* Creates, for each atom that the piece bounds on both sides by a constraint of its own, a free
 * atom with these bounds. */
static bool make_twins(
    Sums *sums, const Piece *piece, RelationLinearTwins *bounded, RelationLinearTwins *back) {
  assert(piece_is_well_formed(sums, piece));
  uint32_t known = sums->atom_count;
  *bounded = twins_create(sums, known);
  *back = twins_create(sums, known + piece->withins.count);
  for (uint32_t i = 0; i < piece->withins.count; i++) {
    const Within *within = &piece->withins.items[i];
    uint32_t atom = 0, twin = 0;
    if (within->lo <= -no_bound || within->hi >= no_bound || within->lo > within->hi ||
        !sum_is_atom(sums, within->sum, &atom))
      continue;
    if (atom >= known || sums->atoms[atom].kind != ATOM_FREE || bounded->set[atom]) continue;
    Sum stand_in = sum_free_within(sums, sums->atoms[atom].name, within->lo, within->hi);
    if (!sum_is_atom(sums, stand_in, &twin)) continue;
    bounded->set[atom] = back->set[twin] = true;
    bounded->by[atom] = stand_in;
    back->by[twin] = sum_of_atom(sums, atom);
  }
  return sums->atom_count > known;
}

static void put_twins(Sums *sums, const RelationLinearTwins *twins, uint32_t count, Sum *changed) {
  AtomChange change = {.count = twins->count, .set = twins->set, .by = twins->by};
  sums_replace(sums, &change, count, changed);
}

/* Normalises quotients for the piece's own bounds of the atoms; the bounds remain constraints. */
static Piece within_bounds(Sums *sums, const Piece *piece) {
  assert(piece_is_well_formed(sums, piece));
  RelationLinearTwins bounded, back;
  Piece changed = {.hidden = piece->hidden, .map = piece->map, .variables = piece->variables};
  if (!make_twins(sums, piece, &bounded, &back)) return *piece;
  Sum *replaced = ARENA_NEW(sums->arena, Sum, piece->withins.count);
  for (uint32_t i = 0; i < piece->withins.count; i++) replaced[i] = piece->withins.items[i].sum;
  put_twins(sums, &bounded, piece->withins.count, replaced);
  put_twins(sums, &back, piece->withins.count, replaced);
  for (uint32_t i = 0; i < piece->withins.count; i++)
    piece_within(
        sums, &changed, replaced[i], piece->withins.items[i].lo, piece->withins.items[i].hi);
  return changed;
}

bool piece_without_quotients(Sums *sums, const Piece *piece, Piece *linear) {
  assert(piece_is_well_formed(sums, piece));
  Named named;
  *linear = *piece;
  uint32_t count = 0;
  if (!has_quotient(sums, piece) || sums->overflow) return false;
  *linear = within_bounds(sums, piece);
  for (; count < most_named && !sums->overflow && find_named(sums, linear, &named); count++)
    *linear = with_value(sums, linear, &named);
  return count > 0;
}
