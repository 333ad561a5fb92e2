/* The memory of values. Bitcasts, reshapes, tuples and barriers leave memory unchanged. */
#ifndef JUDGE_HAZARDS_BUFFER_H
#define JUDGE_HAZARDS_BUFFER_H

#include "core/hlo/graph.h"

typedef struct BufferLeaf {
  const Instruction *instruction;
  uint32_t leaf;
} BufferLeaf;

/* Whether the operation leaves memory unchanged. */
[[nodiscard]] bool buffer_is_moved(const Instruction *instruction);
/* Follows operations that leave memory unchanged to the instruction that makes the value. */
[[nodiscard]] BufferLeaf buffer_leaf(const Instruction *instruction, uint32_t leaf);
[[nodiscard]] bool buffer_is_same(BufferLeaf a, BufferLeaf b);
/* The instruction from which on the value may be written: of an asynchronous operation, its
 * start. */
[[nodiscard]] const Instruction *buffer_begin(const Instruction *writer);

#endif
