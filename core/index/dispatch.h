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
/* The same where the caller knows that no size is unknown (instruction_unbounded). */
[[nodiscard]] bool operation_maps_sized(MapContext *context, const Instruction *instruction,
    Direction direction, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf,
    IndexResult *answer, Error *error);
/* Whether, no size being unknown, its one raw map is d -> d on all of both leaves, exact, in either direction: decided
 * without making it. False where operation_maps has to be asked, and on what it rejects. */
[[nodiscard]] bool operation_is_identity(const Instruction *instruction, uint32_t output_leaf,
    uint32_t operand, uint32_t operand_leaf);
/* Puts the instruction's name in front of a message. Returns false. */
bool error_of_instruction(const Instruction *instruction, const Error *inner, Error *error);

#endif
