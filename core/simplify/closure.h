/* Keeps simplified maps canonical and idempotent when int64 prevents a rule from firing. */
#ifndef CORE_SIMPLIFY_CLOSURE_H
#define CORE_SIMPLIFY_CLOSURE_H

#include "core/simplify/engine.h"

/* The closure is needed if a number of the call has more than this many bits, or arithmetic has
 * left int64. Numbers of sums that are rewritten before they are written count too: whether they
 * are written depends on the order of operands, and on whether the steps are recorded. */
static constexpr uint32_t closure_bits = 33;
[[nodiscard]] static inline bool closure_is_needed(const Simplifier *simplifier) {
  uint64_t numbers = simplifier->numbers | simplifier->normal.numbers;
  return simplifier->normal.has_overflow || numbers >> closure_bits != 0;
}

/* The total order by which the least map of a cycle is chosen: by results, then constraints, then
 * bounds. Both maps are plain and have the same kinds of variables and as many results; index maps
 * are ignored. */
[[nodiscard]] int closure_compare(const ExprPool *pool, const Map *a, const Map *b);

#endif
