/* Callees are described before their callers. In each computation, the oldest value of every leaf's
 * memory is kept in the order of the instructions. */
#include "judge/graphs/buffer_callee.h"

#include <string.h>

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
  uint32_t operand = caller->opcode == HLO_CONDITIONAL ? at + 1
                                                       : (uint32_t)parameter.instruction->number;
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

/* --- descriptions --- */

static BufferLeaf oldest_of(const BufferCallee *callee, BufferLeaf made) {
  const BufferLeaf *items = callee->oldest[made.instruction->id];
  bool is_described = items != nullptr && made.leaf < shape_leaf_count(made.instruction->shape);
  return is_described ? items[made.leaf] : made;
}

BufferLeaf buffer_oldest(const Buffers *buffers, BufferLeaf made) {
  return oldest_of(buffer_callee(buffers, made.instruction->parent), made);
}

static void mark_written(BufferCallee *callee, BufferLeaf oldest) {
  if (oldest.instruction->opcode == HLO_PARAMETER)
    callee->written[buffer_number(callee->computation, oldest)] = true;
}

/* Sets the oldest values of an instruction, and marks the parameters into which it writes. */
static void describe_instruction(const Buffers *buffers, BufferCallee *callee,
    const Instruction *instruction) {
  uint32_t leaves = shape_leaf_count(instruction->shape);
  BufferLeaf *made = ARENA_NEW(buffers->arena, BufferLeaf, leaves + 1);
  callee->oldest[instruction->id] = made;
  for (uint32_t leaf = 0; leaf < leaves; leaf++) {
    BufferLeaf before;
    made[leaf] = (BufferLeaf){instruction, leaf};
    if (!buffer_updated(buffers, (BufferLeaf){instruction, leaf}, &before)) continue;
    made[leaf] = oldest_of(callee, before);
    if (buffer_is_changed(buffers, (BufferLeaf){instruction, leaf}))
      mark_written(callee, made[leaf]);
  }
  BufferLeaves effects = buffer_effects(buffers, instruction);
  for (uint32_t i = 0; i < effects.count; i++)
    mark_written(callee, oldest_of(callee, effects.items[i]));
}

static uint32_t leaf_count_of_parameters(const Computation *computation) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < computation->parameter_count; i++)
    count += shape_leaf_count(computation->parameters[i]->shape);
  return count;
}

static BufferLeaf oldest_of_root(const BufferCallee *callee, uint32_t leaf) {
  return oldest_of(callee, buffer_leaf(callee->computation->root, leaf));
}

static uint32_t find_same(Arena *arena, Table *table, const BufferCallee *callee, uint32_t leaf) {
  BufferLeaf oldest = oldest_of_root(callee, leaf);
  uint64_t hash = hash_mix(oldest.instruction->id, oldest.leaf);
  uint32_t item;
  for (TableProbe probe = table_probe(table, hash); table_next(table, &probe, &item);)
    if (buffer_is_same(oldest_of_root(callee, item), oldest)) return item;
  table_add(table, arena, hash, leaf);
  return leaf;
}

static void describe_root(const Buffers *buffers, BufferCallee *callee) {
  Table table = {};
  for (uint32_t leaf = 0; leaf < callee->root_leaf_count; leaf++) {
    BufferLeaf oldest = oldest_of_root(callee, leaf);
    callee->returned[leaf] = oldest.instruction->opcode == HLO_PARAMETER
                                 ? buffer_number(callee->computation, oldest)
                                 : no_leaf;
    callee->first[leaf] = find_same(buffers->arena, &table, callee, leaf);
  }
}

static void describe_computation(
    const Buffers *buffers, const Computation *computation, BufferCallee *callee) {
  Arena *arena = buffers->arena;
  uint32_t leaves = leaf_count_of_parameters(computation),
           root_leaves = shape_leaf_count(computation->root->shape);
  *callee = (BufferCallee){.computation = computation,
      .leaf_count = leaves,
      .root_leaf_count = root_leaves,
      .written = ARENA_NEW(arena, bool, leaves + 1),
      .returned = ARENA_NEW(arena, uint32_t, root_leaves + 1),
      .first = ARENA_NEW(arena, uint32_t, root_leaves + 1),
      .oldest = ARENA_NEW(arena, BufferLeaf *, computation->instruction_count)};
  for (uint32_t i = 0; i < computation->instruction_count; i++)
    if (!buffer_is_moved(computation->instructions[i]))
      describe_instruction(buffers, callee, computation->instructions[i]);
  describe_root(buffers, callee);
}

static void mark_fused(Buffers *buffers, const Computation *computation) {
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    const Instruction *instruction = computation->instructions[i];
    if (instruction->opcode == HLO_FUSION && instruction->called_count == 1)
      buffers->items[buffer_callee(buffers, instruction->called[0]) - buffers->items].is_fused = true;
  }
}

Buffers buffers_create(Arena *arena, const Module *module) {
  Buffers buffers = {
      .arena = arena, .items = ARENA_NEW(arena, BufferCallee, module->computation_count + 1)};
  for (uint32_t i = 0; i < module->computation_count; i++) {
    const Computation *computation = module->computations[i];
    describe_computation(&buffers, computation, &buffers.items[i]);
    table_add(&buffers.table, arena, hash_mix(0, (uintptr_t)computation), i);
    buffers.count++;
    mark_fused(&buffers, computation);
  }
  return buffers;
}
