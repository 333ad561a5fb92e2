/* Applies rules of order "cancels" to whole sums. */
#ifndef CORE_SIMPLIFY_MATCH_CANCEL_H
#define CORE_SIMPLIFY_MATCH_CANCEL_H

#include "core/simplify/match/match.h"

/* Applies them until none fires. */
[[nodiscard]] NormalSum *cancel_sum(Simplifier *simplifier, NormalSum *sum);

#endif
