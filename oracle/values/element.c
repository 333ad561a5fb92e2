/* Creates elements from numbers, rounded to their types, prints them, and decides when two of them
 * differ. */
#include "oracle/values/element.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/semantics/arithmetic.h"

bool element_precision(ElementType type, int *bits) {
  *bits = type == TYPE_f64 ? 53 : type == TYPE_f32 ? 24 : type == TYPE_f16 ? 11 : 8;
  return type == TYPE_f64 || type == TYPE_f32 || type == TYPE_f16 || type == TYPE_bf16;
}

bool type_keeps_values(ElementType from, ElementType to) {
  int bits;
  if (from == to) return true;
  if (element_type_is_integral(from)) {
    if (to == TYPE_pred) return false;
    if (element_type_is_integral(to))
      return integer_lowest(from) >= integer_lowest(to) &&
             integer_highest(from) <= integer_highest(to);
    return element_precision(to, &bits) && element_type_bits(from) <= (uint32_t)bits;
  }
  return from == TYPE_bf16 || from == TYPE_f16 ? to == TYPE_f32 || to == TYPE_f64
                                               : from == TYPE_f32 && to == TYPE_f64;
}

double element_smallest_normal(ElementType type) {
  return ldexp(1, type == TYPE_f64 ? -1022 : type == TYPE_f16 ? -14 : -126);
}

static double round_to(ElementType type, double value) {
  int bits, exponent;
  if (type == TYPE_f32) return (double)(float)value;
  if (!element_precision(type, &bits) || type == TYPE_f64 || !isfinite(value) || value == 0)
    return value;
  double fraction = frexp(value, &exponent);
  int smallest = type == TYPE_f16 ? -13 : -125;
  if (exponent < smallest) bits -= smallest - exponent;
  double rounded = ldexp(nearbyint(ldexp(fraction, bits)), exponent - bits);
  double most = type == TYPE_f16 ? 65504 : 0x1.fep127;
  return fabs(rounded) > most ? copysign((double)INFINITY, value) : rounded;
}

Element element_of_integer(ElementType type, int64_t value) {
  return (Element){.type = type,
      .is_known = true,
      .is_exact = true,
      .integer = (int64_t)(uint64_t)integer_wrap(type, value)};
}
Element element_of_real(ElementType type, double value) {
  int bits;
  Element made = {.type = type, .is_known = element_precision(type, &bits), .is_exact = true};
  made.real = round_to(type, value);
  made.is_rounded = !isnan(value) && made.real != value;
  made.is_coarse = bits <= 11 && made.is_rounded;
  return made;
}
Element element_of_constant(ElementType type, uint64_t payload) {
  double value;
  memcpy(&value, &payload, sizeof value);
  if (element_type_is_integral(type)) return element_of_integer(type, (int64_t)payload);
  Element made = element_of_real(type, value);
  made.is_rounded = made.is_coarse = false; /* a literal is the value that it is rounded to */
  return made;
}

void element_print(Text *text, Element value) {
  char digits[40];
  if (!element_type_is_integral(value.type) && isnan(value.real)) text_string(text, "nan");
  else if (!element_type_is_integral(value.type)) {
    int most = value.type == TYPE_f64 ? 17 : 9, few = 6;
    do snprintf(digits, sizeof digits, "%.*g", few, value.real);
    while (few++ < most && strtod(digits, nullptr) != value.real);
    text_string(text, digits);
  } else if (value.type == TYPE_u64) text_printf(text, "%llu", (unsigned long long)value.integer);
  else text_integer(text, value.integer);
}

/* False if only the sign of a zero decides between them. */
static bool infinities_differ(const Element *a, const Element *b) {
  return a->real != b->real && !a->is_either_sign && !b->is_either_sign;
}

bool elements_differ_exactly(const Element *a, const Element *b) {
  if (!a->is_known || !b->is_known || a->is_rounded || b->is_rounded) return false;
  if (a->is_coarse || b->is_coarse) return false;
  if (element_type_is_integral(a->type)) return a->integer != b->integer;
  if (isinf(a->real) && isinf(b->real))
    return a->is_exact && b->is_exact && infinities_differ(a, b);
  return isfinite(a->real) && isfinite(b->real) && a->real != b->real;
}

bool elements_differ_by_overflow(const Element *a, const Element *b) {
  if (!a->is_known || !b->is_known || a->is_coarse || b->is_coarse) return false;
  if (element_type_is_integral(a->type) || isnan(a->real) || isnan(b->real)) return false;
  return isfinite(a->error + b->error) && isfinite(a->real) != isfinite(b->real);
}

