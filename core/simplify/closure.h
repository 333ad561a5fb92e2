/* Simplified maps stay canonical and idempotent where int64 gets in the way of a rule. */
#ifndef CORE_SIMPLIFY_CLOSURE_H
#define CORE_SIMPLIFY_CLOSURE_H

#include "core/simplify/engine.h"

/* Numbers of the call beyond this many bits, or arithmetic that has left int64. */
static constexpr uint32_t closure_bits = 33;
[[nodiscard]] static inline bool closure_is_needed(const Simplifier *simplifier) {
  return simplifier->normal.has_overflow || simplifier->numbers >> closure_bits != 0;
}

#endif
