/* Terms of a rule as polynomials over unknowns, with the definitions of the unknowns:
 *   q = X floordiv C:   C >= 1, 0 <= X - C*q <= C - 1;  X mod C = X - C*q;
 *                       X ceildiv C = -((-X) floordiv C)
 *   max(A, B) = B + p, min(A, B) = A - p with p = max(A - B, 0):
 *                       p >= 0, p >= A - B, and p = 0 or p = A - B; the sign of A - B and a common
 *                       factor of its coefficients are taken out first, so that min and max of the
 *                       same two share one unknown
 *   g = gcd(A, B):      g >= 0, A = g*A', B = g*B', s*A' + t*B' = 1
 *                       (for A = B = 0: g = 0, A' = 1, B' = 0, s = 1, t = 0)
 * The same operands have the same unknown. Recursion is as deep as a term, at most
 * term_max_depth. */
#include "smt/rules/rule_system.h"

#include <assert.h>

typedef struct Bezout {
  Wide gcd, s, t; /* s*a + t*b = gcd */
} Bezout;

static Bezout bezout(Wide a, Wide b) {
  Wide old_r = a, r = b, old_s = 1, s = 0, old_t = 0, t = 1;
  while (r != 0) {
    Wide q = old_r / r, next;
    next = old_r - q * r, old_r = r, r = next;
    next = old_s - q * s, old_s = s, s = next;
    next = old_t - q * t, old_t = t, t = next;
  }
  return old_r < 0 ? (Bezout){-old_r, -old_s, -old_t} : (Bezout){old_r, old_s, old_t};
}

/* The value of an unknown by its definition; false if it has none. */
static bool defined_value(
    const RuleProof *proof, const RuleUnknown *unknown, const Wide *values, Wide *value) {
  Wide a = 0, b = 0;
  if (!poly_evaluate(proof->ring, unknown->a, values, &a) ||
      !poly_evaluate(proof->ring, unknown->b, values, &b))
    return false;
  Bezout parts = bezout(a, b);
  switch (unknown->kind) {
    case UNKNOWN_QUOTIENT:
      if (b > 0) *value = wide_floor(a, b);
      return b > 0;
    case UNKNOWN_MAX: *value = a > b ? a : b; return true;
    case UNKNOWN_GCD: *value = parts.gcd; return true;
    case UNKNOWN_GCD_LEFT: *value = parts.gcd == 0 ? 1 : a / parts.gcd; return true;
    case UNKNOWN_GCD_RIGHT: *value = parts.gcd == 0 ? 0 : b / parts.gcd; return true;
    case UNKNOWN_BEZOUT_LEFT: *value = parts.gcd == 0 ? 1 : parts.s; return true;
    case UNKNOWN_BEZOUT_RIGHT: *value = parts.gcd == 0 ? 0 : parts.t; return true;
    case UNKNOWN_NAMED: *value = a; return true;
    case UNKNOWN_CONSTANT:
    case UNKNOWN_EXPR:
    case UNKNOWN_LO:
    case UNKNOWN_HI: break;
  }
  assert(false);
  return false;
}

/* The unknown with this definition, created if there is none; drops witnesses at which it has no
 * value. Past proof_max_unknowns it is another unknown, and the overflow discards it. */
static Poly defined(System *system, UnknownKind kind, Poly a, Poly b, bool *is_new) {
  RuleProof *proof = system->proof;
  uint32_t at = 0;
  while (
      at < proof->count && (proof->items[at].kind != kind || !poly_equal(proof->items[at].a, a) ||
                               !poly_equal(proof->items[at].b, b)))
    at++;
  *is_new = at == proof->count;
  if (at == proof_max_unknowns) {
    proof->ring->overflow = true;
    return poly_atom(proof->ring, 0);
  }
  if (*is_new) *ARENA_PUSH(proof->arena, proof) = (RuleUnknown){.kind = kind, .a = a, .b = b};
  for (uint32_t w = 0; w < proof->witness_count; w++)
    if (!defined_value(proof, &proof->items[at], proof->witnesses[w], &proof->witnesses[w][at]))
      system->alive &= ~(1u << w);
  return poly_atom(proof->ring, at);
}

