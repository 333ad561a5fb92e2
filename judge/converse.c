/* Builds the converse by substitution alone, so that it can be held against what the engine solved. */
#include "judge/converse.h"

#include <assert.h>

typedef struct Turn {
  MapContext *context;
  const Map *map;
  uint32_t rank;
  const int64_t *sizes;
  Substitution by;
  Error *error;
} Turn;

static const Expr *range_variables(const Turn *turn, uint32_t first, uint32_t count) {
  Expr *variables = ARENA_NEW(turn->context->arena, Expr, count);
  for (uint32_t i = 0; i < count; i++) variables[i] = expr_var(turn->context->pool, VAR_RANGE, first + i);
  return variables;
}

static bool substitute(const Turn *turn, uint32_t count, const Expr *expressions, Expr *results) {
  return expr_substitute(turn->context->pool, turn->context->arena, &turn->by, count, expressions, results, turn->error);
}

/* A map over the turned variables, without results and with room for the constraints. */
static Map *begin(const Turn *turn, uint32_t results, uint32_t constraints) {
  const Map *map = turn->map;
  assert(map->state == MAP_PLAIN);
  Map *turned = map_create(turn->context, turn->rank, map->dim_count + map->range_count, map->runtime_count, results, constraints);
  for (uint32_t i = 0; i < turn->rank; i++) turned->dims[i].bounds = (Interval){0, turn->sizes[i] - 1};
  for (uint32_t i = 0; i < map->dim_count; i++) turned->ranges[i].bounds = map->dims[i].bounds;
  for (uint32_t i = 0; i < map->range_count; i++) turned->ranges[map->dim_count + i].bounds = map->ranges[i].bounds;
  for (uint32_t i = 0; i < map->runtime_count; i++) turned->runtimes[i].bounds = map->runtimes[i].bounds;
  return turned;
}

/* e_i - x_i in [0, 0], then the given constraints. */
static bool set_constraints(const Turn *turn, Map *turned) {
  const Map *map = turn->map;
  ExprPool *pool = turn->context->pool;
  assert(map->result_count == turn->rank && turned->constraint_count == map->result_count + map->constraint_count);
  for (uint32_t i = 0; i < map->result_count; i++) {
    Expr result;
    if (!substitute(turn, 1, &map->results[i], &result)) return false;
    Expr minus = expr_binary(pool, EXPR_MUL, expr_var(pool, VAR_DIM, i), expr_const(pool, -1));
    if (expr_node(pool, result)->depth >= expr_max_depth) return error_set(turn->error, ERROR_LIMIT, "the expression is too deep");
    turned->constraints[i] = (Constraint){.expr = expr_binary(pool, EXPR_ADD, result, minus), .in = {0, 0}};
  }
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    Constraint *constraint = &turned->constraints[map->result_count + i];
    constraint->in = map->constraints[i].in;
    if (!substitute(turn, 1, &map->constraints[i].expr, &constraint->expr)) return false;
  }
  return true;
}

static bool set_sources(const Turn *turn, Map *turned) {
  const Map *map = turn->map;
  if (map->sources == nullptr || map->runtime_count == 0) return true;
  turned->sources = ARENA_NEW(turn->context->arena, RuntimeSource, map->runtime_count);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    turned->sources[i] = map->sources[i];
    const Map *index = map->sources[i].index;
    if (index == nullptr || index->state != MAP_PLAIN) continue;
    Map *turned_index = begin(turn, index->result_count, 0);
    if (!substitute(turn, index->result_count, index->results, turned_index->results)) return false;
    turned->sources[i].index = turned_index;
  }
  return true;
}

bool relation_converse(MapContext *context, const Map *map, uint32_t rank, const int64_t *sizes, const Map **converse, Error *error) {
  if (map->state != MAP_PLAIN) {
    *converse = map;
    return true;
  }
  if (map->result_count != rank) return error_set(error, ERROR_INPUT, "a map with %u results leads to no operand of rank %u", map->result_count, rank);
  Turn turn = {.context = context, .map = map, .rank = rank, .sizes = sizes, .error = error};
  turn.by = (Substitution){.dims = range_variables(&turn, 0, map->dim_count), .ranges = range_variables(&turn, map->dim_count, map->range_count)};
  Map *turned = begin(&turn, map->dim_count, map->result_count + map->constraint_count);
  for (uint32_t i = 0; i < map->dim_count; i++) turned->results[i] = turn.by.dims[i];
  if (!set_constraints(&turn, turned) || !set_sources(&turn, turned) || !map_check(context, turned, error)) return false;
  *converse = turned;
  return true;
}
