/* A computation as one instruction, so that judges of instructions can judge it:
 * `call(p0, p1, ..), to_apply=COMPUTATION`. */
#ifndef CORE_HLO_CALLER_H
#define CORE_HLO_CALLER_H

#include "core/hlo/graph.h"

/* A computation of parameters with the shapes of another's, and room for two calls; calls that
 * share it speak of the same values. */
[[nodiscard]] Computation *caller_create(Arena *arena, const Computation *like);
[[nodiscard]] Instruction *caller_call(
    Arena *arena, Computation *caller, const Computation *called, const char *name);

#endif
