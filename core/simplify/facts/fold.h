/* Constraints that need no rule: on a constant, and on a single variable. */
#ifndef CORE_SIMPLIFY_FACTS_FOLD_H
#define CORE_SIMPLIFY_FACTS_FOLD_H

#include "core/simplify/engine.h"

/* Folds such constraints into the loaded bounds of the simplifier's variables, and puts the
 * positions of the others into simplifier->kept. False if no point is left. */
[[nodiscard]] bool constraints_fold(Simplifier *simplifier, const Map *map);

#endif
