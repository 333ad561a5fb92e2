/* If a rule states about c*a what another rule states about a letter, the other rule's proof
 * applies, with the product as one unknown. A unit is found if each monomial with the letter c has
 * a at least as often, or each has c an even number of times. */
#include "smt/rules/rule_unit.h"

/* All polynomials of a system except the bounds of letters, which are lost for a product. */
typedef struct UnitPolys {
  uint32_t count, capacity;
  Poly *items;
} UnitPolys;

/* Whether the product is a square of any letter, or a product of two constants. A digit times its
 * step is no unit. */
static bool unit_is_product(const RuleProof *proof, uint32_t letter, uint32_t other) {
  UnknownKind kind = proof->items[letter].kind;
  if (kind == UNKNOWN_EXPR) return letter == other;
  return kind == UNKNOWN_CONSTANT && proof->items[other].kind == UNKNOWN_CONSTANT;
}

static void unit_gather(const System *system, UnitPolys *polys, uint32_t count, const Poly *items) {
  for (uint32_t i = 0; i < count; i++) *ARENA_PUSH(system->proof->arena, polys) = items[i];
}

static void unit_gather_clauses(const System *system, UnitPolys *polys) {
  for (uint32_t i = 0; i < system->clauses.count; i++)
    for (uint32_t b = 0; b < system->clauses.items[i].count; b++) {
      const Branch *branch = &system->clauses.items[i].branches[b];
      for (uint32_t f = 0; f < branch->count; f++)
        unit_gather(system, polys, 1, &branch->items[f].poly);
    }
}

static UnitPolys unit_polys(const System *system) {
  UnitPolys polys = {};
  for (uint32_t i = 0; i < system->facts.count; i++)
    if (system->facts.items[i].origin != ORIGIN_BOUNDS)
      unit_gather(system, &polys, 1, &system->facts.items[i].poly);
  for (uint32_t i = 0; i < system->bands.count; i++) {
    const Band *band = &system->bands.items[i];
    unit_gather(system, &polys, 3, (const Poly[]){band->numerator, band->divisor, band->quotient});
  }
  for (uint32_t i = 0; i < system->coprimes.count; i++) {
    const Coprime *pair = &system->coprimes.items[i];
    unit_gather(system, &polys, 5, (const Poly[]){pair->gcd, pair->a, pair->b, pair->s, pair->t});
  }
  unit_gather_clauses(system, &polys);
  return polys;
}

/* Whether replacing the product removes the letter from each monomial. */
static bool unit_leaves_poly(
    const PolyRing *ring, uint32_t letter, uint32_t other, Poly poly, bool *is_known) {
  for (uint32_t i = 0; i < poly.count; i++) {
    const Monomial *monomial = &ring->items[poly.terms[i].monomial];
    uint32_t power = monomial_power(monomial, letter);
    if (power == 0) continue;
    *is_known = true;
    if (letter == other ? power % 2 != 0 : monomial_power(monomial, other) < power) return false;
  }
  return true;
}

static bool unit_is_whole(const System *system, uint32_t letter, uint32_t other) {
  UnitPolys polys = unit_polys(system);
  bool is_known = false;
  for (uint32_t i = 0; i < polys.count; i++)
    if (!unit_leaves_poly(system->proof->ring, letter, other, polys.items[i], &is_known))
      return false;
  return is_known;
}

bool system_rename_unit(System *system) {
  RuleProof *proof = system->proof;
  PolyRing *ring = proof->ring;
  uint32_t known = proof->count;
  for (uint32_t i = 0; i < known * known && !ring->overflow; i++) {
    uint32_t letter = i / known, other = i % known;
    if (!unit_is_product(proof, letter, other) || !unit_is_whole(system, letter, other)) continue;
    Poly product = poly_multiply(ring, poly_atom(ring, letter), poly_atom(ring, other));
    system_replace_product(system, product, system_name(system, product));
    return true;
  }
  return false;
}

/* ---- polynomials that are named as a whole ---- */

/* The other terms with the letter in a polynomial, for one occurrence of the product. False if the
 * product does not occur, or there are no other terms. */
static bool unit_beside(PolyRing *ring, Poly poly, Poly product, uint32_t letter, Poly *beside) {
  Wide times = 0;
  Poly all = {};
  for (uint32_t i = 0; i < poly.count; i++) {
    PolyTerm term = poly.terms[i];
    if (term.monomial == product.terms[0].monomial) times = term.coefficient;
    else if (monomial_power(&ring->items[term.monomial], letter) > 0)
      all = poly_add(
          ring, all, poly_scale(ring, poly_monomial(ring, term.monomial), term.coefficient));
  }
  if (times == 0 || all.count == 0) return false;
  Poly rest;
  *beside = poly_divide(ring, all, poly_constant(ring, times), &rest);
  return rest.count == 0;
}

