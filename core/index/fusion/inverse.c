/* Inverts a relation. The old variables d, s become unknowns; each target element t_k gives one
 * equation e_k = t_k.
 *   e_k = a*v + rest, with an unknown v (dimensions before range variables): v = (t_k - rest) / a.
 *       Valid if a divides t_k - rest, and t_k - rest lies in a * bounds(v); both become bounds of
 *       t_k or constraints.
 *   e_k = X floordiv c, if the map requires X mod c = 0: the equation X = c * t_k.
 *   Any other e_k: the constraint e_k - t_k = 0.
 * Unsolved unknowns become range variables of the result, old dimensions first. Always exact.
 * Until the final renumbering, old dimension i is range variable i, and old range variable j is
 * range variable dim_count + j. */
#include "core/index/fusion/inverse.h"

#include <assert.h>
#include <string.h>

#include "core/base/checked.h"
#include "core/expr/visit.h"
#include "core/index/ops/build.h"
#include "core/index/ops/terms.h"

typedef struct InverseTurn {
  Build build; /* dims: the target's elements; sources: over the unknowns */
  const Map *map;
  uint32_t unknown_count;
  Interval *bounds;            /* [unknown_count] */
  bool *solved;                /* [unknown_count] */
  Expr *values;                /* [dim_count] old dimensions over t and the unsolved unknowns */
  Expr *equations;             /* [result_count] e_k */
  BuildConstraints conditions; /* the map's own, without those that an equation made redundant */
  Error *error;
} InverseTurn;

/* An equation scale * t = sum of terms. */
typedef struct InverseEquation {
  Expr target;
  uint32_t index;
  int64_t scale;
  LinearTerms terms;
} InverseEquation;

static Expr inverse_unknown(const InverseTurn *turn, uint32_t index) {
  return expr_var(turn->build.context->pool, VAR_RANGE, index);
}

static bool inverse_substitute(
    InverseTurn *turn, const Substitution *by, uint32_t count, Expr *expressions) {
  MapContext *context = turn->build.context;
  return expr_substitute(
      context->pool, context->arena, by, count, expressions, expressions, turn->error);
}

static bool substitute_constraints(
    InverseTurn *turn, const Substitution *by, BuildConstraints *constraints) {
  for (uint32_t i = 0; i < constraints->count; i++)
    if (!inverse_substitute(turn, by, 1, &constraints->items[i].expr)) return false;
  return true;
}

static bool substitute_everywhere(InverseTurn *turn, const Substitution *by) {
  for (uint32_t i = 0; i < turn->build.sources.count; i++) {
    BuildExprs *index = &turn->build.sources.items[i].index;
    if (!inverse_substitute(turn, by, index->count, index->items)) return false;
  }
  return inverse_substitute(turn, by, turn->map->dim_count, turn->values) &&
         inverse_substitute(turn, by, turn->map->result_count, turn->equations) &&
         substitute_constraints(turn, by, &turn->conditions) &&
         substitute_constraints(turn, by, &turn->build.constraints);
}

static void copy_sources(InverseTurn *turn) {
  Build *build = &turn->build;
  Arena *arena = build->context->arena;
  const Map *map = turn->map;
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    *ARENA_PUSH(arena, &build->runtimes) = map->runtimes[i];
    BuildSource *entry = ARENA_PUSH(arena, &build->sources);
    *entry = (BuildSource){.name = "unknown", .clamp = map->runtimes[i].bounds};
    if (map->sources == nullptr) continue;
    const RuntimeSource *source = &map->sources[i];
    *entry = (BuildSource){.instruction = source->instruction,
        .name = source->name,
        .clamp = source->clamp,
        .has_index = source->index != nullptr};
    if (!entry->has_index) continue;
    for (uint32_t k = 0; k < source->index->result_count; k++)
      *ARENA_PUSH(arena, &entry->index) = source->index->results[k];
  }
}

static void copy_map(InverseTurn *turn, const Shape *target) {
  Arena *arena = turn->build.context->arena;
  const Map *map = turn->map;
  for (uint32_t k = 0; k < target->rank; k++)
    build_add_dim(&turn->build, (Interval){0, target->sizes[k] - 1});
  for (uint32_t i = 0; i < map->dim_count; i++) turn->bounds[i] = map->dims[i].bounds;
  for (uint32_t i = 0; i < map->range_count; i++)
    turn->bounds[map->dim_count + i] = map->ranges[i].bounds;
  if (map->result_count > 0)
    memcpy(turn->equations, map->results, map->result_count * sizeof(Expr));
  for (uint32_t i = 0; i < map->constraint_count; i++)
    *ARENA_PUSH(arena, &turn->conditions) = map->constraints[i];
  copy_sources(turn);
}

