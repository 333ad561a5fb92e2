/* Compares layouts by the dimensions that are not 1, in the order of memory. */
#include "oracle/hazards/hazard_memory.h"

#include "oracle/hazards/hazard.h"

/* The dimensions that are not 1 in memory order, major first, by their numbers among themselves. */
static uint32_t memory_order(const Shape *shape, int64_t *sizes, uint32_t *order) {
  uint32_t numbers[oracle_max_rank] = {}, count = 0, placed = 0;
  for (uint32_t i = 0; i < shape->rank; i++) {
    numbers[i] = count;
    if (shape->sizes[i] != 1) sizes[count++] = shape->sizes[i];
  }
  for (uint32_t i = shape->rank; i-- > 0;) {
    uint32_t dimension = shape->has_layout ? shape->minor_to_major[i] : shape->rank - 1 - i;
    if (shape->sizes[dimension] != 1) order[placed++] = numbers[dimension];
  }
  return count;
}

bool oracle_hazard_keeps_memory(const Instruction *instruction) {
  int64_t from_sizes[oracle_max_rank] = {}, to_sizes[oracle_max_rank] = {};
  uint32_t from[oracle_max_rank] = {}, to[oracle_max_rank] = {};
  if (instruction->opcode != HLO_RESHAPE) return true;
  const Shape *before = instruction->operands[0]->shape, *after = instruction->shape;
  if (before->type != after->type || before->rank > oracle_max_rank ||
      after->rank > oracle_max_rank)
    return false;
  uint32_t before_count = memory_order(before, from_sizes, from),
           after_count = memory_order(after, to_sizes, to);
  bool is_same = before_count == after_count, is_row_major = true;
  for (uint32_t i = 0; is_same && i < after_count; i++)
    is_same = from[i] == to[i] && from_sizes[i] == to_sizes[i];
  for (uint32_t i = 0; i < before_count; i++) is_row_major &= from[i] == i;
  for (uint32_t i = 0; i < after_count; i++) is_row_major &= to[i] == i;
  return is_same || is_row_major;
}

/* Follows operations that do not change memory. */
static void resolve_memory(const Node **node, uint32_t *leaf) {
  for (;;) {
    uint32_t operand, operand_leaf;
    if ((*node)->is_input) return;
    Opcode opcode = (*node)->instruction->opcode;
    if (!oracle_hazard_keeps_memory((*node)->instruction)) return;
    if (opcode == HLO_BITCAST || opcode == HLO_RESHAPE) operand = 0, operand_leaf = *leaf;
    else if ((opcode != HLO_TUPLE && opcode != HLO_GET_TUPLE_ELEMENT) ||
             !structure_leaf(*node, *leaf, &operand, &operand_leaf) || operand == no_operand)
      return;
    *node = (*node)->operands[operand];
    *leaf = operand_leaf;
  }
}

const Node *hazard_updated(
    const Node *node, uint32_t leaf, uint32_t *parameter, uint32_t *parameter_leaf) {
  resolve_memory(&node, &leaf);
  if (node->is_input || node->instruction->opcode != HLO_DYNAMIC_UPDATE_SLICE) return nullptr;
  const Node *base = node->operands[0];
  uint32_t base_leaf = 0;
  resolve_memory(&base, &base_leaf);
  if (!base->is_input) return nullptr;
  *parameter = base->input;
  *parameter_leaf = base_leaf;
  return node;
}
