/* Compares memory by its oldest value. A constant is copied into each buffer that holds it. A token
 * has no buffer. */
#include "judge/hazards/hazard_conflicts.h"

#include <string.h>

#include "judge/hazards/buffer_update.h"
#include "judge/hazards/buffer_values.h"

static void add_undecided(const Buffers *buffers, const Instruction *instruction, const char *why,
    uint32_t output, BufferLeaf operand, const char *undecided, HazardPairs *pairs) {
  *ARENA_PUSH(buffers->arena, pairs) = (HazardPair){.fusion = instruction,
      .why = why,
      .question = {.kernel = instruction->parent,
          .output = output,
          .parameter = (uint32_t)operand.instruction->number,
          .parameter_leaf = operand.leaf,
          .reads_after = true,
          .undecided = undecided}};
}

/* One more than the output that is there, or 0. */
typedef struct Holders {
  uint32_t *of_leaf;  /* [leaf of a parameter]: stored in its buffer */
  uint32_t *of_first; /* [leaf of the root]: in the memory of this output */
} Holders;

/* Why the output cannot be stored in the buffer without a copy; nullptr: it can. */
static const char *conflict_of(
    const Buffers *buffers, const HazardShared *shared, const Holders *holders) {
  const Computation *computation = shared->computation;
  const BufferCallee *callee = buffer_callee(buffers, computation);
  uint32_t returned = callee->returned[shared->output],
           first = holders->of_first[callee->first[shared->output]],
           other = holders->of_leaf[shared->leaf];
  const Instruction *oldest =
      buffer_oldest(buffers, buffer_leaf(computation->root, shared->output)).instruction;
  if (!shape_is_array(shape_leaf(computation->root->shape, shared->output))) return nullptr;
  if (returned != no_leaf && returned != shared->leaf)
    return arena_printf(buffers->arena, "the output is in the buffer of '%s'", oldest->name);
  if (other == 0 && oldest->opcode != HLO_CONSTANT) other = first;
  return other == 0 ? nullptr
                    : arena_printf(buffers->arena, "output %u is in the same buffer", other - 1);
}

void hazard_add_exchanges(const Buffers *buffers, const HazardShared *shared, uint32_t count,
    const char *why, HazardPairs *pairs) {
  if (count == 0) return;
  const Computation *computation = shared->computation;
  const BufferCallee *callee = buffer_callee(buffers, computation);
  Holders holders = {.of_leaf = ARENA_NEW(buffers->arena, uint32_t, callee->leaf_count + 1),
      .of_first = ARENA_NEW(buffers->arena, uint32_t, callee->root_leaf_count + 1)};
  for (uint32_t i = 0; i < count; i++) {
    const char *conflict = conflict_of(buffers, &shared[i], &holders);
    if (conflict != nullptr)
      add_undecided(buffers, computation->root, why, shared[i].output,
          buffer_parameter(computation, shared[i].leaf), conflict, pairs);
    holders.of_leaf[shared[i].leaf] = shared[i].output + 1;
    holders.of_first[callee->first[shared[i].output]] = shared[i].output + 1;
  }
}

/* How many operands' leaves of the instruction are the memory with this oldest value. */
static uint32_t count_reads(
    const Buffers *buffers, const Instruction *instruction, BufferLeaf memory) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    for (uint32_t k = 0; k < shape_leaf_count(instruction->operands[i]->shape); k++)
      count +=
          buffer_is_same(buffer_memory(buffers, buffer_leaf(instruction->operands[i], k)), memory);
  return count;
}

void hazard_add_fused(const Buffers *buffers, BufferLeaf made, HazardPairs *pairs) {
  BufferLeaf writer, before;
  if (!buffer_fused(buffers, made, &writer, &before)) return;
  const Instruction *fusion = made.instruction;
  const Computation *fused = fusion->called[0];
  uint32_t reads = 0;
  for (uint32_t i = 0; i < fused->instruction_count; i++)
    if (!buffer_is_moved(fused->instructions[i]) || fused->instructions[i] == fused->root)
      reads += count_reads(buffers, fused->instructions[i], before);
  BufferLeaf memory = buffer_memory(
      buffers, buffer_leaf(fusion->operands[before.instruction->number], before.leaf));
  if (reads + count_reads(buffers, fusion, memory) == 2) return;
  add_undecided(buffers, fusion, "update in place", made.leaf, before,
      arena_printf(
          buffers->arena, "which elements '%s' overwrites is not known", writer.instruction->name),
      pairs);
}

