/* Follows a value to the instruction that makes it. */
#include "judge/hazards/buffer.h"

#include "oracle/hazards/hazard.h"

bool buffer_is_moved(const Instruction *instruction) {
  Opcode opcode = instruction->opcode;
  return opcode == HLO_BITCAST ||
         (opcode == HLO_RESHAPE && oracle_hazard_keeps_memory(instruction)) ||
         opcode == HLO_TUPLE || opcode == HLO_GET_TUPLE_ELEMENT ||
         opcode == HLO_OPTIMIZATION_BARRIER || opcode == HLO_DOMAIN || opcode == HLO_ADD_DEPENDENCY;
}

/* The opcodes whose first leaves are their operands' leaves, in order. */
static const bool hands_on[opcode_count] = {[HLO_ASYNC_START] = true,
    [HLO_ALL_GATHER_START] = true,
    [HLO_COLLECTIVE_PERMUTE_START] = true,
    [HLO_SEND] = true};

static uint32_t handed_leaves(const Instruction *instruction) {
  uint32_t count = 0;
  if (!hands_on[instruction->opcode]) return 0;
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    count += shape_leaf_count(instruction->operands[i]->shape);
  return count;
}

static BufferLeaf operand_of_leaf(const Instruction *instruction, uint32_t leaf) {
  uint32_t operand = 0;
  for (uint32_t leaves; leaf >= (leaves = shape_leaf_count(instruction->operands[operand]->shape));
      operand++)
    leaf -= leaves;
  return (BufferLeaf){instruction->operands[operand], leaf};
}

/* A start hands on its operands in its output: they stay in their memory. */
static bool handed_on(BufferLeaf *at) {
  bool is_source = at->instruction->opcode == HLO_COPY_START && at->leaf == 1;
  if (!is_source && at->leaf >= handed_leaves(at->instruction)) return false;
  *at = operand_of_leaf(at->instruction, is_source ? 0 : at->leaf);
  return true;
}

static BufferLeaf moved_leaf(const Instruction *instruction, uint32_t leaf) {
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

BufferLeaf buffer_leaf(const Instruction *instruction, uint32_t leaf) {
  BufferLeaf at = moved_leaf(instruction, leaf);
  while (handed_on(&at)) at = moved_leaf(at.instruction, at.leaf);
  return at;
}

bool buffer_is_same(BufferLeaf a, BufferLeaf b) {
  return a.instruction == b.instruction && a.leaf == b.leaf;
}

/* The opcodes that continue or end what their operand has started. */
static const bool ends_started[opcode_count] = {
    [HLO_ASYNC_UPDATE] = true,
    [HLO_ASYNC_DONE] = true,
    [HLO_COPY_DONE] = true,
    [HLO_ALL_REDUCE_DONE] = true,
    [HLO_ALL_GATHER_DONE] = true,
    [HLO_COLLECTIVE_PERMUTE_DONE] = true,
    [HLO_RECV_DONE] = true,
    [HLO_SEND_DONE] = true,
};
static constexpr uint32_t waiting_families =
    1U << FAMILY_STRUCTURE | 1U << FAMILY_CALL | 1U << FAMILY_COLLECTIVE | 1U << FAMILY_OPAQUE;
static constexpr uint32_t may_be_asynchronous = 0
#define OPCODE(id, text, least, most, group, effect) +(waiting_families >> family_of_##group & 1)
#include "core/hlo/opcodes.def"
#undef OPCODE
    ;
static_assert(may_be_asynchronous == 43, "a new opcode: does it end what its operand has started?");

const Instruction *buffer_begin(const Instruction *writer) {
  while (ends_started[writer->opcode]) writer = writer->operands[0];
  return writer;
}
