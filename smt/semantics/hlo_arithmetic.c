/* Integral elementwise operations as formulas over their operands' values.
 * Results wrap around in the element type: x - 2^n * ((x - least) floordiv 2^n). Division is HLO's,
 * towards zero; x / 0 has all bits set, and the remainder is then x. Shifts operate on bits: to the
 * right, arithmetically on the signed number and logically on the unsigned one; an amount outside
 * the width shifts out all bits. A predicate is 0 or 1: a < b is clamp(0, b - a, 1), a = b is 1 -
 * min(1, |a - b|). p ? x : y, with everything within [l, h], is
 * max(min(x, l + (h - l) p), min(y, h - (h - l) p)). Nonlinear operations and operations on bits
 * have no formula here, except on constants. */
#include <assert.h>
#include <string.h>

#include "smt/semantics/hlo_reading.h"

bool hlo_type_range(ElementType type, Wide *lo, Wide *hi) {
  uint32_t bits = element_type_bits(type);
  if (!element_type_is_integral(type) || bits == 0 || bits > 64) return false;
  if (type == TYPE_pred) bits = 1;
  bool is_signed = element_type_is_signed(type);
  *lo = is_signed ? -((Wide)1 << (bits - 1)) : 0;
  *hi = is_signed ? ((Wide)1 << (bits - 1)) - 1 : ((Wide)1 << bits) - 1;
  return true;
}

/* The number in [least, most] that is congruent to x modulo most - least + 1. */
static Sum wrapped_into(Sums *sums, Sum x, Wide least, Wide most) {
  assert(sums_has(sums, x));
  Wide lo, hi, span = most - least + 1;
  if (sum_bounds(sums, x, &lo, &hi) && least <= lo && hi <= most) return x;
  return sum_subtract(
      sums, x, sum_scale(sums, sum_floordiv(sums, sum_plus(sums, x, -least), span), span));
}

Sum hlo_wrapped(Sums *sums, ElementType type, Sum x) {
  assert(sums_has(sums, x));
  Wide least, most;
  return hlo_type_range(type, &least, &most) ? wrapped_into(sums, x, least, most) : x;
}

/* Divides towards zero: max(x, 0) floordiv c - max(-x, 0) floordiv c for a constant c > 0. */
static Sum hlo_arithmetic_truncated(Sums *sums, Sum x, Wide c) {
  assert(sums_has(sums, x));
  Sum zero = sum_of_constant(sums, 0);
  Sum up = sum_floordiv(sums, sum_max(sums, x, zero), c);
  Sum down = sum_floordiv(sums, sum_max(sums, sum_scale(sums, x, -1), zero), c);
  return sum_subtract(sums, up, down);
}

static bool hlo_arithmetic_divided(
    Sums *sums, const Instruction *instruction, Sum a, Sum b, Sum *value) {
  assert(sums_has(sums, a));
  assert(sums_has(sums, b));
  Wide c;
  if (!sum_is_constant(sums, b, &c)) return false;
  Sum quotient = c > 0   ? hlo_arithmetic_truncated(sums, a, c)
                 : c < 0 ? sum_scale(sums, hlo_arithmetic_truncated(sums, a, -c), -1)
                         : sum_of_constant(sums, -1);
  *value = instruction->opcode == HLO_DIVIDE ? hlo_wrapped(sums, instruction->shape->type, quotient)
                                             : sum_subtract(sums, a, sum_scale(sums, quotient, c));
  return true;
}

static Sum size_of(Sums *sums, Sum x) { return sum_max(sums, x, sum_scale(sums, x, -1)); }

static Sum is_positive(Sums *sums, Sum x) { return sum_clamp(sums, 0, x, 1); }

static bool hlo_arithmetic_compared(
    Sums *sums, const Instruction *instruction, Sum a, Sum b, Sum *value) {
  assert(sums_has(sums, a));
  assert(sums_has(sums, b));
  const Attribute *direction = instruction_attribute(instruction, "direction");
  if (direction == nullptr) return false;
  const char *text = direction->text;
  Sum difference = sum_subtract(sums, b, a),
      unequal = sum_min(sums, size_of(sums, difference), sum_of_constant(sums, 1));
  if (strcmp(text, "LT") == 0) *value = is_positive(sums, difference);
  else if (strcmp(text, "LE") == 0) *value = is_positive(sums, sum_plus(sums, difference, 1));
  else if (strcmp(text, "GT") == 0) *value = is_positive(sums, sum_scale(sums, difference, -1));
  else if (strcmp(text, "GE") == 0)
    *value = is_positive(sums, sum_plus(sums, sum_scale(sums, difference, -1), 1));
  else if (strcmp(text, "NE") == 0) *value = unequal;
  else if (strcmp(text, "EQ") == 0) *value = sum_plus(sums, sum_scale(sums, unequal, -1), 1);
  else return false;
  return true;
}

