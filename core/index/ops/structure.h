/* Which leaf of which operand an output leaf is, for operations that move no element inside an
 * array. */
#ifndef CORE_INDEX_STRUCTURE_H
#define CORE_INDEX_STRUCTURE_H

#include "core/hlo/graph.h"

/* tuple, get-tuple-element, copy of tuples, barriers, the done halves of asynchronous pairs, ... */
[[nodiscard]] bool is_structural(Opcode opcode);
/* True where the output leaf holds the elements of operand_leaf of the operand. */
[[nodiscard]] bool structure_connects(
    const Instruction *instruction, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf);

#endif
