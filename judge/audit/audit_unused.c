/* Marks the runtime variables that results and constraints use, and renumbers the others away. */
#include "judge/audit/audit_unused.h"

#include <assert.h>

static bool *used_runtimes(MapContext *context, const Map *map) {
  bool *used = ARENA_NEW(context->arena, bool, map->runtime_count);
  map_mark_variables(context, map, &(ExprVariables){.of = {nullptr, nullptr, used}});
  for (uint32_t i = 0; i < map->runtime_count; i++)
    used[i] |= map->runtimes[i].bounds.lo > map->runtimes[i].bounds.hi;
  return used;
}

static bool audit_unused_rewrite(
    MapContext *context, const Map *map, const bool *used, Map *made, Error *error) {
  Expr *up = ARENA_NEW(context->arena, Expr, map->runtime_count);
  for (uint32_t i = 0, next = 0; i < map->runtime_count; i++) {
    if (!used[i]) continue;
    assert(next < made->runtime_count);
    made->runtimes[next].bounds = map->runtimes[i].bounds;
    up[i] = expr_var(context->pool, VAR_RUNTIME, next++);
  }
  const Substitution by = {.runtimes = up};
  return constraints_substitute(
             context, &by, map->constraint_count, map->constraints, made->constraints, error) &&
         expr_substitute(context->pool, context->arena, &by, map->result_count, map->results,
             made->results, error);
}

bool map_drop_unused_runtimes(
    MapContext *context, const Map *map, const Map **dropped, Error *error) {
  *dropped = map;
  if (map->state != MAP_PLAIN || map->runtime_count == 0 || map->sources != nullptr) return true;
  const bool *used = used_runtimes(context, map);
  uint32_t left = 0;
  for (uint32_t i = 0; i < map->runtime_count; i++) left += used[i];
  if (left == map->runtime_count) return true;
  Map *made = map_create(
      context, map->dim_count, map->range_count, left, map->result_count, map->constraint_count);
  map_take_variables(made, map, VAR_DIM);
  map_take_variables(made, map, VAR_RANGE);
  *dropped = made;
  return audit_unused_rewrite(context, map, used, made, error);
}
