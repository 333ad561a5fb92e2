/* Follows a value to the instruction that makes it, and an update in place to the value that it
 * overwrites. A scatter and a loop are updates in place of their operands: which elements they
 * overwrite is not followed, as of any operation outside of the known families. */
#include "judge/graphs/buffer.h"

#include <string.h>

#include "judge/graphs/alias.h"
#include "judge/graphs/buffer_callee.h"
#include "oracle/terms/hazard.h"

bool buffer_is_moved(const Instruction *instruction) {
  Opcode opcode = instruction->opcode;
  return opcode == HLO_BITCAST ||
         (opcode == HLO_RESHAPE && oracle_hazard_keeps_memory(instruction)) ||
         opcode == HLO_TUPLE || opcode == HLO_GET_TUPLE_ELEMENT ||
         opcode == HLO_OPTIMIZATION_BARRIER || opcode == HLO_DOMAIN || opcode == HLO_ADD_DEPENDENCY;
}

BufferLeaf buffer_leaf(const Instruction *instruction, uint32_t leaf) {
  while (buffer_is_moved(instruction)) {
    uint32_t operand = 0;
    if (instruction->opcode == HLO_GET_TUPLE_ELEMENT)
      leaf += shape_leaf_offset(instruction->operands[0]->shape, (uint32_t)instruction->number);
    for (; instruction->opcode == HLO_TUPLE && operand < instruction->operand_count; operand++) {
      uint32_t leaves = shape_leaf_count(instruction->operands[operand]->shape);
      if (leaf < leaves) break;
      leaf -= leaves;
    }
    if (operand >= instruction->operand_count) break;
    instruction = instruction->operands[operand];
  }
  return (BufferLeaf){instruction, leaf};
}

bool buffer_is_same(BufferLeaf a, BufferLeaf b) {
  return a.instruction == b.instruction && a.leaf == b.leaf;
}

bool buffer_holds(const BufferValues *values, uint32_t count, BufferLeaf leaf) {
  for (uint32_t i = 0; i < count; i++)
    if (buffer_is_same(values->items[i].made, leaf)) return true;
  return false;
}

const Instruction *buffer_begin(const Instruction *writer) {
  for (;;) switch ((uint32_t)writer->opcode) {
      case HLO_ASYNC_UPDATE:
      case HLO_ASYNC_DONE:
      case HLO_COPY_DONE:
      case HLO_ALL_REDUCE_DONE:
      case HLO_ALL_GATHER_DONE:
      case HLO_COLLECTIVE_PERMUTE_DONE:
      case HLO_RECV_DONE:
      case HLO_SEND_DONE: writer = writer->operands[0]; break;
      default: return writer;
    }
}

/* The operand that the operation updates in place, in elements that are not followed; or
 * not_updated. */
static constexpr uint32_t not_updated = UINT32_MAX;
static uint32_t updated_operand(BufferLeaf made) {
  const Instruction *begin = buffer_begin(made.instruction);
  switch ((uint32_t)begin->opcode) {
    case HLO_SCATTER: return made.leaf;
    case HLO_ALL_REDUCE_START: return made.instruction == begin ? not_updated : made.leaf;
    case HLO_RAGGED_ALL_TO_ALL: return 1;
    case HLO_COLLECTIVE_PERMUTE: return instruction_permutes_slices(begin) ? 1 : not_updated;
    case HLO_COLLECTIVE_PERMUTE_START:
      return made.instruction != begin && instruction_permutes_slices(begin) ? 1 : not_updated;
    case HLO_WHILE:
    case HLO_SET_DIMENSION_SIZE: return 0;
    default: return not_updated;
  }
}

static bool find_unfollowed(BufferLeaf made, BufferLeaf *before) {
  const Instruction *begin = buffer_begin(made.instruction);
  uint32_t operand = updated_operand(made);
  if (operand >= begin->operand_count) return false;
  const Instruction *from = begin->operands[operand];
  *before = buffer_leaf(from, shape_is_tuple(from->shape) ? made.leaf : 0);
  return true;
}

/* The output of an asynchronous operation is the second element of its start. */
bool buffer_stated(const Buffers *buffers, BufferLeaf made, BufferLeaf *before) {
  AliasStatements statements = {};
  Error error = {};
  const Instruction *begin = buffer_begin(made.instruction);
  uint32_t leaf = made.leaf;
  if (made.instruction != begin) {
    if (!shape_is_tuple(begin->shape) || begin->shape->element_count < 2) return false;
    leaf += shape_leaf_offset(begin->shape, 1);
  }
  if (!alias_stated(buffers->arena, begin, &statements, &error)) return false;
  for (uint32_t i = 0; i < statements.count; i++)
    if (statements.items[i].output == leaf) {
      const AliasStatement *stated = &statements.items[i];
      *before = buffer_leaf(begin->operands[stated->number], stated->leaf);
      return true;
    }
  return false;
}