static bool inverse_start(
    InverseTurn *turn, MapContext *context, const Map *map, const Shape *target, Error *error) {
  assert(map->result_count == target->rank);
  uint32_t unknowns = map_first_number(map, VAR_RUNTIME);
  *turn = (InverseTurn){
      .build = build_start(context),
      .map = map,
      .unknown_count = unknowns,
      .bounds = ARENA_NEW(context->arena, Interval, unknowns),
      .solved = ARENA_NEW(context->arena, bool, unknowns),
      .values = ARENA_NEW(context->arena, Expr, map->dim_count),
      .equations = ARENA_NEW(context->arena, Expr, map->result_count),
      .error = error,
  };
  copy_map(turn, target);
  Expr *dims = ARENA_NEW(context->arena, Expr, map->dim_count),
       *ranges = ARENA_NEW(context->arena, Expr, map->range_count);
  for (uint32_t i = 0; i < map->dim_count; i++) {
    dims[i] = inverse_unknown(turn, i);
    turn->values[i] = build_const(&turn->build, 0);
  }
  for (uint32_t i = 0; i < map->range_count; i++)
    ranges[i] = inverse_unknown(turn, map->dim_count + i);
  if (!substitute_everywhere(turn, &(Substitution){.dims = dims, .ranges = ranges})) return false;
  if (map->dim_count > 0) memcpy(turn->values, dims, map->dim_count * sizeof *dims);
  return true;
}

/* Removes the condition `expr mod divisor in [0, 0]`; false if it does not exist. */
static bool take_divisibility(InverseTurn *turn, Expr expr, Expr divisor) {
  if (turn->conditions.count == 0) return false;
  Expr wanted = expr_binary(turn->build.context->pool, EXPR_MOD, expr, divisor);
  for (uint32_t i = 0; i < turn->conditions.count; i++) {
    Constraint *condition = &turn->conditions.items[i];
    if (!expr_same(condition->expr, wanted) || condition->in.lo != 0 || condition->in.hi != 0)
      continue;
    *condition = turn->conditions.items[--turn->conditions.count];
    return true;
  }
  return false;
}

static InverseEquation equation_of(InverseTurn *turn, uint32_t index) {
  Build *build = &turn->build;
  InverseEquation equation = {.target = build_dim(build, index), .index = index, .scale = 1};
  Expr expr = turn->equations[index];
  const ExprNode node = *expr_node(build->context->pool, expr);
  int64_t divisor;
  if (node.op == EXPR_FLOORDIV && expr_is_const(build->context->pool, node.right, &divisor) &&
      take_divisibility(turn, node.left, node.right)) {
    equation.scale = divisor;
    expr = node.left;
  }
  equation.terms = terms_of(build, expr);
  return equation;
}

/* The position of v's term if v occurs in no other atom; else UINT32_MAX. */
static uint32_t linear_in(const InverseTurn *turn, const LinearTerms *terms, Expr v) {
  const MapContext *context = turn->build.context;
  uint32_t position = UINT32_MAX;
  for (uint32_t i = 0; i < terms->count; i++) {
    if (terms->items[i].coefficient == 0) continue;
    if (expr_same(terms->items[i].atom, v)) position = i;
    else if (expr_contains(context->pool, context->arena, terms->items[i].atom, v))
      return UINT32_MAX;
  }
  return position;
}

/* The first unknown that the equation can be solved for; UINT32_MAX if there is none. */
static uint32_t inverse_choose(
    const InverseTurn *turn, const LinearTerms *terms, uint32_t *position) {
  for (uint32_t v = 0; v < turn->unknown_count; v++) {
    if (turn->solved[v]) continue;
    *position = linear_in(turn, terms, inverse_unknown(turn, v));
    if (*position != UINT32_MAX) return v;
  }
  return UINT32_MAX;
}

static bool is_constant(const LinearTerms *terms, uint32_t left_out) {
  for (uint32_t i = 0; i < terms->count; i++)
    if (i != left_out && terms->items[i].coefficient != 0) return false;
  return true;
}

