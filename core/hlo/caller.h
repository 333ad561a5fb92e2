/* Wraps a computation as one instruction, `call(p0, p1, ..), to_apply=COMPUTATION`, so that judges
 * of instructions can judge it. */
#ifndef CORE_HLO_CALLER_H
#define CORE_HLO_CALLER_H

#include "core/hlo/graph.h"

/* A computation whose parameters have the shapes of those of `like`, with room for two calls. Calls
 * in one caller share its parameters. */
[[nodiscard]] Computation *caller_create(Arena *arena, const Computation *like);
[[nodiscard]] Instruction *caller_call(
    Arena *arena, Computation *caller, const Computation *called, const char *name);

#endif