static bool find_band(const System *system, Poly numerator, Poly divisor, Poly *quotient) {
  for (uint32_t i = 0; i < system->bands.count; i++) {
    const Band *band = &system->bands.items[i];
    if (!poly_equal(band->numerator, numerator) || !poly_equal(band->divisor, divisor)) continue;
    *quotient = band->quotient;
    return true;
  }
  return false;
}

/* States C <= 0, or 0 <= X - C*q <= C - 1, which defines the quotient. */
static void state_band(System *system, const Band *band) {
  RuleProof *proof = system->proof;
  PolyRing *ring = proof->ring;
  Poly remainder =
      poly_subtract(ring, band->numerator, poly_multiply(ring, band->divisor, band->quotient));
  Fact low = {.poly = remainder, .origin = ORIGIN_BAND};
  Fact high = {.poly = poly_shift(ring, poly_subtract(ring, band->divisor, remainder), -1),
      .origin = ORIGIN_BAND};
  Clause clause = clause_of_two(
      proof, (Fact){.poly = poly_scale(ring, band->divisor, -1)}, low, ORIGIN_BAND, false);
  *ARENA_PUSH(proof->arena, &clause.branches[1]) = high;
  system_use(system, clause);
  system_derive(system, low.poly, false, ORIGIN_BAND);
  system_derive(system, high.poly, false, ORIGIN_BAND);
}

Poly system_quotient(System *system, Poly numerator, Poly divisor) {
  PolyRing *ring = system->proof->ring;
  Band band = {.numerator = numerator, .divisor = divisor};
  Wide top, bottom;
  if (find_band(system, numerator, divisor, &band.quotient)) return band.quotient;
  system_derive(system, poly_shift(ring, divisor, -1), false, ORIGIN_BAND);
  if (numerator.count == 0) return numerator;
  if (poly_is_constant(divisor, &bottom) && bottom > 0) {
    if (bottom == 1) return numerator;
    if (poly_is_constant(numerator, &top)) return poly_constant(ring, wide_floor(top, bottom));
  }
  bool is_new;
  band.quotient = defined(system, UNKNOWN_QUOTIENT, numerator, divisor, &is_new);
  *ARENA_PUSH(system->proof->arena, &system->bands) = band;
  state_band(system, &band);
  return band.quotient;
}

/* max(D, 0) as an unknown p: p >= 0, p >= D, and p = 0 or p = D. */
static Poly positive_part(System *system, Poly difference) {
  RuleProof *proof = system->proof;
  PolyRing *ring = proof->ring;
  bool is_new;
  Poly part = defined(system, UNKNOWN_MAX, difference, (Poly){}, &is_new),
       over = poly_subtract(ring, part, difference);
  if (system_has_fact(system, part, false)) return part;
  system_state(system, part, false, ORIGIN_DEFINITION);
  system_state(system, over, false, ORIGIN_DEFINITION);
  Clause clause = clause_of_two(proof, (Fact){.poly = part, .is_equation = true},
      (Fact){.poly = over, .is_equation = true}, ORIGIN_DEFINITION, true);
  system_use_cases(system, clause);
  return part;
}

static Poly system_extreme(System *system, bool is_min, Poly a, Poly b) {
  PolyRing *ring = system->proof->ring;
  Poly difference = poly_subtract(ring, a, b);
  Wide value, content = poly_content(difference, false);
  if (poly_is_constant(difference, &value)) return (value <= 0) == is_min ? a : b;
  if (difference.terms[0].coefficient < 0) return system_extreme(system, is_min, b, a);
  Poly part = poly_scale(
      ring, positive_part(system, poly_divide_exactly(ring, difference, content)), content);
  return is_min ? poly_subtract(ring, a, part) : poly_add(ring, b, part);
}

/* A gcd with a constant m is one of the divisors of m; at most 16 are listed. */
static void add_divisor_cases(System *system, Poly gcd, Wide m) {
  RuleProof *proof = system->proof;
  m = m < 0 ? -m : m;
  if (m == 0 || m > 64) return;
  Clause clause = {.branches = ARENA_NEW(proof->arena, Branch, 16),
      .origin = ORIGIN_DEFINITION,
      .is_early = true};
  for (Wide d = 1; d <= m && clause.count < 16; d++) {
    if (m % d != 0) continue;
    clause_add(proof, &clause,
        (Fact){.poly = poly_shift(proof->ring, gcd, -d),
            .is_equation = true,
            .origin = ORIGIN_DEFINITION});
  }
  system_use_cases(system, clause);
}

