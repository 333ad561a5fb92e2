/* Are two graphs literally the same from an output leaf upwards? Names and metadata aside: opcodes, shapes with layouts,
 * operands, attributes, literals and called computations, these instruction by instruction. */
#ifndef JUDGE_EQUIV_LITERAL_H
#define JUDGE_EQUIV_LITERAL_H

#include "core/hlo/graph.h"

/* False as well where the comparison would take too long. */
[[nodiscard]] bool equiv_literal(Arena *arena, const Computation *before, const Computation *after, uint32_t leaf);

#endif
