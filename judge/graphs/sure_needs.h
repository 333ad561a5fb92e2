/* What the results of one operation certainly depend on. Where it is not known that they depend on
 * an operand, they do not count as dependent: so a needed operand is never claimed wrongly, except
 * that arithmetic is not computed, as a product with zero or a choice by a computed predicate. */
#ifndef JUDGE_GRAPHS_SURE_NEEDS_H
#define JUDGE_GRAPHS_SURE_NEEDS_H

#include "core/base/arena.h"
#include "core/hlo/graph.h"

/* How much of an array is needed. Of an array that is needed in part, it is not known which
 * elements. */
typedef enum LeafLevel : uint8_t { LEAF_UNNEEDED, LEAF_IN_PART, LEAF_WHOLE } LeafLevel;

/* How much of an operand the results certainly depend on. `results`: by leaf of the instruction,
 * one of which at least is needed. For operations that do not follow the leaves of computations
 * that they call (leaf_needs.h). The arena is rewound. */
[[nodiscard]] LeafLevel surely_needed(
    Arena *arena, const Instruction *instruction, const LeafLevel *results, uint32_t operand);

#endif
