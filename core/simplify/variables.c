/* Replaces variables by substitution: new variables, and an expression over them for each old one.
 *
 * Keeps: results, constraints and the index maps of runtime variables use only the new
 * variables. */
#include "core/simplify/variables.h"

#include <assert.h>

#include "core/simplify/normal/renew.h"

bool map_renew_index(MapContext *context, const Map *from, const Map *owner, const Substitution *by,
    const Map *index, const Map **renewed, Error *error) {
  *renewed = index;
  if (index == nullptr || index->state != MAP_PLAIN || !map_index_is_over(index, from)) return true;
  Map *copy = map_copy_variables(context->arena, owner, index->result_count, 0);
  copy->sources = nullptr;
  *renewed = copy;
  return expr_substitute(
      context->pool, context->arena, by, index->result_count, index->results, copy->results, error);
}

static bool renew_sources(
    MapContext *context, const Map *map, const Substitution *by, Map *renewed, Error *error) {
  if (map->sources == nullptr) return true;
  assert(renewed->runtime_count == map->runtime_count);
  renewed->sources = ARENA_NEW(context->arena, RuntimeSource, map->runtime_count);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    renewed->sources[i] = map->sources[i];
    if (!map_renew_index(
            context, map, renewed, by, map->sources[i].index, &renewed->sources[i].index, error))
      return false;
  }
  return true;
}

bool map_renew(
    MapContext *context, const Map *map, const Substitution *by, Map *renewed, Error *error) {
  assert(renewed->result_count == map->result_count &&
         renewed->constraint_count == map->constraint_count);
  map_take_variables(renewed, map, VAR_RUNTIME);
  if (!expr_substitute(context->pool, context->arena, by, map->result_count, map->results,
          renewed->results, error) ||
      !constraints_substitute(
          context, by, map->constraint_count, map->constraints, renewed->constraints, error))
    return false;
  assert(map_is_whole(context, renewed));
  return renew_sources(context, map, by, renewed, error);
}

const Map *map_sub_map(
    MapContext *context, const Map *map, uint32_t count, const uint32_t *results) {
  if (map->state != MAP_PLAIN) return map;
  Map *sub = ARENA_NEW(context->arena, Map, 1);
  *sub = *map;
  sub->result_count = count;
  sub->results = ARENA_NEW(context->arena, Expr, count);
  for (uint32_t i = 0; i < count; i++) {
    assert(results[i] < map->result_count);
    sub->results[i] = map->results[results[i]];
  }
  assert(map_is_whole(context, sub));
  return sub;
}

const Map *map_ranges_to_dims(MapContext *context, const Map *map) {
  if (map->state != MAP_PLAIN || map->range_count == 0) return map;
  Map *renewed = map_create(context, map_first_number(map, VAR_RUNTIME), 0, map->runtime_count,
      map->result_count, map->constraint_count);
  map_take_variables(renewed, map, VAR_DIM);
  for (uint32_t i = 0; i < map->range_count; i++)
    renewed->dims[map->dim_count + i] = map->ranges[i];
  Expr *ranges = ARENA_NEW(context->arena, Expr, map->range_count);
  for (uint32_t i = 0; i < map->range_count; i++)
    ranges[i] = expr_var(context->pool, VAR_DIM, map->dim_count + i);
  Error error = {};
  [[maybe_unused]] bool fits =
      map_renew(context, map, &(Substitution){.ranges = ranges}, renewed, &error);
  assert(fits); /* a variable replaces a variable, so the depth does not change */
  return renewed;
}

static void mark_map(MapContext *context, bool *used, const Map *map) {
  const ExprVariables marks = {.of = {[VAR_DIM] = used}};
  map_mark_variables(context, map, &marks);
  for (uint32_t i = 0; map->sources != nullptr && i < map->runtime_count; i++)
    if (map->sources[i].index != nullptr && map_index_is_over(map->sources[i].index, map))
      map_mark_variables(context, map->sources[i].index, &marks);
}

static const Map *without_dims(MapContext *context, const Map *map, const bool *used) {
  uint32_t count = 0;
  Expr *dims = ARENA_NEW(context->arena, Expr, map->dim_count);
  for (uint32_t i = 0; i < map->dim_count; i++)
    if (used[i]) dims[i] = expr_var(context->pool, VAR_DIM, count++);
  if (count == map->dim_count) return map;
  Map *renewed = map_create(context, count, map->range_count, map->runtime_count, map->result_count,
      map->constraint_count);
  for (uint32_t i = 0, at = 0; i < map->dim_count; i++)
    if (used[i]) renewed->dims[at++] = map->dims[i];
  map_take_variables(renewed, map, VAR_RANGE);
  Error error = {};
  [[maybe_unused]] bool fits =
      map_renew(context, map, &(Substitution){.dims = dims}, renewed, &error);
  assert(fits);
  return renewed;
}

const Map *map_drop_dims(MapContext *context, const Map *map, bool *kept) {
  if (map->state != MAP_PLAIN) return map;
  bool *used = ARENA_NEW(context->arena, bool, map->dim_count);
  mark_map(context, used, map);
  for (uint32_t i = 0; i < map->dim_count; i++) {
    if (map->dims[i].bounds.lo > map->dims[i].bounds.hi) return map_known_empty(context);
    if (kept != nullptr) kept[i] = used[i];
  }
  assert(map_is_whole(context, map));
  return without_dims(context, map, used);
}
