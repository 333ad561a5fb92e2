/* Each map is the given one with its variables renamed: a new place for every variable, and
 * additions to results and constraints. */
#include "judge/algebra/algebra_rebuild.h"

typedef struct AlgebraRebuild {
  MapContext *context;
  const Map *map;
  Error *error;
  Map *made;
  Substitution by; /* the given map's variables in terms of the new map's */
} AlgebraRebuild;

static Expr *variables(MapContext *context, VarKind kind, uint32_t first, uint32_t count) {
  Expr *made = ARENA_NEW(context->arena, Expr, count);
  for (uint32_t i = 0; i < count; i++) made[i] = expr_var(context->pool, kind, first + i);
  return made;
}

static bool algebra_rebuild_substitute(
    const AlgebraRebuild *rebuild, uint32_t count, const Expr *from, Expr *to) {
  return expr_substitute(rebuild->context->pool, rebuild->context->arena, &rebuild->by, count, from,
      to, rebuild->error);
}

static void algebra_rebuild_bound(Variable *to, const Variable *from, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) to[i].bounds = from[i].bounds;
}

static bool carry_constraints(const AlgebraRebuild *rebuild, uint32_t first) {
  return constraints_substitute(rebuild->context, &rebuild->by, rebuild->map->constraint_count,
      rebuild->map->constraints, rebuild->made->constraints + first, rebuild->error);
}

/* Copies the sources. Index maps range over the same variables as the map. */
static bool carry_sources(const AlgebraRebuild *rebuild) {
  const Map *map = rebuild->map, *made = rebuild->made;
  if (map->sources == nullptr || map->runtime_count == 0) return true;
  rebuild->made->sources = ARENA_NEW(rebuild->context->arena, RuntimeSource, map->runtime_count);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    const Map *index = map->sources[i].index;
    rebuild->made->sources[i] = map->sources[i];
    if (index == nullptr || index->state != MAP_PLAIN) continue;
    if (!map_index_is_over(index, map))
      return error_set(rebuild->error, ERROR_UNSUPPORTED,
          "the index map of runtime variable %u has other variables", i);
    Map *source_index = map_create(rebuild->context, made->dim_count, made->range_count,
        made->runtime_count, index->result_count, 0);
    algebra_rebuild_bound(source_index->dims, made->dims, made->dim_count);
    algebra_rebuild_bound(source_index->ranges, made->ranges, made->range_count);
    algebra_rebuild_bound(source_index->runtimes, made->runtimes, made->runtime_count);
    if (!algebra_rebuild_substitute(
            rebuild, index->result_count, index->results, source_index->results))
      return false;
    rebuild->made->sources[i].index = source_index;
  }
  return true;
}

static bool algebra_rebuild_finish(const AlgebraRebuild *rebuild, const Map **rebuilt) {
  *rebuilt = rebuild->made;
  return map_check(rebuild->context, rebuild->made, rebuild->error);
}

/* Starts a map with the same variables. */
static AlgebraRebuild algebra_rebuild_copied(
    MapContext *context, const Map *map, uint32_t results, uint32_t constraints, Error *error) {
  AlgebraRebuild rebuild = {.context = context, .map = map, .error = error};
  rebuild.made = map_create(
      context, map->dim_count, map->range_count, map->runtime_count, results, constraints);
  algebra_rebuild_bound(rebuild.made->dims, map->dims, map->dim_count);
  algebra_rebuild_bound(rebuild.made->ranges, map->ranges, map->range_count);
  algebra_rebuild_bound(rebuild.made->runtimes, map->runtimes, map->runtime_count);
  return rebuild;
}

bool rebuild_results(MapContext *context, const Map *map, uint32_t count, const int64_t *numbers,
    const Map **rebuilt, Error *error) {
  AlgebraRebuild rebuild =
      algebra_rebuild_copied(context, map, count, map->constraint_count, error);
  for (uint32_t i = 0; i < count; i++) rebuild.made->results[i] = map->results[numbers[i]];
  return carry_constraints(&rebuild, 0) && carry_sources(&rebuild) &&
         algebra_rebuild_finish(&rebuild, rebuilt);
}