bool buffer_fused(const Buffers *buffers, BufferLeaf made, BufferLeaf *writer, BufferLeaf *before) {
  const Instruction *fusion = made.instruction;
  if (fusion->opcode != HLO_FUSION || fusion->called_count != 1) return false;
  *writer = buffer_leaf(fusion->called[0]->root, made.leaf);
  return buffer_updated(buffers, *writer, before) && before->instruction->opcode == HLO_PARAMETER &&
         before->instruction->number < fusion->operand_count;
}

static bool is_followed_update(
    const Buffers *buffers, BufferLeaf made, uint32_t *parameter, uint32_t *leaf) {
  const Instruction *instruction = made.instruction;
  *parameter = *leaf = 0;
  bool is_fusion = instruction->opcode == HLO_FUSION && instruction->called_count == 1;
  return instruction->opcode == HLO_DYNAMIC_UPDATE_SLICE ||
         (is_fusion && oracle_hazard_updates(
                           buffers->arena, instruction->called[0], made.leaf, parameter, leaf));
}

bool buffer_updated(const Buffers *buffers, BufferLeaf made, BufferLeaf *before) {
  uint32_t parameter, leaf;
  BufferLeaf writer;
  const Instruction *instruction = made.instruction;
  if (buffer_stated(buffers, made, before) || buffer_returned(buffers, made, before) ||
      find_unfollowed(made, before))
    return true;
  if (is_followed_update(buffers, made, &parameter, &leaf)) {
    *before = buffer_leaf(instruction->operands[parameter], leaf);
    return true;
  }
  if (!buffer_fused(buffers, made, &writer, before)) return false;
  *before = buffer_leaf(instruction->operands[before->instruction->number], before->leaf);
  return true;
}

/* Whether an update in place may overwrite any element. */
static bool is_unfollowed_update(const Buffers *buffers, BufferLeaf made) {
  uint32_t parameter, leaf;
  BufferLeaf before;
  bool is_fusion = made.instruction->opcode == HLO_FUSION;
  return !(is_fusion && buffer_stated(buffers, made, &before)) &&
         !is_followed_update(buffers, made, &parameter, &leaf);
}

/* Whether the operation makes a new array and writes each of its elements. */
static bool writes_new_array(const Instruction *instruction) {
  switch (opcode_family(instruction->opcode)) {
    case FAMILY_ELEMENTWISE:
    case FAMILY_SHAPE:
    case FAMILY_REDUCE:
    case FAMILY_CONTRACT:
    case FAMILY_ORDER: return true;
    case FAMILY_CALL: return instruction->opcode == HLO_FUSION;
    case FAMILY_DYNAMIC:
      return instruction->opcode == HLO_DYNAMIC_SLICE || instruction->opcode == HLO_GATHER;
    case FAMILY_SOURCE:
    case FAMILY_STRUCTURE:
    case FAMILY_COLLECTIVE:
    case FAMILY_OPAQUE: return false;
  }
  return false;
}

/* Whether the arrays have the same order in memory. */
static bool has_layout_of(const Shape *a, const Shape *b) {
  const char *of_a = a->layout_rest == nullptr ? "" : a->layout_rest,
             *of_b = b->layout_rest == nullptr ? "" : b->layout_rest;
  bool is_same = strcmp(of_a, of_b) == 0 && a->rank == b->rank;
  for (uint32_t i = 0; is_same && i < a->rank; i++) {
    uint32_t major = a->rank - 1 - i;
    is_same = (a->has_layout ? a->minor_to_major[i] : major) ==
              (b->has_layout ? b->minor_to_major[i] : major);
  }
  return is_same;
}

/* A copy of the buffer into itself changes nothing, unless it changes the layout. */
static bool copies_itself(BufferLeaf made, BufferLeaf parameter) {
  return made.instruction->opcode == HLO_COPY &&
         has_layout_of(made.instruction->shape, made.instruction->operands[0]->shape) &&
         buffer_is_same(buffer_leaf(made.instruction->operands[0], made.leaf), parameter);
}

/* A write into memory that its instruction does not return. */
static bool is_effect(BufferLeaf made) {
  return made.leaf >= shape_leaf_count(made.instruction->shape);
}