/* Bounds an operand: by its formula, otherwise by its type. An index is bounded by the question,
 * not by its atom. */
static bool value_bounds(Sums *sums, ElementType type, Sum x, Wide *lo, Wide *hi) {
  assert(sums_has(sums, x));
  return sum_bounds(sums, x, lo, hi) || hlo_type_range(type, lo, hi);
}

static bool integer_selected(Sums *sums, ElementType type, Sum p, Sum x, Sum y, Sum *value) {
  assert(sums_has(sums, p));
  assert(sums_has(sums, x));
  assert(sums_has(sums, y));
  Wide lo_x, hi_x, lo_y, hi_y, constant;
  if (sum_is_constant(sums, p, &constant)) {
    *value = constant != 0 ? x : y;
    return true;
  }
  if (!value_bounds(sums, type, x, &lo_x, &hi_x) || !value_bounds(sums, type, y, &lo_y, &hi_y))
    return false;
  Wide l = lo_x < lo_y ? lo_x : lo_y, h = hi_x > hi_y ? hi_x : hi_y;
  if (h - l > (Wide)1 << 66) return false;
  Sum turn = sum_scale(sums, p, h - l);
  Sum first = sum_min(sums, x, sum_plus(sums, turn, l));
  *value = sum_max(sums, first, sum_min(sums, y, sum_plus(sums, sum_scale(sums, turn, -1), h)));
  return true;
}

static bool hlo_arithmetic_shifted(
    Sums *sums, const Instruction *instruction, Sum a, Sum b, Sum *value) {
  assert(sums_has(sums, a));
  assert(sums_has(sums, b));
  ElementType type = instruction->shape->type;
  Wide c, bits = element_type_bits(type), half = (Wide)1 << (bits - 1);
  if (!sum_is_constant(sums, b, &c)) return false;
  bool is_out = c < 0 || c >= bits;
  Sum moved = sum_of_constant(sums, 0);
  if (instruction->opcode == HLO_SHIFT_RIGHT_ARITHMETIC)
    moved =
        sum_floordiv(sums, wrapped_into(sums, a, -half, half - 1), is_out ? half : (Wide)1 << c);
  else if (!is_out && instruction->opcode == HLO_SHIFT_LEFT)
    moved = sum_scale(sums, a, (Wide)1 << c);
  else if (!is_out)
    moved = sum_floordiv(sums, wrapped_into(sums, a, 0, 2 * half - 1), (Wide)1 << c);
  *value = hlo_wrapped(sums, type, moved);
  return true;
}

static uint64_t bits_of(ElementType type, Wide value) {
  uint64_t all = UINT64_MAX >> (64 - element_type_bits(type));
  return (uint64_t)(unsigned _BitInt(128))value & all;
}

/* Operations on the bits of constants. */
static bool bits_computed(Sums *sums, const Instruction *instruction, const Sum *x, Sum *value) {
  ElementType type = instruction->shape->type;
  uint32_t width = element_type_bits(type);
  uint64_t bits[2] = {};
  for (uint32_t i = 0; i < instruction->operand_count; i++) {
    Wide constant;
    if (!sum_is_constant(sums, x[i], &constant)) return false;
    bits[i] = bits_of(type, constant);
  }
  uint64_t result = 0;
  if (instruction->opcode == HLO_AND) result = bits[0] & bits[1];
  else if (instruction->opcode == HLO_OR) result = bits[0] | bits[1];
  else if (instruction->opcode == HLO_XOR) result = bits[0] ^ bits[1];
  else if (instruction->opcode == HLO_POPCNT) result = (uint64_t)__builtin_popcountll(bits[0]);
  else if (instruction->opcode == HLO_COUNT_LEADING_ZEROS)
    result = bits[0] == 0 ? width : (uint64_t)__builtin_clzll(bits[0]) - (64 - width);
  else return false;
  *value = hlo_wrapped(sums, type, sum_of_constant(sums, result));
  return true;
}

/* Bitwise operations on predicates and on constants, and "and" with 2^n - 1, which is mod 2^n for
 * signed and unsigned numbers alike. */
static bool bitwise(Sums *sums, const Instruction *instruction, Sum a, Sum b, Sum *value) {
  assert(sums_has(sums, a));
  assert(sums_has(sums, b));
  Wide c;
  if (instruction->shape->type == TYPE_pred) {
    if (instruction->opcode == HLO_XOR) *value = size_of(sums, sum_subtract(sums, a, b));
    else *value = instruction->opcode == HLO_AND ? sum_min(sums, a, b) : sum_max(sums, a, b);
    return true;
  }
  if (bits_computed(sums, instruction, (Sum[]){a, b}, value)) return true;
  if (instruction->opcode != HLO_AND) return false;
  if (!sum_is_constant(sums, b, &c)) {
    if (!sum_is_constant(sums, a, &c)) return false;
    a = b;
  }
  if (c < 0 || ((c + 1) & c) != 0) return false;
  *value = sum_mod(sums, a, c + 1);
  return true;
}

