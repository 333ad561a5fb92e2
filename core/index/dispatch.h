/* One operation's raw maps, both directions; operations that run other computations are not
 * answered here (fusion.h). */
#ifndef CORE_INDEX_DISPATCH_H
#define CORE_INDEX_DISPATCH_H

#include "core/index/family.h"

typedef enum Direction : uint8_t { OUTPUT_TO_INPUT, INPUT_TO_OUTPUT } Direction;

/* fusion, call, async-start and map: maps come from the called computation. */
[[nodiscard]] bool calls_computation(const Instruction *instruction);
/* False on overflow or a limit, with the instruction's name. Tokens and arrays without elements:
 * nothing is read. */
[[nodiscard]] bool operation_maps(MapContext *context, const Instruction *instruction,
    Direction direction, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf,
    IndexResult *answer, Error *error);
/* Puts the instruction's name in front of a message. Returns false. */
bool error_of_instruction(const Instruction *instruction, const Error *inner, Error *error);

#endif
