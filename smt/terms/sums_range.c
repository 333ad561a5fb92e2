/* Intervals of sums. sum_bounds adds the bounds of the atoms. sum_range first splits off
 * remainders: for a term m*q, q = x floordiv c,
 *   (c/g) * sum = rest - (m/g) * (x mod c),  g = gcd(m, c),
 *   rest = (c/g) * (sum - m*q) + (m/g) * x.
 * The remainder is in [0, c - 1], and the rest is treated in the same way. Quotients with c = g
 * come first. Each stage yields a valid interval, and the result is their intersection. */
#include <assert.h>

#include "smt/terms/sums_parts.h"

bool sum_bounds(const Sums *sums, Sum sum, Wide *lo, Wide *hi) {
  assert(sums_has(sums, sum));
  const SumNode *node = sum_node(sums, sum);
  *lo = *hi = node->constant;
  for (uint32_t i = 0; i < node->term_count; i++) {
    const SumAtom *atom = &sums->atoms[node->terms[i].atom];
    Wide coefficient = node->terms[i].coefficient, low, high;
    if (!atom->bounded) return false;
    bool overflow =
        __builtin_mul_overflow(coefficient, coefficient > 0 ? atom->lo : atom->hi, &low);
    overflow |= __builtin_mul_overflow(coefficient, coefficient > 0 ? atom->hi : atom->lo, &high);
    overflow |= __builtin_add_overflow(*lo, low, lo);
    overflow |= __builtin_add_overflow(*hi, high, hi);
    if (overflow || !wide_fits(*lo) || !wide_fits(*hi)) return false;
  }
  return true;
}

bool sum_scale_fits(const Sums *sums, Sum sum, Wide factor) {
  assert(sums_has(sums, sum));
  const SumNode *node = sum_node(sums, sum);
  Wide scaled;
  bool overflow = __builtin_mul_overflow(node->constant, factor, &scaled) || !wide_fits(scaled);
  for (uint32_t i = 0; i < node->term_count && !overflow; i++)
    overflow =
        __builtin_mul_overflow(node->terms[i].coefficient, factor, &scaled) || !wide_fits(scaled);
  return !overflow;
}

static void sums_range_meet(Wide low, Wide high, Wide *lo, Wide *hi, bool *known) {
  if (!*known || low > *lo) *lo = low;
  if (!*known || high < *hi) *hi = high;
  *known = true;
}

/* sum * scale = rest + k * t with t in [lo, hi]. */
typedef struct Peeled {
  Wide scale, k, lo, hi;
} Peeled;

/* Splits off k*(x mod c) for a term -k*c*(x floordiv c). */
static bool peel_quotient(Sums *sums, Sum *sum, const SumTerm *term, Peeled *peeled) {
  const SumAtom atom = sums->atoms[term->atom];
  if (atom.kind != ATOM_QUOTIENT || term->coefficient % atom.divisor != 0) return false;
  *peeled = (Peeled){.scale = 1, .k = -term->coefficient / atom.divisor, .hi = atom.divisor - 1};
  if (!sum_scale_fits(sums, atom.a, 2 * peeled->k)) return false;
  Sum without = sum_combine(sums, *sum, sum_of_atom(sums, term->atom), -term->coefficient);
  *sum = sum_combine(sums, without, atom.a, -peeled->k);
  return true;
}

/* Splits off k*(x mod c)*y for a term -k*c*((x floordiv c)*y). */
static bool peel_factor(
    Sums *sums, Sum *sum, const SumTerm *term, Sum factor, Sum other, Peeled *peeled) {
  assert(sums_has(sums, factor));
  assert(sums_has(sums, other));
  uint32_t at, with;
  if (!sum_is_atom(sums, factor, &at) || !sum_is_atom(sums, other, &with)) return false;
  const SumAtom atom = sums->atoms[at], y = sums->atoms[with];
  if (atom.kind != ATOM_QUOTIENT || term->coefficient % atom.divisor != 0 || !y.bounded)
    return false;
  *peeled = (Peeled){.scale = 1, .k = -term->coefficient / atom.divisor};
  Sum product = sum_product(sums, atom.a, other);
  if (sums->overflow || !sum_scale_fits(sums, product, 2 * peeled->k)) return false;
  if (__builtin_mul_overflow(atom.divisor - 1, y.lo < 0 ? y.lo : 0, &peeled->lo)) return false;
  if (__builtin_mul_overflow(atom.divisor - 1, y.hi > 0 ? y.hi : 0, &peeled->hi)) return false;
  Sum without = sum_combine(sums, *sum, sum_of_atom(sums, term->atom), -term->coefficient);
  *sum = sum_combine(sums, without, product, -peeled->k);
  return true;
}

