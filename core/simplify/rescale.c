/* Rescaling of range variables: a constraint (s + k) mod m in [r, r] leaves every m-th value of s; after simplifying, the first of them
 * is the variable's lower bound, so s = lo + m*t with t in [0, (hi - lo) floordiv m]. */
#include <string.h>

#include "core/base/checked.h"
#include "core/simplify/renew.h"
#include "core/simplify/variables.h"

/* The range variable that a constraint holds to one remainder. */
static bool is_congruence(const MapContext *context, const Constraint *constraint, uint32_t *variable, int64_t *modulus) {
  const ExprPool *pool = context->pool;
  const ExprNode *node = expr_node(pool, constraint->expr);
  if (node->op != EXPR_MOD || constraint->in.lo != constraint->in.hi || !expr_is_const(pool, node->right, modulus)) return false;
  const ExprNode *argument = expr_node(pool, node->left);
  if (argument->op == EXPR_ADD && expr_is_const(pool, argument->right, nullptr)) argument = expr_node(pool, argument->left);
  if (argument->op != EXPR_VAR || argument->var_kind != VAR_RANGE) return false;
  *variable = argument->var_index;
  return true;
}

static bool find_congruence(const MapContext *context, const Map *map, uint32_t *at, uint32_t *variable, int64_t *modulus) {
  for (*at = 0; *at < map->constraint_count; ++*at)
    if (is_congruence(context, &map->constraints[*at], variable, modulus)) return true;
  return false;
}

static Expr scaled(ExprPool *pool, uint32_t variable, int64_t modulus, int64_t lo) {
  Expr times = expr_binary(pool, EXPR_MUL, expr_var(pool, VAR_RANGE, variable), expr_const(pool, modulus));
  return lo == 0 ? times : expr_binary(pool, EXPR_ADD, times, expr_const(pool, lo));
}

static bool rescale_one(MapContext *context, const Map *map, uint32_t at, uint32_t variable, int64_t modulus, const Map **rescaled, Error *error) {
  Interval bounds = map->ranges[variable].bounds;
  Map rest = *map;
  rest.constraint_count--;
  rest.constraints = ARENA_NEW(context->arena, Constraint, map->constraint_count);
  for (uint32_t i = 0, to = 0; i < map->constraint_count; i++)
    if (i != at) rest.constraints[to++] = map->constraints[i];
  Map *renewed = map_create(context, map->dim_count, map->range_count, map->runtime_count, map->result_count, rest.constraint_count);
  memcpy(renewed->dims, map->dims, map->dim_count * sizeof(Variable));
  memcpy(renewed->ranges, map->ranges, map->range_count * sizeof(Variable));
  int64_t width;
  if (!sub64(bounds.hi, bounds.lo, &width)) return error_set(error, ERROR_OVERFLOW, "rescale: the bounds of s%u are too wide", variable);
  renewed->ranges[variable].bounds = (Interval){0, floordiv64(width, modulus)};
  Expr *ranges = ARENA_NEW(context->arena, Expr, map->range_count);
  ranges[variable] = scaled(context->pool, variable, modulus, bounds.lo);
  *rescaled = renewed;
  return map_renew(context, &rest, &(Substitution){.ranges = ranges}, renewed, error) && map_check(context, renewed, error);
}

bool map_rescale(Simplifier *simplifier, const Map *map, const Map **rescaled, Error *error) {
  static const SimplifyOptions keep = {.keep_points = true};
  MapContext *context = simplifier_context(simplifier);
  uint32_t at, variable;
  int64_t modulus;
  if (!simplify_map(simplifier, map, &keep, rescaled, nullptr, error)) return false;
  while ((*rescaled)->state == MAP_PLAIN && find_congruence(context, *rescaled, &at, &variable, &modulus)) {
    if (!rescale_one(context, *rescaled, at, variable, modulus, rescaled, error)) return false;
    if (!simplify_map(simplifier, *rescaled, &keep, rescaled, nullptr, error)) return false;
  }
  return simplify_map(simplifier, *rescaled, nullptr, rescaled, nullptr, error);
}
