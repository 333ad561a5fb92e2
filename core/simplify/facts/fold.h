/* Constraints that need no rule: on constants, and on a single variable; if no others remain, also
 * those on a variable plus constants, and implied ones on its divisions. */
#ifndef CORE_SIMPLIFY_FACTS_FOLD_H
#define CORE_SIMPLIFY_FACTS_FOLD_H

#include "core/simplify/engine.h"

/* Folds such constraints into the loaded bounds of the simplifier's variables, and puts the
 * positions of the others into simplifier->kept. False if no point is left. */
[[nodiscard]] bool constraints_fold(Simplifier *simplifier, const Map *map);

/* A sum of constants and of at most one variable. */
typedef struct Shift {
  Expr variable; /* at 0: none */
  int64_t added;
  uint64_t numbers; /* bitwise or of the constants' magnitudes */
} Shift;
/* False for other expressions, for a sum whose right operand is a sum, and on overflow. */
[[nodiscard]] bool fold_shift(const ExprPool *pool, Expr expr, Shift *shift);
/* True for a division of a variable by a constant > 0. */
[[nodiscard]] bool fold_division(
    const ExprPool *pool, Expr expr, const ExprNode **variable, int64_t *divisor);
/* Numbers of more bits are left to the full path, which may need the closure (closure.h). */
static constexpr uint32_t shift_bits = 31;

#endif
