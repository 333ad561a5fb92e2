/* HLO's integer arithmetic on single elements: two's complement that wraps around at the width of
 * the element type, with division towards zero. */
#ifndef ORACLE_SEMANTICS_ARITHMETIC_H
#define ORACLE_SEMANTICS_ARITHMETIC_H

#include "core/hlo/graph.h"
#include "oracle/evaluate/wide.h"

/* Converts `value` to `type`: pred is value != 0, other integral types wrap around. */
[[nodiscard]] Wide integer_wrap(ElementType type, Wide value);
[[nodiscard]] Wide integer_lowest(ElementType type);
[[nodiscard]] Wide integer_highest(ElementType type);

/* Computes one element of an elementwise operation on integral types. Operands are values of their
 * types (of `operand` for the first). Returns false for operations that are not integer
 * arithmetic. */
[[nodiscard]] bool integer_apply(
    const Instruction *instruction, ElementType operand, const Wide *operands, Wide *result);

/* What a compare's direction says of two operands; a NaN is neither less, nor equal, nor greater.
 * False if the direction is missing. */
[[nodiscard]] bool comparison_answer(
    const Instruction *instruction, bool is_less, bool is_equal, bool is_greater, bool *answer);

#endif
