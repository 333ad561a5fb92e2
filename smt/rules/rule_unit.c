/* A rule that says of c*a what another rule says of a letter is true because the other is: with the
 * product as one unknown, its proof is the other's. Found where each monomial that has the letter c
 * has a as often, or each has c an even number of times. */
#include "smt/rules/rule_unit.h"

typedef struct UnitLook {
  const System *system;
  uint32_t letter, other; /* the product; the same twice for a square */
  bool is_known, fits;
} UnitLook;

static uint32_t unit_power(const Monomial *monomial, uint32_t atom) {
  uint32_t power = 0;
  for (uint32_t i = 0; i < monomial->degree; i++) power += monomial->atoms[i] == atom;
  return power;
}

/* A square of any letter, or a product of two constants: a digit times its step is no unit. */
static bool unit_is_product(const RuleProof *proof, uint32_t letter, uint32_t other) {
  UnknownKind kind = proof->items[letter].kind;
  if (kind == UNKNOWN_EXPR) return letter == other;
  return kind == UNKNOWN_CONSTANT && proof->items[other].kind == UNKNOWN_CONSTANT;
}

/* Does the product take the letter out of each monomial? */
static void unit_look_at(UnitLook *look, Poly poly) {
  const PolyRing *ring = look->system->proof->ring;
  for (uint32_t i = 0; i < poly.count && look->fits; i++) {
    const Monomial *monomial = &ring->items[poly.terms[i].monomial];
    uint32_t power = unit_power(monomial, look->letter);
    if (power == 0) continue;
    look->is_known = true;
    look->fits = look->letter == look->other ? power % 2 == 0
                                             : unit_power(monomial, look->other) >= power;
  }
}

static void unit_look_at_clauses(UnitLook *look) {
  const System *system = look->system;
  for (uint32_t i = 0; i < system->clauses.count; i++)
    for (uint32_t b = 0; b < system->clauses.items[i].count; b++) {
      const Branch *branch = &system->clauses.items[i].branches[b];
      for (uint32_t f = 0; f < branch->count; f++) unit_look_at(look, branch->items[f].poly);
    }
}

/* The bounds of a letter are no place: what they say of it is lost. */
static bool unit_is_whole(const System *system, uint32_t letter, uint32_t other) {
  UnitLook look = {.system = system, .letter = letter, .other = other, .fits = true};
  for (uint32_t i = 0; i < system->facts.count; i++)
    if (system->facts.items[i].origin != ORIGIN_BOUNDS)
      unit_look_at(&look, system->facts.items[i].poly);
  for (uint32_t i = 0; i < system->bands.count; i++) {
    const Band *band = &system->bands.items[i];
    const Poly polys[] = {band->numerator, band->divisor, band->quotient};
    for (uint32_t k = 0; k < 3; k++) unit_look_at(&look, polys[k]);
  }
  for (uint32_t i = 0; i < system->coprimes.count; i++) {
    const Coprime *pair = &system->coprimes.items[i];
    const Poly polys[] = {pair->gcd, pair->a, pair->b, pair->s, pair->t};
    for (uint32_t k = 0; k < 5; k++) unit_look_at(&look, polys[k]);
  }
  unit_look_at_clauses(&look);
  return look.is_known && look.fits;
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

/* The terms of all facts and quotients. */
static uint32_t unit_count_terms(const System *system) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < system->facts.count; i++) count += system->facts.items[i].poly.count;
  for (uint32_t i = 0; i < system->bands.count; i++)
    count += system->bands.items[i].numerator.count + system->bands.items[i].divisor.count;
  return count;
}

/* A name in place of the polynomial, k*m and what m is not in, where that makes the system shorter:
 * m leaves. */
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

/* k*m mod D, where the divisor has no m. */
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
