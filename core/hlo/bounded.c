/* Decides whether an operation depends on the true size of a bounded array. Elementwise operations,
 * broadcasts and transposes keep each element at its index, whatever the true size is. So does a
 * reduction over other dimensions, and a reshape in which the bounded dimension is the outermost
 * one that is not 1: the true array is then the first part of the bound. An operation without
 * implemented semantics is a function of whole arrays. A call depends on the size if a callee does.
 * Every other operation depends on the true size.
 *
 * The true size is open if a stated shape is bounded and the operation's result is not, or the
 * other way round; the same holds for a parameter and its argument. If a module has several unknown
 * sizes, an operation whose result may be a constant depends on them, because the same elements may
 * have different counts. */
#include "core/hlo/bounded.h"

#include <string.h>

#include "core/hlo/verify/check.h"

static bool operands_are_bounded(const Instruction *instruction) {
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    if (instruction->operands[i]->shape->is_bounded) return true;
  return false;
}

/* True if a parameter or the result of a called computation is bounded. */
static bool callees_are_bounded(const Instruction *instruction) {
  for (uint32_t i = 0; i < instruction->called_count; i++) {
    const Computation *callee = instruction->called[i];
    if (callee->root->shape->is_bounded) return true;
    for (uint32_t k = 0; k < callee->parameter_count; k++)
      if (callee->parameters[k]->shape->is_bounded) return true;
  }
  return false;
}

/* The operand that a callee's parameter stands for. */
static const Shape *argument_shape(const Instruction *call, uint32_t callee, uint32_t parameter) {
  uint32_t operand = call->opcode == HLO_CONDITIONAL ? callee + 1 : parameter;
  return call->operands[operand]->shape;
}

/* True if parameters are bounded where the arguments are, and results of callees where the result
 * is. */
static bool call_keeps_bounds(const Instruction *call) {
  bool starts = call->opcode == HLO_ASYNC_START;
  const Shape *result = starts ? call->shape->elements[1] : call->shape;
  for (uint32_t i = 0; i < call->called_count; i++) {
    const Computation *callee = call->called[i];
    bool is_condition = strcmp(call->called_roles[i], "condition") == 0;
    if (!is_condition && !shape_same_bounds(callee->root->shape, result)) return false;
    for (uint32_t k = 0; k < callee->parameter_count; k++) {
      const Shape *argument = argument_shape(call, i, k);
      if (!shape_same_bounds(callee->parameters[k]->shape, argument)) return false;
      if (starts && !shape_same_bounds(call->shape->elements[0]->elements[k], argument))
        return false;
    }
  }
  return true;
}

/* True if the stated shape is bounded where the operation's result is. */
static bool shape_keeps_bounds(Arena *scratch, const Instruction *instruction) {
  const Shape *shape = instruction->shape, *inferred;
  Error error = {};
  Check check = {.arena = scratch, .instruction = instruction, .error = &error};
  if (instruction->opcode == HLO_COPY_START)
    return shape_same_bounds(shape->elements[0], instruction->operands[0]->shape) &&
           shape_same_bounds(shape->elements[1], instruction->operands[0]->shape);
  return infer_shape(&check, &inferred) &&
         (inferred == nullptr || shape_same_bounds(inferred, shape));
}

static bool instruction_keeps_bounds(Arena *scratch, const Instruction *instruction) {
  OpcodeFamily family = opcode_family(instruction->opcode);
  if (family == FAMILY_SOURCE)
    return instruction->opcode == HLO_PARAMETER || !instruction->shape->is_bounded;
  return shape_keeps_bounds(scratch, instruction) &&
         (family != FAMILY_CALL || call_keeps_bounds(instruction));
}

static bool is_bounded_outside(const Shape *shape) {
  uint32_t first = 0;
  while (first < shape->rank && shape->sizes[first] == 1 && !shape_has_bound(shape, first)) first++;
  for (uint32_t i = first + 1; i < shape->rank; i++)
    if (shape_has_bound(shape, i)) return false;
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
      if (dimension < shape->rank && shape_has_bound(shape, dimension)) return true;
    }
  return false;
}

/* True if the arrays of a reshape, or of a bitcast, `is_memory`, may differ in their true sizes, or
 * in where these put the elements. */
