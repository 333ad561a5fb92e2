/* How far rounding may have moved a float from the number that exact arithmetic gives. The bound
 * is generous: four units of the last digit for each inexact operation, and 64 for functions that
 * platforms approximate. */
#ifndef ORACLE_VALUES_ROUNDING_H
#define ORACLE_VALUES_ROUNDING_H

#include "oracle/values/element.h"

typedef bool RealOperation(Opcode opcode, const double *operands, double *value);

/* The bound for the operation's result. `value` is the result in doubles and `is_lossless` states
 * that it is exact. INFINITY: no bound is known. */
[[nodiscard]] double rounding_error(RealOperation *apply, const Instruction *instruction,
    uint32_t count, const Element *operands, double value, bool is_lossless);
/* The same for a sum or a conversion, whose operands have errors of `carried` together. */
[[nodiscard]] double rounding_error_of(
    ElementType type, double value, double carried, bool is_lossless);
/* Whether the operation jumps: numbers as near as one likes may have results that are not. */
[[nodiscard]] bool rounding_may_jump(const Instruction *instruction, ElementType operand);
/* Whether a jumping operation has the same result for all numbers within the errors. `value` is its
 * result in doubles if it is a float. */
[[nodiscard]] bool rounding_is_harmless(RealOperation *apply, const Instruction *instruction,
    uint32_t count, const Element *operands, double value);

#endif
