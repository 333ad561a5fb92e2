/* Candidates by level.
 * 1: multipliers M are the divisors, letters known to be positive, and products of the divisors of
 * nested quotients. Bands are scaled to M. split(M, d) for d a quotient; a difference or sum of two
 * scaled quotients minus the polynomial quotient of their numerators; and the facts of the goal and
 * the hypothesis, whole and divided by M. Facts about constants times bounds of letters. Facts
 * about an atom times the rest of a product that contains it.
 * 2: the short candidates of level 1 with every multiplier; every fact, whole and divided by M, and
 * quotients shifted by it; single letters times facts; equations times letters; signs of pairs.
 * 3: products of any two divisors as multipliers; bounds of letters times letters of either sign.
 * 4: facts times facts.
 * 5: products of three or more facts; unknowns of either sign in a product whose rest is
 * positive. */
#include "smt/rules/rule_pool.h"

#include <assert.h>

#include "core/base/hash.h"

static constexpr uint32_t pool_limit = 6000;
static constexpr uint32_t multiplier_limit = 24;
static constexpr uint32_t candidate_degree = 9;
static constexpr uint32_t factor_limit = 12;
static constexpr uint32_t factor_terms = 4;
static constexpr uint32_t long_product_limit = 400;

typedef struct PolyList {
  uint32_t count, capacity;
  Poly *items;
} PolyList;

typedef struct Filling {
  RulePool *pool;
  const System *system;
  RuleProof *proof;
  PolyRing *ring;
  PolyList multipliers;
} Filling;

static uint64_t poly_hash(uint64_t hash, Poly poly) {
  for (uint32_t i = 0; i < poly.count; i++)
    hash = hash_mix(hash_mix(hash, poly.terms[i].monomial),
        (uint64_t)(unsigned _BitInt(128))poly.terms[i].coefficient);
  return hash;
}

static uint64_t candidate_hash(const Candidate *candidate) {
  return poly_hash(hash_mix(poly_hash(candidate->kind, candidate->a), 7), candidate->b);
}

static bool same_candidate(const Candidate *a, const Candidate *b) {
  return a->kind == b->kind && poly_equal(a->a, b->a) && poly_equal(a->b, b->b);
}

static bool is_there(const RulePool *pool, const Candidate *candidate, uint64_t hash) {
  uint32_t item;
  for (TableProbe probe = table_probe(&pool->table, hash); table_next(&pool->table, &probe, &item);)
    if (same_candidate(&pool->items[item], candidate)) return true;
  return false;
}

/* A product that overflows is no candidate, but no reason to give the proof up. Neither are
 * operands that overflowed: a lemma holds for any pair, as long as the product is theirs. */
static bool product_fits(PolyRing *ring, Poly a, Poly b, Poly *product) {
  assert(poly_is_canonical(ring, a));
  assert(poly_is_canonical(ring, b));
  ring->overflow = false;
  *product = poly_multiply(ring, a, b);
  bool fits = !ring->overflow;
  ring->overflow = false;
  return fits;
}

static void rule_pool_put(Filling *filling, LemmaKind kind, Poly a, Poly b) {
  assert(poly_is_canonical(filling->ring, a));
  assert(poly_is_canonical(filling->ring, b));
  RulePool *pool = filling->pool;
  Wide value;
  if (pool->count >= pool_limit || poly_is_constant(a, &value) || poly_is_constant(b, &value))
    return;
  if (poly_degree(filling->ring, a) + poly_degree(filling->ring, b) > candidate_degree ||
      a.count * b.count > 200)
    return;
  Candidate candidate = {.kind = kind, .a = a, .b = b};
  uint64_t hash = candidate_hash(&candidate);
  if (is_there(pool, &candidate, hash)) return;
  if (!product_fits(filling->ring, a, b, &candidate.product)) return;
  table_add(&pool->table, filling->proof->arena, hash, pool->count);
  *ARENA_PUSH(filling->proof->arena, pool) = candidate;
}

static void put_poly(Filling *filling, PolyList *list, Poly poly) {
  assert(poly_is_canonical(filling->ring, poly));
  Wide value;
  if (poly_is_constant(poly, &value) || list->count >= multiplier_limit) return;
  for (uint32_t i = 0; i < list->count; i++)
    if (poly_equal(list->items[i], poly)) return;
  *ARENA_PUSH(filling->proof->arena, list) = poly;
}