/* Whether the callee may change what it takes as this leaf. */
static bool changes_leaf(
    const Buffers *buffers, const Instruction *caller, const BufferCallee *callee, uint32_t leaf) {
  return caller->opcode == HLO_WHILE ? buffer_is_changed(buffers, (BufferLeaf){caller, leaf})
                                     : callee->written[leaf];
}

/* Two leaves of what a callee takes are one buffer, and it writes one of them. */
static void add_taken_twice(
    const Buffers *buffers, const Instruction *caller, uint32_t at, HazardPairs *pairs) {
  const BufferCallee *callee = buffer_callee(buffers, caller->called[at]);
  Table table = {};
  BufferLeaf *oldest = ARENA_NEW(buffers->arena, BufferLeaf, callee->leaf_count + 1), memory;
  for (uint32_t leaf = 0; leaf < callee->leaf_count; leaf++) {
    if (!buffer_passed(caller, at, leaf, &memory)) continue;
    oldest[leaf] = buffer_oldest(buffers, memory);
    bool is_copied = oldest[leaf].instruction->opcode == HLO_CONSTANT ||
                     !shape_is_array(shape_leaf(memory.instruction->shape, memory.leaf));
    if (is_copied) continue;
    uint64_t hash = hash_mix(oldest[leaf].instruction->id, oldest[leaf].leaf);
    uint32_t item;
    for (TableProbe probe = table_probe(&table, hash); table_next(&table, &probe, &item);) {
      bool is_changed = changes_leaf(buffers, caller, callee, leaf) ||
                        changes_leaf(buffers, caller, callee, item);
      if (!buffer_is_same(oldest[leaf], oldest[item]) || !is_changed) continue;
      add_undecided(buffers, caller, "one buffer taken twice", 0,
          buffer_parameter(callee->computation, leaf),
          arena_printf(buffers->arena, "a leaf of '%s' is in the same buffer",
              buffer_parameter(callee->computation, item).instruction->name),
          pairs);
      break;
    }
    table_add(&table, buffers->arena, hash, leaf);
  }
}

/* Whether a branch returns the leaf in the memory `before`: in that of an operand, or in that of an
 * earlier leaf. */
static bool branch_returns(const Buffers *buffers, const Instruction *conditional, uint32_t branch,
    uint32_t leaf, BufferLeaf before) {
  const BufferCallee *callee = buffer_callee(buffers, conditional->called[branch]);
  BufferLeaf memory;
  if (before.instruction == conditional)
    return callee->returned[leaf] == no_leaf && callee->first[leaf] == before.leaf;
  return callee->returned[leaf] != no_leaf &&
         buffer_passed(conditional, branch, callee->returned[leaf], &memory) &&
         buffer_is_same(buffer_oldest(buffers, memory), buffer_oldest(buffers, before));
}

/* Another branch returns other memory than the first one that returns its operand's. */
static void add_branches(
    const Buffers *buffers, const Instruction *conditional, HazardPairs *pairs) {
  for (uint32_t leaf = 0; leaf < shape_leaf_count(conditional->shape); leaf++) {
    BufferLeaf before;
    if (!buffer_returned(buffers, (BufferLeaf){conditional, leaf}, &before)) continue;
    for (uint32_t i = 0; i < conditional->called_count; i++) {
      if (branch_returns(buffers, conditional, i, leaf, before)) continue;
      add_undecided(buffers, conditional, "result of a conditional", leaf,
          (BufferLeaf){conditional->called[i]->root, 0},
          "its branches return arrays in different buffers", pairs);
      break;
    }
  }
}

