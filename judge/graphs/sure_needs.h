/* What the results of one operation certainly depend on. Where it is not known that they depend on
 * an operand, they do not count as dependent. But values are not computed: an operand counts as
 * needed although the result does not depend on it
 * - if arithmetic loses it, as a product with zero, or a choice by a predicate that is computed,
 * also from constants, or an element of a tuple;
 * - if a function that combines elements runs for none of them;
 * - if what a predicate chooses between differs in its text and not in its values. */
#ifndef JUDGE_GRAPHS_SURE_NEEDS_H
#define JUDGE_GRAPHS_SURE_NEEDS_H

#include "core/base/arena.h"
#include "core/hlo/graph.h"

/* How much of an array is needed. Of an array that is needed in part, it is not known which
 * elements. */
typedef enum LeafLevel : uint8_t { LEAF_UNNEEDED, LEAF_IN_PART, LEAF_WHOLE } LeafLevel;

/* The instruction of the computation that all elements are copies of: the array itself, or what is
 * broadcast, copied or reshaped. */
[[nodiscard]] const Instruction *sure_origin(const Instruction *instruction);
/* How much of an operand the results certainly depend on. `results`: by leaf of the instruction,
 * one of which at least is needed. `chooser`: the constant that all elements of the first operand
 * are copies of, for a select; nullptr: there is none. For operations that do not follow the leaves
 * of computations that they call (leaf_needs.h). The arena is rewound. */
[[nodiscard]] LeafLevel surely_needed(Arena *arena, const Instruction *instruction,
    const LeafLevel *results, const Instruction *chooser, uint32_t operand);

#endif
