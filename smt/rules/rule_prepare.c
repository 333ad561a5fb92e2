/* Normal form of a system. Each step is a consequence of the system:
 *   p >= 0 and -p >= 0            =>  p = 0
 *   x + p = 0, x not in p         =>  x := -p
 *   m*p >= 0 or = 0, m >= 1       =>  p >= 0 or = 0;  a*b >= 1, a >= 0  =>  a >= 1, b >= 1
 *   a*Y = 1, a >= 1               =>  a = 1
 *   X = C*P + S                   =>  X floordiv C = P + S floordiv C; the equation may hold only
 *                                     between products
 *   (Y floordiv D + S) floordiv C =>  (Y + D*S) floordiv (D*C);  (S - Y floordiv D) likewise, by
 *                                     its complement
 *   (g*X) floordiv (g*C), g >= 1  =>  X floordiv C
 * The last three require C, D >= 1, which every band has as a fact. Each step that uses products
 * adds lemma instances to the refutation, from which linear arithmetic can derive the step too. */
#include "smt/rules/rule_prepare.h"

#include <assert.h>

#include "smt/rules/lemmas.h"
#include "smt/rules/rule_coprime.h"

static void replace_facts(System *system, const Fact *facts, uint32_t count) {
  system->facts.items = nullptr;
  system->facts.count = system->facts.capacity = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (facts[i].poly.count == 0) continue;
    system_derive(system, facts[i].poly, facts[i].is_equation, facts[i].origin);
  }
}

static bool are_opposite(Poly a, Poly b) {
  if (a.count != b.count) return false;
  for (uint32_t i = 0; i < a.count; i++)
    if (a.terms[i].monomial != b.terms[i].monomial ||
        a.terms[i].coefficient != -b.terms[i].coefficient)
      return false;
  return true;
}

static bool join_opposites(System *system) {
  uint32_t count = system->facts.count;
  Fact *facts = system->facts.items;
  bool changed = false;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = i + 1; k < count && !facts[i].is_equation; k++) {
      if (facts[k].is_equation || !are_opposite(facts[i].poly, facts[k].poly)) continue;
      facts[i].is_equation = true;
      facts[k].poly = (Poly){};
      changed = true;
    }
  }
  if (changed) replace_facts(system, facts, count);
  return changed;
}

/* The preference for solving an equation for an unknown: letters of the rule before unknowns that
 * depend on them. */
static int elimination_rank(const RuleProof *proof, uint32_t unknown) {
  assert(unknown < proof->count);
  switch (proof->items[unknown].kind) {
    case UNKNOWN_EXPR: return 9;
    case UNKNOWN_LO:
    case UNKNOWN_HI: return 8;
    case UNKNOWN_MAX: return 7;
    case UNKNOWN_GCD: return 6;
    case UNKNOWN_CONSTANT: return 5;
    case UNKNOWN_GCD_LEFT:
    case UNKNOWN_GCD_RIGHT: return 4;
    case UNKNOWN_QUOTIENT: return 3;
    case UNKNOWN_BEZOUT_LEFT:
    case UNKNOWN_BEZOUT_RIGHT: return 2;
    case UNKNOWN_NAMED: return 1;
  }
  assert(false);
  return 0;
}

/* An atom that the equation defines: coefficient 1 or -1, and no other occurrence. */
static bool isolated_atom(const RuleProof *proof, Poly equation, uint32_t *atom, Wide *sign) {
  assert(poly_is_canonical(proof->ring, equation));
  int best = 0;
  for (uint32_t i = 0; i < equation.count; i++) {
    Wide coefficient = equation.terms[i].coefficient;
    uint32_t candidate;
    if ((coefficient != 1 && coefficient != -1) ||
        !monomial_is_atom(proof->ring, equation.terms[i].monomial, &candidate))
      continue;
    Poly rest = poly_subtract(proof->ring, equation,
        poly_scale(proof->ring, poly_atom(proof->ring, candidate), coefficient));
    if (poly_has_atom(proof->ring, rest, candidate)) continue;
    int rank = elimination_rank(proof, candidate);
    if (rank <= best) continue;
    best = rank;
    *atom = candidate;
    *sign = coefficient;
  }
  return best > 0;
}

/* Replaces atom by its value in sign*atom + rest = 0. */
static void solve_for(System *system, Poly equation, uint32_t atom, Wide sign) {
  PolyRing *ring = system->proof->ring;
  Poly rest = poly_subtract(ring, equation, poly_scale(ring, poly_atom(ring, atom), sign));
  system_eliminate(system, atom, 1, poly_scale(ring, rest, -sign));
}