static bool unit_has_letter(const System *system, uint32_t letter) {
  UnitPolys polys = unit_polys(system);
  for (uint32_t i = 0; i < polys.count; i++)
    if (poly_has_atom(system->proof->ring, polys.items[i], letter)) return true;
  return false;
}

/* Names product + beside, if the letter then vanishes from the system. */
static bool unit_rename_whole(System *system, Poly product, Poly beside, uint32_t letter) {
  PolyRing *ring = system->proof->ring;
  System *renamed = system_copy(system);
  Poly name = system_name(renamed, poly_add(ring, product, beside));
  system_replace_product(renamed, product, poly_subtract(ring, name, beside));
  if (ring->overflow || unit_has_letter(renamed, letter)) return false;
  *system = *renamed;
  return true;
}

static bool unit_rename_with_beside(System *system, uint32_t letter, uint32_t other) {
  PolyRing *ring = system->proof->ring;
  Poly product = poly_multiply(ring, poly_atom(ring, letter), poly_atom(ring, other)), beside;
  UnitPolys polys = unit_polys(system);
  for (uint32_t i = 0; i < polys.count; i++)
    if (unit_beside(ring, polys.items[i], product, letter, &beside))
      return unit_rename_whole(system, product, beside, letter);
  return false;
}

bool system_rename_polynomial(System *system) {
  RuleProof *proof = system->proof;
  uint32_t known = proof->count;
  for (uint32_t i = 0; i < known * known && !proof->ring->overflow; i++)
    if (unit_is_product(proof, i / known, i % known) &&
        unit_rename_with_beside(system, i / known, i % known))
      return true;
  return false;
}

static uint32_t unit_count_terms(const System *system) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < system->facts.count; i++) count += system->facts.items[i].poly.count;
  for (uint32_t i = 0; i < system->bands.count; i++)
    count += system->bands.items[i].numerator.count + system->bands.items[i].divisor.count;
  return count;
}

/* Names the polynomial, k*m plus terms without m, if that makes the system shorter, and eliminates
 * m. */
static bool unit_rename(System *system, Poly poly, uint32_t letter, Wide scale) {
  RuleProof *proof = system->proof;
  PolyRing *ring = proof->ring;
  UnknownKind kind = proof->items[letter].kind;
  if ((kind != UNKNOWN_CONSTANT && kind != UNKNOWN_NAMED) || scale < 1 ||
      !system_can_eliminate(system, letter, scale))
    return false;
  Poly rest = poly_subtract(ring, poly, poly_scale(ring, poly_atom(ring, letter), scale));
  if (poly_has_atom(ring, rest, letter)) return false;
  System *shorter = system_copy(system);
  Poly name = system_name(shorter, poly);
  system_eliminate(shorter, letter, scale, poly_subtract(ring, name, rest));
  if (ring->overflow || unit_count_terms(shorter) >= unit_count_terms(system)) return false;
  *system = *shorter;
  return true;
}

static bool unit_rename_divisor(System *system, Poly divisor) {
  uint32_t letter;
  return divisor.count == 2 && poly_constant_term(divisor) != 0 &&
         monomial_is_atom(system->proof->ring, divisor.terms[0].monomial, &letter) &&
         unit_rename(system, divisor, letter, divisor.terms[0].coefficient);
}

/* Names k*m mod D, if the divisor does not contain m. */
static bool unit_rename_remainder(System *system, const Band *band) {
  PolyRing *ring = system->proof->ring;
  uint32_t letter;
  if (band->numerator.count != 1 ||
      !monomial_is_atom(ring, band->numerator.terms[0].monomial, &letter))
    return false;
  Poly multiples = poly_multiply(ring, band->divisor, band->quotient);
  return unit_rename(system, poly_subtract(ring, band->numerator, multiples), letter,
      band->numerator.terms[0].coefficient);
}

bool system_rename_part(System *system) {
  for (uint32_t i = 0; i < system->bands.count && !system->proof->ring->overflow; i++) {
    const Band band = system->bands.items[i];
    if (unit_rename_divisor(system, band.divisor) || unit_rename_remainder(system, &band))
      return true;
  }
  return false;
}
