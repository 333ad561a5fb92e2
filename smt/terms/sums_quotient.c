/* A canonical form for quotients, by identities that hold wherever the atoms are within their known
 * bounds. Without them Z3 does not terminate within its budget on chains of reshapes.
 *   (c*y + z) floordiv c = y + z floordiv c
 *   (g*x + k) floordiv (g*c) = (x + k floordiv g) floordiv c
 *   (w floordiv a + s) floordiv c = (w + a*s) floordiv (a*c)
 *   (g*y + r) floordiv (g*c) = (y + k) floordiv c where k*g <= r < k*g + g
 *   x floordiv c = -((-x + c - 1) floordiv c), if no coefficient is positive, or if the quotient on
 *   the right exists already
 * A quotient with only one possible value is that value. */
#include <assert.h>

#include "smt/terms/sums_parts.h"

/* The multiple of c nearest to a coefficient, as a count. The rest is in (-c/2, c/2], so a 1
 * remains a 1. */
static Wide nearest_multiple(Wide coefficient, Wide c) {
  Wide below = wide_floordiv(coefficient, c), rest = coefficient - below * c;
  return 2 * rest > c ? below + 1 : below;
}

static Wide exact_multiple(Wide coefficient, Wide c) {
  return coefficient % c == 0 ? coefficient / c : 0;
}

/* sum = c * whole + rest; each coefficient of the rest is reduced by its multiple of c. */
static void split_multiples(
    Sums *sums, Sum sum, Wide c, Wide (*multiple_of)(Wide, Wide), Sum *whole, Sum *rest) {
  assert(sums_has(sums, sum));
  SumNode node = *sum_node(sums, sum);
  SumTerm *terms = ARENA_NEW(sums->arena, SumTerm, node.term_count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < node.term_count; i++) {
    Wide multiple = multiple_of(node.terms[i].coefficient, c);
    if (multiple != 0)
      terms[count++] = (SumTerm){.atom = node.terms[i].atom, .coefficient = multiple};
  }
  *whole = sums_intern(sums,
      (SumNode){.term_count = count, .terms = terms, .constant = wide_floordiv(node.constant, c)});
  *rest = sum_combine(sums, sum, *whole, -c);
}

/* The quotient, if the rest after subtracting exact multiples of c has one quotient for its whole
 * range. Tested before coefficients are reduced, which splits remainders. */
static bool stays_between(Sums *sums, Sum sum, Wide c, Sum *quotient) {
  assert(sums_has(sums, sum));
  Sum whole, rest;
  Wide lo, hi;
  split_multiples(sums, sum, c, exact_multiple, &whole, &rest);
  if (sums->overflow || !sum_range(sums, rest, &lo, &hi) ||
      wide_floordiv(lo, c) != wide_floordiv(hi, c))
    return false;
  *quotient = sum_add(sums, whole, sum_of_constant(sums, wide_floordiv(lo, c)));
  return true;
}

/* Divides by the common divisor of all coefficients and the divisor. */
static Sum divide_common(Sums *sums, Sum sum, Wide *divisor) {
  assert(sums_has(sums, sum));
  SumNode node = *sum_node(sums, sum);
  Wide common = *divisor;
  for (uint32_t i = 0; i < node.term_count && common != 1; i++)
    common = wide_gcd(node.terms[i].coefficient, common);
  if (common == 1) return sum;
  SumTerm *terms = ARENA_NEW(sums->arena, SumTerm, node.term_count);
  for (uint32_t i = 0; i < node.term_count; i++)
    terms[i] =
        (SumTerm){.atom = node.terms[i].atom, .coefficient = node.terms[i].coefficient / common};
  *divisor /= common;
  return sums_intern(sums, (SumNode){.term_count = node.term_count,
                               .terms = terms,
                               .constant = wide_floordiv(node.constant, common)});
}

/* (g*y + r) floordiv (g*c) = (y + k) floordiv c where r stays in [k*g, k*g + g - 1] and g divides
 * the divisor. */
