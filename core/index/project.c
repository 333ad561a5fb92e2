/* A range variable s in [a, b] that stands in one constraint and nowhere else says: there is an s with e in [l, u].
 *   e = c * s + rest (s not in rest): the values of rest are the union of [l - c*s, u - c*s] over s. Neighbours are |c| apart, so that the union
 *   is one interval when u - l + 1 >= |c| or a = b: rest in [l - c*b, u - c*a] for c > 0, [l - c*a, u - c*b] for c < 0.
 *   e without other variables: true when one of the first values of s satisfies it.
 * Anything else stays. Such variables are what is left of windows and dilations when a later reduction reads everything behind them. */
#include "core/index/project.h"

#include <string.h>

#include "core/index/build.h"
#include "core/index/terms.h"

static constexpr int64_t most_tries = 64;

typedef struct Projection {
  Build build; /* for expressions and checked numbers */
  const Map *map;
} Projection;

static bool mentions(const ExprPool *pool, Expr expr, Expr variable) {
  if (expr_same(expr, variable)) return true;
  const ExprNode *node = expr_node(pool, expr);
  if (node->op == EXPR_CONST || node->op == EXPR_VAR) return false;
  return mentions(pool, node->left, variable) || mentions(pool, node->right, variable);
}

static bool has_other(const ExprPool *pool, Expr expr, Expr variable) {
  const ExprNode *node = expr_node(pool, expr);
  if (node->op == EXPR_CONST) return false;
  if (node->op == EXPR_VAR) return !expr_same(expr, variable);
  return has_other(pool, node->left, variable) || has_other(pool, node->right, variable);
}

static bool any_mentions(const ExprPool *pool, uint32_t count, const Expr *expressions, Expr variable) {
  for (uint32_t i = 0; i < count; i++)
    if (mentions(pool, expressions[i], variable)) return true;
  return false;
}

/* The one constraint that mentions the variable; UINT32_MAX where it stands elsewhere too, or nowhere. */
static uint32_t only_constraint(const Projection *projection, Expr variable) {
  const Map *map = projection->map;
  const ExprPool *pool = projection->build.context->pool;
  if (any_mentions(pool, map->result_count, map->results, variable)) return UINT32_MAX;
  for (uint32_t i = 0; map->sources != nullptr && i < map->runtime_count; i++) {
    const Map *index = map->sources[i].index;
    if (index != nullptr && any_mentions(pool, index->result_count, index->results, variable)) return UINT32_MAX;
  }
  uint32_t found = UINT32_MAX;
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    if (!mentions(pool, map->constraints[i].expr, variable)) continue;
    if (found != UINT32_MAX) return UINT32_MAX;
    found = i;
  }
  return found;
}

/* A constraint on the variable alone holds for one of its first values. */
static bool holds_somewhere(Projection *projection, const Constraint *constraint, uint32_t range) {
  const Map *map = projection->map;
  int64_t *ranges = ARENA_NEW(projection->build.context->arena, int64_t, map->range_count);
  Interval bounds = map->ranges[range].bounds;
  for (int64_t i = 0; i < most_tries && i <= bounds.hi - bounds.lo; i++) {
    int64_t value;
    ranges[range] = bounds.lo + i;
    if (!expr_evaluate(projection->build.context->pool, constraint->expr, &(Point){.ranges = ranges}, &value)) return false;
    if (constraint->in.lo <= value && value <= constraint->in.hi) return true;
  }
  return false;
}

/* The term of the variable, where it stands in no other atom. */
static uint32_t linear_term(const Projection *projection, const Terms *terms, Expr variable) {
  uint32_t position = UINT32_MAX;
  for (uint32_t i = 0; i < terms->count; i++) {
    if (expr_same(terms->items[i].atom, variable))
      position = i;
    else if (mentions(projection->build.context->pool, terms->items[i].atom, variable))
      return UINT32_MAX;
  }
  return position;
}

static bool without_linear(Projection *projection, Constraint *constraint, uint32_t range, Expr variable) {
  Build *build = &projection->build;
  Terms terms = terms_of(build, constraint->expr);
  uint32_t position = linear_term(projection, &terms, variable);
  if (build->overflow || position == UINT32_MAX || terms.items[position].coefficient == 0) return false;
  Interval s = projection->map->ranges[range].bounds, in = constraint->in;
  int64_t c = terms.items[position].coefficient, width = build_sum(build, build_difference(build, in.hi, in.lo), 1);
  bool contiguous = s.lo == s.hi || (c > 0 ? width >= c : c != INT64_MIN && width >= -c);
  if (!contiguous || in.lo > in.hi) return false;
  int64_t at_low = build_product(build, c, s.lo), at_high = build_product(build, c, s.hi);
  constraint->in = (Interval){build_difference(build, in.lo, c > 0 ? at_high : at_low),
                              build_difference(build, in.hi, c > 0 ? at_low : at_high)};
  constraint->expr = terms_expr(build, &terms, position, 1);
  return !build->overflow;
}

/* Constraint `at` said without the variable; expr of handle 0 where it always holds. False: it cannot be. */
static bool said_without(Projection *projection, uint32_t at, uint32_t range, Constraint *constraint) {
  Expr variable = expr_var(projection->build.context->pool, VAR_RANGE, range);
  *constraint = projection->map->constraints[at];
  projection->build.overflow = false;
  if (!has_other(projection->build.context->pool, constraint->expr, variable)) {
    if (!holds_somewhere(projection, constraint, range)) return false;
    constraint->expr = (Expr){};
    return true;
  }
  return without_linear(projection, constraint, range, variable);
}

/* The map with constraint `at` replaced or gone; the range variable is unused then. */
static const Map *with_constraint(MapContext *context, const Map *map, uint32_t at, Constraint constraint) {
  Map *made = ARENA_NEW(context->arena, Map, 1);
  *made = *map;
  made->constraints = ARENA_NEW(context->arena, Constraint, map->constraint_count);
  memcpy(made->constraints, map->constraints, map->constraint_count * sizeof *made->constraints);
  made->constraints[at] = constraint;
  if (constraint.expr.at == 0) made->constraints[at] = made->constraints[--made->constraint_count];
  return made;
}

bool map_project(MapContext *context, const Map *map, const Map **projected, Error *error) {
  Projection projection = {.build = build_start(context), .map = map};
  for (uint32_t range = 0; range < map->range_count && projection.map->constraint_count > 0; range++) {
    uint32_t at = only_constraint(&projection, expr_var(context->pool, VAR_RANGE, range));
    Constraint constraint;
    if (at == UINT32_MAX || !said_without(&projection, at, range, &constraint)) continue;
    projection.map = with_constraint(context, projection.map, at, constraint);
    range = UINT32_MAX;
  }
  *projected = projection.map;
  return *projected == map || map_check(context, *projected, error);
}
