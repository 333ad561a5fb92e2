/* The memory of values in one computation. Bitcasts, reshapes, tuples and barriers leave memory
 * unchanged. An update in place, a scatter and a loop write into the memory of their operands. A
 * call, a conditional and an asynchronous computation may return memory of their operands, or write
 * into it (judge/graphs/buffer_callee.h). */
#ifndef JUDGE_GRAPHS_BUFFER_H
#define JUDGE_GRAPHS_BUFFER_H

#include "core/base/table.h"
#include "core/hlo/graph.h"

typedef struct BufferLeaf {
  const Instruction *instruction;
  uint32_t leaf;
} BufferLeaf;

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
  Table table; /* from computations to indices of `items` */
  uint32_t count;
  BufferCallee *items;
} Buffers;

/* A value that a buffer holds from its instruction on. */
typedef struct BufferValue {
  BufferLeaf made;    /* leaves after those of the instruction are writes that are not returned */
  bool is_written;    /* its instruction overwrites elements of the buffer */
  bool is_unfollowed; /* it may overwrite any of them */
} BufferValue;

/* The value that an update in place, or an output that states its operand, overwrites. Returns
 * false if `made` is neither. */
[[nodiscard]] bool buffer_updated(
    const Buffers *buffers, BufferLeaf made, BufferLeaf *before);
/* The operand into which the instruction, or its start, states that it writes. */
[[nodiscard]] bool buffer_stated(const Buffers *buffers, BufferLeaf made, BufferLeaf *before);
/* Whether an output of a fusion is an update in place of a parameter: by `writer`, in the fused
 * computation, of the parameter's leaf `before`. */
[[nodiscard]] bool buffer_fused(
    const Buffers *buffers, BufferLeaf made, BufferLeaf *writer, BufferLeaf *before);
/* The instruction from which on the value may be written: of an asynchronous operation, its
 * start. */
[[nodiscard]] const Instruction *buffer_begin(const Instruction *writer);
/* In the order of the instructions. The first is the oldest, which is not written. */
typedef struct BufferValues {
  uint32_t count, capacity;
  BufferValue *items;
} BufferValues;

/* Whether the operation leaves memory unchanged. */
[[nodiscard]] bool buffer_is_moved(const Instruction *instruction);
/* Follows operations that leave memory unchanged to the instruction that makes the value. */
[[nodiscard]] BufferLeaf buffer_leaf(const Instruction *instruction, uint32_t leaf);
[[nodiscard]] bool buffer_is_same(BufferLeaf a, BufferLeaf b);
/* The first `count` values of the buffer include the leaf. */
[[nodiscard]] bool buffer_holds(const BufferValues *values, uint32_t count, BufferLeaf leaf);
/* The values of a parameter's buffer, if `last` is held there as well: the parameter, every update
 * in place of a value of the buffer, and the values that updates in place lead to `last`. The
 * oldest of those may be a new array, or the result of an operation that is not followed. */
[[nodiscard]] BufferValues buffer_values(
    const Buffers *buffers, BufferLeaf parameter, BufferLeaf last);
/* Whether an update in place, for which buffer_updated is true, changes the memory. */
[[nodiscard]] bool buffer_is_changed(const Buffers *buffers, BufferLeaf made);

#endif
