/* Computes each number of the list from its position: first 0 and the numbers up to 16 with either
 * sign, then three for each constant of the terms, six for each power of two past 16, and powers of
 * ten. Numbers that the type does not contain wrap, so that unsigned types have their upper end. */
#include "oracle/values/notable.h"

#include "oracle/semantics/arithmetic.h"

static constexpr uint32_t small_most = 16, small_count = 2 * small_most + 1;
static constexpr uint32_t per_constant = 3, per_power = 6, first_power = 5;

static uint32_t power_count(ElementType type) {
  uint32_t bits = element_type_bits(type);
  return bits > first_power ? (bits - first_power) * per_power : 0;
}

/* Powers of ten below half of the type's values. */
static uint32_t tens_count(ElementType type) { return element_type_bits(type) * 3 / 10; }

uint32_t notable_first(const InputConstants *constants) {
  return small_count + constants->count * per_constant;
}

uint32_t notable_count(const InputConstants *constants, ElementType type) {
  return notable_first(constants) + power_count(type) + tens_count(type);
}

static int64_t small_number(uint32_t at) {
  int64_t magnitude = ((int64_t)at + 1) / 2;
  return at % 2 == 1 ? -magnitude : magnitude;
}

/* 0 for a float that is too large. */
static int64_t near_constant(const Element *constant, uint32_t at) {
  static constexpr double most_converted = 0x1p62;
  bool is_near = constant->real > -most_converted && constant->real < most_converted;
  int64_t integer = element_type_is_integral(constant->type) ? constant->integer
                    : is_near                                ? (int64_t)constant->real
                                                             : 0;
  return (int64_t)((uint64_t)integer + at - 1);
}

static int64_t near_power(uint32_t at) {
  uint64_t number = (UINT64_C(1) << (first_power + at / per_power)) + at % 3 - 1;
  return (int64_t)(at % per_power < 3 ? number : 0 - number);
}

static int64_t power_of_ten(uint32_t exponent) {
  uint64_t number = 1;
  for (uint32_t i = 0; i < exponent; i++) number *= 10;
  return (int64_t)number;
}

static int64_t number_at(const InputConstants *constants, ElementType type, uint32_t at) {
  if (at < small_count) return small_number(at);
  at -= small_count;
  if (at < constants->count * per_constant)
    return near_constant(&constants->items[at / per_constant], at % per_constant);
  at -= constants->count * per_constant;
  return at < power_count(type) ? near_power(at) : power_of_ten(1 + at - power_count(type));
}

int64_t notable_value(const InputConstants *constants, ElementType type, uint64_t at) {
  uint32_t count = notable_count(constants, type);
  return (int64_t)(uint64_t)integer_wrap(type, number_at(constants, type, (uint32_t)(at % count)));
}
