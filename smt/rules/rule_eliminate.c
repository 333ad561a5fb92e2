/* Replaces an unknown of a system, or a multiple of it, by a polynomial: facts, clauses, bands and
 * coprimes are rewritten. For each product with the unknown, a lemma instance relates the old
 * product to the new one. A solution of the remaining system is completed with the values of the
 * eliminated unknowns. */
#include <assert.h>

#include "smt/rules/lemmas.h"

static Wide scale_power(Wide scale, uint32_t power) {
  Wide value = 1;
  while (power-- > 0)
    if (!wide_multiply(value, scale, &value)) return 0;
  return value;
}

/* The highest power of the unknown; *is_exact: each coefficient is a multiple of the scale to the
 * power of the unknown in its term. */
static uint32_t highest_power(
    const PolyRing *ring, Poly poly, uint32_t unknown, Wide scale, bool *is_exact) {
  assert(poly_is_canonical(ring, poly));
  uint32_t most = 0;
  *is_exact = true;
  for (uint32_t i = 0; i < poly.count; i++) {
    uint32_t power = monomial_power(&ring->items[poly.terms[i].monomial], unknown);
    Wide divisor = scale_power(scale, power);
    *is_exact &= divisor != 0 && poly.terms[i].coefficient % divisor == 0;
    if (power > most) most = power;
  }
  return most;
}

/* Replaces the product in each term as often as it divides the term. */
static Poly product_replaced(PolyRing *ring, Poly poly, const Elimination *change) {
  assert(poly_is_canonical(ring, poly));
  assert(change->scale >= 1 || change->product.count > 0);
  Poly sum = {}, rest;
  for (uint32_t i = 0; i < poly.count; i++) {
    Poly term =
        poly_scale(ring, poly_monomial(ring, poly.terms[i].monomial), poly.terms[i].coefficient);
    for (;;) {
      Poly cofactor = poly_divide(ring, term, change->product, &rest);
      if (rest.count > 0 || ring->overflow) break;
      term = poly_multiply(ring, cofactor, change->by);
    }
    sum = poly_add(ring, sum, term);
  }
  return sum;
}

/* The polynomial with scale*unknown replaced by `by`, multiplied by a power of the scale if
 * necessary; or with the product replaced. */
static Poly poly_replaced(PolyRing *ring, Poly poly, const Elimination *change) {
  assert(poly_is_canonical(ring, poly));
  assert(change->scale >= 1 || change->product.count > 0);
  if (change->product.count > 0) return product_replaced(ring, poly, change);
  if (change->scale == 1) return poly_substitute(ring, poly, change->unknown, change->by);
  bool is_exact;
  uint32_t most = highest_power(ring, poly, change->unknown, change->scale, &is_exact);
  PolyTerm *terms = ARENA_NEW(ring->arena, PolyTerm, poly.count);
  for (uint32_t i = 0; i < poly.count; i++) {
    uint32_t power = monomial_power(&ring->items[poly.terms[i].monomial], change->unknown);
    Wide factor = scale_power(change->scale, is_exact ? power : most - power);
    terms[i] = poly.terms[i];
    if (factor == 0) ring->overflow = true;
    else if (is_exact) terms[i].coefficient /= factor;
    else if (!wide_multiply(terms[i].coefficient, factor, &terms[i].coefficient))
      ring->overflow = true;
  }
  return poly_substitute(
      ring, (Poly){.count = poly.count, .terms = terms}, change->unknown, change->by);
}

bool system_can_eliminate(const System *system, uint32_t unknown, Wide scale) {
  const PolyRing *ring = system->proof->ring;
  bool is_exact = true;
  for (uint32_t i = 0; i < system->bands.count; i++) {
    const Band *band = &system->bands.items[i];
    (void)highest_power(ring, band->quotient, unknown, scale, &is_exact);
    if (!is_exact) return false;
  }
  for (uint32_t i = 0; i < system->coprimes.count; i++) {
    const Coprime *pair = &system->coprimes.items[i];
    const Poly polys[] = {pair->gcd, pair->a, pair->b, pair->s, pair->t};
    for (uint32_t k = 0; k < 5 && is_exact; k++)
      (void)highest_power(ring, polys[k], unknown, scale, &is_exact);
    if (!is_exact) return false;
  }
  return true;
}

