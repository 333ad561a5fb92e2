/* Follows a value to the instruction that makes it. */
#include "judge/graphs/buffer.h"

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
