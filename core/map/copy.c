/* Copies of maps, and which variables a map uses. */
#include <assert.h>
#include <string.h>

#include "core/expr/visit.h"
#include "core/map/map.h"

static void *copy_items(Arena *arena, const void *items, size_t count, size_t size) {
  void *copy = arena_alloc(arena, count, size);
  if (count > 0) memcpy(copy, items, count * size);
  return copy;
}

/* One block, laid out as in map_create. */
Map *map_copy_variables(Arena *arena, const Map *map, uint32_t results, uint32_t constraints) {
  size_t variables = map_variable_count(map);
  Map *copy = arena_alloc(arena, 1,
      sizeof *map + variables * sizeof(Variable) + (size_t)constraints * sizeof(Constraint) +
          (size_t)results * sizeof(Expr));
  *copy = *map;
  copy->dims = (Variable *)(copy + 1);
  copy->ranges = copy->dims + map->dim_count;
  copy->runtimes = copy->ranges + map->range_count;
  copy->constraints = (Constraint *)(copy->dims + variables);
  copy->constraint_count = constraints;
  copy->results = (Expr *)(copy->constraints + constraints);
  copy->result_count = results;
  map_take_variables(copy, map, VAR_DIM);
  map_take_variables(copy, map, VAR_RANGE);
  map_take_variables(copy, map, VAR_RUNTIME);
  assert(map_same_kinds(copy, map) && copy->sources == map->sources);
  return copy;
}

static Map *copy_without_sources(Arena *arena, const Map *map) {
  Map *copy = map_copy_variables(arena, map, map->result_count, map->constraint_count);
  for (uint32_t i = 0; i < map->result_count; i++) copy->results[i] = map->results[i];
  for (uint32_t i = 0; i < map->constraint_count; i++) copy->constraints[i] = map->constraints[i];
  return copy;
}

/* A source's index map has no sources of its own. */
Map *map_copy(Arena *arena, const Map *map) {
  Map *copy = copy_without_sources(arena, map);
  if (map->sources == nullptr) return copy;
  assert(map->state == MAP_PLAIN);
  copy->sources = copy_items(arena, map->sources, map->runtime_count, sizeof *map->sources);
  for (uint32_t i = 0; i < map->runtime_count; i++)
    if (map->sources[i].index != nullptr)
      copy->sources[i].index = copy_without_sources(arena, map->sources[i].index);
  return copy;
}

bool constraints_substitute(MapContext *context, const Substitution *by, uint32_t count,
    const Constraint *from, Constraint *to, Error *error) {
  for (uint32_t i = 0; i < count; i++) {
    to[i].in = from[i].in;
    if (!expr_substitute(context->pool, context->arena, by, 1, &from[i].expr, &to[i].expr, error))
      return false;
  }
  return true;
}

void map_add_constraint(Arena *arena, Map *map, Constraint constraint) {
  uint32_t count = map->constraint_count;
  assert(map->state == MAP_PLAIN && constraint.expr.at != 0 && count < UINT32_MAX);
  map->constraints =
      arena_grow(arena, map->constraints, count, count + 1, sizeof *map->constraints);
  map->constraints[map->constraint_count++] = constraint;
}

void map_take_variables(Map *to, const Map *from, VarKind kind) {
  uint32_t count = map_kind_count(from, kind);
  assert(count <= map_kind_count(to, kind));
  if (count > 0)
    memcpy(map_variables(to, kind), map_variables(from, kind), count * sizeof(Variable));
}

void map_mark_variables(const MapContext *context, const Map *map, const ExprVariables *variables) {
  assert(map_is_whole(context, map));
  ArenaMark mark = arena_mark(context->arena);
  Memo seen = memo_create(context->arena);
  for (uint32_t i = 0; i < map->result_count; i++)
    expr_mark_variables(context->pool, &seen, map->results[i], variables);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    expr_mark_variables(context->pool, &seen, map->constraints[i].expr, variables);
  arena_rewind(context->arena, mark);
}
