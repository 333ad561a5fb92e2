/* Elements that are known only when inputs have values: elements of large parameters at offsets,
 * and of loops whose number of iterations is an input. A dynamic slice or a gather with more
 * candidates than a pick may have is an opaque term without a value, and so is such a loop. When
 * inputs are tried, the element is looked up: the offsets or the conditions are evaluated, and they
 * select a term, which has the value. A lookup can refute and never proves. */
#ifndef ORACLE_EQUIVALENCE_LOOKUPS_H
#define ORACLE_EQUIVALENCE_LOOKUPS_H

#include "oracle/symbolic/build.h"
#include "oracle/values/evaluate.h"

/* An index of recorded elements by term. */
typedef struct Lookups Lookups;

/* nullptr without any. */
[[nodiscard]] Lookups *lookups_create(Arena *arena, const TermLookups *recorded);
/* For Evaluation.look_up; the context is a Lookups. */
[[nodiscard]] bool lookups_find(void *context, Evaluation *evaluation, Term term, LookedUp *found);

#endif