static bool peel_product(Sums *sums, Sum *sum, const SumTerm *term, Peeled *peeled) {
  const SumAtom atom = sums->atoms[term->atom];
  return atom.kind == ATOM_PRODUCT && (peel_factor(sums, sum, term, atom.a, atom.b, peeled) ||
                                          peel_factor(sums, sum, term, atom.b, atom.a, peeled));
}

/* The general form, for a coefficient that is not a multiple of the divisor. */
static bool peel_scaled(Sums *sums, Sum *sum, const SumTerm *term, Peeled *peeled) {
  const SumAtom atom = sums->atoms[term->atom];
  if (atom.kind != ATOM_QUOTIENT) return false;
  Wide g = wide_gcd(term->coefficient, atom.divisor), factor = term->coefficient / g;
  *peeled = (Peeled){.scale = atom.divisor / g, .k = -factor, .hi = atom.divisor - 1};
  Sum without = sum_combine(sums, *sum, sum_of_atom(sums, term->atom), -term->coefficient);
  if (!sum_scale_fits(sums, without, 2 * peeled->scale) ||
      !sum_scale_fits(sums, atom.a, 2 * factor))
    return false;
  *sum = sum_combine(sums, sum_scale(sums, without, peeled->scale), atom.a, factor);
  return true;
}

/* Splits off a remainder for the last term that has one. */
static bool peel(Sums *sums, Sum *sum, Peeled *peeled) {
  const SumNode node = *sum_node(sums, *sum);
  for (uint32_t i = node.term_count; i-- > 0;)
    if (peel_quotient(sums, sum, &node.terms[i], peeled) ||
        peel_product(sums, sum, &node.terms[i], peeled))
      return true;
  for (uint32_t i = node.term_count; i-- > 0;)
    if (peel_scaled(sums, sum, &node.terms[i], peeled)) return true;
  return false;
}

/* scale * sum is in rest + [below, above]. */
typedef struct SumsRangeScaled {
  Wide scale, below, above;
} SumsRangeScaled;

static bool sums_range_times(Wide *value, Wide factor) {
  return !__builtin_mul_overflow(*value, factor, value) && wide_fits(*value);
}

static bool take_out(SumsRangeScaled *scaled, const Peeled *peeled) {
  Wide first = peeled->k > 0 ? peeled->lo : peeled->hi,
       last = peeled->k > 0 ? peeled->hi : peeled->lo;
  if (!sums_range_times(&scaled->scale, peeled->scale) ||
      !sums_range_times(&scaled->below, peeled->scale) ||
      !sums_range_times(&scaled->above, peeled->scale))
    return false;
  if (!sums_range_times(&first, peeled->k) || !sums_range_times(&last, peeled->k)) return false;
  scaled->below += first;
  scaled->above += last;
  return wide_fits(scaled->below) && wide_fits(scaled->above);
}

bool sum_range(Sums *sums, Sum sum, Wide *lo, Wide *hi) {
  assert(sums_has(sums, sum));
  static constexpr uint32_t max_peeled = 8;
  SumsRangeScaled scaled = {.scale = 1};
  Wide low, high;
  Peeled peeled;
  bool known = false;
  for (uint32_t i = 0; !sums->overflow; i++) {
    if (sum_bounds(sums, sum, &low, &high))
      sums_range_meet(-wide_floordiv(-(low + scaled.below), scaled.scale),
          wide_floordiv(high + scaled.above, scaled.scale), lo, hi, &known);
    if (i == max_peeled || !peel(sums, &sum, &peeled) || !take_out(&scaled, &peeled)) break;
  }
  return known && !sums->overflow && wide_fits(*lo) && wide_fits(*hi);
}
