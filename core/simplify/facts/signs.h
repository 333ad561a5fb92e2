/* How a constraint is written: by the rules of order "text", and with the sign with which it is
 * smaller (size.h). */
#ifndef CORE_SIMPLIFY_SIGNS_H
#define CORE_SIMPLIFY_SIGNS_H

#include "core/simplify/facts/constraints.h"

/* In the order of ranks. False where the simplifier has failed. */
[[nodiscard]] bool sign_shorten(Simplifier *simplifier, Demand *demand);
/* In the order of numbers: of two signs with which they are equally large constraints take the one
 * that begins with a positive coefficient. */
[[nodiscard]] bool signs_by_number(Simplifier *simplifier, Demands *demands);

#endif
