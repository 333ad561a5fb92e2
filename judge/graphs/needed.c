/* Starts from the result, and from the effects of each computation that is reached. */
#include "judge/graphs/needed.h"

#include "core/hlo/header.h"
#include "judge/graphs/effects.h"
#include "judge/graphs/leaf_needs.h"

/* What is known of the computations of a module, by their place in it. */
typedef struct NeededSearch {
  LeafNeeds leaves;
  bool runs_all;
  bool *has_effect; /* here or in what is called */
  bool *is_started; /* its effects are marked */
} NeededSearch;

static bool makes_effect(const NeededSearch *search, const Instruction *instruction) {
  bool makes = instruction_has_effect(instruction);
  for (uint32_t i = 0; i < instruction->called_count && !makes; i++)
    makes = search->has_effect[leaf_needs_place(&search->leaves, instruction->called[i])];
  return makes;
}

static void set_effects(const NeededSearch *search) {
  for (uint32_t i = 0; i < search->leaves.module->computation_count; i++) {
    const Computation *computation = search->leaves.module->computations[i];
    for (uint32_t k = 0; k < computation->instruction_count && !search->has_effect[i]; k++)
      search->has_effect[i] = makes_effect(search, computation->instructions[k]);
  }
}

static void mark_effects(NeededSearch *search, const Computation *computation) {
  for (uint32_t i = 0; i < computation->instruction_count; i++)
    if (search->runs_all) leaf_needs_mark_all(&search->leaves, computation->instructions[i]);
    else if (makes_effect(search, computation->instructions[i]))
      leaf_needs_mark_run(&search->leaves, computation->instructions[i]);
}

/* False if the effects of all computations that are reached were marked before. */
static bool mark_reached(NeededSearch *search) {
  bool goes_on = false;
  for (uint32_t i = search->leaves.module->computation_count; i-- > 0;) {
    if (!search->leaves.parts[i].is_reached || search->is_started[i]) continue;
    search->is_started[i] = goes_on = true;
    mark_effects(search, search->leaves.module->computations[i]);
  }
  return goes_on;
}

NeededParts needed_parts(Arena *arena, const Module *module, NeededBy by) {
  bool runs = by == NEEDED_BY_RUNS;
  NeededParts parts = {
      .module = module, .marks = ARENA_NEW(arena, const bool *, module->computation_count)};
  NeededSearch search = {.leaves = leaf_needs_create(
                             arena, module, runs ? LEAVES_WITH_CONTROL : LEAVES_OF_VALUES, true),
      .runs_all = runs && module_is_scheduled(module),
      .has_effect = ARENA_NEW(arena, bool, module->computation_count),
      .is_started = ARENA_NEW(arena, bool, module->computation_count)};
  set_effects(&search);
  leaf_needs_mark_all(&search.leaves, module->entry->root);
  while (mark_reached(&search)) leaf_needs_close(&search.leaves);
  for (uint32_t i = 0; i < module->computation_count; i++)
    if (search.leaves.parts[i].is_reached) parts.marks[i] = search.leaves.parts[i].marks;
  return parts;
}

bool is_needed(const NeededParts *parts, const Instruction *instruction) {
  uint32_t place = 0;
  while (parts->module->computations[place] != instruction->parent) place++;
  return parts->marks[place] != nullptr && parts->marks[place][instruction->id];
}