static void eliminate_in_facts(System *system, const Elimination *change) {
  assert(change->scale >= 1 || change->product.count > 0);
  PolyRing *ring = system->proof->ring;
  uint32_t count = system->facts.count;
  Fact *before = system->facts.items;
  system->facts.items = nullptr;
  system->facts.count = system->facts.capacity = 0;
  for (uint32_t i = 0; i < count; i++)
    system_put_fact(system, poly_replaced(ring, before[i].poly, change), before[i].is_equation,
        before[i].origin);
}

static void eliminate_in_clauses(System *system, const Elimination *change) {
  assert(change->scale >= 1 || change->product.count > 0);
  Arena *arena = system->proof->arena;
  for (uint32_t i = 0; i < system->clauses.count; i++) {
    Clause *clause = &system->clauses.items[i];
    if (clause->stated == nullptr) clause->stated = clause->branches;
    Branch *branches = ARENA_NEW(arena, Branch, clause->count);
    for (uint32_t b = 0; b < clause->count; b++)
      for (uint32_t f = 0; f < clause->branches[b].count; f++) {
        Fact fact = clause->branches[b].items[f];
        fact.poly = poly_replaced(system->proof->ring, fact.poly, change);
        *ARENA_PUSH(arena, &branches[b]) = fact;
      }
    clause->branches = branches;
  }
}

/* k*X floordiv k*C is X floordiv C: both are multiplied if one of them requires it. */
static void band_replace(PolyRing *ring, Band *band, const Elimination *change) {
  assert(change->scale >= 1 || change->product.count > 0);
  bool is_exact = true, is_other_exact = true;
  if (change->product.count == 0 && change->scale > 1) {
    uint32_t top = highest_power(ring, band->numerator, change->unknown, change->scale, &is_exact),
             bottom = highest_power(
                 ring, band->divisor, change->unknown, change->scale, &is_other_exact);
    Wide factor = scale_power(change->scale, top > bottom ? top : bottom);
    if (factor == 0) ring->overflow = true;
    if (factor != 0 && !(is_exact && is_other_exact)) {
      band->numerator = poly_scale(ring, band->numerator, factor);
      band->divisor = poly_scale(ring, band->divisor, factor);
    }
  }
  band->numerator = poly_replaced(ring, band->numerator, change);
  band->divisor = poly_replaced(ring, band->divisor, change);
}

/* Rewrites the polynomials of a system except facts and clauses. */
static void change_rest(System *system, const Elimination *change) {
  assert(change->scale >= 1 || change->product.count > 0);
  PolyRing *ring = system->proof->ring;
  for (uint32_t i = 0; i < system->bands.count; i++) {
    Band *band = &system->bands.items[i];
    band_replace(ring, band, change);
    band->quotient = poly_replaced(ring, band->quotient, change);
  }
  for (uint32_t i = 0; i < system->coprimes.count; i++) {
    Coprime *coprime = &system->coprimes.items[i];
    coprime->gcd = poly_replaced(ring, coprime->gcd, change);
    coprime->a = poly_replaced(ring, coprime->a, change);
    coprime->b = poly_replaced(ring, coprime->b, change);
    coprime->s = poly_replaced(ring, coprime->s, change);
    coprime->t = poly_replaced(ring, coprime->t, change);
  }
}

/* With x the unknown times its scale, x^k*t - by^k*t = (x - by) * (x^(k-1) + ... + by^(k-1)) * t:
 * since x = by, the left side is 0. */
static void use_in_monomial(System *system, const Elimination *change, uint32_t number) {
  assert(change->scale >= 1 || change->product.count > 0);
  RuleProof *proof = system->proof;
  PolyRing *ring = proof->ring;
  Poly atom = poly_atom(ring, change->unknown), x = poly_scale(ring, atom, change->scale), rest,
       sum = {}, cofactor = poly_monomial(ring, number);
  uint32_t power = 0;
  for (;; power++) {
    Poly quotient = poly_divide(ring, cofactor, atom, &rest);
    if (rest.count > 0 || ring->overflow) break;
    cofactor = quotient;
  }
  for (uint32_t i = 0; i < power; i++) {
    Poly term = cofactor;
    for (uint32_t k = 0; k < power - 1; k++)
      term = poly_multiply(ring, term, k < i ? change->by : x);
    sum = poly_add(ring, sum, term);
  }
  Candidate zero = {.kind = LEMMA_ZERO, .a = poly_subtract(ring, x, change->by), .b = sum};
  zero.product = poly_multiply(ring, zero.a, zero.b);
  if (!ring->overflow) system_use(system, lemma_instance(proof, &zero, 0));
}

