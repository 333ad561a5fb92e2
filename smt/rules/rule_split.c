/* Case splits on signs, and on which of two divisors is smaller. Each is valid for all integers. */
#include "smt/rules/rule_split.h"

#include <assert.h>

#include "smt/rules/rule_last.h"

/* Splits into p <= -1, p = 0, and p >= 1. */
static void split_at_zero(System *system, Poly poly) {
  assert(poly_is_canonical(system->proof->ring, poly));
  RuleProof *proof = system->proof;
  Clause clause = {.count = 3,
      .branches = ARENA_NEW(proof->arena, Branch, 3),
      .origin = ORIGIN_LEMMA,
      .is_early = true};
  *ARENA_PUSH(proof->arena, &clause.branches[0]) =
      (Fact){.poly = poly_shift(proof->ring, poly_scale(proof->ring, poly, -1), -1)};
  *ARENA_PUSH(proof->arena, &clause.branches[1]) = (Fact){.poly = poly, .is_equation = true};
  *ARENA_PUSH(proof->arena, &clause.branches[2]) =
      (Fact){.poly = poly_shift(proof->ring, poly, -1)};
  system_use_cases(system, clause);
}

/* g <= -1, g = 0, or g >= 1, for gcds whose sign is unknown. */
bool system_split_zero_gcd(System *system) {
  for (uint32_t i = 0; i < system->coprimes.count; i++) {
    Poly gcd = system->coprimes.items[i].gcd;
    Wide value;
    if (system->coprimes.items[i].is_split || poly_is_constant(gcd, &value) ||
        system_is_positive(system, gcd))
      continue;
    system->coprimes.items[i].is_split = true;
    split_at_zero(system, gcd);
    return true;
  }
  return false;
}

/* c <= -1, c = 0, or c >= 1, for a constant c >= 0 that occurs in a product. */
bool system_split_zero_constant(System *system) {
  const RuleProof *proof = system->proof;
  for (uint32_t atom = 0; atom < proof->count; atom++) {
    Poly letter = poly_atom(proof->ring, atom);
    if (proof->items[atom].kind != UNKNOWN_CONSTANT || !system_has_fact(system, letter, false) ||
        system_is_positive(system, letter))
      continue;
    for (uint32_t i = 0; i < proof->ring->count; i++) {
      const Monomial *monomial = &proof->ring->items[i];
      bool is_there = false;
      for (uint32_t k = 0; k < monomial->degree; k++) is_there |= monomial->atoms[k] == atom;
      if (monomial->degree < 2 || !is_there) continue;
      split_at_zero(system, letter);
      return true;
    }
  }
  return false;
}

/* ---- open questions ---- */

static bool is_order_known(const System *system, Poly difference) {
  PolyRing *ring = system->proof->ring;
  for (uint32_t i = 0; i < system->facts.count; i++) {
    Poly fact = system->facts.items[i].poly;
    fact = poly_shift(ring, fact, -poly_constant_term(fact));
    if (poly_equal(fact, difference) || poly_equal(fact, poly_scale(ring, difference, -1)))
      return true;
  }
  return false;
}

/* The divisor of the band, if it is a letter. */
static bool divisor_letter(const System *system, uint32_t band, Poly *letter) {
  const RuleProof *proof = system->proof;
  uint32_t atom;
  if (!poly_is_atom(proof->ring, system->bands.items[band].divisor, &atom)) return false;
  *letter = poly_atom(proof->ring, atom);
  UnknownKind kind = proof->items[atom].kind;
  return kind == UNKNOWN_CONSTANT || kind == UNKNOWN_NAMED;
}

/* The difference of two letters that are divisors and whose order is unknown. */
static bool system_open_order(const System *system, uint32_t number, Poly *difference) {
  Poly one, other;
  for (uint32_t i = 0; i < system->bands.count; i++)
    for (uint32_t k = 0; divisor_letter(system, i, &one) && k < i; k++) {
      if (!divisor_letter(system, k, &other) || poly_equal(one, other)) continue;
      *difference = poly_subtract(system->proof->ring, one, other);
      if (!is_order_known(system, *difference) && number-- == 0) return true;
    }
  return false;
}

/* Splits into p >= 0 and p <= -1. */
static void split_at_order(System *system, Poly poly) {
  PolyRing *ring = system->proof->ring;
  Fact above = {.poly = poly}, below = {.poly = poly_shift(ring, poly_scale(ring, poly, -1), -1)};
  system_use_cases(system, clause_of_two(system->proof, above, below, ORIGIN_LEMMA, true));
}

const OpenSplit *open_split(uint32_t number) {
  static const OpenSplit all[open_split_kinds] = {
      {.kind = 0, .tried = 6, .at_once = 2, .find = system_open_sign, .split = split_at_zero},
      {.kind = 1, .tried = 3, .at_once = 1, .find = system_open_order, .split = split_at_order},
  };
  assert(number < open_split_kinds);
  return &all[number];
}
