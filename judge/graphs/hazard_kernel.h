/* An update and an instruction that runs after it, as one computation of their operands: what
 * either is computed from becomes a parameter, but for constants and for what leaves the buffer as
 * it lies in memory. */
#ifndef JUDGE_HAZARD_KERNEL_H
#define JUDGE_HAZARD_KERNEL_H

#include "core/hlo/graph.h"

/* The leaf of a parameter through tuples, bitcasts and reshapes; false where it is none. */
[[nodiscard]] bool hazard_parameter_of(
    const Instruction *instruction, uint32_t *leaf, uint32_t *parameter);
/* The root is tuple(update, reader); parameter 0 is the buffer, which both reach as `parameter` and
 * `leaf` of their computation. */
[[nodiscard]] Computation *hazard_kernel(Arena *arena, const Instruction *update,
    const Instruction *reader, uint32_t parameter, uint32_t leaf);

#endif
