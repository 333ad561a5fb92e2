/* The operand leaf that an output leaf equals, for operations that move no element inside an
 * array. */
#ifndef CORE_INDEX_OPS_STRUCTURE_H
#define CORE_INDEX_OPS_STRUCTURE_H

#include "core/hlo/graph.h"

/* tuple, get-tuple-element, copy of tuples, barriers, the done halves of asynchronous pairs, ... */
[[nodiscard]] bool is_structural(Opcode opcode);
/* Output leaf i has the elements of leaf i + shift of the operand, if there is one. False if no
 * leaf does. Each leaf of a copy-start's operand has a second output leaf. */
[[nodiscard]] bool structure_shift(
    const Instruction *instruction, uint32_t operand, int64_t *shift);
/* True if the output leaf has the elements of the operand's leaf `operand_leaf`. */
[[nodiscard]] bool structure_connects(
    const Instruction *instruction, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf);

#endif