/* Adds single atoms that a fact shows to be >= 1 or <= -1, as multipliers. */
static void add_letters(Filling *filling) {
  for (uint32_t i = 0; i < filling->system->facts.count; i++) {
    const Fact *fact = &filling->system->facts.items[i];
    uint32_t atom;
    if (!fact_bounds_atom(filling->ring, fact, &atom) || poly_constant_term(fact->poly) >= 0 ||
        !system_has_product_of(filling->system, atom))
      continue;
    put_poly(filling, &filling->multipliers,
        poly_scale(filling->ring, poly_atom(filling->ring, atom), fact->poly.terms[0].coefficient));
  }
}

static bool has_quotient_of(const Filling *filling, Poly poly, const Band *band) {
  assert(poly_is_canonical(filling->ring, poly));
  uint32_t atom;
  return poly_is_atom(filling->ring, band->quotient, &atom) &&
         poly_has_atom(filling->ring, poly, atom);
}

static void gather_multipliers(Filling *filling, uint32_t level) {
  const System *system = filling->system;
  for (uint32_t i = 0; i < system->bands.count; i++)
    put_poly(filling, &filling->multipliers, system->bands.items[i].divisor);
  add_letters(filling);
  for (uint32_t i = 0; i < system->bands.count; i++) {
    for (uint32_t k = 0; k < system->bands.count; k++) {
      const Band *inner = &system->bands.items[i], *outer = &system->bands.items[k];
      bool is_nested = has_quotient_of(filling, outer->numerator, inner);
      if (i == k || (level < 3 && !is_nested)) continue;
      if (poly_degree(filling->ring, inner->divisor) + poly_degree(filling->ring, outer->divisor) >
          5)
        continue;
      put_poly(filling, &filling->multipliers,
          poly_multiply(filling->ring, inner->divisor, outer->divisor));
    }
  }
}

/* Whether M = scale * divisor of the band. */
static bool scale_of(const Filling *filling, Poly multiplier, const Band *band, Poly *scale) {
  assert(poly_is_canonical(filling->ring, multiplier));
  if (band->divisor.count == 0) return false;
  Poly rest;
  *scale = poly_divide(filling->ring, multiplier, band->divisor, &rest);
  return rest.count == 0;
}

static Poly band_low(const Filling *filling, const Band *band) {
  return poly_subtract(
      filling->ring, band->numerator, poly_multiply(filling->ring, band->divisor, band->quotient));
}

static Poly band_high(const Filling *filling, const Band *band) {
  return poly_shift(
      filling->ring, poly_subtract(filling->ring, band->divisor, band_low(filling, band)), -1);
}

static void add_scaled(Filling *filling, const Band *band, Poly scale) {
  assert(poly_is_canonical(filling->ring, scale));
  Wide value;
  if (poly_is_constant(scale, &value)) return;
  rule_pool_put(filling, LEMMA_PRODUCT, scale, band_low(filling, band));
  rule_pool_put(filling, LEMMA_PRODUCT, scale, band_high(filling, band));
  rule_pool_put(filling, LEMMA_PRODUCT, poly_shift(filling->ring, scale, -1),
      poly_shift(filling->ring, band->divisor, -1));
}

/* d = Q + s*Q' - (polynomial quotient of T*X + s*T'*X' by M), for s = -1 and 1. */
static void add_pair(
    Filling *filling, Poly multiplier, const Band *a, Poly a_scale, const Band *b, Poly b_scale) {
  assert(poly_is_canonical(filling->ring, multiplier));
  assert(poly_is_canonical(filling->ring, a_scale));
  assert(poly_is_canonical(filling->ring, b_scale));
  PolyRing *ring = filling->ring;
  Poly left = poly_multiply(ring, a_scale, a->numerator),
       right = poly_multiply(ring, b_scale, b->numerator);
  for (int sign = -1; sign <= 1; sign += 2) {
    Poly rest, whole = poly_divide(
                   ring, poly_add(ring, left, poly_scale(ring, right, sign)), multiplier, &rest);
    Poly quotients = poly_add(ring, a->quotient, poly_scale(ring, b->quotient, sign));
    rule_pool_put(filling, LEMMA_SPLIT, multiplier, poly_subtract(ring, quotients, whole));
  }
}

