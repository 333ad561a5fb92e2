/* The leaves of an entry computation that take part in a comparison. */
#ifndef JUDGE_GRAPHS_EQUIV_CALL_H
#define JUDGE_GRAPHS_EQUIV_CALL_H

#include "core/hlo/graph.h"

/* True for a nonempty array. Tokens and empty arrays are in no map. */
[[nodiscard]] bool equiv_leaf_is_read(const Shape *shape, uint32_t leaf);

/* Checks that parameters and outputs correspond; else ERROR_INPUT. */
[[nodiscard]] bool equiv_entries_match(const Module *before, const Module *after, Error *error);

#endif
