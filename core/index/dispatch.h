/* The raw maps of one operation, in both directions. Operations that run other computations are
 * handled in fusion.h. */
#ifndef CORE_INDEX_DISPATCH_H
#define CORE_INDEX_DISPATCH_H

#include "core/index/family.h"

typedef enum Direction : uint8_t { OUTPUT_TO_INPUT, INPUT_TO_OUTPUT } Direction;

/* fusion, call, async-start and map: their maps come from the called computation. */
[[nodiscard]] bool calls_computation(const Instruction *instruction);
/* False on overflow or a limit, with the instruction's name. For tokens and arrays without elements
 * nothing is read. */
[[nodiscard]] bool operation_maps(MapContext *context, const Instruction *instruction,
    Direction direction, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf,
    IndexResult *answer, Error *error);
/* operation_maps for a caller that knows that no size is unknown (instruction_unbounded). */
[[nodiscard]] bool operation_maps_sized(MapContext *context, const Instruction *instruction,
    Direction direction, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf,
    IndexResult *answer, Error *error);
/* True if, no size being unknown, the only raw map is d -> d on all of both leaves, exact in either
 * direction. Decided without building the map. False if operation_maps must decide, or rejects. */
[[nodiscard]] bool operation_is_identity(const Instruction *instruction, uint32_t output_leaf,
    uint32_t operand, uint32_t operand_leaf);
/* Prefixes a message with the instruction's name. Returns false. */
static inline bool error_of_instruction(
    const Instruction *instruction, const Error *inner, Error *error) {
  return error_set(error, inner->kind, "%s: %s", instruction->name, inner->message);
}

#endif