/* Inserts in the order of the instructions. An instruction returns memory after it wrote. */
static void values_add(const Buffers *buffers, BufferValues *values, BufferValue value) {
  const Instruction *instruction = value.made.instruction;
  if (buffer_holds(values, values->count, value.made)) return;
  *ARENA_PUSH(buffers->arena, values) = value;
  for (uint32_t i = values->count - 1;
       i > 1 && values->items[i - 1].made.instruction->id >=
                    instruction->id + (is_effect(value.made) ? 0 : 1);
       i--) {
    values->items[i] = values->items[i - 1];
    values->items[i - 1] = value;
  }
}

static BufferValue value_of_update(const Buffers *buffers, BufferLeaf made) {
  return (BufferValue){.made = made,
      .is_written = buffer_is_changed(buffers, made),
      .is_unfollowed = is_unfollowed_update(buffers, made)};
}

/* A constant is never made in a buffer of another value. */
static BufferValue value_of_first(BufferLeaf made, BufferLeaf parameter) {
  bool is_new = writes_new_array(made.instruction),
       is_made =
           made.instruction->opcode != HLO_PARAMETER && made.instruction->opcode != HLO_CONSTANT;
  return (BufferValue){.made = made,
      .is_written = is_made && !copies_itself(made, parameter),
      .is_unfollowed = is_made && !is_new};
}

/* From the last value back to the parameter or to the array that was new. A chain that ends at
 * another parameter holds values of two buffers, and nothing is added. */
static void add_chain(const Buffers *buffers, BufferValues *values, BufferLeaf last) {
  BufferLeaf first = last, parameter = values->items[0].made;
  while (!buffer_is_same(first, parameter) && buffer_updated(buffers, first, &first)) {}
  if (!buffer_is_same(first, parameter) && first.instruction->opcode == HLO_PARAMETER) return;
  for (BufferLeaf at = last; !buffer_is_same(at, first); (void)buffer_updated(buffers, at, &at))
    values_add(buffers, values, value_of_update(buffers, at));
  values_add(buffers, values, value_of_first(first, parameter));
}

static bool has_operand(const Instruction *instruction, const BufferValues *values) {
  instruction = buffer_begin(instruction);
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    for (uint32_t k = 0; k < shape_leaf_count(instruction->operands[i]->shape); k++)
      if (buffer_holds(values, values->count, buffer_leaf(instruction->operands[i], k)))
        return true;
  return false;
}

/* Writes into the buffer that the instruction does not return. */
static void add_effects(
    const Buffers *buffers, const Instruction *instruction, BufferValues *values) {
  BufferLeaves effects = buffer_effects(buffers, instruction);
  uint32_t leaves = shape_leaf_count(instruction->shape);
  for (uint32_t i = 0; i < effects.count; i++)
    if (buffer_holds(values, values->count, effects.items[i]))
      values_add(buffers, values,
          (BufferValue){
              .made = {instruction, leaves + i}, .is_written = true, .is_unfollowed = true});
}

/* Whether buffer_updated or buffer_effects may find memory; these are slower. */
static bool may_update(const Instruction *instruction) {
  const Instruction *begin = buffer_begin(instruction);
  return begin->opcode == HLO_DYNAMIC_UPDATE_SLICE || begin->opcode == HLO_FUSION ||
         buffer_caller(instruction) != nullptr ||
         updated_operand((BufferLeaf){instruction, 0}) != not_updated ||
         instruction_attribute(begin, "output_to_operand_aliasing") != nullptr;
}

/* Updates in place of values of the buffer, whether or not they lead to the last one. */
static void add_updates(const Buffers *buffers, BufferValues *values) {
  const Computation *computation = values->items[0].made.instruction->parent;
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    const Instruction *instruction = computation->instructions[i];
    if (!may_update(instruction)) continue;
    if (buffer_caller(instruction) == nullptr && !has_operand(instruction, values)) continue;
    add_effects(buffers, instruction, values);
    for (uint32_t leaf = 0; leaf < shape_leaf_count(instruction->shape); leaf++) {
      BufferLeaf made = {instruction, leaf}, before;
      if (buffer_updated(buffers, made, &before) && buffer_holds(values, values->count, before))
        values_add(buffers, values, value_of_update(buffers, made));
    }
  }
}

BufferValues buffer_values(const Buffers *buffers, BufferLeaf parameter, BufferLeaf last) {
  BufferValues values = {};
  *ARENA_PUSH(buffers->arena, &values) = (BufferValue){.made = parameter};
  add_chain(buffers, &values, last);
  add_updates(buffers, &values);
  return values;
}