/* A condition writes into what the body then reads. */
static void add_condition(const Buffers *buffers, const Instruction *loop, HazardPairs *pairs) {
  for (uint32_t i = 0; i < loop->called_count; i++) {
    const BufferCallee *callee = buffer_callee(buffers, loop->called[i]);
    bool is_condition = strcmp(loop->called_roles[i], "condition") == 0;
    for (uint32_t leaf = 0; is_condition && leaf < callee->leaf_count; leaf++)
      if (callee->written[leaf])
        add_undecided(buffers, loop, "leaf of a loop", leaf,
            buffer_parameter(callee->computation, leaf), "the condition writes into the buffer",
            pairs);
  }
}

/* Two outputs of one instruction are written into one buffer. Those of a fusion are compared
 * element by element. */
static void add_written_twice(
    const Buffers *buffers, const Instruction *instruction, HazardPairs *pairs) {
  uint32_t leaves = shape_leaf_count(instruction->shape);
  Table table = {};
  for (uint32_t leaf = 0; leaves > 1 && leaf < leaves; leaf++) {
    BufferLeaf made = {instruction, leaf}, before, oldest = buffer_oldest(buffers, made);
    if (!buffer_updated(buffers, made, &before) || !buffer_is_changed(buffers, made)) continue;
    uint64_t hash = hash_mix(oldest.instruction->id, oldest.leaf);
    uint32_t item, other = no_leaf;
    for (TableProbe probe = table_probe(&table, hash);
        other == no_leaf && table_next(&table, &probe, &item);)
      if (buffer_is_same(buffer_oldest(buffers, (BufferLeaf){instruction, item}), oldest))
        other = item;
    if (other != no_leaf)
      add_undecided(buffers, instruction, "update in place", leaf, (BufferLeaf){instruction, 0},
          arena_printf(buffers->arena, "output %u is in the same buffer", other), pairs);
    table_add(&table, buffers->arena, hash, leaf);
  }
}

/* The instruction updates an operand in place, and reads its memory through another operand. An
 * update by an array in the same order leaves each element as it is. */
static void add_read_beside(
    const Buffers *buffers, const Instruction *instruction, HazardPairs *pairs) {
  const Instruction *begin = buffer_begin(instruction);
  bool is_in_order = begin->opcode == HLO_DYNAMIC_UPDATE_SLICE &&
                     buffer_same_order(begin->operands[0]->shape, begin->operands[1]->shape);
  for (uint32_t leaf = 0; !is_in_order && leaf < shape_leaf_count(instruction->shape); leaf++) {
    BufferLeaf before;
    if (!shape_is_array(shape_leaf(instruction->shape, leaf)) ||
        !buffer_updated(buffers, (BufferLeaf){instruction, leaf}, &before))
      continue;
    BufferLeaf oldest = buffer_oldest(buffers, before);
    if (oldest.instruction->opcode == HLO_CONSTANT || count_reads(buffers, begin, oldest) < 2)
      continue;
    add_undecided(buffers, instruction, "update in place", leaf, (BufferLeaf){instruction, 0},
        "another operand is in the same buffer", pairs);
  }
}

void hazard_add_conflicts(
    const Buffers *buffers, const Instruction *instruction, HazardPairs *pairs) {
  if (instruction->opcode != HLO_FUSION && instruction->opcode != HLO_WHILE)
    add_written_twice(buffers, instruction, pairs);
  if (instruction->opcode != HLO_FUSION && buffer_caller(instruction) == nullptr)
    add_read_beside(buffers, instruction, pairs);
  if (buffer_caller(instruction) != instruction) return;
  for (uint32_t i = 0; i < instruction->called_count; i++)
    if (strcmp(instruction->called_roles[i], "condition") != 0)
      add_taken_twice(buffers, instruction, i, pairs);
  if (instruction->opcode == HLO_CONDITIONAL) add_branches(buffers, instruction, pairs);
  if (instruction->opcode == HLO_WHILE) add_condition(buffers, instruction, pairs);
}