bool rebuild_within(MapContext *context, const Map *map, const Interval *results,
    const Map **rebuilt, Error *error) {
  AlgebraRebuild rebuild = algebra_rebuild_copied(
      context, map, map->result_count, map->result_count + map->constraint_count, error);
  for (uint32_t i = 0; i < map->result_count; i++) {
    rebuild.made->results[i] = map->results[i];
    rebuild.made->constraints[i] = (Constraint){.expr = map->results[i], .in = results[i]};
  }
  return carry_constraints(&rebuild, map->result_count) && carry_sources(&rebuild) &&
         algebra_rebuild_finish(&rebuild, rebuilt);
}

bool rebuild_ranges_as_dims(
    MapContext *context, const Map *map, const Map **rebuilt, Error *error) {
  AlgebraRebuild rebuild = {.context = context, .map = map, .error = error};
  rebuild.made = map_create(context, map_first_number(map, VAR_RUNTIME), 0, map->runtime_count,
      map->result_count, map->constraint_count);
  algebra_rebuild_bound(rebuild.made->dims, map->dims, map->dim_count);
  algebra_rebuild_bound(rebuild.made->dims + map->dim_count, map->ranges, map->range_count);
  algebra_rebuild_bound(rebuild.made->runtimes, map->runtimes, map->runtime_count);
  rebuild.by.ranges = variables(context, VAR_DIM, map->dim_count, map->range_count);
  if (!algebra_rebuild_substitute(&rebuild, map->result_count, map->results, rebuild.made->results))
    return false;
  return carry_constraints(&rebuild, 0) && carry_sources(&rebuild) &&
         algebra_rebuild_finish(&rebuild, rebuilt);
}

static void algebra_rebuild_mark(const ExprPool *pool, Expr expr, bool *used) {
  const ExprNode *node = expr_node(pool, expr);
  if (node->op == EXPR_CONST) return;
  if (node->op == EXPR_VAR) {
    if (node->var_kind == VAR_DIM) used[node->var_index] = true;
    return;
  }
  algebra_rebuild_mark(pool, node->left, used);
  algebra_rebuild_mark(pool, node->right, used);
}

static bool *used_dims(MapContext *context, const Map *map) {
  bool *used = ARENA_NEW(context->arena, bool, map->dim_count);
  for (uint32_t i = 0; i < map->result_count; i++)
    algebra_rebuild_mark(context->pool, map->results[i], used);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    algebra_rebuild_mark(context->pool, map->constraints[i].expr, used);
  for (uint32_t i = 0; map->sources != nullptr && i < map->runtime_count; i++) {
    const Map *index = map->sources[i].index;
    for (uint32_t k = 0; index != nullptr && index->state == MAP_PLAIN && k < index->result_count;
        k++)
      algebra_rebuild_mark(context->pool, index->results[k], used);
  }
  return used;
}

bool rebuild_unused_as_ranges(
    MapContext *context, const Map *map, const Map **rebuilt, Error *error) {
  AlgebraRebuild rebuild = {.context = context, .map = map, .error = error};
  const bool *used = used_dims(context, map);
  uint32_t kept = 0, at[2] = {};
  for (uint32_t i = 0; i < map->dim_count; i++) kept += used[i];
  rebuild.made = map_create(context, kept, map->range_count + map->dim_count - kept,
      map->runtime_count, map->result_count, map->constraint_count);
  Expr *dims = ARENA_NEW(context->arena, Expr, map->dim_count);
  algebra_rebuild_bound(rebuild.made->ranges, map->ranges, map->range_count);
  algebra_rebuild_bound(rebuild.made->runtimes, map->runtimes, map->runtime_count);
  for (uint32_t i = 0; i < map->dim_count; i++) {
    uint32_t position = used[i] ? at[0]++ : map->range_count + at[1]++;
    (used[i] ? rebuild.made->dims : rebuild.made->ranges)[position].bounds = map->dims[i].bounds;
    dims[i] = expr_var(context->pool, used[i] ? VAR_DIM : VAR_RANGE, position);
  }
  rebuild.by.dims = dims;
  if (!algebra_rebuild_substitute(&rebuild, map->result_count, map->results, rebuild.made->results))
    return false;
  return carry_constraints(&rebuild, 0) && carry_sources(&rebuild) &&
         algebra_rebuild_finish(&rebuild, rebuilt);
}