static bool drop_below(Sums *sums, Sum *sum, Wide *divisor, Wide g) {
  const SumNode node = *sum_node(sums, *sum);
  SumTerm *kept = ARENA_NEW(sums->arena, SumTerm, node.term_count),
          *low = ARENA_NEW(sums->arena, SumTerm, node.term_count);
  uint32_t kept_count = 0, low_count = 0;
  for (uint32_t i = 0; i < node.term_count; i++) {
    Wide coefficient = node.terms[i].coefficient;
    if (coefficient % g == 0)
      kept[kept_count++] = (SumTerm){.atom = node.terms[i].atom, .coefficient = coefficient / g};
    else low[low_count++] = node.terms[i];
  }
  Wide lo, hi;
  Sum rest = sums_intern(
      sums, (SumNode){.term_count = low_count, .terms = low, .constant = node.constant});
  if (!sum_range(sums, rest, &lo, &hi) || wide_floordiv(lo, g) != wide_floordiv(hi, g))
    return false;
  *sum = sums_intern(
      sums, (SumNode){.term_count = kept_count, .terms = kept, .constant = wide_floordiv(lo, g)});
  *divisor /= g;
  return true;
}

/* Uses the first common divisor of a coefficient and the divisor for which drop_below succeeds,
 * including larger ones of later terms. */
static bool drop_remainder(Sums *sums, Sum *sum, Wide *divisor) {
  for (uint32_t i = 0; i < sum_node(sums, *sum)->term_count; i++) {
    Wide g = wide_gcd(sum_node(sums, *sum)->terms[i].coefficient, *divisor);
    if (g > 1 && drop_below(sums, sum, divisor, g)) return true;
  }
  return false;
}

/* The only quotient in the sum with this coefficient. False if there is none, or more than one. */
static bool lone_quotient(const Sums *sums, Sum sum, Wide coefficient, uint32_t *atom) {
  assert(sums_has(sums, sum));
  const SumNode *node = sum_node(sums, sum);
  uint32_t found = 0;
  for (uint32_t i = 0; i < node->term_count; i++) {
    if (node->terms[i].coefficient != coefficient ||
        sums->atoms[node->terms[i].atom].kind != ATOM_QUOTIENT)
      continue;
    *atom = node->terms[i].atom;
    found++;
  }
  return found == 1;
}

/* (w floordiv a + s) floordiv c as a quotient of w + a*s. */
static bool unnest(Sums *sums, Sum *sum, Wide *divisor) {
  uint32_t at;
  Wide product;
  if (!lone_quotient(sums, *sum, 1, &at)) return false;
  SumAtom inner = sums->atoms[at];
  if (__builtin_mul_overflow(inner.divisor, *divisor, &product) || !wide_fits(product))
    return false;
  Sum others = sum_subtract(sums, *sum, sum_of_atom(sums, at));
  if (!sum_scale_fits(sums, others, inner.divisor)) return false;
  *sum = sum_combine(sums, inner.a, others, inner.divisor);
  *divisor = product;
  return true;
}

/* x floordiv c = -((-x + c - 1) floordiv c). */
static Sum sums_quotient_negated(Sums *sums, Sum sum, Wide divisor) {
  assert(sums_has(sums, sum));
  assert(divisor != 0);
  return sum_subtract(sums, sum_of_constant(sums, divisor - 1), sum);
}

static bool is_negative(const Sums *sums, Sum sum) {
  assert(sums_has(sums, sum));
  const SumNode *node = sum_node(sums, sum);
  for (uint32_t i = 0; i < node->term_count; i++)
    if (node->terms[i].coefficient > 0) return false;
  return node->term_count > 0;
}

