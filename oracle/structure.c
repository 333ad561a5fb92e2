/* Operations that move no element inside an array: tuples, their elements, barriers, and the two halves of asynchronous ones.
 * An output leaf is one leaf of one operand, or (contexts, tokens, semaphores) nothing of any. */
#include "oracle/reading.h"

bool read_tuple(Reading *reading) {
  const Instruction *tuple = reading->node->instruction;
  uint32_t leaf = reading->leaf;
  for (uint32_t operand = 0; operand < tuple->operand_count; operand++) {
    uint32_t count = reading->node->operands[operand]->leaf_count;
    if (leaf < count) {
      if (read_wants(reading, operand)) read_leaf_element(reading, operand, leaf, reading->element);
      return true;
    }
    leaf -= count;
  }
  assert(false && "a leaf outside of every element");
  return true;
}

bool read_get_tuple_element(Reading *reading) {
  const Instruction *instruction = reading->node->instruction;
  uint32_t start = shape_leaf_offset(reading->node->operands[0]->instruction->shape, (uint32_t)instruction->number);
  read_leaf_element(reading, 0, start + reading->leaf, reading->element);
  return true;
}

bool read_same_leaf(Reading *reading) {
  read_leaf_element(reading, 0, reading->leaf, reading->element);
  return true;
}

bool read_add_dependency(Reading *reading) {
  if (read_wants(reading, 0)) read_leaf_element(reading, 0, reading->leaf, reading->element);
  return true;
}

/* (destination, source, context): the first two are the operand. */
bool read_copy_start(Reading *reading) {
  if (reading->leaf < 2) read_element(reading, 0, reading->element);
  return true;
}

bool read_copy_done(Reading *reading) {
  read_leaf_element(reading, 0, reading->leaf, reading->element);
  return true;
}

/* ((operands), result, contexts): the operands themselves, and the root of the body. */
bool read_async_start(Reading *reading) {
  const Node *node = reading->node;
  const Instruction *start = node->instruction;
  uint32_t leaf = reading->leaf, operand = 0;
  while (operand < node->operand_count && leaf >= node->operands[operand]->leaf_count)
    leaf -= node->operands[operand++]->leaf_count;
  if (node->operand_count == start->operand_count) return read_unsupported(reading);
  if (operand < node->operand_count && read_wants(reading, operand))
    read_leaf_element(reading, operand, leaf, reading->element);
  return true;
}

/* The -done half: element 1 of the tuple that the -start half gave. */
bool read_second_element(Reading *reading) {
  const Shape *shape = reading->node->operands[0]->instruction->shape;
  if (!shape_is_tuple(shape) || shape->element_count < 2) return read_unsupported(reading);
  read_leaf_element(reading, 0, shape_leaf_offset(shape, 1) + reading->leaf, reading->element);
  return true;
}
