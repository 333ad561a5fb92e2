/* An instruction that writes into a buffer and an instruction that runs after it, as one
 * computation. Their operands become parameters, except constants and operations that leave the
 * buffer unchanged in memory. */
#ifndef JUDGE_HAZARDS_HAZARD_KERNEL_H
#define JUDGE_HAZARDS_HAZARD_KERNEL_H

#include "judge/hazards/buffer_values.h"

/* The root is tuple(the leaf that value `written` of the buffer is, reader). Parameter 0 is the
 * buffer: each value before `written`. (*is_computed)[i]: parameter i may have fewer values than
 * those of its type, because it is no parameter of the module, or one that an earlier parameter is
 * too. */
[[nodiscard]] Computation *hazard_kernel(Arena *arena, const BufferValues *values, uint32_t written,
    const Instruction *reader, const bool **is_computed);
/* The root is the instruction, and parameter i is its operand i. */
[[nodiscard]] Computation *hazard_kernel_alone(Arena *arena, const Instruction *instruction);

/* [operand]: the same of the instruction's operands. */
[[nodiscard]] const bool *hazard_computed(Arena *arena, const Instruction *instruction);

#endif
