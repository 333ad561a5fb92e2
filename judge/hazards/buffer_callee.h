/* What computations do with the memory of their parameters. Calls, branches of conditionals,
 * asynchronous computations and loops use memory of their caller. A parameter's leaf is written if
 * the computation, or one that it calls, updates its memory in place. A leaf of the root is
 * returned if updates in place lead from a parameter's leaf to it. */
#ifndef JUDGE_HAZARDS_BUFFER_CALLEE_H
#define JUDGE_HAZARDS_BUFFER_CALLEE_H

#include "core/base/table.h"
#include "judge/hazards/buffer.h"

/* What a computation does with the memory of its parameters. Their leaves are numbered across
 * parameters. */
typedef struct BufferCallee {
  const Computation *computation;
  bool is_fused;       /* a fusion calls it: its instructions run in no order of their own */
  bool *written;       /* [leaf of a parameter]: it may be overwritten */
  uint32_t *returned;  /* [leaf of the root]: the parameter's leaf that it is in, or no_leaf */
  uint32_t *first;     /* [leaf of the root]: the first one with the same oldest value */
  BufferLeaf **oldest; /* [id of an instruction][leaf]: the oldest value of its memory; nullptr for
                        * instructions that leave memory unchanged */
  uint32_t leaf_count, root_leaf_count;
} BufferCallee;

static constexpr uint32_t no_leaf = UINT32_MAX;

/* The computations of one module, callees before callers. */
typedef struct Buffers {
  Arena *arena;
  Table table;       /* from computations to indices of `items` */
  bool is_scheduled; /* the module: its copies are inserted */
  uint32_t count;
  BufferCallee *items;
} Buffers;

typedef struct BufferLeaves {
  uint32_t count, capacity;
  BufferLeaf *items;
} BufferLeaves;

[[nodiscard]] const BufferCallee *buffer_callee(
    const Buffers *buffers, const Computation *computation);
/* The oldest value of the memory, in the same computation. */
[[nodiscard]] BufferLeaf buffer_oldest_in(const BufferCallee *callee, BufferLeaf made);
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
