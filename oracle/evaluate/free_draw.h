/* Whether a drawn value can occur. A parameter has every value of its type, and so has what no rule
 * states, as of a custom call or an infeed. Any other drawn value is computed by an operation that
 * the oracle does not evaluate: it may be a constant, or decided by the values drawn before. */
#ifndef ORACLE_EVALUATE_FREE_DRAW_H
#define ORACLE_EVALUATE_FREE_DRAW_H

#include "oracle/evaluate/values.h"

/* Whether the node with this number has any value of its type, whatever was drawn before under the
 * current assignment. Asked once for each draw, in their order. */
[[nodiscard]] bool draw_is_free(Values *values, uint32_t number);

#endif
