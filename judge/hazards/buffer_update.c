/* Follows an update in place to the value that it overwrites. It does not track which elements a
 * scatter, a loop, a callee or a collective overwrites. */
#include "judge/hazards/buffer_update.h"

#include <string.h>

#include "judge/hazards/alias.h"
#include "oracle/hazards/hazard.h"

/* The operand that the operation updates in place, in elements that are not followed; or
 * not_updated. */
static constexpr uint32_t not_updated = UINT32_MAX;

typedef enum UnfollowedUpdate : uint8_t {
  UPDATE_NONE, /* or one that is followed (buffer_values.c) */
  UPDATE_FIRST,
  UPDATE_SECOND,
  UPDATE_LEAF,         /* the operand with the number of the output's leaf */
  UPDATE_LEAF_AT_DONE, /* the same; the start's own output is another array */
  UPDATE_SLICES,       /* the second operand, in the form with slices */
  UPDATE_SLICES_AT_DONE,
} UnfollowedUpdate;

static const UnfollowedUpdate updates[opcode_count] = {
    [HLO_SCATTER] = UPDATE_LEAF,
    [HLO_ALL_REDUCE_START] = UPDATE_LEAF_AT_DONE,
    [HLO_RAGGED_ALL_TO_ALL] = UPDATE_SECOND,
    [HLO_COLLECTIVE_PERMUTE] = UPDATE_SLICES,
    [HLO_COLLECTIVE_PERMUTE_START] = UPDATE_SLICES_AT_DONE,
    [HLO_WHILE] = UPDATE_FIRST,
    [HLO_SET_DIMENSION_SIZE] = UPDATE_FIRST,
};
static constexpr uint32_t updating_families =
    1U << FAMILY_DYNAMIC | 1U << FAMILY_CALL | 1U << FAMILY_COLLECTIVE | 1U << FAMILY_OPAQUE;
static constexpr uint32_t may_update = 0
#define OPCODE(id, text, least, most, group, effect) +(updating_families >> family_of_##group & 1)
#include "core/hlo/opcodes.def"
#undef OPCODE
    ;
static_assert(may_update == 39, "a new opcode: which operand does it update in place?");

static uint32_t updated_operand(BufferLeaf made) {
  const Instruction *begin = buffer_begin(made.instruction);
  bool is_done = made.instruction != begin;
  switch (updates[begin->opcode]) {
    case UPDATE_NONE: return not_updated;
    case UPDATE_FIRST: return 0;
    case UPDATE_SECOND: return 1;
    case UPDATE_LEAF: return made.leaf;
    case UPDATE_LEAF_AT_DONE: return is_done ? made.leaf : not_updated;
    case UPDATE_SLICES: return instruction_permutes_slices(begin) ? 1 : not_updated;
    case UPDATE_SLICES_AT_DONE:
      return is_done && instruction_permutes_slices(begin) ? 1 : not_updated;
  }
  return not_updated;
}

static bool find_unfollowed(BufferLeaf made, BufferLeaf *before) {
  const Instruction *begin = buffer_begin(made.instruction);
  uint32_t operand = updated_operand(made);
  if (operand >= begin->operand_count) return false;
  const Instruction *from = begin->operands[operand];
  *before = buffer_leaf(from, shape_is_tuple(from->shape) ? made.leaf : 0);
  return true;
}

/* The operand into which the instruction, or its start, states that it writes. The output of an
 * asynchronous operation is the second element of its start. */
static bool buffer_stated(const Buffers *buffers, BufferLeaf made, BufferLeaf *before) {
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

bool buffer_is_unfollowed(const Buffers *buffers, BufferLeaf made) {
  uint32_t parameter, leaf;
  BufferLeaf before;
  bool is_fusion = made.instruction->opcode == HLO_FUSION;
  return !(is_fusion && buffer_stated(buffers, made, &before)) &&
         !is_followed_update(buffers, made, &parameter, &leaf);
}

/* The body hands the leaf on as it is, and the condition leaves it as it is. */
static bool keeps_leaf(const Buffers *buffers, const Instruction *loop, uint32_t leaf) {
  bool keeps = true;
  for (uint32_t i = 0; i < loop->called_count; i++) {
    const BufferCallee *callee = buffer_callee(buffers, loop->called[i]);
    bool is_body = strcmp(loop->called_roles[i], "body") == 0;
    keeps &= leaf < callee->leaf_count && !callee->written[leaf] &&
             (!is_body || (leaf < callee->root_leaf_count && callee->returned[leaf] == leaf));
  }
  return keeps;
}

bool buffer_is_changed(const Buffers *buffers, BufferLeaf made) {
  const Instruction *caller = buffer_caller(made.instruction);
  BufferLeaf stated;
  bool is_stated = made.instruction == caller && buffer_stated(buffers, made, &stated);
  if (caller == nullptr || is_stated) return true;
  return caller->opcode == HLO_WHILE && !keeps_leaf(buffers, caller, made.leaf);
}

BufferLeaf buffer_memory(const Buffers *buffers, BufferLeaf made) {
  BufferLeaf before;
  bool is_fused = buffer_callee(buffers, made.instruction->parent)->is_fused;
  if (buffers->is_scheduled || is_fused) return buffer_oldest(buffers, made);
  while (buffer_updated(buffers, made, &before) && !buffer_is_changed(buffers, made)) made = before;
  return made;
}

bool buffer_may_update(const Instruction *instruction) {
  const Instruction *begin = buffer_begin(instruction);
  return begin->opcode == HLO_DYNAMIC_UPDATE_SLICE || begin->opcode == HLO_FUSION ||
         buffer_caller(instruction) != nullptr ||
         updated_operand((BufferLeaf){instruction, 0}) != not_updated ||
         instruction_attribute(begin, "output_to_operand_aliasing") != nullptr;
}
