/* Follows a value to the instruction that makes it, and an update in place to the value that it
 * overwrites. An operation outside of the known families may share memory with an operand, so
 * nothing is stated about it. */
#include "judge/graphs/buffer.h"

#include "oracle/terms/hazard.h"

bool buffer_is_moved(Opcode opcode) {
  return opcode == HLO_BITCAST || opcode == HLO_RESHAPE || opcode == HLO_TUPLE ||
         opcode == HLO_GET_TUPLE_ELEMENT;
}

BufferLeaf buffer_leaf(const Instruction *instruction, uint32_t leaf) {
  while (buffer_is_moved(instruction->opcode)) {
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

/* The value that an update in place overwrites. Returns false if `made` is no such update. */
static bool buffer_updated(Arena *arena, BufferLeaf made, BufferLeaf *before) {
  const Instruction *instruction = made.instruction;
  uint32_t parameter = 0, leaf = 0;
  bool is_fusion = instruction->opcode == HLO_FUSION && instruction->called_count == 1;
  bool is_update = instruction->opcode == HLO_DYNAMIC_UPDATE_SLICE ||
                   (is_fusion && oracle_hazard_updates(
                                     arena, instruction->called[0], made.leaf, &parameter, &leaf));
  if (is_update) *before = buffer_leaf(instruction->operands[parameter], leaf);
  return is_update;
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

/* A copy of the buffer into itself changes nothing. */
static bool copies_itself(BufferLeaf made, BufferLeaf parameter) {
  return made.instruction->opcode == HLO_COPY &&
         buffer_is_same(buffer_leaf(made.instruction->operands[0], made.leaf), parameter);
}

/* Inserts in the order of the instructions. */
static void values_add(Arena *arena, BufferValues *values, BufferLeaf made, bool is_written) {
  if (buffer_holds(values, values->count, made)) return;
  *ARENA_PUSH(arena, values) = (BufferValue){made, is_written};
  for (uint32_t i = values->count - 1;
       i > 1 && values->items[i - 1].made.instruction->id > made.instruction->id; i--) {
    values->items[i] = values->items[i - 1];
    values->items[i - 1] = (BufferValue){made, is_written};
  }
}

/* From the last value back to the parameter or to the array that was new. A chain that ends at
 * another parameter holds values of two buffers, and nothing is added. */
static void add_chain(Arena *arena, BufferValues *values, BufferLeaf last) {
  BufferLeaf first = last, parameter = values->items[0].made;
  while (!buffer_is_same(first, parameter) && buffer_updated(arena, first, &first)) {}
  if (!buffer_is_same(first, parameter) && first.instruction->opcode == HLO_PARAMETER) return;
  for (BufferLeaf at = last; !buffer_is_same(at, first); (void)buffer_updated(arena, at, &at))
    values_add(arena, values, at, true);
  values_add(arena, values, first,
      writes_new_array(first.instruction) && !copies_itself(first, parameter));
}

static bool has_operand(const Instruction *instruction, const BufferValues *values) {
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    for (uint32_t k = 0; k < shape_leaf_count(instruction->operands[i]->shape); k++)
      if (buffer_holds(values, values->count, buffer_leaf(instruction->operands[i], k)))
        return true;
  return false;
}

/* Updates in place of values of the buffer, whether or not they lead to the last one. */
static void add_updates(Arena *arena, BufferValues *values) {
  const Computation *computation = values->items[0].made.instruction->parent;
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    const Instruction *instruction = computation->instructions[i];
    bool may_update =
        instruction->opcode == HLO_DYNAMIC_UPDATE_SLICE || instruction->opcode == HLO_FUSION;
    if (!may_update || !has_operand(instruction, values)) continue;
    for (uint32_t leaf = 0; leaf < shape_leaf_count(instruction->shape); leaf++) {
      BufferLeaf made = {instruction, leaf}, before;
      if (buffer_updated(arena, made, &before) && buffer_holds(values, values->count, before))
        values_add(arena, values, made, true);
    }
  }
}

BufferValues buffer_values(Arena *arena, BufferLeaf parameter, BufferLeaf last) {
  BufferValues values = {};
  *ARENA_PUSH(arena, &values) = (BufferValue){parameter, false};
  add_chain(arena, &values, last);
  add_updates(arena, &values);
  return values;
}
