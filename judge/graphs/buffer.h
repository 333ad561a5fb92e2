/* The memory of values in one computation. Bitcasts, reshapes, tuples and barriers leave memory
 * unchanged. An update in place, a scatter and a loop write into the memory of their operands. */
#ifndef JUDGE_GRAPHS_BUFFER_H
#define JUDGE_GRAPHS_BUFFER_H

#include "core/hlo/graph.h"

typedef struct BufferLeaf {
  const Instruction *instruction;
  uint32_t leaf;
} BufferLeaf;

/* A value that a buffer holds from its instruction on. */
typedef struct BufferValue {
  BufferLeaf made;
  bool is_written;    /* its instruction overwrites elements of the buffer */
  bool is_unfollowed; /* it may overwrite any of them */
} BufferValue;

/* The value that an update in place, or an output that states its operand, overwrites. Returns
 * false if `made` is neither. */
[[nodiscard]] bool buffer_updated(Arena *arena, BufferLeaf made, BufferLeaf *before);
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
[[nodiscard]] BufferValues buffer_values(Arena *arena, BufferLeaf parameter, BufferLeaf last);

#endif
