/* Of coprime numbers s*a + t*b = 1 is known. Where a*Y = b*Z holds as well, Y = b*h and Z = a*h
 * with h = s*Z + t*Y, which gets a name. */
#include "smt/rules/rule_coprime.h"

#include "smt/rules/lemmas.h"

/* E = a*Y + b*Z for atoms a, b: terms with a, and the others, which must all have b. */
static bool split_by_pair(PolyRing *ring, Poly equation, Poly a, Poly b, Poly *y, Poly *z) {
  *y = *z = (Poly){};
  for (uint32_t i = 0; i < equation.count; i++) {
    Poly term = poly_scale(
        ring, poly_monomial(ring, equation.terms[i].monomial), equation.terms[i].coefficient);
    Poly rest, quotient = poly_divide(ring, term, a, &rest);
    if (rest.count == 0) {
      *y = poly_add(ring, *y, quotient);
      continue;
    }
    quotient = poly_divide(ring, term, b, &rest);
    if (rest.count > 0) return false;
    *z = poly_add(ring, *z, quotient);
  }
  return y->count > 0 && z->count > 0;
}

/* With E = a*Y - b*Z, B = s*a + t*b - 1 and h - (s*Z + t*Y) all 0:
 * Y - b*h = -s*E - Y*B + b*(s*Z + t*Y - h),  Z - a*h = t*E - Z*B + a*(s*Z + t*Y - h). */
static void use_cofactors(
    System *system, const Coprime *pair, Poly equation, Poly y, Poly z, Poly h) {
  PolyRing *ring = system->proof->ring;
  Poly one =
      poly_add(ring, poly_multiply(ring, pair->s, pair->a), poly_multiply(ring, pair->t, pair->b));
  Poly zero = poly_shift(ring, one, -1);
  Poly name = poly_subtract(
      ring, h, poly_add(ring, poly_multiply(ring, pair->s, z), poly_multiply(ring, pair->t, y)));
  system_use_lemma(system, LEMMA_ZERO, equation, pair->s, 0);
  system_use_lemma(system, LEMMA_ZERO, equation, pair->t, 0);
  system_use_lemma(system, LEMMA_ZERO, zero, y, 0);
  system_use_lemma(system, LEMMA_ZERO, zero, z, 0);
  system_use_lemma(system, LEMMA_ZERO, name, pair->b, 0);
  system_use_lemma(system, LEMMA_ZERO, name, pair->a, 0);
}

/* A number that is no unit, or a multiple k*x of an atom; of its parts, x, with k beside it. */
static bool cofactor_of(PolyRing *ring, bool is_part, Poly *factor, Poly *multiplier) {
  uint32_t atom;
  Wide value;
  if (poly_is_constant(*factor, &value)) return value > 1 || value < -1;
  if (factor->count != 1 || !monomial_is_atom(ring, factor->terms[0].monomial, &atom)) return false;
  if (is_part) *multiplier = poly_scale(ring, *multiplier, factor->terms[0].coefficient);
  if (is_part) *factor = poly_atom(ring, atom);
  return true;
}

static bool use_coprime_in(System *system, const Coprime *pair, uint32_t fact) {
  PolyRing *ring = system->proof->ring;
  Poly equation = system->facts.items[fact].poly, y, z, rest;
  if (!system->facts.items[fact].is_equation ||
      !split_by_pair(ring, equation, pair->a, pair->b, &y, &z))
    return false;
  bool is_open = pair->gcd.count > 0 && !system_is_positive(system, pair->gcd);
  if (is_open) (void)poly_divide(ring, equation, pair->gcd, &rest);
  if (is_open && rest.count == 0) return false; /* a factor that leaves once it is positive */
  z = poly_scale(ring, z, -1);
  Poly h = system_name(
      system, poly_add(ring, poly_multiply(ring, pair->s, z), poly_multiply(ring, pair->t, y)));
  Poly y_is = poly_subtract(ring, y, poly_multiply(ring, pair->b, h)),
       z_is = poly_subtract(ring, z, poly_multiply(ring, pair->a, h));
  if (system_has_fact(system, y_is, true) || system_has_fact(system, z_is, true)) return false;
  use_cofactors(system, pair, equation, y, z, h);
  system->facts.items[fact] = system->facts.items[--system->facts.count];
  system_derive(system, y_is, true, ORIGIN_DERIVED);
  system_derive(system, z_is, true, ORIGIN_DERIVED);
  proof_explain(system->proof, "  coprime factors divide each other's cofactors\n");
  return true;
}

bool system_use_coprime(System *system) {
  PolyRing *ring = system->proof->ring;
  for (uint32_t c = 0; c < 2 * system->coprimes.count; c++) {
    Coprime pair = system->coprimes.items[c / 2];
    if (!cofactor_of(ring, c % 2 == 1, &pair.a, &pair.s) ||
        !cofactor_of(ring, c % 2 == 1, &pair.b, &pair.t))
      continue;
    for (uint32_t i = 0; i < system->facts.count; i++)
      if (use_coprime_in(system, &pair, i)) return true;
  }
  return false;
}
