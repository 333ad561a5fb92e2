/* Follows a value to the instruction that makes it, and an update in place to the value that it
 * overwrites. A scatter and a loop are updates in place of their operands: which elements they
 * overwrite is not followed, as of any operation outside of the known families. */
#include "judge/graphs/buffer.h"

#include <string.h>

#include "judge/graphs/alias.h"
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

/* Whether the operation updates its operands in place, in elements that are not followed. */
static bool updates_anywhere(const Instruction *instruction) {
  return instruction->opcode == HLO_SCATTER || instruction->opcode == HLO_WHILE;
}

/* An operation other than a fusion states that it writes into an operand. */
static bool states_alias(const Instruction *instruction) {
  return instruction->opcode != HLO_FUSION &&
         instruction_attribute(instruction, "output_to_operand_aliasing") != nullptr;
}

/* The body of a loop hands this leaf on as it is. */
static bool is_kept_by_loop(BufferLeaf made) {
  const Instruction *loop = made.instruction;
  for (uint32_t i = 0; loop->opcode == HLO_WHILE && i < loop->called_count; i++) {
    const Computation *body = loop->called[i];
    if (strcmp(loop->called_roles[i], "body") != 0 || body->parameter_count != 1) continue;
    return buffer_is_same(
        buffer_leaf(body->root, made.leaf), (BufferLeaf){body->parameters[0], made.leaf});
  }
  return false;
}

/* The operand into which the instruction states that it writes. */
static bool find_stated(Arena *arena, BufferLeaf made, BufferLeaf *before) {
  AliasStatements statements = {};
  Error error = {};
  if (!alias_stated(arena, made.instruction, &statements, &error)) return false;
  for (uint32_t i = 0; i < statements.count; i++)
    if (statements.items[i].output == made.leaf) {
      const AliasStatement *stated = &statements.items[i];
      *before = buffer_leaf(made.instruction->operands[stated->number], stated->leaf);
      return true;
    }
  return false;
}

bool buffer_updated(Arena *arena, BufferLeaf made, BufferLeaf *before) {
  const Instruction *instruction = made.instruction;
  uint32_t parameter = 0, leaf = 0;
  if (find_stated(arena, made, before)) return true;
  if (updates_anywhere(instruction)) {
    bool is_loop = instruction->opcode == HLO_WHILE;
    *before = buffer_leaf(instruction->operands[is_loop ? 0 : made.leaf], is_loop ? made.leaf : 0);
    return true;
  }
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
static void values_add(Arena *arena, BufferValues *values, BufferValue value) {
  const Instruction *instruction = value.made.instruction;
  if (buffer_holds(values, values->count, value.made)) return;
  *ARENA_PUSH(arena, values) = value;
  for (uint32_t i = values->count - 1;
       i > 1 && values->items[i - 1].made.instruction->id > instruction->id; i--) {
    values->items[i] = values->items[i - 1];
    values->items[i - 1] = value;
  }
}

static BufferValue value_of_update(BufferLeaf made) {
  return (BufferValue){.made = made,
      .is_written = !is_kept_by_loop(made),
      .is_unfollowed = updates_anywhere(made.instruction) || states_alias(made.instruction)};
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
static void add_chain(Arena *arena, BufferValues *values, BufferLeaf last) {
  BufferLeaf first = last, parameter = values->items[0].made;
  while (!buffer_is_same(first, parameter) && buffer_updated(arena, first, &first)) {}
  if (!buffer_is_same(first, parameter) && first.instruction->opcode == HLO_PARAMETER) return;
  for (BufferLeaf at = last; !buffer_is_same(at, first); (void)buffer_updated(arena, at, &at))
    values_add(arena, values, value_of_update(at));
  values_add(arena, values, value_of_first(first, parameter));
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
    bool may_update = instruction->opcode == HLO_DYNAMIC_UPDATE_SLICE ||
                      instruction->opcode == HLO_FUSION || updates_anywhere(instruction) ||
                      states_alias(instruction);
    if (!may_update || !has_operand(instruction, values)) continue;
    for (uint32_t leaf = 0; leaf < shape_leaf_count(instruction->shape); leaf++) {
      BufferLeaf made = {instruction, leaf}, before;
      if (buffer_updated(arena, made, &before) && buffer_holds(values, values->count, before))
        values_add(arena, values, value_of_update(made));
    }
  }
}

BufferValues buffer_values(Arena *arena, BufferLeaf parameter, BufferLeaf last) {
  BufferValues values = {};
  *ARENA_PUSH(arena, &values) = (BufferValue){.made = parameter};
  add_chain(arena, &values, last);
  add_updates(arena, &values);
  return values;
}
