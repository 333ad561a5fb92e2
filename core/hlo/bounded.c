/* Elementwise operations, broadcasts and transposes keep each element at its index, whatever the
 * true size is. So does a reduction over other dimensions, and a reshape in which the bounded
 * dimension is the outermost one that is not 1: the true array is then the first part of the bound.
 * An operation without written semantics is a function of whole arrays, and a call depends if a
 * callee does. Every other operation depends on the true size. */
#include "core/hlo/bounded.h"

static bool is_bounded(const Shape *shape, uint32_t dimension) {
  return shape->dynamic != nullptr && shape->dynamic[dimension];
}

static bool operands_are_bounded(const Instruction *instruction) {
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    if (instruction->operands[i]->shape->is_bounded) return true;
  return false;
}

static bool is_bounded_outside(const Shape *shape) {
  uint32_t first = 0;
  while (first < shape->rank && shape->sizes[first] == 1 && !is_bounded(shape, first)) first++;
  for (uint32_t i = first + 1; i < shape->rank; i++)
    if (is_bounded(shape, i)) return false;
  return true;
}

/* True if the last dimension varies fastest in memory and the layout has nothing else. */
static bool is_row_major(const Shape *shape) {
  for (uint32_t i = 0; shape->has_layout && i < shape->rank; i++)
    if (shape->minor_to_major[i] != shape->rank - 1 - i) return false;
  return shape->layout_rest == nullptr;
}

static bool reduces_bounded(const Instruction *reduce) {
  for (uint32_t i = 0; i < reduce->operand_count; i++)
    for (uint32_t k = 0; k < reduce->dimensions.count; k++) {
      const Shape *shape = reduce->operands[i]->shape;
      uint32_t dimension = (uint32_t)reduce->dimensions.values[k];
      if (dimension < shape->rank && is_bounded(shape, dimension)) return true;
    }
  return false;
}

static bool reshape_depends(const Instruction *reshape) {
  const Shape *from = reshape->operands[0]->shape, *to = reshape->shape;
  bool is_memory = reshape->opcode == HLO_BITCAST;
  return !is_bounded_outside(from) || !is_bounded_outside(to) ||
         (is_memory && (!is_row_major(from) || !is_row_major(to)));
}

static bool instruction_depends(const Instruction *instruction) {
  if (!instruction->shape->is_bounded && !operands_are_bounded(instruction)) return false;
  switch ((uint32_t)opcode_family(instruction->opcode)) {
    case FAMILY_ELEMENTWISE:
    case FAMILY_SOURCE:
    case FAMILY_STRUCTURE:
    case FAMILY_CALL:
    case FAMILY_OPAQUE: return false;
    case FAMILY_REDUCE: return instruction->opcode != HLO_REDUCE || reduces_bounded(instruction);
    case FAMILY_SHAPE: break;
    default: return true;
  }
  switch ((uint32_t)instruction->opcode) {
    case HLO_BROADCAST:
    case HLO_TRANSPOSE: return false;
    case HLO_RESHAPE:
    case HLO_BITCAST: return reshape_depends(instruction);
    default: return true;
  }
}

const Instruction *instruction_bounded(const Instruction *instruction) {
  if (instruction_depends(instruction)) return instruction;
  for (uint32_t i = 0; i < instruction->called_count; i++)
    if (instruction->called[i]->bounded != nullptr) return instruction->called[i]->bounded;
  return nullptr;
}