/* t*product - t*by = 0, since product = by; repeated for t*by. */
static void use_in_multiple(System *system, const Elimination *change, uint32_t number) {
  assert(change->scale >= 1 || change->product.count > 0);
  PolyRing *ring = system->proof->ring;
  Poly zero = poly_subtract(ring, change->product, change->by), rest,
       term = poly_monomial(ring, number);
  for (;;) {
    Poly cofactor = poly_divide(ring, term, change->product, &rest);
    if (rest.count > 0 || ring->overflow) return;
    system_use_lemma(system, LEMMA_ZERO, zero, cofactor, 0);
    term = poly_multiply(ring, cofactor, change->by);
  }
}

/* Adds the instances that relate each product with the unknown to its replacement. */
static void use_in_products(System *system, const Elimination *change, Poly poly, bool *done) {
  assert(change->scale >= 1 || change->product.count > 0);
  assert(poly_is_canonical(system->proof->ring, poly));
  PolyRing *ring = system->proof->ring;
  for (uint32_t i = 0; i < poly.count; i++) {
    uint32_t number = poly.terms[i].monomial;
    if (ring->items[number].degree < 2) return;
    bool is_there =
        change->product.count > 0 || monomial_power(&ring->items[number], change->unknown) > 0;
    if (done[number] || !is_there) continue;
    done[number] = true;
    if (change->product.count > 0) use_in_multiple(system, change, number);
    else use_in_monomial(system, change, number);
  }
}

static void use_elimination(System *system, const Elimination *change) {
  assert(change->scale >= 1 || change->product.count > 0);
  bool *done = ARENA_NEW(system->proof->arena, bool, system->proof->ring->count);
  for (uint32_t i = 0; i < system->facts.count; i++)
    use_in_products(system, change, system->facts.items[i].poly, done);
  for (uint32_t i = 0; i < system->clauses.count; i++)
    for (uint32_t b = 0; b < system->clauses.items[i].count; b++)
      for (uint32_t f = 0; f < system->clauses.items[i].branches[b].count; f++)
        use_in_products(system, change, system->clauses.items[i].branches[b].items[f].poly, done);
  for (uint32_t i = 0; i < system->bands.count; i++) {
    use_in_products(system, change, system->bands.items[i].numerator, done);
    use_in_products(system, change, system->bands.items[i].divisor, done);
    use_in_products(system, change, system->bands.items[i].quotient, done);
  }
  for (uint32_t i = 0; i < system->coprimes.count; i++)
    use_in_products(system, change, system->coprimes.items[i].gcd, done);
}

static void system_change(System *system, const Elimination *change) {
  assert(change->scale >= 1 || change->product.count > 0);
  use_elimination(system, change);
  eliminate_in_facts(system, change);
  eliminate_in_clauses(system, change);
  change_rest(system, change);
}

void system_eliminate(System *system, uint32_t unknown, Wide scale, Poly by) {
  assert(poly_is_canonical(system->proof->ring, by));
  RuleProof *proof = system->proof;
  assert(!poly_has_atom(proof->ring, by, unknown));
  const Elimination change = {.unknown = unknown, .scale = scale, .by = by};
  *ARENA_PUSH(proof->arena, &system->eliminations) = change;
  system_change(system, &change);
}

void system_replace_product(System *system, Poly product, Poly by) {
  assert(poly_is_canonical(system->proof->ring, product));
  assert(poly_is_canonical(system->proof->ring, by));
  system_change(system, &(Elimination){.product = product, .by = by});
}

bool system_complete(const System *system, Wide *values) {
  for (uint32_t i = system->eliminations.count; i-- > 0;) {
    const Elimination *elimination = &system->eliminations.items[i];
    Wide *value = &values[elimination->unknown];
    if (!poly_evaluate(system->proof->ring, elimination->by, values, value) ||
        *value % elimination->scale != 0)
      return false;
    *value /= elimination->scale;
  }
  return true;
}
