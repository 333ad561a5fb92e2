/* What a module needs, leaf by leaf (leaf_needs.h). */
#ifndef JUDGE_GRAPHS_NEEDED_H
#define JUDGE_GRAPHS_NEEDED_H

#include "core/base/arena.h"
#include "core/hlo/graph.h"
#include "judge/graphs/leaf_needs.h"

typedef enum NeededBy : uint8_t {
  NEEDED_FOR_CERTAIN, /* a value of the result, or of what an effect is given, certainly depends on
                         it (sure_needs.h) */
  NEEDED_BY_VALUES,   /* such a value may depend on it */
  NEEDED_BY_RUNS,     /* the result or an effect waits for it, also by control predecessors. A
                         schedule runs every instruction. */
} NeededBy;

typedef struct NeededParts {
  LeafNeeds leaves; /* a computation that nothing needed calls has no part */
  bool is_cut;      /* there are too many places: not all that is needed is marked */
} NeededParts;

[[nodiscard]] NeededParts needed_parts(Arena *arena, const Module *module, NeededBy by);
/* Whether it is needed at some place. */
[[nodiscard]] bool is_needed(const NeededParts *parts, const Instruction *instruction);

#endif