static bool solve_one(System *system) {
  for (uint32_t i = 0; i < system->facts.count; i++) {
    uint32_t atom;
    Wide sign;
    if (!system->facts.items[i].is_equation ||
        !isolated_atom(system->proof, system->facts.items[i].poly, &atom, &sign))
      continue;
    solve_for(system, system->facts.items[i].poly, atom, sign);
    return true;
  }
  return false;
}

/* The product of the atoms that all terms share and that are >= 1, as one monomial; 0 for none. */
static uint32_t common_positive_monomial(const System *system, Poly a, Poly b) {
  PolyRing *ring = system->proof->ring;
  uint32_t common = 0;
  if (a.count == 0) return 0;
  const Monomial first = ring->items[a.terms[0].monomial];
  for (uint32_t i = 0; i < first.degree; i++) {
    if (!system_is_at_least(system, first.atoms[i], 1)) continue;
    Poly candidate =
        poly_multiply(ring, poly_monomial(ring, common), poly_atom(ring, first.atoms[i]));
    Poly rest_a, rest_b = {};
    (void)poly_divide(ring, a, candidate, &rest_a);
    if (b.count > 0) (void)poly_divide(ring, b, candidate, &rest_b);
    if (rest_a.count == 0 && rest_b.count == 0) common = candidate.terms[0].monomial;
  }
  return common;
}

/* a*Y = 1 with a >= 1 implies a = 1. */
static bool solve_unit(System *system) {
  PolyRing *ring = system->proof->ring;
  for (uint32_t i = 0; i < system->facts.count; i++) {
    Poly poly = system->facts.items[i].poly;
    Wide constant = poly_constant_term(poly);
    if (!system->facts.items[i].is_equation || poly_degree(ring, poly) < 2 ||
        (constant != 1 && constant != -1))
      continue;
    Poly product = poly_scale(ring, poly_shift(ring, poly, -constant), -constant);
    uint32_t common = common_positive_monomial(system, product, (Poly){}), atom;
    if (common == 0) continue;
    atom = ring->items[common].atoms[0];
    Poly unit = poly_atom(ring, atom), rest;
    system_use_lemma(system, LEMMA_SPLIT, unit, poly_divide(ring, product, unit, &rest), 1);
    system_derive(system, poly_shift(ring, unit, -1), true, ORIGIN_DERIVED);
    return true;
  }
  return false;
}

static bool cancel_in_facts(System *system) {
  PolyRing *ring = system->proof->ring;
  for (uint32_t i = 0; i < system->facts.count; i++) {
    Fact fact = system->facts.items[i];
    if (poly_degree(ring, fact.poly) < 2 || poly_constant_term(fact.poly) != 0) continue;
    uint32_t common = common_positive_monomial(system, fact.poly, (Poly){});
    if (common == 0) continue;
    Poly rest, quotient = poly_divide(ring, fact.poly, poly_monomial(ring, common), &rest);
    assert(rest.count == 0 || ring->overflow);
    system_use_positive(system, poly_monomial(ring, common));
    system_use_vanishing(system, poly_monomial(ring, common), quotient);
    system->facts.items[i] = system->facts.items[--system->facts.count];
    system_derive(system, quotient, fact.is_equation, fact.origin);
    return true;
  }
  return false;
}

/* If the rest of the product is >= 0, the factor is neither 0 nor negative where the product is >=
 * 1. */
static void use_nonzero_factor(System *system, uint32_t product, uint32_t atom) {
  PolyRing *ring = system->proof->ring;
  Poly factor = poly_atom(ring, atom), unused,
       rest = poly_divide(ring, poly_monomial(ring, product), factor, &unused);
  system_use_positive(system, rest);
  system_use_lemma(system, LEMMA_ZERO, factor, rest, 0);
  system_use_lemma(system, LEMMA_PRODUCT, rest, poly_scale(ring, factor, -1), 0);
}