static Sum inverted(Sums *sums, ElementType type, Sum a) {
  assert(sums_has(sums, a));
  Wide lo = 0, hi = 0;
  (void)hlo_type_range(type, &lo, &hi);
  return sum_plus(sums, sum_scale(sums, a, -1), lo + hi);
}

static bool integer_multiplied(Sums *sums, ElementType type, Sum a, Sum b, Sum *value) {
  assert(sums_has(sums, a));
  assert(sums_has(sums, b));
  Wide c;
  if (!sum_is_constant(sums, a, &c) && !sum_is_constant(sums, b, &c)) return false;
  *value = hlo_wrapped(sums, type, sum_product(sums, a, b));
  return true;
}

static bool hlo_arithmetic_converted(
    Sums *sums, const Instruction *instruction, Sum a, Sum *value) {
  assert(sums_has(sums, a));
  Wide lo, hi;
  ElementType type = instruction->shape->type;
  if (!hlo_type_range(instruction->operands[0]->shape->type, &lo, &hi)) return false;
  *value = type == TYPE_pred ? sum_min(sums, size_of(sums, a), sum_of_constant(sums, 1))
                             : hlo_wrapped(sums, type, a);
  return true;
}

/* Of all other operations a pred has no formula. */
static bool holds_for_pred(Opcode opcode) {
  return opcode == HLO_SELECT || opcode == HLO_COMPARE || opcode == HLO_CONVERT ||
         opcode == HLO_AND || opcode == HLO_OR || opcode == HLO_XOR || opcode == HLO_NOT ||
         opcode == HLO_MAXIMUM || opcode == HLO_MINIMUM || opcode == HLO_CLAMP;
}

/* Operations with a formula for all operands x. */
static bool formula_of(Sums *sums, Opcode opcode, ElementType type, const Sum *x, Sum *value) {
  if (opcode == HLO_NOT) *value = inverted(sums, type, x[0]);
  else if (opcode == HLO_MAXIMUM) *value = sum_max(sums, x[0], x[1]);
  else if (opcode == HLO_MINIMUM) *value = sum_min(sums, x[0], x[1]);
  else if (opcode == HLO_CLAMP) *value = sum_min(sums, sum_max(sums, x[0], x[1]), x[2]);
  else if (opcode == HLO_SIGN) *value = sum_clamp(sums, -1, x[0], 1);
  else if (opcode == HLO_ADD) *value = hlo_wrapped(sums, type, sum_add(sums, x[0], x[1]));
  else if (opcode == HLO_SUBTRACT) *value = hlo_wrapped(sums, type, sum_subtract(sums, x[0], x[1]));
  else if (opcode == HLO_NEGATE) *value = hlo_wrapped(sums, type, sum_scale(sums, x[0], -1));
  else if (opcode == HLO_ABS) *value = hlo_wrapped(sums, type, size_of(sums, x[0]));
  else return false;
  return true;
}

bool hlo_compute(Sums *sums, const Instruction *instruction, const Sum *x, Sum *value) {
  Opcode opcode = instruction->opcode;
  ElementType type = instruction->shape->type;
  if (type == TYPE_pred && !holds_for_pred(opcode)) return false;
  if (opcode == HLO_SELECT) return integer_selected(sums, type, x[0], x[1], x[2], value);
  if (opcode == HLO_COMPARE)
    return element_type_is_integral(instruction->operands[0]->shape->type) &&
           hlo_arithmetic_compared(sums, instruction, x[0], x[1], value);
  if (opcode == HLO_CONVERT) return hlo_arithmetic_converted(sums, instruction, x[0], value);
  if (opcode == HLO_AND || opcode == HLO_OR || opcode == HLO_XOR)
    return bitwise(sums, instruction, x[0], x[1], value);
  if (opcode == HLO_MULTIPLY) return integer_multiplied(sums, type, x[0], x[1], value);
  if (opcode == HLO_DIVIDE || opcode == HLO_REMAINDER)
    return hlo_arithmetic_divided(sums, instruction, x[0], x[1], value);
  if (opcode == HLO_POPCNT || opcode == HLO_COUNT_LEADING_ZEROS)
    return bits_computed(sums, instruction, x, value);
  if (opcode == HLO_SHIFT_LEFT || opcode == HLO_SHIFT_RIGHT_ARITHMETIC ||
      opcode == HLO_SHIFT_RIGHT_LOGICAL)
    return hlo_arithmetic_shifted(sums, instruction, x[0], x[1], value);
  return formula_of(sums, opcode, type, x, value);
}
