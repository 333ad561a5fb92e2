/* Bookkeeping before any rule: a constraint on constants is true (removed) or false (no points),
 * and one on a single variable becomes its bounds. One pass over the stated constraints handles
 * both, so that the others are rewritten under the resulting bounds.
 *
 * Keeps: the domain, and the order of the remaining constraints. */
#include "core/simplify/facts/fold.h"

#include <assert.h>

#include "core/base/checked.h"

/* The recursion is as deep as the sum, and stops at the first variable on the right. */
bool fold_constant(const ExprPool *pool, const ExprNode *node, int64_t *value) {
  if (node->op == EXPR_CONST) {
    *value = node->value;
    return true;
  }
  int64_t left, right;
  if (node->op != EXPR_ADD || !expr_is_const(pool, node->right, &right)) return false;
  return fold_constant(pool, expr_node(pool, node->left), &left) && add64(left, right, value);
}

static bool fold_meet(Interval *bounds, Interval in) {
  bounds->lo = max64(bounds->lo, in.lo);
  bounds->hi = min64(bounds->hi, in.hi);
  return bounds->lo <= bounds->hi;
}

static void fold_reserve(Simplifier *simplifier, uint32_t count) {
  if (count <= simplifier->kept_capacity) return;
  simplifier->kept_capacity = 2 * count;
  simplifier->kept = ARENA_NEW(simplifier->arena, uint32_t, simplifier->kept_capacity);
}

bool constraints_fold(Simplifier *simplifier, const Map *map) {
  const ExprPool *pool = simplifier->context->pool;
  simplifier->kept_count = 0;
  assert(map->state == MAP_PLAIN);
  fold_reserve(simplifier, map->constraint_count);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    const Constraint *constraint = &map->constraints[i];
    const ExprNode *node = expr_node(pool, constraint->expr);
    int64_t value;
    if (node->op == EXPR_VAR) {
      assert(node->var_index < simplifier->variable_count[node->var_kind]);
      if (!fold_meet(&simplifier->bounds[node->var_kind][node->var_index], constraint->in))
        return false;
    } else if (fold_constant(pool, node, &value)) {
      if (value < constraint->in.lo || value > constraint->in.hi) return false;
    } else {
      assert(simplifier->kept_count < simplifier->kept_capacity);
      simplifier->kept[simplifier->kept_count++] = i;
    }
  }
  return true;
}