bool op_divides(ExprOp op) { return op == EXPR_FLOORDIV || op == EXPR_CEILDIV || op == EXPR_MOD; }

/* A fixed order of operands: gcd(a, b) and gcd(b, a) are one unknown. */
static bool stands_first(Poly a, Poly b) {
  for (uint32_t i = 0; i < a.count && i < b.count; i++) {
    if (a.terms[i].monomial != b.terms[i].monomial)
      return a.terms[i].monomial < b.terms[i].monomial;
    if (a.terms[i].coefficient != b.terms[i].coefficient)
      return a.terms[i].coefficient < b.terms[i].coefficient;
  }
  return a.count <= b.count;
}

static Poly gcd_of_parts(System *system, Poly a, Poly b) {
  PolyRing *ring = system->proof->ring;
  bool is_new;
  Poly gcd = defined(system, UNKNOWN_GCD, a, b, &is_new);
  if (system_has_fact(system, gcd, false)) return gcd;
  Poly a_part = defined(system, UNKNOWN_GCD_LEFT, a, b, &is_new),
       b_part = defined(system, UNKNOWN_GCD_RIGHT, a, b, &is_new);
  Poly s = defined(system, UNKNOWN_BEZOUT_LEFT, a, b, &is_new),
       t = defined(system, UNKNOWN_BEZOUT_RIGHT, a, b, &is_new);
  Poly one = poly_add(ring, poly_multiply(ring, s, a_part), poly_multiply(ring, t, b_part));
  system_state(system, gcd, false, ORIGIN_DEFINITION);
  system_state(
      system, poly_subtract(ring, a, poly_multiply(ring, gcd, a_part)), true, ORIGIN_DEFINITION);
  system_state(
      system, poly_subtract(ring, b, poly_multiply(ring, gcd, b_part)), true, ORIGIN_DEFINITION);
  system_state(system, poly_shift(ring, one, -1), true, ORIGIN_DEFINITION);
  *ARENA_PUSH(system->proof->arena, &system->coprimes) =
      (Coprime){.gcd = gcd, .a = a_part, .b = b_part, .s = s, .t = t};
  Wide value;
  if (poly_is_constant(a, &value)) add_divisor_cases(system, gcd, value);
  if (poly_is_constant(b, &value)) add_divisor_cases(system, gcd, value);
  return gcd;
}

static Poly system_gcd(System *system, Poly a, Poly b) {
  PolyRing *ring = system->proof->ring;
  Wide left, right;
  if (poly_is_constant(a, &left) && poly_is_constant(b, &right)) {
    system->proof->has_known_gcd = system->proof->has_known_gcd || left != right;
    return poly_constant(ring, wide_gcd(left, right));
  }
  if (poly_equal(a, b)) return system_extreme(system, false, a, poly_scale(ring, a, -1));
  return stands_first(a, b) ? gcd_of_parts(system, a, b) : gcd_of_parts(system, b, a);
}

Poly system_name(System *system, Poly poly) {
  bool is_new;
  Poly name = defined(system, UNKNOWN_NAMED, poly, (Poly){}, &is_new);
  Clause clause = {.count = 1,
      .branches = ARENA_NEW(system->proof->arena, Branch, 1),
      .origin = ORIGIN_DEFINITION};
  *ARENA_PUSH(system->proof->arena, &clause.branches[0]) =
      (Fact){.poly = poly_subtract(system->proof->ring, name, poly),
          .is_equation = true,
          .origin = ORIGIN_DEFINITION};
  system_use(system, clause);
  return name;
}

