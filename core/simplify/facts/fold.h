/* Constraints that need no rule: on a constant, and on a variable alone. */
#ifndef CORE_SIMPLIFY_FOLD_H
#define CORE_SIMPLIFY_FOLD_H

#include "core/simplify/engine.h"

/* Takes them into the bounds of the simplifier's variables, which are loaded; the positions of the
 * others are left in simplifier->kept. False where no point is left. */
[[nodiscard]] bool constraints_fold(Simplifier *simplifier, const Map *map);

#endif
