/* Coprime numbers a, b have cofactors with s*a + t*b = 1. If a*Y = b*Z also holds, Y = b*h and Z =
 * a*h with h = s*Z + t*Y, which becomes a new unknown. */
#include "smt/rules/rule_coprime.h"

#include "smt/rules/lemmas.h"

/* Splits E = a*Y + b*Z for atoms a, b: the terms with a, and the others, which must all contain
 * b. */
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

/* Which part of a number or a multiple k*x is used: a divisor of a coprime factor is coprime too.
 * The first primes of the number, and the first atoms of a product, come last. */
typedef enum CofactorPart : uint8_t {
  COFACTOR_WHOLE,
  COFACTOR_LETTER,
  COFACTOR_NUMBER,
  COFACTOR_PRIME
} CofactorPart;
static constexpr uint32_t cofactor_primes = 2, cofactor_parts = COFACTOR_PRIME + cofactor_primes;

/* Prime number `at` among those below `primes_below` that divide the value; 0: none. */
static Wide prime_of(Wide value, uint32_t at) {
  static constexpr Wide primes_below = 100;
  Wide whole = value < 0 ? -value : value, rest = whole;
  for (Wide prime = 2; prime < primes_below && prime <= rest && prime < whole; prime++) {
    if (rest % prime != 0) continue;
    while (rest % prime == 0) rest /= prime;
    if (at-- == 0) return prime;
  }
  return 0;
}

/* The part becomes the factor; the rest of value*letter goes to the multiplier. */
static void take_part(
    PolyRing *ring, Wide value, Poly letter, Wide part, Poly *factor, Poly *multiplier) {
  *factor = poly_constant(ring, part);
  *multiplier = poly_scale(ring, poly_multiply(ring, *multiplier, letter), value / part);
}

/* Takes one atom of a product: number `at` among the distinct ones. */
static bool take_atom(PolyRing *ring, uint32_t at, Poly *factor, Poly *multiplier) {
  const Monomial *monomial = &ring->items[factor->terms[0].monomial];
  for (uint32_t i = 0; i < monomial->degree; i++) {
    if ((i > 0 && monomial->atoms[i] == monomial->atoms[i - 1]) || at-- > 0) continue;
    Poly atom = poly_atom(ring, monomial->atoms[i]), rest;
    *multiplier = poly_multiply(ring, *multiplier, poly_divide(ring, *factor, atom, &rest));
    *factor = atom;
    return true;
  }
  return false;
}

/* Takes a multiple of an atom, or a part of it. */
static bool take_multiple(PolyRing *ring, uint32_t part, Poly *factor, Poly *multiplier) {
  Wide value = factor->terms[0].coefficient, prime = 0;
  Poly letter = poly_monomial(ring, factor->terms[0].monomial);
  if (part >= COFACTOR_PRIME) prime = prime_of(value, part - COFACTOR_PRIME);
  if (part == COFACTOR_LETTER) {
    *multiplier = poly_scale(ring, *multiplier, value);
    *factor = letter;
  } else if (part == COFACTOR_NUMBER && value != 1 && value != -1)
    take_part(ring, value, letter, value, factor, multiplier);
  else if (prime != 0) take_part(ring, value, letter, prime, factor, multiplier);
  return true;
}

/* Whether a part can be taken: of a number that is no unit, of a multiple of an atom, or one atom
 * of a product. */
static bool cofactor_of(PolyRing *ring, uint32_t part, Poly *factor, Poly *multiplier) {
  Wide value;
  if (poly_is_constant(*factor, &value)) {
    Wide prime = part < COFACTOR_PRIME ? 0 : prime_of(value, part - COFACTOR_PRIME);
    if (prime != 0) take_part(ring, value, poly_constant(ring, 1), prime, factor, multiplier);
    return value > 1 || value < -1;
  }
  if (factor->count != 1) return false;
  if (poly_degree(ring, *factor) == 1) return take_multiple(ring, part, factor, multiplier);
  return part >= COFACTOR_PRIME && take_atom(ring, part - COFACTOR_PRIME, factor, multiplier);
}

static bool use_coprime_in(System *system, const Coprime *pair, uint32_t fact) {
  PolyRing *ring = system->proof->ring;
  Poly equation = system->facts.items[fact].poly, y, z, rest;
  if (!system->facts.items[fact].is_equation ||
      !split_by_pair(ring, equation, pair->a, pair->b, &y, &z))
    return false;
  bool is_open = pair->gcd.count > 0 && !system_is_positive(system, pair->gcd);
  if (is_open) (void)poly_divide(ring, equation, pair->gcd, &rest);
  if (is_open && rest.count == 0) return false; /* a factor that is removed once it is positive */
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
  for (uint32_t c = 0; c < cofactor_parts * system->coprimes.count; c++) {
    Coprime pair = system->coprimes.items[c / cofactor_parts];
    uint32_t part = c % cofactor_parts;
    if (!cofactor_of(ring, part, &pair.a, &pair.s) || !cofactor_of(ring, part, &pair.b, &pair.t))
      continue;
    for (uint32_t i = 0; i < system->facts.count; i++)
      if (use_coprime_in(system, &pair, i)) return true;
  }
  return false;
}
