/* Operations that move no element inside an array: tuples, their elements, barriers, and the two
 * halves of asynchronous operations. An output leaf is one leaf of one operand, or (contexts,
 * tokens, semaphores) has no operand. */
#include "oracle/semantics/reading.h"

/* The leaves of all operands in order; later leaves are created by the operation. */
static void nth_leaf(const Node *node, uint32_t leaf, uint32_t *operand, uint32_t *operand_leaf) {
  for (uint32_t i = 0; i < node->operand_count; i++) {
    *operand = i;
    *operand_leaf = leaf;
    if (leaf < node->operands[i]->leaf_count) return;
    leaf -= node->operands[i]->leaf_count;
  }
  *operand = no_operand;
}

/* Leaf `leaf` of element `element` of the tuple that is operand 0. */
static bool element_leaf(
    const Node *node, uint32_t element, uint32_t leaf, uint32_t *operand, uint32_t *operand_leaf) {
  const Shape *tuple = node->operands[0]->instruction->shape;
  if (!shape_is_tuple(tuple) || element >= tuple->element_count) return false;
  *operand = 0;
  *operand_leaf = shape_leaf_offset(tuple, element) + leaf;
  assert(*operand_leaf < node->operands[0]->leaf_count);
  return true;
}

static bool same_leaf(const Node *node, uint32_t leaf, uint32_t *operand, uint32_t *operand_leaf) {
  assert(node->operand_count > 0 && leaf < node->leaf_count);
  *operand = leaf < node->operands[0]->leaf_count ? 0 : no_operand;
  *operand_leaf = leaf;
  return true;
}

/* The output is (destination, source, context); the first two are the operand. */
static bool copy_start_leaf(
    const Node *node, uint32_t leaf, uint32_t *operand, uint32_t *operand_leaf) {
  *operand = leaf < 2 && node->operands[0]->leaf_count == 1 ? 0 : no_operand;
  *operand_leaf = 0;
  return node->operands[0]->leaf_count == 1;
}

/* The output is ((operands), result, contexts): the operands themselves, and the root of the body,
 * which is the node's last operand. */
static bool async_start_leaf(
    const Node *node, uint32_t leaf, uint32_t *operand, uint32_t *operand_leaf) {
  nth_leaf(node, leaf, operand, operand_leaf);
  return node->operand_count > node->instruction->operand_count;
}

bool structure_leaf(const Node *node, uint32_t leaf, uint32_t *operand, uint32_t *operand_leaf) {
  Opcode opcode = node->instruction->opcode;
  if (node->is_input) return false;
  if (opcode == HLO_GET_TUPLE_ELEMENT)
    return element_leaf(node, (uint32_t)node->instruction->number, leaf, operand, operand_leaf);
  if (opcode == HLO_ASYNC_DONE || opcode == HLO_ALL_GATHER_DONE ||
      opcode == HLO_COLLECTIVE_PERMUTE_DONE)
    return element_leaf(node, 1, leaf, operand, operand_leaf);
  if (opcode == HLO_COPY_DONE) return element_leaf(node, 0, leaf, operand, operand_leaf);
  if (opcode == HLO_COPY || opcode == HLO_OPTIMIZATION_BARRIER || opcode == HLO_DOMAIN ||
      opcode == HLO_ASYNC_UPDATE || opcode == HLO_ADD_DEPENDENCY || opcode == HLO_ALL_REDUCE_DONE)
    return same_leaf(node, leaf, operand, operand_leaf);
  if (opcode == HLO_COPY_START) return copy_start_leaf(node, leaf, operand, operand_leaf);
  if (opcode == HLO_ASYNC_START) return async_start_leaf(node, leaf, operand, operand_leaf);
  if (opcode != HLO_TUPLE) return false;
  nth_leaf(node, leaf, operand, operand_leaf);
  return true;
}

bool read_structure(Reading *reading) {
  uint32_t operand, leaf;
  if (!structure_leaf(reading->node, reading->leaf, &operand, &leaf))
    return read_unsupported(reading);
  if (operand != no_operand && read_wants(reading, operand))
    read_leaf_element(reading, operand, leaf, reading->element);
  return true;
}
