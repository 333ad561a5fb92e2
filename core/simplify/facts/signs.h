/* How a constraint is written: by the rules of order "text", and with the sign that makes it
 * smaller (size.h). */
#ifndef CORE_SIMPLIFY_FACTS_SIGNS_H
#define CORE_SIMPLIFY_FACTS_SIGNS_H

#include "core/simplify/facts/constraints.h"

/* False if the simplifier has failed. */
[[nodiscard]] bool sign_shorten(Simplifier *simplifier, Demand *demand);

#endif