/* Adds scale * t in [lo, hi] to the bounds of t. */
static void tighten(InverseTurn *turn, const InverseEquation *equation, int64_t lo, int64_t hi) {
  assert(equation->scale > 0 && equation->index < turn->build.dims.count);
  Interval *bounds = &turn->build.dims.items[equation->index].bounds;
  bounds->lo = max64(bounds->lo, ceildiv64(lo, equation->scale));
  bounds->hi = min64(bounds->hi, floordiv64(hi, equation->scale));
}

static bool all_divisible(const InverseEquation *equation, uint32_t position, int64_t divisor) {
  if (equation->scale % divisor != 0 || equation->terms.constant % divisor != 0) return false;
  for (uint32_t i = 0; i < equation->terms.count; i++)
    if (i != position && equation->terms.items[i].coefficient % divisor != 0) return false;
  return true;
}

/* Keeps the bounds of v, as bounds of t or as a constraint on numerator = magnitude * v. */
static void keep_bounds(InverseTurn *turn, const InverseEquation *equation, uint32_t position,
    Interval v, Expr numerator) {
  Build *build = &turn->build;
  int64_t coefficient = equation->terms.items[position].coefficient;
  int64_t magnitude = coefficient > 0 ? coefficient : build_product(build, coefficient, -1);
  Interval scaled = {build_product(build, v.lo, magnitude), build_product(build, v.hi, magnitude)};
  int64_t rest = equation->terms.constant;
  if (!is_constant(&equation->terms, position))
    build_require(build, numerator, scaled.lo, scaled.hi);
  else if (coefficient > 0)
    tighten(turn, equation, build_sum(build, scaled.lo, rest), build_sum(build, scaled.hi, rest));
  else
    tighten(turn, equation, build_difference(build, rest, scaled.hi),
        build_difference(build, rest, scaled.lo));
}

static bool solve_for(
    InverseTurn *turn, const InverseEquation *equation, uint32_t v, uint32_t position) {
  Build *build = &turn->build;
  int64_t coefficient = equation->terms.items[position].coefficient;
  int64_t sign = coefficient > 0 ? 1 : -1;
  int64_t magnitude = build_product(build, coefficient, sign);
  if (build->overflow) return true;
  Expr target = build_times(build, equation->target, build_product(build, equation->scale, sign));
  Expr numerator = build_plus(build, target, terms_expr(build, &equation->terms, position, -sign));
  keep_bounds(turn, equation, position, turn->bounds[v], numerator);
  if (build->overflow) return true;
  if (!all_divisible(equation, position, magnitude))
    build_require(build, build_mod(build, numerator, magnitude), 0, 0);
  assert(v < turn->unknown_count && !turn->solved[v] && magnitude > 0);
  Expr *ranges = ARENA_NEW(build->context->arena, Expr, turn->unknown_count);
  ranges[v] = build_floordiv(build, numerator, magnitude);
  turn->solved[v] = true;
  return substitute_everywhere(turn, &(Substitution){.ranges = ranges});
}

static bool inverse_solve(InverseTurn *turn, uint32_t index) {
  Build *build = &turn->build;
  InverseEquation equation = equation_of(turn, index);
  if (build->overflow) return true;
  uint32_t position;
  uint32_t v = inverse_choose(turn, &equation.terms, &position);
  if (v != UINT32_MAX) return solve_for(turn, &equation, v, position);
  if (is_constant(&equation.terms, UINT32_MAX)) {
    tighten(turn, &equation, equation.terms.constant, equation.terms.constant);
    return true;
  }
  Expr difference = build_minus(build, terms_expr(build, &equation.terms, UINT32_MAX, 1),
      build_times(build, equation.target, equation.scale));
  build_require(build, difference, 0, 0);
  return true;
}

/* Renumbers the unsolved unknowns as s0, s1, ... */
static bool renumber(InverseTurn *turn) {
  Expr *ranges = ARENA_NEW(turn->build.context->arena, Expr, turn->unknown_count);
  for (uint32_t v = 0; v < turn->unknown_count; v++)
    if (!turn->solved[v])
      ranges[v] = build_range(&turn->build, turn->bounds[v].lo, turn->bounds[v].hi);
  return substitute_everywhere(turn, &(Substitution){.ranges = ranges});
}

/* ---- maps whose results are variables, variables plus constants, and constants ----
 * Most operations only move elements. Their equations are solved directly. */

static constexpr uint32_t most_plain_results = 16;

typedef struct PlainEquation {
  Interval values; /* of the result */
  int64_t added;   /* to its variable */
} PlainEquation;

