/* Opens two whole modules for the comparison of their values, with the reason for which equal
 * values are not reported as the same. */
#ifndef JUDGE_GRAPHS_EQUIV_OPEN_H
#define JUDGE_GRAPHS_EQUIV_OPEN_H

#include "judge/graphs/equiv_values.h"

/* Errors and ownership as with equiv_values_open_parts. */
[[nodiscard]] bool equiv_values_open(Arena *arena, const Module *before, const Module *after,
    const ValuesLimits *limits, Smt *smt, EquivValues *values, Error *error);
/* The same with the oracle alone; nothing has to be closed. */
[[nodiscard]] bool equiv_values_create(Arena *arena, const Module *before, const Module *after,
    const ValuesLimits *limits, EquivValues *values, Error *error);

#endif
