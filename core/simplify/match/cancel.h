/* Rules of order "cancels" on whole sums. */
#ifndef CORE_SIMPLIFY_CANCEL_H
#define CORE_SIMPLIFY_CANCEL_H

#include "core/simplify/match/match.h"

/* Fires such rules on the sum until none does. */
[[nodiscard]] NormalSum *cancel_sum(Simplifier *simplifier, NormalSum *sum);

#endif
