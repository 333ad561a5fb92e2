/* Numbering variables otherwise: variables for variables, so that expressions keep their shape and
 * nothing can become too deep. */
#include <assert.h>
#include <string.h>

#include "core/simplify/normal/renew.h"

static Expr *renumber(MapContext *context, VarKind kind, uint32_t count, const uint32_t *to,
    const Variable *from, Variable *into) {
  Expr *by = ARENA_NEW(context->arena, Expr, count);
  for (uint32_t i = 0; i < count; i++) {
    into[to[i]] = from[i];
    by[i] = expr_var(context->pool, kind, to[i]);
  }
  return by;
}

void exprs_renumber(
    MapContext *context, const Substitution *by, uint32_t count, const Expr *from, Expr *into) {
  Error error = {};
  [[maybe_unused]] bool fits =
      expr_substitute(context->pool, context->arena, by, count, from, into, &error);
  assert(fits);
}

const Map *index_renumber(
    MapContext *context, const Map *owner, const Substitution *by, const Map *index) {
  const Map *renumbered;
  Error error = {};
  [[maybe_unused]] bool fits = map_renew_index(context, owner, by, index, &renumbered, &error);
  assert(fits);
  return renumbered;
}

static RuntimeSource *renumbered_sources(MapContext *context, const Map *map, const Map *owner,
    const Substitution *by, const uint32_t *to) {
  if (map->sources == nullptr) return nullptr;
  RuntimeSource *sources = ARENA_NEW(context->arena, RuntimeSource, map->runtime_count);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    sources[to[i]] = map->sources[i];
    sources[to[i]].index = index_renumber(context, owner, by, map->sources[i].index);
  }
  return sources;
}

const Map *map_renumber(MapContext *context, const Map *map, const Numbering *numbering) {
  if (map->state != MAP_PLAIN) return map;
  Map *copy = map_create(context, map->dim_count, map->range_count, map->runtime_count,
      map->result_count, map->constraint_count);
  const Substitution by = {.dims = renumber(context, VAR_DIM, map->dim_count,
                               numbering->to[VAR_DIM], map->dims, copy->dims),
      .ranges = renumber(context, VAR_RANGE, map->range_count, numbering->to[VAR_RANGE],
          map->ranges, copy->ranges),
      .runtimes = renumber(context, VAR_RUNTIME, map->runtime_count, numbering->to[VAR_RUNTIME],
          map->runtimes, copy->runtimes)};
  exprs_renumber(context, &by, map->result_count, map->results, copy->results);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    copy->constraints[i].in = map->constraints[i].in;
    exprs_renumber(context, &by, 1, &map->constraints[i].expr, &copy->constraints[i].expr);
  }
  copy->sources = renumbered_sources(context, map, copy, &by, numbering->to[VAR_RUNTIME]);
  return copy;
}
