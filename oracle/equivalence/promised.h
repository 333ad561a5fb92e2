/* Promises about indices: `unique_indices` of a scatter, `indices_are_sorted` of a scatter or a
 * gather. The result is implementation-defined where indices break a promise, so values that differ
 * there refute nothing. */
#ifndef ORACLE_EQUIVALENCE_PROMISED_H
#define ORACLE_EQUIVALENCE_PROMISED_H

#include "oracle/symbolic/build.h"
#include "oracle/values/evaluate.h"

typedef struct Promised Promised;

/* The promises of both graphs, whether or not a result depends on them. They are listed at the
 * first question. KEEP: the builders. */
[[nodiscard]] Promised *promised_create(
    TermBuilder *builders, const Computation *const computations[2]);
/* For Evaluation.keeps_promises; the context is a Promised. True only if all promises of both
 * graphs are shown to be kept under the current assignment: every index has a value, tuples of
 * sorted indices ascend, and windows of unique indices have no element in common. Promises inside
 * loops and functions are not shown to be kept. */
[[nodiscard]] bool promised_are_kept(void *context, Evaluation *evaluation);

#endif