/* The difference that rounding can explain between two values of a type; `scale` is the larger
 * magnitude. */
static double rounding_capacity(ElementType type, double scale) {
  int bits;
  (void)element_precision(type, &bits);
  return scale * ldexp(1, bits > 20 ? -12 : -3) + 1e-5;
}

/* The value of the lowest bit; infinite for 0. */
static double lowest_bit(double value) {
  int exponent;
  if (value == 0) return (double)INFINITY;
  int64_t digits = (int64_t)ldexp(frexp(value, &exponent), 53);
  return ldexp(1, exponent - 53 + __builtin_ctzll((uint64_t)digits));
}

void element_add_summand(SummandRange *range, double summand, double sum) {
  range->count++;
  range->has_infinite = range->has_infinite || !isfinite(summand);
  if (!isfinite(summand)) return;
  range->largest = fmax(range->largest, fabs(summand));
  if (isfinite(sum)) range->largest = fmax(range->largest, fabs(sum));
  range->total += fabs(summand);
  range->grain = fmin(range->grain, lowest_bit(summand));
}

/* In any order each intermediate sum is a multiple of `grain`, and at most `total`. An infinite
 * summand decides the sum in every order, unless another order overflows before it. */
void element_end_sum(Element *sum, const SummandRange *range) {
  int bits;
  if (!sum->is_known || !element_precision(sum->type, &bits)) return;
  if (!isfinite(sum->real)) {
    bool may_overflow = isinf(element_of_real(sum->type, range->total).real);
    sum->is_coarse = sum->is_coarse || may_overflow || !range->has_infinite;
    return;
  }
  bool is_exact = range->total < range->grain * ldexp(1, bits);
  if (is_exact && !sum->is_rounded) return;
  double lost = (double)range->count * range->largest * ldexp(1, -bits);
  sum->is_rounded = true;
  sum->error += lost;
  if (!(lost <= rounding_capacity(sum->type, fabs(sum->real)) / 2)) sum->is_coarse = true;
}

bool element_exact_sum(ElementType type, uint32_t count, const double *values, double *sum) {
  static constexpr int double_bits = 53;
  int bits, least = INT_MAX, exponent;
  double sizes = 0;
  bool is_minus_zero = true;
  if (!element_precision(type, &bits)) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (!isfinite(values[i])) return false;
    is_minus_zero = is_minus_zero && values[i] == 0 && signbit(values[i]);
    int64_t digits = (int64_t)ldexp(frexp(values[i], &exponent), double_bits);
    if (digits == 0) continue;
    exponent += __builtin_ctzll((uint64_t)digits) - double_bits;
    if (exponent < least) least = exponent;
  }
  *sum = is_minus_zero ? -0.0 : 0;
  for (uint32_t i = 0; i < count; i++) {
    sizes += fabs(values[i]);
    *sum += values[i];
    if (sizes > 0 && sizes > ldexp(1, least + bits)) return false;
  }
  return isfinite(element_of_real(type, sizes).real);
}

void element_add_factor(FactorRange *range, double factor) {
  double magnitude = fabs(factor);
  range->has_above = range->has_above || magnitude > 1;
  range->has_below = range->has_below || magnitude < 1;
  if (magnitude > 1 && isfinite(magnitude)) range->above *= magnitude;
  if (magnitude < 1 && magnitude > 0) range->below *= magnitude;
}

void element_end_product(Element *product, const FactorRange *range) {
  int bits;
  if (!product->is_known || !element_precision(product->type, &bits)) return;
  bool may_overflow = isinf(element_of_real(product->type, range->above).real),
       may_vanish = range->below < element_smallest_normal(product->type);
  if ((may_overflow && range->has_below) || (may_vanish && range->has_above))
    product->is_coarse = true;
}

bool elements_differ(const Element *a, const Element *b) {
  if (!a->is_known || !b->is_known) return false;
  if (a->is_coarse || b->is_coarse) return false;
  if (element_type_is_integral(a->type)) return a->integer != b->integer;
  if (isnan(a->real) || isnan(b->real))
    return isnan(a->real) != isnan(b->real) && (isnan(a->real) ? a : b)->is_stated_nan;
  double errors = a->error + b->error;
  if (isinf(a->real) && isinf(b->real) && !infinities_differ(a, b)) return false;
  if (!isfinite(a->real) || !isfinite(b->real))
    return a->is_exact && b->is_exact && isfinite(errors);
  double capacity = rounding_capacity(a->type, fmax(fabs(a->real), fabs(b->real)));
  return fabs(a->real - b->real) > capacity + errors;
}
