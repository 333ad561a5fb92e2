/* Queries the descriptions of callees (judge/hazards/buffer_describe.h). */
#include "judge/hazards/buffer_callee.h"

const BufferCallee *buffer_callee(const Buffers *buffers, const Computation *computation) {
  uint32_t item;
  for (TableProbe probe = table_probe(&buffers->table, hash_mix(0, (uintptr_t)computation));
      table_next(&buffers->table, &probe, &item);)
    if (buffers->items[item].computation == computation) return &buffers->items[item];
  return nullptr;
}

const Instruction *buffer_caller(const Instruction *instruction) {
  while (instruction->opcode == HLO_ASYNC_DONE || instruction->opcode == HLO_ASYNC_UPDATE)
    instruction = instruction->operands[0];
  bool takes_memory = instruction->opcode == HLO_CALL || instruction->opcode == HLO_CONDITIONAL ||
                      instruction->opcode == HLO_WHILE || instruction->opcode == HLO_ASYNC_START;
  return takes_memory ? instruction : nullptr;
}

BufferLeaf buffer_parameter(const Computation *computation, uint32_t leaf) {
  for (uint32_t i = 0; i < computation->parameter_count; i++) {
    uint32_t leaves = shape_leaf_count(computation->parameters[i]->shape);
    if (leaf < leaves) return (BufferLeaf){computation->parameters[i], leaf};
    leaf -= leaves;
  }
  return (BufferLeaf){};
}

bool buffer_passed(const Instruction *caller, uint32_t at, uint32_t leaf, BufferLeaf *memory) {
  BufferLeaf parameter = buffer_parameter(caller->called[at], leaf);
  if (parameter.instruction == nullptr) return false;
  uint32_t operand =
      caller->opcode == HLO_CONDITIONAL ? at + 1 : (uint32_t)parameter.instruction->number;
  if (operand >= caller->operand_count) return false;
  *memory = buffer_leaf(caller->operands[operand], parameter.leaf);
  return true;
}

uint32_t buffer_number(const Computation *computation, BufferLeaf parameter) {
  uint32_t number = parameter.leaf;
  for (uint32_t i = 0; i < parameter.instruction->number; i++)
    number += shape_leaf_count(computation->parameters[i]->shape);
  return number;
}

/* The callee returns one value as two leaves: the second is in the memory of the first. */
static bool find_first(
    const Buffers *buffers, const Instruction *caller, BufferLeaf made, BufferLeaf *before) {
  for (uint32_t i = 0; i < caller->called_count; i++) {
    const BufferCallee *callee = buffer_callee(buffers, caller->called[i]);
    if (made.leaf >= callee->root_leaf_count || callee->first[made.leaf] == made.leaf) continue;
    *before = (BufferLeaf){made.instruction, callee->first[made.leaf]};
    return true;
  }
  return false;
}

bool buffer_returned(const Buffers *buffers, BufferLeaf made, BufferLeaf *before) {
  const Instruction *caller = buffer_caller(made.instruction);
  bool ends = caller != nullptr && caller->opcode != HLO_WHILE &&
              (caller->opcode != HLO_ASYNC_START || made.instruction->opcode == HLO_ASYNC_DONE);
  for (uint32_t i = 0; ends && i < caller->called_count; i++) {
    const BufferCallee *callee = buffer_callee(buffers, caller->called[i]);
    if (made.leaf < callee->root_leaf_count && callee->returned[made.leaf] != no_leaf &&
        buffer_passed(caller, i, callee->returned[made.leaf], before))
      return true;
  }
  return ends && find_first(buffers, caller, made, before);
}

BufferLeaves buffer_effects(const Buffers *buffers, const Instruction *instruction) {
  BufferLeaves effects = {};
  if (buffer_caller(instruction) != instruction || instruction->opcode == HLO_WHILE) return effects;
  for (uint32_t i = 0; i < instruction->called_count; i++) {
    const BufferCallee *callee = buffer_callee(buffers, instruction->called[i]);
    BufferLeaf memory;
    for (uint32_t leaf = 0; leaf < callee->leaf_count; leaf++)
      if (callee->written[leaf] && buffer_passed(instruction, i, leaf, &memory))
        *ARENA_PUSH(buffers->arena, &effects) = memory;
  }
  return effects;
}

BufferLeaf buffer_oldest_in(const BufferCallee *callee, BufferLeaf made) {
  const BufferLeaf *items = callee->oldest[made.instruction->id];
  bool is_described = items != nullptr && made.leaf < shape_leaf_count(made.instruction->shape);
  return is_described ? items[made.leaf] : made;
}

BufferLeaf buffer_oldest(const Buffers *buffers, BufferLeaf made) {
  return buffer_oldest_in(buffer_callee(buffers, made.instruction->parent), made);
}
