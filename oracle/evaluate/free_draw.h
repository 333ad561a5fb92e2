/* Whether a drawn value can occur. A parameter has every value of its type, and so has what no rule
 * states, as of a custom call or an infeed. Integers that floats of a parameter convert to occur if
 * they are floats themselves. Any other drawn value is computed by an operation that the oracle
 * does not evaluate: it may be a constant, or decided by the values drawn before. */
#ifndef ORACLE_EVALUATE_FREE_DRAW_H
#define ORACLE_EVALUATE_FREE_DRAW_H

#include "oracle/evaluate/values.h"

/* The node whose element decides the drawn one, if each of the candidates occurs whatever was drawn
 * before under the current assignment; else nullptr. Asked once for each draw, in their order. */
[[nodiscard]] const Node *draw_source(Values *values, const ChosenValue *chosen);

#endif
