/* Which leaves of an entry computation take part in a comparison. */
#ifndef JUDGE_EQUIV_CALL_H
#define JUDGE_EQUIV_CALL_H

#include "core/hlo/graph.h"

/* An array with elements; tokens and empty arrays take part in no map. */
[[nodiscard]] bool equiv_leaf_is_read(const Shape *shape, uint32_t leaf);

/* Entries whose parameters and outputs stand for each other; else ERROR_INPUT. */
[[nodiscard]] bool equiv_entries_match(const Module *before, const Module *after, Error *error);

#endif