bool rebuild_with_runtimes(MapContext *context, const Map *map, const Map *all, uint32_t kept,
    const Map **rebuilt, Error *error) {
  AlgebraRebuild rebuild = {.context = context, .map = map, .error = error};
  rebuild.made = map_create(context, map->dim_count, map->range_count, all->runtime_count,
      map->result_count, map->constraint_count);
  Expr *own_runtimes = ARENA_NEW(context->arena, Expr, map->runtime_count);
  rebuild.by.runtimes = own_runtimes;
  algebra_rebuild_bound(rebuild.made->dims, map->dims, map->dim_count);
  algebra_rebuild_bound(rebuild.made->ranges, map->ranges, map->range_count);
  for (uint32_t i = 0, own = 0; i < all->runtime_count; i++) {
    bool is_own = (kept >> i & 1) != 0;
    rebuild.made->runtimes[i].bounds = (is_own ? map->runtimes[own] : all->runtimes[i]).bounds;
    if (is_own) own_runtimes[own++] = expr_var(context->pool, VAR_RUNTIME, i);
  }
  return algebra_rebuild_substitute(
             &rebuild, map->result_count, map->results, rebuild.made->results) &&
         carry_constraints(&rebuild, 0) && algebra_rebuild_finish(&rebuild, rebuilt);
}

/* ---- twins ---- */

static void bound_all(Variable *to, const Map *map) {
  algebra_rebuild_bound(to, map->dims, map->dim_count);
  algebra_rebuild_bound(to + map->dim_count, map->ranges, map->range_count);
  algebra_rebuild_bound(to + map_first_number(map, VAR_RUNTIME), map->runtimes, map->runtime_count);
}

/* Maps all variables to variables of one kind. */
static void point_as(AlgebraRebuild *rebuild, VarKind kind) {
  const Map *map = rebuild->map;
  rebuild->by = (Substitution){.dims = variables(rebuild->context, kind, 0, map->dim_count),
      .ranges = variables(rebuild->context, kind, map->dim_count, map->range_count),
      .runtimes = variables(
          rebuild->context, kind, map_first_number(map, VAR_RUNTIME), map->runtime_count)};
}

static bool set_equal(AlgebraRebuild *rebuild, uint32_t result) {
  ExprPool *pool = rebuild->context->pool;
  Expr sides[2];
  for (uint32_t i = 0; i < 2; i++) {
    point_as(rebuild, i == 0 ? VAR_DIM : VAR_RANGE);
    if (!algebra_rebuild_substitute(rebuild, 1, &rebuild->map->results[result], &sides[i]))
      return false;
    if (expr_node(pool, sides[i])->depth + 2 > expr_deepest(pool))
      return error_set(rebuild->error, ERROR_LIMIT, "the expression is too deep");
  }
  Expr minus = expr_binary(pool, EXPR_MUL, sides[1], expr_const(pool, -1));
  rebuild->made->constraints[result] =
      (Constraint){.expr = expr_binary(pool, EXPR_ADD, sides[0], minus), .in = {0, 0}};
  return true;
}

bool rebuild_twins(
    MapContext *context, const Map *map, const Map **alone, const Map **twins, Error *error) {
  uint32_t count = map_variable_count(map);
  AlgebraRebuild rebuild = {.context = context,
      .map = map,
      .error = error,
      .made = map_create(context, count, 0, 0, count, map->constraint_count)};
  bound_all(rebuild.made->dims, map);
  for (uint32_t i = 0; i < count; i++)
    rebuild.made->results[i] = expr_var(context->pool, VAR_DIM, i);
  point_as(&rebuild, VAR_DIM);
  if (!carry_constraints(&rebuild, 0) || !algebra_rebuild_finish(&rebuild, alone)) return false;
  rebuild.made =
      map_create(context, count, count, 0, count, map->result_count + 2 * map->constraint_count);
  bound_all(rebuild.made->dims, map);
  bound_all(rebuild.made->ranges, map);
  for (uint32_t i = 0; i < count; i++)
    rebuild.made->results[i] = expr_var(context->pool, VAR_RANGE, i);
  for (uint32_t i = 0; i < map->result_count; i++)
    if (!set_equal(&rebuild, i)) return false;
  point_as(&rebuild, VAR_DIM);
  if (!carry_constraints(&rebuild, map->result_count)) return false;
  point_as(&rebuild, VAR_RANGE);
  return carry_constraints(&rebuild, map->result_count + map->constraint_count) &&
         algebra_rebuild_finish(&rebuild, twins);
}
