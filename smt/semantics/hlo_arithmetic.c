/* Integral elementwise operations as formulas over their operands' values.
 * Results wrap around as the element type does: x - 2^n * ((x - least) floordiv 2^n). Division is
 * HLO's, towards zero; x / 0 has all bits set, and what is left of it is x. Shifts are of bits: to
 * the right, arithmetically, of the signed number that they are, logically of the unsigned one; an
 * amount outside the bits shifts all of them out. A predicate is 0 or 1:
 * a < b is clamp(0, b - a, 1), a = b is 1 - min(1, |a - b|). p ? x : y, with everything within [l,
 * h], is
 * max(min(x, l + (h - l) p), min(y, h - (h - l) p)). What is not linear is left to the caller. */
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

/* The number of [least, most] that is x up to a multiple of their count. */
static Sum wrapped_into(Sums *sums, Sum x, Wide least, Wide most) {
  Wide lo, hi, span = most - least + 1;
  if (sum_bounds(sums, x, &lo, &hi) && least <= lo && hi <= most) return x;
  return sum_subtract(
      sums, x, sum_scale(sums, sum_floordiv(sums, sum_plus(sums, x, -least), span), span));
}

Sum hlo_wrapped(Sums *sums, ElementType type, Sum x) {
  Wide least, most;
  return hlo_type_range(type, &least, &most) ? wrapped_into(sums, x, least, most) : x;
}

/* Towards zero: max(x, 0) floordiv c - max(-x, 0) floordiv c for a constant c > 0. */
static Sum truncated(Sums *sums, Sum x, Wide c) {
  Sum zero = sum_of_constant(sums, 0);
  Sum up = sum_floordiv(sums, sum_max(sums, x, zero), c);
  Sum down = sum_floordiv(sums, sum_max(sums, sum_scale(sums, x, -1), zero), c);
  return sum_subtract(sums, up, down);
}

static bool divided(Sums *sums, const Instruction *instruction, Sum a, Sum b, Sum *value) {
  Wide c;
  if (!sum_is_constant(sums, b, &c)) return false;
  Sum quotient = c > 0   ? truncated(sums, a, c)
                 : c < 0 ? sum_scale(sums, truncated(sums, a, -c), -1)
                         : sum_of_constant(sums, -1);
  *value = instruction->opcode == HLO_DIVIDE ? hlo_wrapped(sums, instruction->shape->type, quotient)
                                             : sum_subtract(sums, a, sum_scale(sums, quotient, c));
  return true;
}

static Sum size_of(Sums *sums, Sum x) { return sum_max(sums, x, sum_scale(sums, x, -1)); }

/* 1 where x > 0. */
static Sum is_positive(Sums *sums, Sum x) { return sum_clamp(sums, 0, x, 1); }

static bool compared(Sums *sums, const Instruction *instruction, Sum a, Sum b, Sum *value) {
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

/* Every operand is a value of its type, so the type bounds what its formula does not (an index is
 * bounded by the question, not by its atom). */
static bool value_bounds(Sums *sums, ElementType type, Sum x, Wide *lo, Wide *hi) {
  return sum_bounds(sums, x, lo, hi) || hlo_type_range(type, lo, hi);
}

static bool selected(Sums *sums, ElementType type, Sum p, Sum x, Sum y, Sum *value) {
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

static bool shifted(Sums *sums, const Instruction *instruction, Sum a, Sum b, Sum *value) {
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

/* Of predicates; and with 2^n - 1, which is mod 2^n for signed and unsigned alike. */
static bool bitwise(Sums *sums, const Instruction *instruction, Sum a, Sum b, Sum *value) {
  Wide c;
  if (instruction->shape->type == TYPE_pred) {
    if (instruction->opcode == HLO_XOR) *value = size_of(sums, sum_subtract(sums, a, b));
    else *value = instruction->opcode == HLO_AND ? sum_min(sums, a, b) : sum_max(sums, a, b);
    return true;
  }
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
  Wide lo = 0, hi = 0;
  (void)hlo_type_range(type, &lo, &hi);
  return sum_plus(sums, sum_scale(sums, a, -1), lo + hi);
}

static bool multiplied(Sums *sums, ElementType type, Sum a, Sum b, Sum *value) {
  Wide c;
  if (!sum_is_constant(sums, a, &c) && !sum_is_constant(sums, b, &c)) return false;
  *value = hlo_wrapped(sums, type, sum_product(sums, a, b));
  return true;
}

static bool converted(Sums *sums, const Instruction *instruction, Sum a, Sum *value) {
  Wide lo, hi;
  ElementType type = instruction->shape->type;
  if (!hlo_type_range(instruction->operands[0]->shape->type, &lo, &hi)) return false;
  *value = type == TYPE_pred ? sum_min(sums, size_of(sums, a), sum_of_constant(sums, 1))
                             : hlo_wrapped(sums, type, a);
  return true;
}

bool hlo_compute(Sums *sums, const Instruction *instruction, const Sum *operands, Sum *value) {
  ElementType type = instruction->shape->type;
  Sum a = operands[0], b = instruction->operand_count > 1 ? operands[1] : a;
  switch ((uint32_t)instruction->opcode) {
    case HLO_SELECT: return selected(sums, type, a, b, operands[2], value);
    case HLO_COMPARE:
      return element_type_is_integral(instruction->operands[0]->shape->type) &&
             compared(sums, instruction, a, b, value);
    case HLO_CONVERT: return converted(sums, instruction, a, value);
    case HLO_AND:
    case HLO_OR:
    case HLO_XOR: return bitwise(sums, instruction, a, b, value);
    case HLO_NOT: *value = inverted(sums, type, a); return true;
    case HLO_MAXIMUM: *value = sum_max(sums, a, b); return true;
    case HLO_MINIMUM: *value = sum_min(sums, a, b); return true;
    case HLO_CLAMP: *value = sum_min(sums, sum_max(sums, a, b), operands[2]); return true;
    default: break;
  }
  if (type == TYPE_pred) return false;
  switch ((uint32_t)instruction->opcode) {
    case HLO_ADD: *value = hlo_wrapped(sums, type, sum_add(sums, a, b)); return true;
    case HLO_SUBTRACT: *value = hlo_wrapped(sums, type, sum_subtract(sums, a, b)); return true;
    case HLO_NEGATE: *value = hlo_wrapped(sums, type, sum_scale(sums, a, -1)); return true;
    case HLO_ABS: *value = hlo_wrapped(sums, type, size_of(sums, a)); return true;
    case HLO_SIGN: *value = sum_clamp(sums, -1, a, 1); return true;
    case HLO_MULTIPLY: return multiplied(sums, type, a, b, value);
    case HLO_DIVIDE:
    case HLO_REMAINDER: return divided(sums, instruction, a, b, value);
    case HLO_SHIFT_LEFT:
    case HLO_SHIFT_RIGHT_ARITHMETIC:
    case HLO_SHIFT_RIGHT_LOGICAL: return shifted(sums, instruction, a, b, value);
    default: return false;
  }
}