static bool array_depends(const Shape *from, const Shape *to, bool is_memory) {
  return from->is_bounded != to->is_bounded || !is_bounded_outside(from) ||
         !is_bounded_outside(to) || (is_memory && (!is_row_major(from) || !is_row_major(to)));
}

static bool reshape_depends(const Instruction *reshape) {
  const Shape *from = reshape->operands[0]->shape, *to = reshape->shape;
  for (uint32_t i = 0; i < shape_leaf_count(to); i++)
    if (array_depends(shape_leaf(from, i), shape_leaf(to, i), reshape->opcode == HLO_BITCAST))
      return true;
  return false;
}

/* True if the elements of the result may be the same for operands of which the sizes differ: 0 is
 * the value of x - x, whatever the size of x is. */
static bool forgets_operands(const Instruction *instruction) {
  return instruction->operand_count > 1 || instruction->opcode == HLO_IMAG ||
         instruction->opcode == HLO_MAP;
}

/* The bounded dimensions whose sizes no operand determines. An instruction that may run several
 * times counts twice. */
static uint32_t own_bounds(const Instruction *instruction) {
  OpcodeFamily family = opcode_family(instruction->opcode);
  const Computation *parent = instruction->parent;
  bool is_own = instruction->opcode == HLO_PARAMETER ? parent->is_entry : family == FAMILY_OPAQUE;
  uint32_t count = 0;
  if (!is_own || !instruction->shape->is_bounded) return 0;
  for (uint32_t i = 0; i < shape_leaf_count(instruction->shape); i++) {
    const Shape *leaf = shape_leaf(instruction->shape, i);
    for (uint32_t k = 0; k < leaf->rank; k++) count += shape_has_bound(leaf, k);
  }
  return parent->is_entry ? count : 2 * count;
}

static bool instruction_depends(
    Arena *scratch, const Instruction *instruction, bool has_many_bounds) {
  bool has_bound = instruction->shape->is_bounded || operands_are_bounded(instruction) ||
                   callees_are_bounded(instruction) ||
                   instruction->opcode == HLO_SET_DIMENSION_SIZE;
  if (!has_bound) return false;
  if (!instruction_keeps_bounds(scratch, instruction)) return true;
  switch (opcode_family(instruction->opcode)) {
    case FAMILY_ELEMENTWISE: return has_many_bounds && forgets_operands(instruction);
    case FAMILY_SOURCE:
    case FAMILY_STRUCTURE:
    case FAMILY_CALL:
    case FAMILY_OPAQUE: return false;
    case FAMILY_REDUCE:
      return instruction->opcode != HLO_REDUCE || reduces_bounded(instruction) ||
             (has_many_bounds && instruction->shape->is_bounded);
    case FAMILY_CONTRACT:
    case FAMILY_DYNAMIC:
    case FAMILY_ORDER:
    case FAMILY_COLLECTIVE: return true;
    case FAMILY_SHAPE: break;
  }
  Opcode opcode = instruction->opcode;
  if (opcode == HLO_RESHAPE || opcode == HLO_BITCAST) return reshape_depends(instruction);
  return opcode != HLO_BROADCAST && opcode != HLO_TRANSPOSE;
}

static const Instruction *first_bounded(
    Arena *scratch, const Instruction *instruction, bool has_many_bounds) {
  if (instruction_depends(scratch, instruction, has_many_bounds)) return instruction;
  for (uint32_t i = 0; i < instruction->called_count; i++)
    if (instruction->called[i]->bounded != nullptr) return instruction->called[i]->bounded;
  return nullptr;
}

static uint32_t module_bounds(const Module *module) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < module->computation_count; i++)
    for (uint32_t k = 0; k < module->computations[i]->instruction_count; k++)
      count += own_bounds(module->computations[i]->instructions[k]);
  return count;
}

void hlo_mark_bounded(Arena *scratch, Module *module) {
  bool has_many_bounds = module_bounds(module) > 1;
  for (uint32_t i = 0; i < module->computation_count; i++) {
    Computation *computation = module->computations[i];
    for (uint32_t k = 0; computation->bounded == nullptr && k < computation->instruction_count; k++)
      computation->bounded = first_bounded(scratch, computation->instructions[k], has_many_bounds);
  }
}