/* k*m >= n >= 1 with k > 0: no factor of m is 0; if all but one are >= 0, all are >= 1. */
static bool split_positive_products(System *system) {
  PolyRing *ring = system->proof->ring;
  bool changed = false;
  for (uint32_t i = 0; i < system->facts.count; i++) {
    Poly poly = system->facts.items[i].poly;
    if (system->facts.items[i].is_equation || poly.count != 2 || poly_constant_term(poly) >= 0 ||
        poly.terms[0].coefficient < 0)
      continue;
    const Monomial product = ring->items[poly.terms[0].monomial];
    uint32_t unsigned_count = 0;
    for (uint32_t k = 0; k < product.degree; k++)
      unsigned_count += !system_is_at_least(system, product.atoms[k], 0);
    if (product.degree < 2 || unsigned_count > 1) continue;
    for (uint32_t k = 0; k < product.degree; k++) {
      if (system_is_at_least(system, product.atoms[k], 1)) continue;
      use_nonzero_factor(system, poly.terms[0].monomial, product.atoms[k]);
      system_derive(
          system, poly_shift(ring, poly_atom(ring, product.atoms[k]), -1), false, ORIGIN_DERIVED);
      changed = true;
    }
  }
  return changed;
}

/* Replaces the quotient by the value, by elimination if the quotient is an atom. */
static void set_quotient(System *system, uint32_t band, Poly value) {
  PolyRing *ring = system->proof->ring;
  Poly quotient = system->bands.items[band].quotient;
  system->bands.items[band].is_canonical = true;
  uint32_t atom;
  if (poly_is_atom(ring, quotient, &atom) && !poly_has_atom(ring, value, atom)) {
    system_eliminate(system, atom, 1, value);
    return;
  }
  system_derive(system, poly_subtract(ring, quotient, value), true, ORIGIN_DERIVED);
}

static void explain_band(const System *system, const char *how, const Band *band, Poly value) {
  RuleProof *proof = system->proof;
  if (proof->explanation == nullptr) return;
  Text *text = proof->explanation;
  text_string(text, "  (");
  poly_print(text, proof, band->numerator);
  text_string(text, ") floordiv (");
  poly_print(text, proof, band->divisor);
  text_string(text, ") = ");
  poly_print(text, proof, value);
  text_printf(text, "  [%s]\n", how);
}

static bool take_out_multiples(System *system, uint32_t at) {
  PolyRing *ring = system->proof->ring;
  Band band = system->bands.items[at];
  Poly rest, multiples = poly_divide(ring, band.numerator, band.divisor, &rest);
  if (multiples.count == 0) return false;
  Poly value = poly_add(ring, multiples, system_quotient(system, rest, band.divisor));
  system_use_vanishing(system, band.divisor, poly_subtract(ring, band.quotient, value));
  explain_band(system, "multiples of the divisor", &band, value);
  set_quotient(system, at, value);
  return true;
}

/* X minus the multiple t*E of an equation E = 0 that removes a monomial of X; false if there is
 * none. */
static bool reduce_by_equation(
    PolyRing *ring, Poly numerator, Poly equation, PolyTerm lead, Poly *factor, Poly *reduced) {
  for (uint32_t i = 0; i < numerator.count; i++) {
    Poly term = poly_scale(ring, poly_monomial(ring, numerator.terms[i].monomial),
             numerator.terms[i].coefficient),
         rest;
    *factor = poly_scale(
        ring, poly_divide(ring, term, poly_monomial(ring, lead.monomial), &rest), lead.coefficient);
    if (rest.count > 0 || factor->count == 0) continue;
    *reduced = poly_subtract(ring, numerator, poly_multiply(ring, *factor, equation));
    return true;
  }
  return false;
}

/* Finds a multiple of the divisor by an equation between products: X = C*P + S + t*E with a shorter
 * S. */
static bool take_out_by_equation(System *system, uint32_t at) {
  PolyRing *ring = system->proof->ring;
  Band band = system->bands.items[at];
  uint32_t own;
  if (!poly_is_atom(ring, band.quotient, &own)) return false;
  for (uint32_t i = 0; i < system->facts.count; i++) {
    Poly equation = system->facts.items[i].poly, factor, reduced, rest;
    if (poly_has_atom(ring, equation, own)) continue;
    for (uint32_t t = 0; system->facts.items[i].is_equation && t < equation.count; t++) {
      PolyTerm lead = equation.terms[t];
      bool is_unit = lead.coefficient == 1 || lead.coefficient == -1;
      if (!is_unit || lead.monomial == 0 ||
          !reduce_by_equation(ring, band.numerator, equation, lead, &factor, &reduced))
        continue;
      Poly multiples = poly_divide(ring, reduced, band.divisor, &rest);
      if (rest.count >= band.numerator.count) continue;
      system_use_lemma(system, LEMMA_ZERO, equation, factor, 0);
      Poly value = poly_add(ring, multiples, system_quotient(system, rest, band.divisor));
      system_use_vanishing(system, band.divisor, poly_subtract(ring, band.quotient, value));
      explain_band(system, "multiples of the divisor, by an equation", &band, value);
      set_quotient(system, at, value);
      return true;
    }
  }
  return false;
}

