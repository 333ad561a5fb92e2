/* Elements that are known only when inputs have values: of large parameters at offsets, and of
 * loops that run as often as an input says. A dynamic slice or a gather of more candidates than a
 * pick may have, and such a loop, is an opaque term, and has no value. Where inputs are tried, its
 * element is looked up: the offsets or the conditions are evaluated, and the element that they
 * select is the term whose value it has. This refutes only: nothing is proved by it. */
#ifndef ORACLE_TERMS_LOOKUPS_H
#define ORACLE_TERMS_LOOKUPS_H

#include "oracle/terms/build.h"
#include "oracle/values/evaluate.h"

/* An index of recorded elements by term. */
typedef struct Lookups Lookups;

/* nullptr without any. */
[[nodiscard]] Lookups *lookups_create(Arena *arena, const TermLookups *recorded);
/* For Evaluation.look_up; the context is a Lookups. */
[[nodiscard]] bool lookups_find(void *context, Evaluation *evaluation, Term term, LookedUp *found);

#endif
