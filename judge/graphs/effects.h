/* Operations with an effect besides their value: transfers, and calls with a side effect. Two
 * graphs may compute the same values and still behave differently: one of them may lack such an
 * operation, have another one, or send another value. */
#ifndef JUDGE_GRAPHS_EFFECTS_H
#define JUDGE_GRAPHS_EFFECTS_H

#include "core/base/arena.h"
#include "core/base/table.h"
#include "core/hlo/graph.h"

[[nodiscard]] bool instruction_has_effect(const Instruction *instruction);
/* True if it has, or if a computation that it calls has such an instruction. */
[[nodiscard]] bool instruction_runs_effect(Arena *arena, const Instruction *instruction);

/* Marks the control predecessors of the instruction. `unknown_is_any`: one that has no text is any
 * instruction above; else it is none. */
void mark_control_predecessors(const Instruction *instruction, bool unknown_is_any, bool *marks);

/* What makes one operation run after another: that it is computed from it, if only by a token, or
 * also the attribute `control-predecessors`, or the order of the text of a scheduled module. */
typedef enum EffectOrder : uint8_t {
  ORDER_OF_OPERANDS,
  ORDER_WITH_CONTROL,
  ORDER_OF_SCHEDULE
} EffectOrder;
static constexpr uint32_t effect_order_count = 3;

/* What an operation depends on in its computation. */
typedef struct EffectDependencies {
  const Instruction *of;
  uint32_t capacity;
  bool *marks; /* [instruction_count] */
} EffectDependencies;

typedef struct EffectCaller {
  const Computation *called;
  const Instruction *only; /* nullptr: there are several */
} EffectCaller;

/* What is known of one module. Keeps what the last second operation depends on, by order. */
typedef struct EffectFollowing {
  Arena *arena;
  const Module *module;
  bool unknown_is_any;   /* a control predecessor that has no text is any instruction above; false:
                            it orders nothing */
  EffectCaller *callers; /* [by_called.count], listed at first use */
  Table by_called;
  EffectDependencies known[effect_order_count];
} EffectFollowing;

/* The only instruction that runs the computation; nullptr if there are several, or none. */
[[nodiscard]] const Instruction *effect_caller(
    EffectFollowing *following, const Computation *called);
/* True if the operation runs once in each run of the module: in its entry, or in a computation that
 * one call alone leads to. A loop or a branch may run it otherwise. */
[[nodiscard]] bool effect_runs_once(EffectFollowing *following, const Instruction *effect);
/* The thread that an asynchronous start around the operation names, in quotes; "main": none does,
 * or several instructions lead to it. */
[[nodiscard]] const char *effect_thread(EffectFollowing *following, const Instruction *effect);
/* Whether the second of two operations that run once must run after the first. Cheap for one
 * `second` and many `first` in a row. */
[[nodiscard]] bool effect_follows(EffectFollowing *following, const Instruction *first,
    const Instruction *second, EffectOrder order);

/* The same effect in both modules. */
typedef struct EffectPair {
  const Instruction *sides[2]; /* before, after */
} EffectPair;

typedef struct EffectPairs {
  EffectPair *items;
  uint32_t count, capacity;
} EffectPairs;

/* Pairs the effects of both modules; equal ones are paired in the order of the texts. An operation
 * in a computation counts once, however often the computation is called. Returns an operation that
 * the modules have in different numbers (for calls: by target), or nullptr. */
[[nodiscard]] const Instruction *effects_pair(
    Arena *arena, const Module *before, const Module *after, EffectPairs *pairs);

/* In what two paired effects differ, besides what they are given and the computations that they
 * call: the name of an attribute, or a description; nullptr: in nothing. A custom call is given
 * memory, so its layouts count (docs/decisions/0107-a-custom-call-reads-layouts.md). */
[[nodiscard]] const char *effect_difference(const EffectPair *pair);

/* A copy of an entry with the copy of `root` as its root. Called computations are shared. KEEP: the
 * arena. */
[[nodiscard]] Computation *entry_ending_at(
    Arena *arena, const Computation *entry, const Instruction *root);
/* Marks the instructions of a computation on which its root depends. [instruction_count] */
[[nodiscard]] bool *marked_from_root(Arena *arena, const Computation *computation);

#endif
