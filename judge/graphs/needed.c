/* Goes from the entry, which comes last, to the computations that are called. */
#include "judge/graphs/needed.h"

#include "core/hlo/header.h"
#include "judge/graphs/effects.h"

/* What is known of the computations of a module, by their place in it. */
typedef struct NeededSearch {
  const Module *module;
  bool is_scheduled;
  bool *has_effect; /* here or in what is called */
  bool *reached;    /* from the entry, by what is needed */
} NeededSearch;

static bool calls_any(
    const NeededSearch *search, const Instruction *instruction, const bool *marks) {
  for (uint32_t i = 0; i < instruction->called_count; i++)
    for (uint32_t k = 0; k < search->module->computation_count; k++)
      if (search->module->computations[k] == instruction->called[i] && marks[k]) return true;
  return false;
}

static bool makes_effect(const NeededSearch *search, const Instruction *instruction) {
  return instruction_has_effect(instruction) || calls_any(search, instruction, search->has_effect);
}

static void set_effects(const NeededSearch *search) {
  for (uint32_t i = 0; i < search->module->computation_count; i++) {
    const Computation *computation = search->module->computations[i];
    for (uint32_t k = 0; k < computation->instruction_count && !search->has_effect[i]; k++)
      search->has_effect[i] = makes_effect(search, computation->instructions[k]);
  }
}

/* By instruction: the root or an effect depends on it. */
static bool *needed_marks(
    Arena *arena, const NeededSearch *search, const Computation *computation) {
  bool *marks = ARENA_NEW(arena, bool, computation->instruction_count);
  for (uint32_t i = computation->instruction_count; i-- > 0;) {
    const Instruction *instruction = computation->instructions[i];
    marks[i] |= search->is_scheduled || instruction == computation->root ||
                makes_effect(search, instruction);
    for (uint32_t k = 0; marks[i] && k < instruction->operand_count; k++)
      marks[instruction->operands[k]->id] = true;
    if (marks[i]) mark_control_predecessors(instruction, true, marks);
  }
  return marks;
}

static void mark_called(const NeededSearch *search, const Instruction *instruction) {
  for (uint32_t i = 0; i < instruction->called_count; i++)
    for (uint32_t k = 0; k < search->module->computation_count; k++)
      search->reached[k] |= search->module->computations[k] == instruction->called[i];
}

NeededParts needed_parts(Arena *arena, const Module *module) {
  NeededParts parts = {.marks = ARENA_NEW(arena, bool *, module->computation_count)};
  NeededSearch search = {.module = module,
      .is_scheduled = module_is_scheduled(module),
      .has_effect = ARENA_NEW(arena, bool, module->computation_count),
      .reached = ARENA_NEW(arena, bool, module->computation_count)};
  set_effects(&search);
  for (uint32_t i = module->computation_count; i-- > 0;) {
    const Computation *computation = module->computations[i];
    search.reached[i] |= computation == module->entry;
    if (!search.reached[i]) continue;
    parts.marks[i] = needed_marks(arena, &search, computation);
    for (uint32_t k = 0; k < computation->instruction_count; k++)
      if (parts.marks[i][k]) mark_called(&search, computation->instructions[k]);
  }
  return parts;
}