static void add_bands(Filling *filling, Poly multiplier) {
  assert(poly_is_canonical(filling->ring, multiplier));
  const System *system = filling->system;
  for (uint32_t i = 0; i < system->bands.count; i++) {
    const Band *band = &system->bands.items[i];
    Poly scale, other_scale;
    if (!scale_of(filling, multiplier, band, &scale)) continue;
    add_scaled(filling, band, scale);
    rule_pool_put(filling, LEMMA_SPLIT, multiplier, band->quotient);
    for (uint32_t k = 0; k < i; k++)
      if (scale_of(filling, multiplier, &system->bands.items[k], &other_scale))
        add_pair(filling, multiplier, band, scale, &system->bands.items[k], other_scale);
  }
}

/* Adds the polynomial of a fact, whole and divided by M. */
static void add_fact(Filling *filling, Poly multiplier, Poly poly) {
  assert(poly_is_canonical(filling->ring, multiplier));
  assert(poly_is_canonical(filling->ring, poly));
  Poly rest;
  rule_pool_put(
      filling, LEMMA_SPLIT, multiplier, poly_shift(filling->ring, poly, -poly_constant_term(poly)));
  Poly whole = poly_divide(filling->ring, poly, multiplier, &rest);
  rule_pool_put(filling, LEMMA_SPLIT, multiplier,
      poly_shift(filling->ring, whole, -poly_constant_term(whole)));
}

static void add_statements(Filling *filling, Poly multiplier, bool is_every_fact) {
  assert(poly_is_canonical(filling->ring, multiplier));
  const System *system = filling->system;
  for (uint32_t i = 0; i < system->facts.count; i++) {
    const Fact *fact = &system->facts.items[i];
    bool is_statement = fact->origin == ORIGIN_GOAL || fact->origin == ORIGIN_HYPOTHESIS ||
                        fact->origin == ORIGIN_CASE;
    if (is_every_fact || is_statement) add_fact(filling, multiplier, fact->poly);
  }
  for (uint32_t i = 0; i < system->clauses.count; i++)
    for (uint32_t b = 0; b < system->clauses.items[i].count; b++)
      for (uint32_t f = 0; f < system->clauses.items[i].branches[b].count; f++)
        add_fact(filling, multiplier, system->clauses.items[i].branches[b].items[f].poly);
}

/* For two polynomials whose sum or difference is a multiple of M, up to a number: d is its quotient
 * by M. */
static void add_share(Filling *filling, Poly multiplier, Poly a, Poly b) {
  assert(poly_is_canonical(filling->ring, multiplier));
  assert(poly_is_canonical(filling->ring, a));
  assert(poly_is_canonical(filling->ring, b));
  PolyRing *ring = filling->ring;
  for (int sign = -1; sign <= 1; sign += 2) {
    Poly rest, sum = poly_add(ring, a, poly_scale(ring, b, sign));
    sum = poly_shift(ring, sum, -poly_constant_term(sum));
    Poly share = poly_divide(ring, sum, multiplier, &rest);
    if (rest.count == 0) rule_pool_put(filling, LEMMA_SPLIT, multiplier, share);
  }
}

static void add_shares(Filling *filling, Poly multiplier) {
  assert(poly_is_canonical(filling->ring, multiplier));
  const System *system = filling->system;
  for (uint32_t i = 0; i < system->facts.count; i++) {
    const Fact *fact = &system->facts.items[i];
    if (fact->origin != ORIGIN_GOAL && fact->origin != ORIGIN_HYPOTHESIS) continue;
    for (uint32_t k = 0; k < i; k++)
      if (system->facts.items[k].origin == ORIGIN_GOAL ||
          system->facts.items[k].origin == ORIGIN_HYPOTHESIS)
        add_share(filling, multiplier, fact->poly, system->facts.items[k].poly);
    for (uint32_t k = 0; k < system->bands.count; k++)
      add_share(filling, multiplier, fact->poly, band_low(filling, &system->bands.items[k]));
  }
}

/* Combines short differences that the goal has with some multiplier with every multiplier. */
static void add_crossed(Filling *filling) {
  uint32_t count = filling->pool->count;
  for (uint32_t i = 0; i < count; i++) {
    const Candidate candidate = filling->pool->items[i];
    if (candidate.kind != LEMMA_SPLIT || candidate.b.count > 3 ||
        poly_degree(filling->ring, candidate.b) > 1)
      continue;
    for (uint32_t k = 0; k < filling->multipliers.count; k++)
      rule_pool_put(filling, LEMMA_SPLIT, filling->multipliers.items[k], candidate.b);
  }
}

