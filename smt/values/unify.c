/* Values that decide which data is read: an offset of one graph and one of the other are different
 * atoms, though both may have the same value. They are compared as spots, and proved equalities are
 * added to the constraints. Only an atom of the first graph is compared with one of the second, so
 * that two random numbers of one graph are never identified. */
#include "smt/values/values.h"

#include <assert.h>

static constexpr uint32_t most_values = 24;

static bool is_function(const Sums *sums, const SumAtom *atom) {
  for (uint32_t i = 0; i < sums->function_count; i++)
    if (atom->instruction == sums->functions[i]) return true;
  return false;
}

/* The element that a value atom names: leaf, index, then its call frames. */
static bool spot_of_atom(ValuesProof *proof, uint32_t at, Spot *spot) {
  const Sums *sums = proof->sums;
  const SumAtom atom = sums->atoms[at];
  Wide leaf, caller;
  if (atom.kind != ATOM_VALUE || is_function(sums, &atom) ||
      hlo_value_kind(sums, at) == VALUE_OF_PARAMETER ||
      !sum_is_constant(sums, atom.index[0], &leaf))
    return false;
  const Instruction *instruction = atom.instruction;
  const CallSite *frame = nullptr;
  if (leaf < 0 || leaf >= shape_leaf_count(instruction->shape)) return false;
  uint32_t rank = shape_leaf(instruction->shape, (uint32_t)leaf)->rank;
  for (uint32_t i = atom.index_count; i-- > 1 + rank;) {
    if (!sum_is_constant(sums, atom.index[i], &caller)) return false;
    frame = proof_frame(proof, frame, sums->callers[(uint32_t)caller]);
  }
  *spot = spot_at(frame, instruction, (uint32_t)leaf, atom.index + 1);
  return true;
}

/* ---- one atom for one value ---- */

static constexpr uint32_t most_tries = 40;

/* Whether a comparison is worthwhile: after data movement both are one operation of the same
 * opcode. */
static bool may_be_same(ValuesProof *proof, const Spot *a, const Spot *b) {
  assert(spot_is_well_formed(proof->sums, a));
  assert(spot_is_well_formed(proof->sums, b));
  if (spot_type(a) != spot_type(b)) return false;
  UsedLaws before = laws_begin(proof);
  ProofCases as = spot_cases(proof, &(Given){}, a), bs = spot_cases(proof, &(Given){}, b);
  laws_end(proof, before, SAME_OPEN);
  if (as.count != 1 || bs.count != 1) return as.count == bs.count;
  return as.items[0].spot.instruction->opcode == bs.items[0].spot.instruction->opcode;
}

static bool is_partner_of(const ValuePartner *known, const Spot *spot) {
  return known->spot.instruction == spot->instruction && known->spot.frame == spot->frame &&
         known->spot.leaf == spot->leaf;
}

/* The first leaf with known values that is the same whole array. */
static uint32_t find_partner(ValuesProof *proof, const Spot *spot, uint32_t known) {
  assert(spot_is_well_formed(proof->sums, spot));
  uint32_t tries = 0;
  bool was_quiet = proof->is_quiet;
  proof->is_quiet = true;
  uint32_t found = UINT32_MAX;
  for (uint32_t i = 0; i < known && found == UINT32_MAX && tries < most_tries; i++) {
    ValuePartner other = proof->partners.items[i];
    if (other.stands_for != i || proof_is_over(proof) || other.spot.rank != spot->rank ||
        !shape_same_sizes(spot_shape(&other.spot), spot_shape(spot)) ||
        !may_be_same(proof, &other.spot, spot))
      continue;
    tries++;
    if (proof->questions->leaves(proof, other.spot.frame, other.spot.instruction, other.spot.leaf,
            spot->frame, spot->instruction, spot->leaf) == SAME_YES)
      found = i;
  }
  proof->is_quiet = was_quiet;
  return found;
}

/* The number of the leaf that represents this one; during the search a leaf represents itself. */
static uint32_t partner_of(ValuesProof *proof, const Spot *spot, uint32_t atom) {
  assert(spot_is_well_formed(proof->sums, spot));
  assert(sums_has_atom(proof->sums, atom));
  for (uint32_t i = 0; i < proof->partners.count; i++) {
    const ValuePartner *known = &proof->partners.items[i];
    if (!is_partner_of(known, spot)) continue;
    laws_join(proof, &known->used);
    return known->stands_for;
  }
  uint32_t at = proof->partners.count;
  *ARENA_PUSH(proof->arena, &proof->partners) =
      (ValuePartner){.spot = *spot, .atom = atom, .stands_for = at};
  UsedLaws before = laws_begin(proof);
  uint32_t found = find_partner(proof, spot, at);
  if (found != UINT32_MAX) {
    proof->partners.items[at].stands_for = found;
    proof->partners.items[at].used = proof->used;
  }
  laws_end(proof, before, found != UINT32_MAX ? SAME_YES : SAME_OPEN);
  return proof->partners.items[at].stands_for;
}

