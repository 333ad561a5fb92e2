/* Elementwise operations and structure. Elementwise: element i of the output reads element i of
 * each operand; a rank-0 operand beside an array is read at its only element. Structure: a leaf of
 * the output is a leaf of an operand at the same index, determined by the order of the tuple's
 * leaves. */
#include "smt/semantics/hlo_reading.h"

bool reads_of_elementwise(SmtReading *reading) {
  for (uint32_t i = 0; i < reading->instruction->operand_count; i++) {
    if (operand_leaf_shape(reading, i, 0)->rank == 0) reading_scalar(reading, i);
    else reading_identity(reading, i, 0);
  }
  return true;
}

static bool read_tuple(SmtReading *reading) {
  uint32_t at = reading->leaf;
  for (uint32_t i = 0; i < reading->instruction->operand_count; i++) {
    uint32_t leaves = shape_leaf_count(reading->instruction->operands[i]->shape);
    if (at < leaves) {
      reading_identity(reading, i, at);
      return true;
    }
    at -= leaves;
  }
  return reading_lacks(reading, "the tuple has no such leaf");
}

static bool read_element(SmtReading *reading, uint32_t element) {
  const Shape *tuple = reading->instruction->operands[0]->shape;
  reading_identity(reading, 0, shape_leaf_offset(tuple, element) + reading->leaf);
  return true;
}

/* The output is (destination, source, context): the first two are the operand, and the context
 * reads nothing. */
static bool read_copy_start(SmtReading *reading) {
  uint32_t leaves = shape_leaf_count(reading->instruction->operands[0]->shape);
  if (reading->leaf < 2 * leaves) reading_identity(reading, 0, reading->leaf % leaves);
  return true;
}

/* The operand is ((operands), result, ..) of a start, or only the result if the start has no
 * tuple. */
static bool read_done(SmtReading *reading) {
  const Shape *started = reading->instruction->operands[0]->shape;
  if (!shape_is_tuple(started) || reading->instruction->opcode == HLO_ALL_REDUCE_DONE) {
    reading_identity(reading, 0, reading->leaf);
    return true;
  }
  if (started->element_count < 2)
    return reading_lacks(reading, "the operand of a done holds no result");
  return read_element(reading, 1);
}

bool reads_of_structure(SmtReading *reading) {
  const Instruction *instruction = reading->instruction;
  OpcodeGroup group = opcode_group(instruction->opcode);
  bool is_done = group == GROUP_collective_done || instruction->opcode == HLO_ASYNC_DONE;
  if (group == GROUP_after_all) return true;
  if (is_done) return read_done(reading);
  if (instruction->opcode == HLO_TUPLE) return read_tuple(reading);
  if (instruction->opcode == HLO_GET_TUPLE_ELEMENT)
    return read_element(reading, (uint32_t)instruction->number);
  if (instruction->opcode == HLO_COPY_START) return read_copy_start(reading);
  /* also for a copy-done, whose result is the first element of its operand */
  reading_identity(reading, 0, reading->leaf);
  return true;
}