/* d = Q plus or minus the quotient of a fact by the band's divisor. */
static void add_moved_quotients(Filling *filling) {
  const System *system = filling->system;
  for (uint32_t i = 0; i < system->bands.count; i++) {
    const Band *band = &system->bands.items[i];
    Wide value;
    if (poly_is_constant(band->divisor, &value)) continue;
    for (uint32_t f = 0; f < system->facts.count; f++) {
      Poly rest,
          whole = poly_divide(filling->ring, system->facts.items[f].poly, band->divisor, &rest);
      whole = poly_shift(filling->ring, whole, -poly_constant_term(whole));
      if (whole.count == 0) continue;
      rule_pool_put(
          filling, LEMMA_SPLIT, band->divisor, poly_add(filling->ring, band->quotient, whole));
      rule_pool_put(
          filling, LEMMA_SPLIT, band->divisor, poly_subtract(filling->ring, band->quotient, whole));
    }
  }
}

static void add_products(Filling *filling, bool is_every_pair) {
  const System *system = filling->system;
  for (uint32_t i = 0; i < system->facts.count; i++) {
    const Fact *fact = &system->facts.items[i];
    uint32_t atom;
    if (is_every_pair ? fact->is_equation : !fact_bounds_atom(filling->ring, fact, &atom)) continue;
    for (uint32_t k = 0; k < system->facts.count; k++)
      if (!system->facts.items[k].is_equation)
        rule_pool_put(filling, LEMMA_PRODUCT, fact->poly, system->facts.items[k].poly);
  }
}

static bool is_of_constants(const RuleProof *proof, Poly poly);

/* Whether the unknown depends only on constant letters, through quotients and gcds. */
static bool is_constant_unknown(const RuleProof *proof, uint32_t atom) {
  const RuleUnknown *unknown = &proof->items[atom];
  switch (unknown->kind) {
    case UNKNOWN_CONSTANT: return true;
    case UNKNOWN_EXPR:
    case UNKNOWN_LO:
    case UNKNOWN_HI: return false;
    case UNKNOWN_QUOTIENT:
    case UNKNOWN_MAX:
    case UNKNOWN_GCD:
    case UNKNOWN_GCD_LEFT:
    case UNKNOWN_GCD_RIGHT:
    case UNKNOWN_BEZOUT_LEFT:
    case UNKNOWN_BEZOUT_RIGHT:
    case UNKNOWN_NAMED:
      return is_of_constants(proof, unknown->a) && is_of_constants(proof, unknown->b);
  }
  assert(false);
  return false;
}

/* Unknowns depend on earlier ones, so the recursion terminates. */
static bool is_of_constants(const RuleProof *proof, Poly poly) {
  assert(poly_is_canonical(proof->ring, poly));
  for (uint32_t i = 0; i < poly.count; i++) {
    const Monomial *monomial = &proof->ring->items[poly.terms[i].monomial];
    for (uint32_t k = 0; k < monomial->degree; k++)
      if (!is_constant_unknown(proof, monomial->atoms[k])) return false;
  }
  return true;
}

/* Multiplies facts about constants by the bounds of letters: f >= 0 implies f*lo(x) <= f*x <=
 * f*hi(x). */
static void add_scaled_bounds(Filling *filling) {
  const System *system = filling->system;
  for (uint32_t i = 0; i < system->facts.count; i++) {
    const Fact *fact = &system->facts.items[i];
    if (fact->is_equation || fact->origin == ORIGIN_BOUNDS ||
        !is_of_constants(filling->proof, fact->poly))
      continue;
    for (uint32_t k = 0; k < system->facts.count; k++)
      if (system->facts.items[k].origin == ORIGIN_BOUNDS && !system->facts.items[k].is_equation)
        rule_pool_put(filling, LEMMA_PRODUCT, fact->poly, system->facts.items[k].poly);
  }
}

/* The product of the atoms of a monomial except one, if each is known to be >= 1; also false if it
 * does not fit. */
static bool positive_cofactor(Filling *filling, uint32_t number, uint32_t atom, Poly *cofactor) {
  const Monomial monomial = filling->ring->items[number];
  *cofactor = poly_constant(filling->ring, 1);
  bool has_atom = false;
  for (uint32_t i = 0; i < monomial.degree; i++) {
    Poly factor = poly_atom(filling->ring, monomial.atoms[i]);
    bool is_left_out = !has_atom && monomial.atoms[i] == atom;
    has_atom |= is_left_out;
    if (is_left_out) continue;
    if (!system_is_positive(filling->system, factor)) return false;
    if (!product_fits(filling->ring, *cofactor, factor, cofactor)) return false;
  }
  return has_atom;
}