/* The band whose quotient is this atom, preferably one in normal form. */
static bool band_of_atom(const System *system, uint32_t atom, uint32_t *at) {
  bool found = false;
  for (uint32_t i = 0; i < system->bands.count; i++) {
    uint32_t single;
    if (!poly_is_atom(system->proof->ring, system->bands.items[i].quotient, &single) ||
        single != atom)
      continue;
    if (found && system->bands.items[i].is_canonical) continue;
    *at = i;
    found = true;
  }
  return found;
}

/* The only quotient in a numerator, if its term has no other unknown and coefficient 1 or -1. */
static bool only_quotient(const System *system, Poly numerator, uint32_t *inner, Wide *sign) {
  const RuleProof *proof = system->proof;
  uint32_t found = 0, atom = 0;
  for (uint32_t i = 0; i < numerator.count; i++) {
    const Monomial *monomial = &proof->ring->items[numerator.terms[i].monomial];
    for (uint32_t k = 0; k < monomial->degree; k++)
      found += proof->items[monomial->atoms[k]].kind == UNKNOWN_QUOTIENT;
    if (monomial->degree != 1 || proof->items[monomial->atoms[0]].kind != UNKNOWN_QUOTIENT)
      continue;
    atom = monomial->atoms[0];
    *sign = numerator.terms[i].coefficient;
  }
  return found == 1 && (*sign == 1 || *sign == -1) && band_of_atom(system, atom, inner);
}

/* 0 <= T*(X - C*q) <= T*(C - 1) for T >= 0. */
static void use_scaled_band(System *system, const Band *band, Poly scale) {
  PolyRing *ring = system->proof->ring;
  Poly low =
      poly_subtract(ring, band->numerator, poly_multiply(ring, band->divisor, band->quotient));
  system_use_lemma(system, LEMMA_PRODUCT, scale, low, 0);
  system_use_lemma(system, LEMMA_PRODUCT, scale,
      poly_shift(ring, poly_subtract(ring, band->divisor, low), -1), 0);
}

static bool rule_prepare_flatten(System *system, uint32_t at) {
  PolyRing *ring = system->proof->ring;
  Band outer = system->bands.items[at];
  uint32_t inner_at;
  Wide sign = 0;
  if (!only_quotient(system, outer.numerator, &inner_at, &sign) || inner_at == at) return false;
  Band inner = system->bands.items[inner_at];
  Poly rest = poly_subtract(ring, outer.numerator, poly_scale(ring, inner.quotient, sign));
  Poly top = sign > 0 ? inner.numerator
                      : poly_shift(ring, poly_subtract(ring, inner.divisor, inner.numerator), -1);
  Poly numerator = poly_add(ring, top, poly_multiply(ring, inner.divisor, rest));
  Poly divisor = poly_multiply(ring, inner.divisor, outer.divisor);
  system->bands.items[at].is_canonical = true;
  system_use_lemma(system, LEMMA_PRODUCT, poly_shift(ring, inner.divisor, -1),
      poly_shift(ring, outer.divisor, -1), 0);
  Poly value = system_quotient(system, numerator, divisor);
  use_scaled_band(system, &outer, inner.divisor);
  system_use_vanishing(system, divisor, poly_subtract(ring, outer.quotient, value));
  explain_band(system, "quotient of a quotient", &outer, value);
  set_quotient(system, at, value);
  return true;
}

/* Divides numerator and divisor by g if both are multiples of it. */
static bool cancel_factor(System *system, uint32_t at, Poly factor) {
  PolyRing *ring = system->proof->ring;
  Band band = system->bands.items[at];
  Poly rest_top, rest_bottom;
  Poly top = poly_divide(ring, band.numerator, factor, &rest_top),
       bottom = poly_divide(ring, band.divisor, factor, &rest_bottom);
  if (rest_top.count > 0 || rest_bottom.count > 0) return false;
  system_use_positive(system, factor);
  system_use_lemma(system, LEMMA_SPLIT, factor, bottom, 1);
  Band narrow = {
      .numerator = top, .divisor = bottom, .quotient = system_quotient(system, top, bottom)};
  Poly value = narrow.quotient;
  use_scaled_band(system, &narrow, factor);
  system_use_vanishing(system, band.divisor, poly_subtract(ring, band.quotient, value));
  explain_band(system, "common factor", &band, value);
  set_quotient(system, at, value);
  return true;
}

