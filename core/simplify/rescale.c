/* Rescales range variables: a constraint (s + k) mod m in [r, r] keeps every m-th value of s. The
 * first of them is lo + (r - k - lo) mod m, so s = first + m*t with t in [0, (hi - first) floordiv
 * m]. */
#include <assert.h>

#include "core/base/checked.h"
#include "core/simplify/normal/renew.h"
#include "core/simplify/variables.h"

/* (s + shift) mod modulus in [residue, residue], and its position. */
typedef struct RescaleCongruence {
  uint32_t at, variable;
  int64_t shift, modulus, residue;
} RescaleCongruence;

/* True if the constraint fixes a remainder of a range variable. */
static bool is_congruence(
    const MapContext *context, const Constraint *constraint, RescaleCongruence *found) {
  const ExprPool *pool = context->pool;
  const ExprNode *node = expr_node(pool, constraint->expr);
  if (node->op != EXPR_MOD || constraint->in.lo != constraint->in.hi ||
      !expr_is_const(pool, node->right, &found->modulus))
    return false;
  const ExprNode *argument = expr_node(pool, node->left);
  found->residue = constraint->in.lo;
  found->shift = 0;
  if (argument->op == EXPR_ADD && expr_is_const(pool, argument->right, &found->shift))
    argument = expr_node(pool, argument->left);
  if (argument->op != EXPR_VAR || argument->var_kind != VAR_RANGE) return false;
  assert(argument->var_index < UINT32_MAX && found->modulus > 0);
  found->variable = argument->var_index;
  return found->residue >= 0 && found->residue < found->modulus;
}

static bool find_congruence(const MapContext *context, const Map *map, RescaleCongruence *found) {
  for (found->at = 0; found->at < map->constraint_count; ++found->at)
    if (is_congruence(context, &map->constraints[found->at], found)) return true;
  return false;
}

/* The first value with the residue from the lower bound on, and the number of further steps up to
 * the upper bound: -1 if there is no value. */
static bool first_value(
    const RescaleCongruence *congruence, Interval bounds, int64_t *first, int64_t *last_step) {
  int64_t shifted, residue, width;
  if (!add64(mod64(bounds.lo, congruence->modulus), mod64(congruence->shift, congruence->modulus),
          &shifted))
    return false;
  if (!sub64(congruence->residue, mod64(shifted, congruence->modulus), &residue)) return false;
  if (!add64(bounds.lo, mod64(residue, congruence->modulus), first) ||
      !sub64(bounds.hi, *first, &width))
    return false;
  *last_step = floordiv64(width, congruence->modulus);
  assert(*first >= bounds.lo);
  return true;
}

static Expr rescale_scaled(ExprPool *pool, uint32_t variable, int64_t modulus, int64_t lo) {
  Expr times =
      expr_binary(pool, EXPR_MUL, expr_var(pool, VAR_RANGE, variable), expr_const(pool, modulus));
  return lo == 0 ? times : expr_binary(pool, EXPR_ADD, times, expr_const(pool, lo));
}

static bool rescale_one(MapContext *context, const Map *map, const RescaleCongruence *congruence,
    const Map **rescaled, Error *error) {
  uint32_t variable = congruence->variable;
  assert(map_is_whole(context, map));
  assert(variable < map->range_count && congruence->modulus > 0 &&
         congruence->at < map->constraint_count);
  int64_t first, last_step;
  if (!first_value(congruence, map->ranges[variable].bounds, &first, &last_step))
    return error_set(error, ERROR_OVERFLOW, "rescale: the bounds of s%u are too wide", variable);
  Map rest = *map;
  rest.constraint_count--;
  rest.constraints = ARENA_NEW(context->arena, Constraint, map->constraint_count);
  for (uint32_t i = 0, to = 0; i < map->constraint_count; i++)
    if (i != congruence->at) rest.constraints[to++] = map->constraints[i];
  Map *renewed = map_create(context, map->dim_count, map->range_count, map->runtime_count,
      map->result_count, rest.constraint_count);
  map_take_variables(renewed, map, VAR_DIM);
  map_take_variables(renewed, map, VAR_RANGE);
  renewed->ranges[variable].bounds = (Interval){0, last_step};
  Expr *ranges = ARENA_NEW(context->arena, Expr, map->range_count);
  ranges[variable] = rescale_scaled(context->pool, variable, congruence->modulus, first);
  *rescaled = last_step < 0 ? map_known_empty(context) : renewed;
  return map_renew(context, &rest, &(Substitution){.ranges = ranges}, renewed, error) &&
         (last_step < 0 || map_check(context, renewed, error));
}

bool map_rescale(Simplifier *simplifier, const Map *map, const Map **rescaled, Error *error) {
  static const SimplifyOptions keep = {.keep_points = true};
  MapContext *context = simplifier_context(simplifier);
  RescaleCongruence congruence;
  if (!simplify_map(simplifier, map, &keep, rescaled, nullptr, error)) return false;
  while ((*rescaled)->state == MAP_PLAIN && find_congruence(context, *rescaled, &congruence)) {
    if (!rescale_one(context, *rescaled, &congruence, rescaled, error)) return false;
    if (!simplify_map(simplifier, *rescaled, &keep, rescaled, nullptr, error)) return false;
  }
  return simplify_map(simplifier, *rescaled, nullptr, rescaled, nullptr, error);
}
