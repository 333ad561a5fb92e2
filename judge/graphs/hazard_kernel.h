/* An update and an instruction that runs after it, as one computation. Their operands become
 * parameters, except constants and operations that leave the buffer unchanged in memory. */
#ifndef JUDGE_GRAPHS_HAZARD_KERNEL_H
#define JUDGE_GRAPHS_HAZARD_KERNEL_H

#include "core/hlo/graph.h"

/* Follows tuples, bitcasts and reshapes to a leaf of a parameter. Returns false if there is
 * none. */
[[nodiscard]] bool hazard_parameter_of(
    const Instruction *instruction, uint32_t *leaf, uint32_t *parameter);
/* The root is tuple(update, reader). Parameter 0 is the buffer, which is leaf `leaf` of parameter
 * `parameter` in their computation. */
[[nodiscard]] Computation *hazard_kernel(Arena *arena, const Instruction *update,
    const Instruction *reader, uint32_t parameter, uint32_t leaf);

#endif
