/* HLO's integer arithmetic.
 * Division rounds towards zero. x / 0 is -1 (all bits set) and x % 0 is x. The lowest value divided
 * by -1 is the lowest value, with remainder 0. A shift by the width or more is 0, or the sign for
 * an arithmetic right shift. On pred, add and maximum are "or"; multiply and minimum are "and". */
#include "oracle/semantics/arithmetic.h"

#include <string.h>

static bool is_bool(ElementType type) { return type == TYPE_pred; }
static uint32_t width_of(ElementType type) {
  assert(element_type_is_integral(type));
  return is_bool(type) ? 1 : element_type_bits(type);
}

Wide integer_lowest(ElementType type) {
  return element_type_is_signed(type) ? -((Wide)1 << (width_of(type) - 1)) : 0;
}

Wide integer_highest(ElementType type) {
  return ((Wide)1 << (width_of(type) - element_type_is_signed(type))) - 1;
}

/* The bits of a value as an unsigned number: the value modulo 2^width. */
static Wide bits_of(ElementType type, Wide value) {
  return value & (((Wide)1 << width_of(type)) - 1);
}

Wide integer_wrap(ElementType type, Wide value) {
  if (is_bool(type)) return value != 0;
  Wide wrapped = bits_of(type, value);
  if (wrapped > integer_highest(type)) wrapped -= (Wide)1 << width_of(type);
  assert(wrapped >= integer_lowest(type) && wrapped <= integer_highest(type));
  return wrapped;
}

static Wide count_bits(Wide bits) {
  Wide count = 0;
  for (; bits != 0; bits &= bits - 1) count++;
  return count;
}

static Wide leading_zeros(ElementType type, Wide bits) {
  Wide count = width_of(type);
  for (; bits != 0; bits >>= 1) count--;
  assert(count >= 0);
  return count;
}

static Wide arithmetic_quotient(ElementType type, Wide a, Wide b) {
  if (b == 0) return integer_wrap(type, -1);
  return integer_wrap(type, a / b);
}

/* Multiplies unsigned: the product of two 64-bit numbers does not fit a signed 128-bit number. */
static Wide arithmetic_product(ElementType type, Wide a, Wide b) {
  assert(width_of(type) <= 64);
  unsigned _BitInt(128) bits =
      (unsigned _BitInt(128))bits_of(type, a) * (unsigned _BitInt(128))bits_of(type, b);
  return integer_wrap(type, (Wide)(uint64_t)bits);
}

static Wide shift_left(ElementType type, Wide a, Wide bits) {
  assert(bits >= 0);
  return bits >= width_of(type) ? 0 : integer_wrap(type, a * ((Wide)1 << (uint32_t)bits));
}

static Wide shift_right(ElementType type, Wide a, Wide bits, bool is_arithmetic) {
  assert(bits >= 0);
  Wide from = is_arithmetic ? integer_wrap(type, a) : bits_of(type, a);
  if (is_arithmetic && !element_type_is_signed(type) && from >= (Wide)1 << (width_of(type) - 1))
    from -= (Wide)1 << width_of(type);
  if (bits >= width_of(type)) return is_arithmetic && from < 0 ? integer_wrap(type, -1) : 0;
  return integer_wrap(type, wide_floordiv(from, (Wide)1 << (uint32_t)bits));
}

bool comparison_answer(
    const Instruction *instruction, bool is_less, bool is_equal, bool is_greater, bool *answer) {
  const Attribute *direction = instruction_attribute(instruction, "direction");
  if (direction == nullptr) return false;
  static const char *const names[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
  bool answers[] = {
      is_equal, !is_equal, is_less, is_less || is_equal, is_greater, is_greater || is_equal};
  for (int i = 0; i < 6; i++)
    if (strncmp(direction->text, names[i], 2) == 0) {
      *answer = answers[i];
      return true;
    }
  return false;
}

static bool arithmetic_compare(const Instruction *instruction, Wide a, Wide b, Wide *result) {
  bool answer;
  if (!comparison_answer(instruction, a<b, a == b, a> b, &answer)) return false;
  *result = answer;
  return true;
}

static Wide sign_of(Wide a) { return (a > 0) - (a < 0); }

bool integer_apply(
    const Instruction *instruction, ElementType operand, const Wide *operands, Wide *result) {
  ElementType type = instruction->shape->type;
  Wide a = operands[0], b = instruction->operand_count > 1 ? operands[1] : 0;
  bool wraps = !is_bool(type);
  Wide shift = instruction->operand_count > 1 ? bits_of(operand, b) : 0;
  if (instruction->opcode == HLO_COMPARE) return arithmetic_compare(instruction, a, b, result);
  if (instruction->opcode == HLO_ABS) *result = integer_wrap(type, a < 0 ? -a : a);
  else if (instruction->opcode == HLO_ADD) *result = integer_wrap(type, a + b);
  else if (instruction->opcode == HLO_SUBTRACT && wraps) *result = integer_wrap(type, a - b);
  else if (instruction->opcode == HLO_MULTIPLY) *result = arithmetic_product(type, a, b);
  else if (instruction->opcode == HLO_DIVIDE && wraps) *result = arithmetic_quotient(type, a, b);
  else if (instruction->opcode == HLO_REMAINDER && wraps)
    *result = b == 0 ? a : integer_wrap(type, a % b);
  else if (instruction->opcode == HLO_MAXIMUM) *result = wide_max(a, b);
  else if (instruction->opcode == HLO_MINIMUM) *result = wide_min(a, b);
  else if (instruction->opcode == HLO_NEGATE && wraps) *result = integer_wrap(type, -a);
  else if (instruction->opcode == HLO_SIGN && wraps) *result = sign_of(a);
  else if (instruction->opcode == HLO_CONVERT) *result = integer_wrap(type, a);
  else if (instruction->opcode == HLO_BITCAST_CONVERT || instruction->opcode == HLO_BITCAST)
    *result = integer_wrap(type, a);
  else if (instruction->opcode == HLO_AND)
    *result = integer_wrap(type, bits_of(type, a) & bits_of(type, b));
  else if (instruction->opcode == HLO_OR)
    *result = integer_wrap(type, bits_of(type, a) | bits_of(type, b));
  else if (instruction->opcode == HLO_XOR)
    *result = integer_wrap(type, bits_of(type, a) ^ bits_of(type, b));
  else if (instruction->opcode == HLO_NOT)
    *result = is_bool(type) ? a == 0 : integer_wrap(type, -1 - a);
  else if (instruction->opcode == HLO_POPCNT)
    *result = integer_wrap(type, count_bits(bits_of(type, a)));
  else if (instruction->opcode == HLO_COUNT_LEADING_ZEROS)
    *result = integer_wrap(type, leading_zeros(type, bits_of(type, a)));
  else if (instruction->opcode == HLO_SHIFT_LEFT && wraps) *result = shift_left(type, a, shift);
  else if (instruction->opcode == HLO_SHIFT_RIGHT_ARITHMETIC && wraps)
    *result = shift_right(type, a, shift, true);
  else if (instruction->opcode == HLO_SHIFT_RIGHT_LOGICAL && wraps)
    *result = shift_right(type, a, shift, false);
  else if (instruction->opcode == HLO_SELECT) *result = a != 0 ? b : operands[2];
  else if (instruction->opcode == HLO_CLAMP) *result = wide_min(wide_max(a, b), operands[2]);
  else return false;
  return true;
}