/* The same element of the leaf that represents the atom's leaf. */
static Sum atom_joined(ValuesProof *proof, uint32_t at) {
  Spot spot;
  if (!spot_of_atom(proof, at, &spot)) return sum_of_atom(proof->sums, at);
  uint32_t stands_for = partner_of(proof, &spot, at);
  const SumAtom partner = proof->sums->atoms[proof->partners.items[stands_for].atom],
                atom = proof->sums->atoms[at];
  Sum *index = ARENA_NEW(proof->arena, Sum, partner.index_count);
  for (uint32_t i = 0; i < partner.index_count; i++)
    index[i] = 1 <= i && i <= spot.rank ? sum_joined(proof, atom.index[i]) : partner.index[i];
  return sum_value(proof->sums, partner.instruction, partner.name, partner.index_count, index,
      partner.lo, partner.hi);
}

uint32_t sum_weight(ValuesProof *proof, Sum sum) {
  assert(sums_has(proof->sums, sum));
  uint32_t count = proof->sums->atom_count, weight = 0;
  bool *used = ARENA_NEW(proof->arena, bool, count + 1);
  sum_mark_atoms(proof->sums, sum, used);
  sums_mark_arguments(proof->sums, used);
  for (uint32_t at = 0; at < count; at++) weight += used[at];
  return weight;
}

Sum sum_joined(ValuesProof *proof, Sum sum) {
  assert(sums_has(proof->sums, sum));
  uint32_t count = proof->sums->atom_count;
  bool any = false, *used = ARENA_NEW(proof->arena, bool, count + 1),
       *set = ARENA_NEW(proof->arena, bool, count + 1);
  Sum *by = ARENA_NEW(proof->arena, Sum, count + 1);
  sum_mark_atoms(proof->sums, sum, used);
  sums_mark_arguments(proof->sums, used);
  for (uint32_t at = 0; at < count; at++) {
    if (!used[at] || proof->sums->atoms[at].kind != ATOM_VALUE) continue;
    by[at] = atom_joined(proof, at);
    set[at] = !sum_same(by[at], sum_of_atom(proof->sums, at));
    any |= set[at];
  }
  AtomChange change = {.count = count, .set = set, .by = by};
  return any ? sum_replace(proof->sums, &change, sum) : sum;
}

/* ---- equalities ---- */

static bool *atoms_used(
    ValuesProof *proof, const Given *given, uint32_t count, const Sum *a, const Sum *b) {
  assert(given_is_canonical(proof->sums, given));
  assert(sums_has_all(proof->sums, count, a));
  assert(sums_has_all(proof->sums, count, b));
  const Sums *sums = proof->sums;
  bool *used = ARENA_NEW(proof->arena, bool, sums->atom_count + 1);
  for (uint32_t i = 0; i < given->withins.count; i++)
    sum_mark_atoms(sums, given->withins.items[i].sum, used);
  for (uint32_t i = 0; i < count; i++) {
    sum_mark_atoms(sums, a[i], used);
    sum_mark_atoms(sums, b[i], used);
  }
  sums_mark_arguments(sums, used);
  return used;
}

typedef struct ValueSpot {
  uint32_t atom;
  Spot spot;
} ValueSpot;

bool given_unify(ValuesProof *proof, Given *given, uint32_t count, const Sum *a, const Sum *b) {
  assert(sums_has_all(proof->sums, count, a));
  assert(sums_has_all(proof->sums, count, b));
  ValueSpot sides[2][most_values];
  uint32_t counts[2] = {}, known = proof->sums->atom_count, before = given->withins.count;
  const bool *used = atoms_used(proof, given, count, a, b);
  for (uint32_t at = 0; at < known; at++) {
    ValueSpot value = {.atom = at};
    if (!used[at] || !spot_of_atom(proof, at, &value.spot)) continue;
    uint32_t side = !proof_is_first(proof, value.spot.instruction);
    if (counts[side] < most_values) sides[side][counts[side]++] = value;
  }
  bool was_quiet = proof->is_quiet;
  uint32_t tries = 0;
  proof->is_quiet = true;
  for (uint32_t i = 0; i < counts[0]; i++) {
    for (uint32_t k = 0; k < counts[1] && !proof_is_over(proof) && tries < most_tries; k++) {
      const ValueSpot *x = &sides[0][i], *y = &sides[1][k];
      if (!may_be_same(proof, &x->spot, &y->spot)) continue;
      tries++;
      if (proof->questions->spots(proof, &(Given){}, &x->spot, &y->spot) != SAME_YES) continue;
      Sum difference = sum_subtract(
          proof->sums, sum_of_atom(proof->sums, x->atom), sum_of_atom(proof->sums, y->atom));
      given_add(proof, given, (Within){difference, 0, 0});
      break;
    }
  }
  proof->is_quiet = was_quiet;
  return given->withins.count > before;
}

Same indices_same(
    ValuesProof *proof, const Given *given, uint32_t count, const Sum *a, const Sum *b) {
  assert(given_is_canonical(proof->sums, given));
  assert(sums_has_all(proof->sums, count, a));
  assert(sums_has_all(proof->sums, count, b));
  bool was_quiet = proof->is_quiet;
  proof->is_quiet = true;
  Same same = given_equal(proof, given, count, a, b);
  proof->is_quiet = was_quiet;
  if (same == SAME_YES) return same;
  Given more = given_copy(proof, given);
  if (given_unify(proof, &more, count, a, b)) return given_equal(proof, &more, count, a, b);
  if (same == SAME_OPEN) return given_equal(proof, given, count, a, b);
  return same;
}
