/* Builds the inverse relation by substitution alone, so that the engine's solution can be compared
 * with it. */
#include "judge/maps/inverse_relation.h"

#include <assert.h>

#include "core/base/text.h"

typedef struct InverseRelationTurn {
  MapContext *context;
  const Map *map;
  uint32_t rank, range_count;
  Variable *dims, *ranges; /* of the inverse map */
  Substitution by;
  uint64_t named; /* results that are a single variable, each variable once: the inverse map's
                     dimension replaces it */
  Error *error;
} InverseRelationTurn;

static constexpr uint32_t most_results = 64;

static Interval inverse_relation_both(Interval a, Interval b) {
  return (Interval){a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}

/* If result i is only this variable, x_i replaces it. Later results that are the same variable
 * become constraints. */
static bool take_dimension(
    InverseRelationTurn *turn, VarKind kind, uint32_t variable, Interval bounds, Expr *by) {
  for (uint32_t i = 0; i < turn->map->result_count; i++) {
    const ExprNode *node = expr_node(turn->context->pool, turn->map->results[i]);
    if (node->op != EXPR_VAR || node->var_kind != kind || node->var_index != variable) continue;
    *by = expr_var(turn->context->pool, VAR_DIM, i);
    turn->dims[i].bounds = inverse_relation_both(turn->dims[i].bounds, bounds);
    turn->named |= UINT64_C(1) << i;
    return true;
  }
  return false;
}

static const Expr *turn_variables(
    InverseRelationTurn *turn, VarKind kind, uint32_t count, const Variable *variables) {
  Expr *by = ARENA_NEW(turn->context->arena, Expr, count);
  for (uint32_t i = 0; i < count; i++) {
    if (take_dimension(turn, kind, i, variables[i].bounds, &by[i])) continue;
    turn->ranges[turn->range_count].bounds = variables[i].bounds;
    by[i] = expr_var(turn->context->pool, VAR_RANGE, turn->range_count++);
  }
  return by;
}

static bool inverse_relation_substitute(
    const InverseRelationTurn *turn, uint32_t count, const Expr *expressions, Expr *results) {
  return expr_substitute(turn->context->pool, turn->context->arena, &turn->by, count, expressions,
      results, turn->error);
}

/* A map over the inverse map's variables, without results, with capacity for the constraints. */
static Map *inverse_relation_begin(
    const InverseRelationTurn *turn, uint32_t results, uint32_t constraints) {
  const Map *map = turn->map;
  assert(map->state == MAP_PLAIN);
  Map *inverted = map_create(
      turn->context, turn->rank, turn->range_count, map->runtime_count, results, constraints);
  for (uint32_t i = 0; i < turn->rank; i++) inverted->dims[i] = turn->dims[i];
  for (uint32_t i = 0; i < turn->range_count; i++) inverted->ranges[i] = turn->ranges[i];
  for (uint32_t i = 0; i < map->runtime_count; i++)
    inverted->runtimes[i].bounds = map->runtimes[i].bounds;
  return inverted;
}

/* e_i - x_i in [0, 0] for results that are not replaced variables, followed by the given
 * constraints. */
static bool set_constraints(const InverseRelationTurn *turn, Map *inverted) {
  const Map *map = turn->map;
  ExprPool *pool = turn->context->pool;
  uint32_t count = 0;
  assert(map->result_count == turn->rank);
  for (uint32_t i = 0; i < map->result_count; i++) {
    Expr result;
    if ((turn->named >> i & 1) != 0) continue;
    if (!inverse_relation_substitute(turn, 1, &map->results[i], &result)) return false;
    Expr minus = expr_binary(pool, EXPR_MUL, expr_var(pool, VAR_DIM, i), expr_const(pool, -1));
    if (expr_node(pool, result)->depth >= expr_deepest(pool))
      return error_set(turn->error, ERROR_LIMIT, "the expression is too deep");
    inverted->constraints[count++] =
        (Constraint){.expr = expr_binary(pool, EXPR_ADD, result, minus), .in = {0, 0}};
  }
  assert(count + map->constraint_count == inverted->constraint_count);
  return constraints_substitute(turn->context, &turn->by, map->constraint_count, map->constraints,
      inverted->constraints + count, turn->error);
}

static bool set_sources(const InverseRelationTurn *turn, Map *inverted) {
  const Map *map = turn->map;
  if (map->sources == nullptr || map->runtime_count == 0) return true;
  inverted->sources = ARENA_NEW(turn->context->arena, RuntimeSource, map->runtime_count);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    inverted->sources[i] = map->sources[i];
    const Map *index = map->sources[i].index;
    if (index == nullptr || index->state != MAP_PLAIN) continue;
    Map *inverted_index = inverse_relation_begin(turn, index->result_count, 0);
    if (!inverse_relation_substitute(
            turn, index->result_count, index->results, inverted_index->results))
      return false;
    inverted->sources[i].index = inverted_index;
  }
  return true;
}

bool relation_inverse(MapContext *context, const Map *map, uint32_t rank, const int64_t *sizes,
    const Map **inverse, Error *error) {
  if (map->state != MAP_PLAIN) {
    *inverse = map;
    return true;
  }
  if (map->result_count != rank)
    return error_set(error, ERROR_INPUT, "a map with %s leads to no operand of rank %u",
        counted(map->result_count, "result"), rank);
  if (rank > most_results)
    return error_set(error, ERROR_LIMIT, "a map with %s", counted(rank, "result"));
  InverseRelationTurn turn = {.context = context, .map = map, .rank = rank, .error = error};
  turn.dims = ARENA_NEW(context->arena, Variable, rank);
  turn.ranges = ARENA_NEW(context->arena, Variable, map_first_number(map, VAR_RUNTIME));
  for (uint32_t i = 0; i < rank; i++) turn.dims[i].bounds = (Interval){0, sizes[i] - 1};
  turn.by.dims = turn_variables(&turn, VAR_DIM, map->dim_count, map->dims);
  turn.by.ranges = turn_variables(&turn, VAR_RANGE, map->range_count, map->ranges);
  uint32_t named = (uint32_t)__builtin_popcountll(turn.named);
  Map *inverted = inverse_relation_begin(
      &turn, map->dim_count, map->result_count - named + map->constraint_count);
  for (uint32_t i = 0; i < map->dim_count; i++) inverted->results[i] = turn.by.dims[i];
  if (!set_constraints(&turn, inverted) || !set_sources(&turn, inverted) ||
      !map_check(context, inverted, error))
    return false;
  *inverse = inverted;
  return true;
}
