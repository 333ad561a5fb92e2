/* Rules of order "cancels" on whole sums. */
#ifndef CORE_SIMPLIFY_CANCEL_H
#define CORE_SIMPLIFY_CANCEL_H

#include "core/simplify/match/match.h"

/* Fires such rules on the sum until none does. */
[[nodiscard]] Sum *cancel_sum(Simplifier *simplifier, Sum *sum);
/* The end of a match on one summand of an open sum: fires if the sum cancels what the right side
 * introduces. */
[[nodiscard]] bool cancel_finish(Match *match);

#endif
