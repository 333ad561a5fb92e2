/* The operation is applied once for each choice of the open signs. Keeps: a result without a mark
 * is the result of each choice, up to the sign of a zero and to its error. */
#include "oracle/values/zero_signs.h"

static bool is_zero(const Element *element) {
  return !element_type_is_integral(element->type) && element->real == 0;
}

bool element_has_open_sign(const Element *element) {
  return element->is_either_sign || is_zero(element);
}

/* Whether the sign of a zero may move the result by more than the sign of a zero. */
static bool reads_zero_signs(const Instruction *instruction, const Element *operands) {
  Opcode opcode = instruction->opcode;
  if (opcode == HLO_DIVIDE) return is_zero(&operands[1]);
  return opcode == HLO_ATAN2 || opcode == HLO_POWER || opcode == HLO_RSQRT ||
         opcode == HLO_BITCAST || opcode == HLO_BITCAST_CONVERT;
}

/* A bit for each operand. */
static uint32_t open_signs(
    const Instruction *instruction, uint32_t count, const Element *operands) {
  bool reads_zeros = reads_zero_signs(instruction, operands);
  uint32_t open = 0;
  for (uint32_t i = 0; i < count; i++)
    if (operands[i].is_either_sign || (reads_zeros && is_zero(&operands[i]))) open |= 1U << i;
  return open;
}

bool element_reads_zero_signs(
    const Instruction *instruction, uint32_t count, const Element *operands) {
  return open_signs(instruction, count, operands) != 0;
}

static bool same_result(const Element *a, const Element *b) {
  if (element_type_is_integral(a->type)) return a->integer == b->integer;
  return a->real == b->real || (isnan(a->real) && isnan(b->real));
}

/* Two numbers become one with an error that reaches from one to the other. */
static void join_numbers(Element *result, const Element *other) {
  result->is_rounded = true;
  result->error = fmax(result->error, fabs(result->real - other->real) + other->error);
}

static void join_result(Element *result, bool is_known, const Element *other) {
  if (is_known && !other->is_coarse && same_result(result, other)) return;
  bool are_numbers = is_known && !other->is_coarse && !element_type_is_integral(result->type) &&
                     !isnan(result->real) && !isnan(other->real);
  if (!are_numbers) result->is_coarse = true;
  else if (isinf(result->real) && isinf(other->real)) result->is_either_sign = true;
  else join_numbers(result, other);
}

bool element_apply_any_sign(
    const Instruction *instruction, uint32_t count, const Element *operands, Element *result) {
  if (!element_apply(instruction, count, operands, result)) return false;
  uint32_t open = open_signs(instruction, count, operands);
  result->is_either_sign = false;
  for (uint32_t signs = open; signs != 0; signs = (signs - 1) & open) {
    Element changed[3], other;
    for (uint32_t i = 0; i < count; i++) {
      changed[i] = operands[i];
      if (signs >> i & 1) changed[i].real = -changed[i].real;
    }
    bool is_known = element_apply(instruction, count, changed, &other);
    join_result(result, is_known, &other);
  }
  return true;
}
