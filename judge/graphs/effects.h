/* Operations that do something beside giving a value: what is sent and received, and calls with a
 * side effect. A graph that has lost one, has one more or sends another value may give the same
 * values and still do something else. */
#ifndef JUDGE_EFFECTS_H
#define JUDGE_EFFECTS_H

#include "core/base/arena.h"
#include "core/hlo/graph.h"

[[nodiscard]] bool instruction_has_effect(const Instruction *instruction);

/* One effect in both modules. */
typedef struct EffectPair {
  const Instruction *sides[2]; /* before, after */
} EffectPair;

typedef struct EffectPairs {
  EffectPair *items;
  uint32_t count, capacity;
} EffectPairs;

/* The effects of both modules in pairs; of those that are alike the first of each, in the order of
 * the texts. Every computation counts once, however often it is called. Returns an operation of
 * which the modules have unequal numbers, a call by its target; nullptr: of each they have as many.
 */
[[nodiscard]] const Instruction *effects_pair(
    Arena *arena, const Module *before, const Module *after, EffectPairs *pairs);

/* A copy of an entry whose root is what stood at `root`; what it calls is shared. KEEP: the arena.
 */
[[nodiscard]] Computation *entry_ending_at(
    Arena *arena, const Computation *entry, const Instruction *root);

#endif
