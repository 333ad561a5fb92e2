/* What computations do with the memory of their parameters: a call, a branch of a conditional, an
 * asynchronous computation and a loop take memory of their caller. A parameter's leaf is written if
 * the computation, or one that it calls, updates its memory in place. A leaf of the root is returned
 * if updates in place lead from a parameter's leaf to it. */
#ifndef JUDGE_GRAPHS_BUFFER_CALLEE_H
#define JUDGE_GRAPHS_BUFFER_CALLEE_H

#include "judge/graphs/buffer.h"

typedef struct BufferLeaves {
  uint32_t count, capacity;
  BufferLeaf *items;
} BufferLeaves;

/* One pass over the instructions of the module. */
[[nodiscard]] Buffers buffers_create(Arena *arena, const Module *module);
[[nodiscard]] const BufferCallee *buffer_callee(
    const Buffers *buffers, const Computation *computation);
/* The oldest value of the memory, in the same computation. */
[[nodiscard]] BufferLeaf buffer_oldest(const Buffers *buffers, BufferLeaf made);
/* The instruction whose operands a callee takes: a loop, a call, a conditional, or the start of an
 * asynchronous computation, also if its end is given. Otherwise nullptr. */
[[nodiscard]] const Instruction *buffer_caller(const Instruction *instruction);
/* The memory that the caller passes as a leaf of the callee's parameters; `at` counts the caller's
 * computations. Returns false if nothing is passed. */
[[nodiscard]] bool buffer_passed(
    const Instruction *caller, uint32_t at, uint32_t leaf, BufferLeaf *memory);
/* The memory that a call, a conditional or the end of an asynchronous computation returns. */
[[nodiscard]] bool buffer_returned(const Buffers *buffers, BufferLeaf made, BufferLeaf *before);
/* The memory into which a call, a conditional or an asynchronous computation may write. */
[[nodiscard]] BufferLeaves buffer_effects(const Buffers *buffers, const Instruction *instruction);
/* The number of a parameter's leaf among those of all parameters. */
[[nodiscard]] uint32_t buffer_number(const Computation *computation, BufferLeaf parameter);
[[nodiscard]] BufferLeaf buffer_parameter(const Computation *computation, uint32_t leaf);

#endif