static void add_positivity(Filling *filling, Poly product) {
  assert(poly_is_canonical(filling->ring, product));
  const Monomial monomial = filling->ring->items[product.terms[0].monomial];
  Poly prefix = poly_constant(filling->ring, 1);
  for (uint32_t i = 0; i < monomial.degree; i++) {
    Poly factor = poly_atom(filling->ring, monomial.atoms[i]);
    rule_pool_put(filling, LEMMA_PRODUCT, poly_shift(filling->ring, prefix, -1),
        poly_shift(filling->ring, factor, -1));
    prefix = poly_multiply(filling->ring, prefix, factor);
  }
}

/* Multiplies facts about an atom by the rest of each product that contains the atom: with x*m, x <
 * c implies x*m + m <= c*m. */
static void add_completions(Filling *filling) {
  const System *system = filling->system;
  uint32_t known = filling->ring->count;
  for (uint32_t i = 0; i < system->facts.count; i++) {
    const Fact *fact = &system->facts.items[i];
    if (fact->is_equation || poly_degree(filling->ring, fact->poly) != 1 || fact->poly.count > 3)
      continue;
    for (uint32_t t = 0; t < fact->poly.count; t++) {
      uint32_t atom;
      if (!monomial_is_atom(filling->ring, fact->poly.terms[t].monomial, &atom)) continue;
      for (uint32_t number = 1; number < known; number++) {
        Poly cofactor;
        if (filling->ring->items[number].degree < 2 ||
            !positive_cofactor(filling, number, atom, &cofactor))
          continue;
        rule_pool_put(filling, LEMMA_PRODUCT, cofactor, fact->poly);
        add_positivity(filling, cofactor);
      }
    }
  }
}

/* Bounds of letters times letters of either sign. */
static void add_signed_bounds(Filling *filling) {
  const System *system = filling->system;
  for (uint32_t i = 0; i < system->facts.count; i++) {
    const Fact *fact = &system->facts.items[i];
    if (fact->origin != ORIGIN_BOUNDS || fact->is_equation) continue;
    for (uint32_t atom = 0; atom < filling->proof->count; atom++) {
      if (!system_has_product_of(filling->system, atom)) continue;
      rule_pool_put(filling, LEMMA_PRODUCT, fact->poly, poly_atom(filling->ring, atom));
      rule_pool_put(filling, LEMMA_PRODUCT, fact->poly,
          poly_scale(filling->ring, poly_atom(filling->ring, atom), -1));
    }
  }
}

/* Adds signs and zeros of each existing product of two unknowns. */
static void add_signs(Filling *filling) {
  PolyRing *ring = filling->ring;
  uint32_t known = ring->count;
  for (uint32_t i = 1; i < known; i++) {
    const Monomial monomial = ring->items[i];
    if (monomial.degree != 2) continue;
    Poly a = poly_atom(ring, monomial.atoms[0]), b = poly_atom(ring, monomial.atoms[1]);
    Poly minus_a = poly_scale(ring, a, -1), minus_b = poly_scale(ring, b, -1);
    rule_pool_put(filling, LEMMA_PRODUCT, a, b);
    rule_pool_put(filling, LEMMA_PRODUCT, minus_a, b);
    rule_pool_put(filling, LEMMA_PRODUCT, a, minus_b);
    rule_pool_put(filling, LEMMA_PRODUCT, minus_a, minus_b);
    rule_pool_put(filling, LEMMA_ZERO, a, b);
    rule_pool_put(filling, LEMMA_ZERO, b, a);
  }
}

static void add_equations(Filling *filling) {
  const System *system = filling->system;
  for (uint32_t i = 0; i < system->facts.count; i++) {
    if (!system->facts.items[i].is_equation) continue;
    for (uint32_t k = 0; k < filling->multipliers.count; k++)
      rule_pool_put(
          filling, LEMMA_ZERO, system->facts.items[i].poly, filling->multipliers.items[k]);
    for (uint32_t atom = 0; atom < filling->proof->count; atom++)
      if (system_has_product_of(filling->system, atom))
        rule_pool_put(
            filling, LEMMA_ZERO, system->facts.items[i].poly, poly_atom(filling->ring, atom));
  }
}

