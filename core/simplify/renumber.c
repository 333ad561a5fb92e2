/* Numbering variables otherwise: variables for variables, so that expressions keep their shape and nothing can become too deep. */
#include <assert.h>
#include <string.h>

#include "core/simplify/renew.h"

static Expr *renumber(MapContext *context, VarKind kind, uint32_t count, const uint32_t *to, const Variable *from, Variable *into) {
  Expr *by = ARENA_NEW(context->arena, Expr, count);
  for (uint32_t i = 0; i < count; i++) {
    into[to[i]] = from[i];
    by[i] = expr_var(context->pool, kind, to[i]);
  }
  return by;
}

static void substitute(MapContext *context, const Substitution *by, uint32_t count, const Expr *from, Expr *into) {
  Error error = {};
  [[maybe_unused]] bool fits = expr_substitute(context->pool, context->arena, by, count, from, into, &error);
  assert(fits);
}

static const Map *renumbered_index(MapContext *context, const Map *owner, const Substitution *by, const Map *index) {
  if (index == nullptr || index->state != MAP_PLAIN) return index;
  Map *copy = map_create(context, owner->dim_count, owner->range_count, owner->runtime_count, index->result_count, 0);
  memcpy(copy->dims, owner->dims, owner->dim_count * sizeof(Variable));
  memcpy(copy->ranges, owner->ranges, owner->range_count * sizeof(Variable));
  memcpy(copy->runtimes, owner->runtimes, owner->runtime_count * sizeof(Variable));
  substitute(context, by, index->result_count, index->results, copy->results);
  return copy;
}

static RuntimeSource *renumbered_sources(MapContext *context, const Map *map, const Map *owner, const Substitution *by, const uint32_t *to) {
  if (map->sources == nullptr) return nullptr;
  RuntimeSource *sources = ARENA_NEW(context->arena, RuntimeSource, map->runtime_count);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    sources[to[i]] = map->sources[i];
    sources[to[i]].index = renumbered_index(context, owner, by, map->sources[i].index);
  }
  return sources;
}

const Map *map_renumber(MapContext *context, const Map *map, const Numbering *numbering) {
  if (map->state != MAP_PLAIN) return map;
  Map *copy = map_create(context, map->dim_count, map->range_count, map->runtime_count, map->result_count, map->constraint_count);
  const Substitution by = {.dims = renumber(context, VAR_DIM, map->dim_count, numbering->to[VAR_DIM], map->dims, copy->dims),
                           .ranges = renumber(context, VAR_RANGE, map->range_count, numbering->to[VAR_RANGE], map->ranges, copy->ranges),
                           .runtimes = renumber(context, VAR_RUNTIME, map->runtime_count, numbering->to[VAR_RUNTIME], map->runtimes, copy->runtimes)};
  substitute(context, &by, map->result_count, map->results, copy->results);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    copy->constraints[i].in = map->constraints[i].in;
    substitute(context, &by, 1, &map->constraints[i].expr, &copy->constraints[i].expr);
  }
  copy->sources = renumbered_sources(context, map, copy, &by, numbering->to[VAR_RUNTIME]);
  return copy;
}
