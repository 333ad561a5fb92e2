/* Constraints that need no rule: on a constant, and on a single variable. */
#ifndef CORE_SIMPLIFY_FACTS_FOLD_H
#define CORE_SIMPLIFY_FACTS_FOLD_H

#include "core/simplify/engine.h"

/* Folds such constraints into the loaded bounds of the simplifier's variables, and puts the
 * positions of the others into simplifier->kept. False if no point is left. */
[[nodiscard]] bool constraints_fold(Simplifier *simplifier, const Map *map);

/* The value of a constant, or of a sum of constants such as `0 + 1` whose right operands are no
 * sums. False for other expressions, and on overflow. */
[[nodiscard]] bool fold_constant(const ExprPool *pool, const ExprNode *node, int64_t *value);

#endif