static Poly operator_term(System *system, const RuleTerm *term) {
  PolyRing *ring = system->proof->ring;
  Poly a = system_term(system, term->left), b = system_term(system, term->right);
  switch (term->op) {
    case EXPR_ADD: return poly_add(ring, a, b);
    case EXPR_MUL: return poly_multiply(ring, a, b);
    case EXPR_FLOORDIV: return system_quotient(system, a, b);
    case EXPR_CEILDIV:
      return poly_scale(ring, system_quotient(system, poly_scale(ring, a, -1), b), -1);
    case EXPR_MOD:
      return poly_subtract(ring, a, poly_multiply(ring, b, system_quotient(system, a, b)));
    case EXPR_MIN: return system_extreme(system, true, a, b);
    case EXPR_MAX: return system_extreme(system, false, a, b);
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  assert(false);
  return a;
}

Poly system_term(System *system, const RuleTerm *term) {
  RuleProof *proof = system->proof;
  switch (term->kind) {
    case TERM_INTEGER: return poly_constant(proof->ring, term->value);
    case TERM_CONSTANT_LETTER:
      return poly_atom(proof->ring, proof_letter(proof, UNKNOWN_CONSTANT, term->letter));
    case TERM_EXPR: return poly_atom(proof->ring, proof_letter(proof, UNKNOWN_EXPR, term->letter));
    case TERM_LO: return poly_atom(proof->ring, proof_letter(proof, UNKNOWN_LO, term->letter));
    case TERM_HI: return poly_atom(proof->ring, proof_letter(proof, UNKNOWN_HI, term->letter));
    case TERM_OPERATOR: return operator_term(system, term);
    case TERM_GCD: {
      Poly left = system_term(system, term->left);
      return system_gcd(system, left, system_term(system, term->right));
    }
  }
  assert(false);
  return (Poly){};
}

/* If a guard holds, each divisor in it is >= 1. */
static void state_divisors(System *system, const RuleTerm *term) {
  if (term->kind != TERM_OPERATOR && term->kind != TERM_GCD) return;
  state_divisors(system, term->left);
  state_divisors(system, term->right);
  if (term->kind == TERM_GCD || !op_divides(term->op)) return;
  system_state(system, poly_shift(system->proof->ring, system_term(system, term->right), -1), false,
      ORIGIN_GUARD);
}

static void state_guard(System *system, const Guard *guard) {
  PolyRing *ring = system->proof->ring;
  state_divisors(system, guard->left);
  state_divisors(system, guard->right);
  Poly left = system_term(system, guard->left);
  Poly difference = poly_subtract(ring, left, system_term(system, guard->right)); /* left - right */
  Poly opposite = poly_scale(ring, difference, -1);
  switch (guard->relation) {
    case REL_EQ: system_state(system, difference, true, ORIGIN_GUARD); return;
    case REL_LT: system_state(system, poly_shift(ring, opposite, -1), false, ORIGIN_GUARD); return;
    case REL_LE: system_state(system, opposite, false, ORIGIN_GUARD); return;
    case REL_GT:
      system_state(system, poly_shift(ring, difference, -1), false, ORIGIN_GUARD);
      return;
    case REL_GE: system_state(system, difference, false, ORIGIN_GUARD); return;
    case REL_NE: {
      Clause clause = clause_of_two(system->proof, (Fact){.poly = poly_shift(ring, difference, -1)},
          (Fact){.poly = poly_shift(ring, opposite, -1)}, ORIGIN_GUARD, true);
      system_use_cases(system, clause);
      return;
    }
  }
}

void system_state_guards(System *system) {
  const RuleProof *proof = system->proof;
  const Rule *rule = proof->rule;
  for (uint32_t i = 0; i < rule->expr_count; i++) {
    if (!rule_names_bounds(rule, i)) continue;
    Poly x = poly_atom(proof->ring, proof_letter(proof, UNKNOWN_EXPR, i));
    Poly lo = poly_atom(proof->ring, proof_letter(proof, UNKNOWN_LO, i)),
         hi = poly_atom(proof->ring, proof_letter(proof, UNKNOWN_HI, i));
    system_state(system, poly_subtract(proof->ring, x, lo), false, ORIGIN_BOUNDS);
    system_state(system, poly_subtract(proof->ring, hi, x), false, ORIGIN_BOUNDS);
  }
  for (uint32_t i = 0; i < rule->guard_count; i++) state_guard(system, &rule->guards[i]);
}
