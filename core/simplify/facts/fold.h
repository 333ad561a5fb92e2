/* Constraints that need no rule: on constants, and on a single variable; if no others remain, also
 * those on a variable plus constants, and implied ones on its divisions. */
#ifndef CORE_SIMPLIFY_FACTS_FOLD_H
#define CORE_SIMPLIFY_FACTS_FOLD_H

#include "core/base/checked.h"
#include "core/simplify/engine.h"

/* Folds such constraints into the loaded bounds of the simplifier's variables, and puts the
 * positions of the others into simplifier->kept. False if no point is left. */
[[nodiscard]] bool constraints_fold(Simplifier *simplifier, const Map *map);

/* The value of a constant or of a sum of two. False, and `value` as it was, for others and on
 * overflow. */
[[nodiscard]] static inline bool fold_constant(const ExprPool *pool, Expr expr, int64_t *value) {
  const ExprNode *node = expr_node(pool, expr);
  if (node->op == EXPR_CONST) {
    *value = node->value;
    return true;
  }
  if (node->op != EXPR_ADD) return false;
  const ExprNode *left = expr_node(pool, node->left), *right = expr_node(pool, node->right);
  int64_t sum;
  if (left->op != EXPR_CONST || right->op != EXPR_CONST || !add64(left->value, right->value, &sum))
    return false;
  *value = sum;
  return true;
}

/* True if the map has no variables and one of its first constraints is false, so that nothing needs
 * to be loaded. Equal neighbours are computed once. */
[[nodiscard]] static inline bool fold_is_empty(const ExprPool *pool, const Map *map) {
  if (map_variable_count(map) > 0) return false;
  Expr last = {};
  int64_t value = 0;
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    const Constraint *constraint = &map->constraints[i];
    if (!expr_same(constraint->expr, last) && !fold_constant(pool, constraint->expr, &value))
      return false;
    if (value < constraint->in.lo || value > constraint->in.hi) return true;
    last = constraint->expr;
  }
  return false;
}

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
