/* Shape inference for every opcode whose result shape the operation semantics determine, and
 * structural checks. A module that hlo_read did not parse, such as one of the fuzzer's decoder,
 * must be verified before an engine or a judge sees it. */
#ifndef CORE_HLO_VERIFY_VERIFY_H
#define CORE_HLO_VERIFY_VERIFY_H

#include "core/hlo/graph.h"

/* False with ERROR_INPUT at the first instruction that violates a rule: at the faulty attribute,
 * else at the instruction's name. A module that was not parsed from a text has no positions. The
 * module is not changed, and `arena` is rewound. */
[[nodiscard]] bool hlo_verify(Arena *arena, const Module *module, Error *error);
/* Verifies only the instruction's shape; its operands and callees must be valid. */
[[nodiscard]] bool hlo_verify_instruction(
    Arena *arena, const Module *module, const Instruction *instruction, Error *error);

#endif
