/* Shape inference for every opcode whose result shape the operation semantics fix, and structural
 * checks. A module built by other means than hlo_read (the fuzzer's decoder) must pass before an
 * engine or a judge sees it. */
#ifndef CORE_HLO_VERIFY_H
#define CORE_HLO_VERIFY_H

#include "core/hlo/graph.h"

/* False with ERROR_INPUT at the first instruction that violates a rule: at its attribute where one
 * is wrong, at its name else; without a place for a module that was not read from a text. The
 * module is not changed and `arena` is given back. */
[[nodiscard]] bool hlo_verify(Arena *arena, const Module *module, Error *error);
/* The shape alone; the instruction's operands and callees are there and valid. */
[[nodiscard]] bool hlo_verify_instruction(
    Arena *arena, const Module *module, const Instruction *instruction, Error *error);

#endif
