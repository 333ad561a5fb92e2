/* Finds the oldest value of the memory of every leaf, in the order of the instructions. */
#include "judge/hazards/buffer_describe.h"

#include "core/hlo/header.h"
#include "judge/hazards/buffer_update.h"

static void mark_written(BufferCallee *callee, BufferLeaf oldest) {
  if (oldest.instruction->opcode == HLO_PARAMETER)
    callee->written[buffer_number(callee->computation, oldest)] = true;
}

/* Sets the oldest values of an instruction, and marks the parameters into which it writes. */
static void describe_instruction(
    const Buffers *buffers, BufferCallee *callee, const Instruction *instruction) {
  uint32_t leaves = shape_leaf_count(instruction->shape);
  BufferLeaf *made = ARENA_NEW(buffers->arena, BufferLeaf, leaves + 1);
  callee->oldest[instruction->id] = made;
  for (uint32_t leaf = 0; leaf < leaves; leaf++) {
    BufferLeaf before;
    made[leaf] = (BufferLeaf){instruction, leaf};
    if (!buffer_updated(buffers, (BufferLeaf){instruction, leaf}, &before)) continue;
    made[leaf] = buffer_oldest_in(callee, before);
    if (buffer_is_changed(buffers, (BufferLeaf){instruction, leaf}))
      mark_written(callee, made[leaf]);
  }
  BufferLeaves effects = buffer_effects(buffers, instruction);
  for (uint32_t i = 0; i < effects.count; i++)
    mark_written(callee, buffer_oldest_in(callee, effects.items[i]));
}

static uint32_t leaf_count_of_parameters(const Computation *computation) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < computation->parameter_count; i++)
    count += shape_leaf_count(computation->parameters[i]->shape);
  return count;
}

static BufferLeaf oldest_of_root(const BufferCallee *callee, uint32_t leaf) {
  return buffer_oldest_in(callee, buffer_leaf(callee->computation->root, leaf));
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
      buffers->items[buffer_callee(buffers, instruction->called[0]) - buffers->items].is_fused =
          true;
  }
}

Buffers buffers_create(Arena *arena, const Module *module) {
  Buffers buffers = {.arena = arena,
      .is_scheduled = module_is_scheduled(module),
      .items = ARENA_NEW(arena, BufferCallee, module->computation_count + 1)};
  for (uint32_t i = 0; i < module->computation_count; i++) {
    const Computation *computation = module->computations[i];
    describe_computation(&buffers, computation, &buffers.items[i]);
    table_add(&buffers.table, arena, hash_mix(0, (uintptr_t)computation), i);
    buffers.count++;
    mark_fused(&buffers, computation);
  }
  return buffers;
}
