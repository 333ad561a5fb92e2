/* What a module needs: the instructions on which its result or an effect depends, also by control
 * predecessors. A schedule runs every instruction. */
#ifndef JUDGE_GRAPHS_NEEDED_H
#define JUDGE_GRAPHS_NEEDED_H

#include "core/base/arena.h"
#include "core/hlo/graph.h"

typedef struct NeededParts {
  bool **marks; /* [computation_count] of [instruction_count]; nullptr: nothing that is needed calls
                   the computation */
} NeededParts;

[[nodiscard]] NeededParts needed_parts(Arena *arena, const Module *module);

#endif
