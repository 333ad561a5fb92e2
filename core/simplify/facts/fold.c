/* Bookkeeping before any rule: a constraint on constants is true (removed) or false (no points),
 * and one on a single variable becomes its bounds. One pass over the stated constraints handles
 * both, so that the others are rewritten under the resulting bounds. If every other one is on a
 * variable plus constants, or implied, none remains, and no rule is needed. With a trace, or with
 * rules of a user's own, these are left to the rules.
 *
 * Keeps: the domain, and the order of the remaining constraints. */
#include "core/simplify/facts/fold.h"

#include <assert.h>

#include "core/base/checked.h"
#include "core/map/bounds.h"

static bool shift_take(const ExprNode *node, Expr expr, Shift *shift, _BitInt(128) * added) {
  if (node->op == EXPR_CONST) {
    *added += node->value;
    shift->numbers |= simplifier_magnitude(node->value);
    return true;
  }
  if (node->op != EXPR_VAR || shift->variable.at != 0) return false;
  shift->variable = expr;
  return true;
}

bool fold_shift(const ExprPool *pool, Expr expr, Shift *shift) {
  _BitInt(128) added = 0;
  *shift = (Shift){};
  const ExprNode *node = expr_node(pool, expr);
  for (; node->op == EXPR_ADD; node = expr_node(pool, expr)) {
    if (!shift_take(expr_node(pool, node->right), node->right, shift, &added)) return false;
    expr = node->left;
  }
  if (!shift_take(node, expr, shift, &added)) return false;
  shift->added = (int64_t)added;
  return shift->added == added;
}

/* The value of a sum of any number of constants. */
static bool fold_constants(const ExprPool *pool, Expr expr, int64_t *value) {
  Shift shift;
  if (fold_constant(pool, expr, value)) return true;
  if (!fold_shift(pool, expr, &shift) || shift.variable.at != 0) return false;
  *value = shift.added;
  return true;
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

bool fold_division(const ExprPool *pool, Expr expr, const ExprNode **variable, int64_t *divisor) {
  const ExprNode *node = expr_node(pool, expr);
  if (node->op != EXPR_FLOORDIV && node->op != EXPR_CEILDIV && node->op != EXPR_MOD) return false;
  *variable = expr_node(pool, node->left);
  return (*variable)->op == EXPR_VAR && expr_is_const(pool, node->right, divisor) && *divisor > 0;
}

/* True if the bounds imply the constraint, which is on a division of a variable. */
static bool is_implied(const Simplifier *simplifier, const Constraint *constraint, Shift *shift) {
  const ExprPool *pool = simplifier->context->pool;
  const ExprNode *variable;
  int64_t divisor;
  Interval all;
  if (!fold_division(pool, constraint->expr, &variable, &divisor) ||
      !bounds_apply(expr_node(pool, constraint->expr)->op,
          simplifier->bounds[variable->var_kind][variable->var_index], (Interval){divisor, divisor},
          &all))
    return false;
  *shift = (Shift){.numbers = simplifier_magnitude(divisor)};
  return constraint->in.lo <= all.lo && all.hi <= constraint->in.hi;
}

/* False if a remaining constraint is neither on a variable plus constants nor implied, or has a
 * large number. */
static bool take_shifts(Simplifier *simplifier, const Map *map, Shift *shifts) {
  uint64_t numbers = simplifier->numbers;
  for (uint32_t i = 0; i < simplifier->kept_count; i++) {
    const Constraint *constraint = &map->constraints[simplifier->kept[i]];
    if (!fold_shift(simplifier->context->pool, constraint->expr, &shifts[i]) &&
        !is_implied(simplifier, constraint, &shifts[i]))
      return false;
    numbers |= shifts[i].numbers | simplifier_magnitude(shifts[i].added) |
               simplifier_magnitude(constraint->in.lo) | simplifier_magnitude(constraint->in.hi);
  }
  if (numbers >> shift_bits != 0) return false;
  simplifier->numbers = numbers;
  return true;
}

/* False if no point is left. */
static bool apply_shifts(Simplifier *simplifier, const Map *map, const Shift *shifts) {
  for (uint32_t i = 0; i < simplifier->kept_count; i++) {
    if (shifts[i].variable.at == 0) continue;
    const ExprNode *variable = expr_node(simplifier->context->pool, shifts[i].variable);
    Interval in = map->constraints[simplifier->kept[i]].in;
    in = (Interval){in.lo - shifts[i].added, in.hi - shifts[i].added};
    if (!fold_meet(&simplifier->bounds[variable->var_kind][variable->var_index], in)) return false;
  }
  simplifier->kept_count = 0;
  return true;
}

/* Either all remaining constraints become bounds or none: if one remained, the rules could rewrite
 * it first under the bounds as they were. False if no point is left. */
static bool fold_remaining(Simplifier *simplifier, const Map *map) {
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  Shift *shifts = BUMP_NEW(&simplifier->normal.temp, Shift, simplifier->kept_count);
  bool inhabited = !take_shifts(simplifier, map, shifts) || apply_shifts(simplifier, map, shifts);
  bump_release(&simplifier->normal.temp, mark);
  return inhabited;
}

bool constraints_fold(Simplifier *simplifier, const Map *map) {
  const ExprPool *pool = simplifier->context->pool;
  simplifier->kept_count = 0;
  assert(map->state == MAP_PLAIN);
  fold_reserve(simplifier, map->constraint_count);
  Expr last = {}; /* the last one on constants, and its value */
  int64_t value = 0;
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    const Constraint *constraint = &map->constraints[i];
    const ExprNode *node = expr_node(pool, constraint->expr);
    if (node->op == EXPR_VAR) {
      assert(node->var_index < simplifier->variable_count[node->var_kind]);
      if (!fold_meet(&simplifier->bounds[node->var_kind][node->var_index], constraint->in))
        return false;
    } else if (expr_same(constraint->expr, last) ||
               fold_constants(pool, constraint->expr, &value)) {
      last = constraint->expr;
      if (value < constraint->in.lo || value > constraint->in.hi) return false;
    } else {
      assert(simplifier->kept_count < simplifier->kept_capacity);
      simplifier->kept[simplifier->kept_count++] = i;
    }
  }
  if (simplifier->kept_count == 0 || simplifier->tracer != nullptr || simplifier->has_users_rules)
    return true;
  return fold_remaining(simplifier, map);
}