/* The summand c of v + c, where v becomes the node; 0 for other expressions. */
static int64_t plain_summand(const ExprPool *pool, const ExprNode **node) {
  int64_t added;
  const ExprNode *left = (*node)->op == EXPR_ADD ? expr_node(pool, (*node)->left) : *node;
  if (left == *node || left->op != EXPR_VAR || !expr_is_const(pool, (*node)->right, &added) ||
      added == INT64_MIN)
    return 0;
  *node = left;
  return added;
}

/* given[v]: one plus the index of the result with v; 0 if there is none. False if result k has
 * another form, or a variable of an earlier result. */
static bool plain_equation(const MapContext *context, const Map *map, uint32_t k, uint32_t *given,
    PlainEquation *equation) {
  const ExprNode *node = expr_node(context->pool, map->results[k]);
  *equation = (PlainEquation){.added = plain_summand(context->pool, &node)};
  equation->values = (Interval){node->value, node->value};
  if (node->op == EXPR_CONST) return true;
  if (node->op != EXPR_VAR) return false;
  bool is_range = node->var_kind == VAR_RANGE;
  uint32_t *result = &given[is_range ? map->dim_count + node->var_index : node->var_index];
  if (*result != 0) return false;
  *result = k + 1;
  Interval bounds = (is_range ? map->ranges : map->dims)[node->var_index].bounds;
  return add64(bounds.lo, equation->added, &equation->values.lo) &&
         add64(bounds.hi, equation->added, &equation->values.hi);
}

static Expr plain_value(MapContext *context, uint32_t k, int64_t added) {
  Expr target = expr_var(context->pool, VAR_DIM, k);
  return added == 0
             ? target
             : expr_binary(context->pool, EXPR_ADD, target, expr_const(context->pool, -added));
}

static void plain_variables(MapContext *context, const Map *map, const uint32_t *given,
    const PlainEquation *equations, Map *made) {
  for (uint32_t v = 0, range = 0; v < map_variable_count(map); v++) {
    if (given[v] == 0) made->ranges[range].bounds = map_variable(map, v)->bounds;
    if (v < map->dim_count)
      made->results[v] = given[v] == 0
                             ? expr_var(context->pool, VAR_RANGE, range)
                             : plain_value(context, given[v] - 1, equations[given[v] - 1].added);
    range += given[v] == 0;
  }
}

/* False if the map is not plain. */
static bool plain_inverse(
    MapContext *context, const Map *map, const Shape *target, const Map **inverse) {
  PlainEquation equations[most_plain_results];
  uint32_t unknowns = map_variable_count(map), unsolved = 0;
  if (map->constraint_count > 0 || map->runtime_count > 0 || target->rank > most_plain_results)
    return false;
  uint32_t *given = ARENA_NEW(context->arena, uint32_t, unknowns);
  for (uint32_t k = 0; k < target->rank; k++)
    if (!plain_equation(context, map, k, given, &equations[k])) return false;
  for (uint32_t v = 0; v < unknowns; v++) unsolved += given[v] == 0;
  Map *made = map_create(context, target->rank, unsolved, 0, map->dim_count, 0);
  for (uint32_t k = 0; k < target->rank; k++)
    made->dims[k].bounds = (Interval){
        max64(equations[k].values.lo, 0), min64(equations[k].values.hi, target->sizes[k] - 1)};
  plain_variables(context, map, given, equations, made);
  assert(map_is_whole(context, made));
  *inverse = map_has_empty_bounds(made) ? nullptr : made;
  return true;
}

bool map_inverse_relation(
    MapContext *context, const Map *map, const Shape *target, const Map **inverse, Error *error) {
  assert(map->state == MAP_PLAIN && map->result_count == target->rank);
  if (plain_inverse(context, map, target, inverse)) return true;
  InverseTurn turn;
  if (!inverse_start(&turn, context, map, target, error)) return false;
  for (uint32_t k = 0; k < map->result_count; k++)
    if (!inverse_solve(&turn, k)) return false;
  if (!renumber(&turn)) return false;
  for (uint32_t i = 0; i < turn.conditions.count; i++)
    *ARENA_PUSH(context->arena, &turn.build.constraints) = turn.conditions.items[i];
  for (uint32_t i = 0; i < map->dim_count; i++) build_result(&turn.build, turn.values[i]);
  return build_finish(&turn.build, inverse, error);
}
