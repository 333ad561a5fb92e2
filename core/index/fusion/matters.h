/* The leaves of a computation through which maps between its parameters and its root can flow. */
#ifndef CORE_INDEX_FUSION_MATTERS_H
#define CORE_INDEX_FUSION_MATTERS_H

#include "core/index/dispatch.h"

/* [leaf_count] o2i: true for a leaf that depends on a parameter; i2o: on which the root depends.
 * first_leaf[instruction_count] are the positions of the instructions' leaves. Some that do not
 * matter may be marked. */
[[nodiscard]] bool *leaves_that_matter(Arena *arena, const Computation *computation,
    Direction direction, const uint32_t *first_leaf, uint32_t leaf_count);

typedef struct LeafRange {
  uint32_t first, end;
} LeafRange;
/* The operand's leaves to which an output leaf may be connected: all of them, or at most one of a
 * structural operation. */
[[nodiscard]] LeafRange leaves_before(
    const Instruction *instruction, uint32_t output_leaf, uint32_t operand);
/* The output leaves to which a leaf of an operand may be connected. */
[[nodiscard]] LeafRange leaves_after(
    const Instruction *instruction, uint32_t operand, uint32_t operand_leaf);

#endif