static bool cancel_in_band(System *system, uint32_t at) {
  PolyRing *ring = system->proof->ring;
  Band band = system->bands.items[at];
  Wide content = wide_gcd(poly_content(band.numerator, false), poly_content(band.divisor, false));
  if (content > 1 && cancel_factor(system, at, poly_constant(ring, content))) return true;
  uint32_t common = common_positive_monomial(system, band.numerator, band.divisor);
  if (common != 0 && cancel_factor(system, at, poly_monomial(ring, common))) return true;
  for (uint32_t i = 0; i < system->bands.count; i++) {
    Poly other = system->bands.items[i].divisor;
    if (other.count < 2 || !system_is_positive(system, other)) continue;
    if (cancel_factor(system, at, other)) return true;
  }
  return false;
}

static bool share_equal(System *system, uint32_t at) {
  Band band = system->bands.items[at];
  for (uint32_t i = 0; i < at; i++) {
    Band other = system->bands.items[i];
    if (other.is_canonical || !poly_equal(other.numerator, band.numerator) ||
        !poly_equal(other.divisor, band.divisor))
      continue;
    system_use_vanishing(
        system, band.divisor, poly_subtract(system->proof->ring, band.quotient, other.quotient));
    set_quotient(system, at, other.quotient);
    return true;
  }
  return false;
}

static bool is_numeric(System *system, uint32_t at) {
  PolyRing *ring = system->proof->ring;
  Band band = system->bands.items[at];
  Wide top, bottom;
  if (!poly_is_constant(band.divisor, &bottom)) return false;
  if (bottom < 1) system->is_contradictory = true;
  if (bottom < 1) return true;
  bool is_known = bottom == 1 || poly_is_constant(band.numerator, &top);
  if (is_known)
    set_quotient(
        system, at, bottom == 1 ? band.numerator : poly_constant(ring, wide_floor(top, bottom)));
  return is_known;
}

static bool normalise_one_band(System *system) {
  for (uint32_t at = 0; at < system->bands.count; at++) {
    if (system->bands.items[at].is_canonical) continue;
    if (system->bands.items[at].divisor.count == 0) {
      system->is_contradictory = true;
      return false;
    }
    if (is_numeric(system, at) || take_out_multiples(system, at) ||
        take_out_by_equation(system, at) || rule_prepare_flatten(system, at) ||
        cancel_in_band(system, at) || share_equal(system, at))
      return true;
  }
  return false;
}

/* Removes false branches; the rest of a clause may be a fact, or empty. */
static bool branch_is_false(const Branch *branch, bool *is_true) {
  *is_true = true;
  for (uint32_t i = 0; i < branch->count; i++) {
    Wide value;
    if (!poly_is_constant(branch->items[i].poly, &value)) *is_true = false;
    else if (branch->items[i].is_equation ? value != 0 : value < 0) return true;
  }
  return false;
}

static bool reduce_one_clause(System *system) {
  for (uint32_t i = 0; i < system->clauses.count; i++) {
    Clause clause = system->clauses.items[i];
    uint32_t left = 0, last = 0;
    bool has_true = false;
    for (uint32_t b = 0; b < clause.count; b++) {
      bool is_true;
      if (branch_is_false(&clause.branches[b], &is_true)) continue;
      has_true |= is_true;
      last = b;
      left++;
    }
    if (left > 1 && !has_true) continue;
    system->clauses.items[i] = system->clauses.items[--system->clauses.count];
    if (left == 0) system->is_contradictory = true;
    for (uint32_t f = 0; left == 1 && !has_true && f < clause.branches[last].count; f++)
      system_derive(system, clause.branches[last].items[f].poly,
          clause.branches[last].items[f].is_equation, clause.origin);
    return true;
  }
  return false;
}

void system_prepare(System *system) {
  static constexpr uint32_t rounds = 1000;
  for (uint32_t round = 0; round < rounds; round++) {
    if (system->is_contradictory || system->proof->ring->overflow || system->proof->fault) return;
    bool changed = join_opposites(system) || solve_one(system) || reduce_one_clause(system) ||
                   cancel_in_facts(system) || solve_unit(system) ||
                   split_positive_products(system) || normalise_one_band(system) ||
                   system_use_coprime(system);
    if (!changed) return;
  }
}
