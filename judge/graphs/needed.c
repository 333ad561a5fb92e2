/* Starts from the result, and from the effects of each computation that is reached. */
#include "judge/graphs/needed.h"

#include "core/hlo/header.h"
#include "judge/graphs/effects.h"

/* What is known of the computations of a module, by their place in it. */
typedef struct NeededSearch {
  LeafNeeds *leaves;
  bool runs_all;
  bool *has_effect; /* here or in what is called */
  uint32_t started; /* the effects of so many parts are marked */
} NeededSearch;

static bool makes_effect(const NeededSearch *search, const Instruction *instruction) {
  bool makes = instruction_has_effect(instruction);
  for (uint32_t i = 0; i < instruction->called_count && !makes; i++)
    makes = search->has_effect[leaf_needs_place(search->leaves, instruction->called[i])];
  return makes;
}

static void set_effects(const NeededSearch *search) {
  const Module *module = search->leaves->module;
  for (uint32_t i = 0; i < module->computation_count; i++) {
    const Computation *computation = module->computations[i];
    for (uint32_t k = 0; k < computation->instruction_count && !search->has_effect[i]; k++)
      search->has_effect[i] = makes_effect(search, computation->instructions[k]);
  }
}

static void mark_effects(const NeededSearch *search, LeafPart *part) {
  for (uint32_t i = 0; i < part->computation->instruction_count; i++) {
    const Instruction *instruction = part->computation->instructions[i];
    if (search->runs_all) leaf_needs_mark_all(part, instruction);
    else if (makes_effect(search, instruction)) leaf_needs_mark_run(part, instruction);
  }
}

/* False if the effects of all parts were marked before. */
static bool mark_reached(NeededSearch *search) {
  const LeafParts *parts = &search->leaves->parts;
  bool goes_on = search->started < parts->count;
  while (search->started < parts->count) mark_effects(search, parts->items[search->started++]);
  return goes_on;
}

NeededParts needed_parts(Arena *arena, const Module *module, NeededBy by) {
  static constexpr LeafOrder orders[] = {[NEEDED_FOR_CERTAIN] = LEAVES_FOR_CERTAIN,
      [NEEDED_BY_VALUES] = LEAVES_OF_VALUES,
      [NEEDED_BY_RUNS] = LEAVES_WITH_CONTROL};
  NeededParts parts = {.leaves = leaf_needs_create(arena, module, orders[by], true)};
  NeededSearch search = {.leaves = &parts.leaves,
      .runs_all = by == NEEDED_BY_RUNS && module_is_scheduled(module),
      .has_effect = ARENA_NEW(arena, bool, module->computation_count)};
  set_effects(&search);
  leaf_needs_mark_all(leaf_needs_part(&parts.leaves, module->entry), module->entry->root);
  while (mark_reached(&search)) leaf_needs_close(&parts.leaves);
  parts.is_cut = parts.leaves.is_cut;
  return parts;
}

bool is_needed(const NeededParts *parts, const Instruction *instruction) {
  return leaf_needs_has(&parts->leaves, instruction);
}