/* Adds zero lemmas: what a split shows to vanish also vanishes times every multiplier. */
static void add_vanishing(Filling *filling) {
  uint32_t count = filling->pool->count;
  for (uint32_t i = 0; i < count; i++) {
    if (filling->pool->items[i].kind != LEMMA_SPLIT || filling->pool->items[i].b.count > 3)
      continue;
    Poly d = filling->pool->items[i].b;
    for (uint32_t k = 0; k < filling->multipliers.count; k++)
      rule_pool_put(filling, LEMMA_ZERO, d, filling->multipliers.items[k]);
  }
}

/* An unknown of either sign in a product whose rest is known to be positive: x >= 1 implies c*x >=
 * c. */
static void add_atom_splits(Filling *filling) {
  const uint32_t known = filling->ring->count;
  for (uint32_t number = 1; number < known; number++) {
    const Monomial monomial = filling->ring->items[number];
    for (uint32_t i = 0; monomial.degree >= 2 && i < monomial.degree; i++) {
      Poly cofactor;
      if (positive_cofactor(filling, number, monomial.atoms[i], &cofactor))
        rule_pool_put(filling, LEMMA_SPLIT, cofactor, poly_atom(filling->ring, monomial.atoms[i]));
    }
  }
}

static uint32_t facts_degree(const Filling *filling) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < filling->system->facts.count; i++) {
    uint32_t degree = poly_degree(filling->ring, filling->system->facts.items[i].poly);
    if (degree > most) most = degree;
  }
  return most;
}

/* The known facts, except the assumed side and the negated goal, as factors of products. */
static PolyList gather_factors(const Filling *filling) {
  const System *system = filling->system;
  PolyList factors = {};
  for (uint32_t i = 0; i < system->facts.count; i++) {
    const Fact *fact = &system->facts.items[i];
    if (!fact->is_equation && fact->origin != ORIGIN_GOAL && fact->origin != ORIGIN_HYPOTHESIS &&
        fact->poly.count <= factor_terms && factors.count < factor_limit)
      *ARENA_PUSH(filling->proof->arena, &factors) = fact->poly;
  }
  return factors;
}

typedef struct LongProduct {
  Poly poly;
  uint32_t last; /* the number of its last factor */
} LongProduct;

/* Products of any number of facts, each a shorter product times one more fact, as long as their
 * degree is at most that of the facts. */
static void add_long_products(Filling *filling) {
  const PolyList factors = gather_factors(filling);
  const uint32_t most = facts_degree(filling);
  LongProduct *products = ARENA_NEW(filling->proof->arena, LongProduct, long_product_limit);
  uint32_t count = 0;
  for (; count < factors.count; count++)
    products[count] = (LongProduct){.poly = factors.items[count], .last = count};
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = products[i].last; k < factors.count && count < long_product_limit; k++) {
      Poly shorter = products[i].poly, factor = factors.items[k];
      LongProduct longer = {.last = k};
      if (poly_degree(filling->ring, shorter) + poly_degree(filling->ring, factor) > most ||
          !product_fits(filling->ring, shorter, factor, &longer.poly))
        continue;
      rule_pool_put(filling, LEMMA_PRODUCT, shorter, factor);
      products[count++] = longer;
    }
}

void pool_fill(RulePool *pool, const System *system, uint32_t level) {
  assert(level >= 1 && level <= pool_levels && !system->proof->ring->overflow);
  Filling filling = {
      .pool = pool, .system = system, .proof = system->proof, .ring = system->proof->ring};
  gather_multipliers(&filling, level);
  if (level == 2) add_crossed(&filling);
  for (uint32_t i = 0; i < filling.multipliers.count; i++) {
    add_bands(&filling, filling.multipliers.items[i]);
    add_statements(&filling, filling.multipliers.items[i], level >= 2);
    add_shares(&filling, filling.multipliers.items[i]);
  }
  add_scaled_bounds(&filling);
  if (level == 1) add_completions(&filling);
  if (level >= 2) {
    add_moved_quotients(&filling);
    add_equations(&filling);
    add_products(&filling, false);
    add_signs(&filling);
  }
  if (level >= 3) {
    add_vanishing(&filling);
    add_signed_bounds(&filling);
  }
  if (level >= 4) add_products(&filling, true);
  if (level >= 5) {
    add_atom_splits(&filling);
    add_long_products(&filling);
  }
  filling.ring->overflow = false;
}
