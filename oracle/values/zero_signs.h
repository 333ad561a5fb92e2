/* Arithmetic in which a zero may have either sign, as at the grades weaker than exact. */
#ifndef ORACLE_VALUES_ZERO_SIGNS_H
#define ORACLE_VALUES_ZERO_SIGNS_H

#include "oracle/values/element.h"

/* As element_apply. If the signs of zeros decide the result, it is an infinity of either sign, a
 * number whose error reaches the other results, or coarse. */
[[nodiscard]] ApplyElements element_apply_any_sign;
/* Whether the operation has an operand whose sign is open and may move the result. */
[[nodiscard]] bool element_reads_zero_signs(
    const Instruction *instruction, uint32_t count, const Element *operands);
/* Whether an element is a zero, or an infinity of either sign. */
[[nodiscard]] bool element_has_open_sign(const Element *element);

#endif
