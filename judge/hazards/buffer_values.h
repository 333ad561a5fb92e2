/* The values that one buffer holds, one after the other. */
#ifndef JUDGE_HAZARDS_BUFFER_VALUES_H
#define JUDGE_HAZARDS_BUFFER_VALUES_H

#include "judge/hazards/buffer_callee.h"

/* A value that a buffer holds from its instruction on. */
typedef struct BufferValue {
  BufferLeaf made;    /* leaves after those of the instruction are writes that are not returned */
  bool is_written;    /* its instruction overwrites elements of the buffer */
  bool is_unfollowed; /* it may overwrite any of them */
} BufferValue;

/* A leaf and its place among the values. */
typedef struct BufferHeld {
  BufferLeaf leaf;
  uint32_t at;
} BufferHeld;

/* In the order of the instructions. The first is the oldest, which is not written. */
typedef struct BufferValues {
  uint32_t count, capacity;
  BufferValue *items;
  Table table; /* from leaves to indices of `held` */
  struct {
    uint32_t count, capacity;
    BufferHeld *items;
  } held; /* in the order in which they were found */
} BufferValues;

/* The arrays have the same order of dimensions and the same tiles in memory. */
[[nodiscard]] bool buffer_same_order(const Shape *a, const Shape *b);
/* The first `count` values of the buffer include the leaf. */
[[nodiscard]] bool buffer_holds(const BufferValues *values, uint32_t count, BufferLeaf leaf);
/* The values of a parameter's buffer, if `last` is held there as well: the parameter, every update
 * in place of a value of the buffer, and the values that updates in place lead to `last`. The
 * oldest of those may be a new array, or the result of an operation that is not followed. */
[[nodiscard]] BufferValues buffer_values(
    const Buffers *buffers, BufferLeaf parameter, BufferLeaf last);

#endif