/* (s - w floordiv a) floordiv c: negated, then a quotient of w - a*s. */
static bool unnest_negated(Sums *sums, Sum *sum, Wide *divisor, Wide *sign) {
  uint32_t at;
  if (!lone_quotient(sums, *sum, -1, &at)) return false;
  Sum other = sums_quotient_negated(sums, *sum, *divisor);
  if (!unnest(sums, &other, divisor)) return false;
  *sum = other;
  *sign = -*sign;
  return true;
}

/* One step towards the canonical form; false if it is reached. */
static bool reshape_quotient(Sums *sums, Sum *sum, Wide *divisor, Wide *sign) {
  if (drop_remainder(sums, sum, divisor) || unnest(sums, sum, divisor) ||
      unnest_negated(sums, sum, divisor, sign))
    return true;
  if (!is_negative(sums, *sum)) return false;
  *sum = sums_quotient_negated(sums, *sum, *divisor);
  *sign = -*sign;
  return true;
}

/* The quotient as an atom, or as the negation of an existing atom for the negated sum. */
static Sum quotient_atom(Sums *sums, Sum a, Wide divisor) {
  assert(sums_has(sums, a));
  assert(divisor != 0);
  Wide value, lo, hi;
  uint32_t at = 0;
  if (sum_is_constant(sums, a, &value)) return sum_of_constant(sums, wide_floordiv(value, divisor));
  SumAtom atom = {.kind = ATOM_QUOTIENT, .a = a, .divisor = divisor};
  SumAtom opposite = {
      .kind = ATOM_QUOTIENT, .a = sums_quotient_negated(sums, a, divisor), .divisor = divisor};
  if (sums_find_atom(sums, &opposite, &at)) return sum_scale(sums, sum_of_atom(sums, at), -1);
  if (sum_range(sums, a, &lo, &hi)) {
    atom.bounded = true;
    atom.lo = wide_floordiv(lo, divisor);
    atom.hi = wide_floordiv(hi, divisor);
    if (atom.lo == atom.hi) return sum_of_constant(sums, atom.lo);
  }
  return sums_intern_atom(sums, atom);
}

Sum sum_floordiv(Sums *sums, Sum a, Wide divisor) {
  assert(sums_has(sums, a));
  assert(divisor > 0);
  Sum total = {0};
  Wide sign = 1;
  do {
    Sum whole, rest;
    if (stays_between(sums, a, divisor, &whole)) return sum_combine(sums, total, whole, sign);
    split_multiples(sums, a, divisor, nearest_multiple, &whole, &rest);
    total = sum_combine(sums, total, whole, sign);
    a = divide_common(sums, rest, &divisor);
    if (sums->overflow) return (Sum){0};
  } while (divisor != 1 && reshape_quotient(sums, &a, &divisor, &sign));
  return sum_combine(sums, total, divisor == 1 ? a : quotient_atom(sums, a, divisor), sign);
}

Sum sum_mod(Sums *sums, Sum a, Wide divisor) {
  assert(sums_has(sums, a));
  assert(divisor != 0);
  return sum_combine(sums, a, sum_floordiv(sums, a, divisor), -divisor);
}

Sum sum_ratio(Sums *sums, Sum a, Sum b) {
  assert(sums_has(sums, a));
  assert(sums_has(sums, b));
  Wide divisor;
  uint32_t at = 0;
  if (sums->overflow) return (Sum){0};
  if (sum_is_constant(sums, b, &divisor)) return divisor > 0 ? sum_floordiv(sums, a, divisor) : a;
  Sum ratio = sums_intern_atom(sums, (SumAtom){.kind = ATOM_RATIO, .a = a, .b = b});
  if (sum_is_atom(sums, ratio, &at)) {
    Sum product = sum_product(sums, b, ratio);
    sums->atoms[at].product = product;
  }
  return ratio;
}

Sum sum_divided_off(Sums *sums, Sum known, Wide c, Wide lo) {
  Sum signed_known = c > 0 ? known : sum_scale(sums, known, -1);
  return sum_floordiv(
      sums, sum_subtract(sums, signed_known, sum_of_constant(sums, lo)), wide_absolute(c));
}
