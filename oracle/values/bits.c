/* Converts elements to bits and back. A float is a double that its type represents, so its bits are
 * those of the type's code. The bits of a NaN are unknown, because its payload is not modelled. */
#include "oracle/values/bits.h"

#include <math.h>

/* The code of a float with `significand` bits after the point and `exponents` bits of the
 * exponent. */
static uint64_t float_bits(double value, int significand, int exponents) {
  int exponent, bias = (1 << (exponents - 1)) - 1;
  uint64_t sign = signbit(value) ? UINT64_C(1) << (significand + exponents) : 0;
  uint64_t most = ((UINT64_C(1) << exponents) - 1) << significand;
  if (isinf(value)) return sign | most;
  if (value == 0) return sign;
  double fraction = frexp(fabs(value), &exponent);
  exponent += bias - 1;
  if (exponent <= 0) return sign | (uint64_t)ldexp(fabs(value), significand + bias - 1);
  return sign | ((uint64_t)exponent << significand) |
         (uint64_t)(ldexp(fraction, significand + 1) - ldexp(1, significand));
}

static double float_value(uint64_t bits, int significand, int exponents) {
  int bias = (1 << (exponents - 1)) - 1;
  int exponent = (int)(bits >> significand) & ((1 << exponents) - 1);
  double fraction = (double)(bits & ((UINT64_C(1) << significand) - 1));
  double value = exponent == 0
                     ? ldexp(fraction, 1 - bias - significand)
                     : ldexp(fraction + ldexp(1, significand), exponent - bias - significand);
  if (exponent == (1 << exponents) - 1) value = fraction == 0 ? (double)INFINITY : (double)NAN;
  return bits >> (significand + exponents) & 1 ? -value : value;
}

static bool float_format(ElementType type, int *significand, int *exponents) {
  *significand = type == TYPE_f64 ? 52 : type == TYPE_f32 ? 23 : type == TYPE_f16 ? 10 : 7;
  *exponents = type == TYPE_f64 ? 11 : type == TYPE_f16 ? 5 : 8;
  return type == TYPE_f64 || type == TYPE_f32 || type == TYPE_f16 || type == TYPE_bf16;
}

bool element_bits(const Element *element, uint64_t *bits) {
  int significand, exponents;
  uint32_t width = element_type_bits(element->type);
  if (element_type_is_integral(element->type)) {
    *bits = (uint64_t)element->integer & (width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1);
    return element->type != TYPE_pred;
  }
  if (!float_format(element->type, &significand, &exponents) || isnan(element->real)) return false;
  *bits = float_bits(element->real, significand, exponents);
  return true;
}

bool element_of_bits(ElementType type, uint64_t bits, Element *element) {
  int significand, exponents;
  if (element_type_is_integral(type)) *element = element_of_integer(type, (int64_t)bits);
  else if (!float_format(type, &significand, &exponents)) return false;
  else *element = element_of_real(type, float_value(bits, significand, exponents));
  return element->is_known && type != TYPE_pred;
}

static void element_follows(Element *result, const Element *from) {
  result->is_exact = result->is_exact && from->is_exact;
  result->is_rounded = result->is_rounded || from->is_rounded;
  result->is_coarse = result->is_coarse || from->is_coarse || from->error > 0;
}

/* Which elements of less than a byte come first in one is written down nowhere. */
static constexpr uint32_t least_width = 8;

bool element_part(ElementType type, uint64_t part, const Element *whole, Element *result) {
  uint64_t bits;
  uint32_t width = element_type_bits(type);
  if (!whole->is_known || !element_bits(whole, &bits) || width >= 64 || width < least_width)
    return false;
  bits = bits >> (part * width) & ((UINT64_C(1) << width) - 1);
  if (!element_of_bits(type, bits, result)) return false;
  element_follows(result, whole);
  return true;
}

bool element_join(ElementType type, uint32_t count, const Element *parts, Element *result) {
  uint64_t bits = 0;
  uint32_t width = element_type_bits(parts[0].type);
  if (count * width > 64 || width < least_width) return false;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t part;
    if (!parts[i].is_known || !element_bits(&parts[i], &part)) return false;
    bits |= part << (i * width);
  }
  if (!element_of_bits(type, bits, result)) return false;
  for (uint32_t i = 0; i < count; i++) element_follows(result, &parts[i]);
  return true;
}
