/* The inputs that a difference needs; all others are zero. */
#ifndef ORACLE_VALUES_WITNESS_H
#define ORACLE_VALUES_WITNESS_H

#include "oracle/values/evaluate.h"

typedef bool ElementsDiffer(const Element *a, const Element *b);

/* Zeroes inputs as long as the values of both terms differ under the current assignment; they must
 * differ at the start. The work is bounded, so an input may remain that could be zero. */
void evaluation_use_few_inputs(
    Evaluation *evaluation, Term before, Term after, ElementsDiffer *differ);
/* All inputs of both terms that are not zero. `sentence`: "p0[1] = 3, p1 = 2", at most 64 of them,
 * with the number of the others. */
[[nodiscard]] Bindings evaluation_inputs(
    Evaluation *evaluation, Term before, Term after, const char **sentence);

#endif
