/* Removes unused variables. A range variable outside all results and constraints repeats the same
 * pairs for each of its values. Without it the relation is the same; if it has no value, the map
 * has no points. Constraints on such variables only are removed before (satisfied.c).
 *
 * A runtime variable is not free: its value is given. It is removed only if every feasible value
 * lies within its bounds. A runtime variable that remains keeps the variables of its index map. */
#include <assert.h>

#include "core/simplify/normal/renew.h"
#include "core/simplify/facts/satisfied.h"
#include "core/simplify/simplify.h"

typedef struct DropUsage {
  MapContext *context;
  bool *ranges, *runtimes;
} DropUsage;

static ExprVariables marks_of(const DropUsage *usage) {
  return (ExprVariables){.of = {[VAR_RANGE] = usage->ranges, [VAR_RUNTIME] = usage->runtimes}};
}

/* Index maps of remaining runtime variables use variables too, which may make further runtime
 * variables remain. */
static void mark_sources(DropUsage *usage, const Map *map) {
  bool *done = ARENA_NEW(usage->context->arena, bool, map->runtime_count);
  ExprVariables marks = marks_of(usage);
  for (uint32_t i = 0; map->sources != nullptr && i < map->runtime_count; i++) {
    if (done[i] || !usage->runtimes[i] || map->sources[i].index == nullptr ||
        !map_index_is_over(map->sources[i].index, map))
      continue;
    done[i] = true;
    map_mark_variables(usage->context, map->sources[i].index, &marks);
    i = UINT32_MAX;
  }
}

static uint32_t drop_keep(const bool *used, uint32_t count, const Variable *from, Variable *to) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!used[i]) continue;
    to[kept] = from[i];
    kept++;
  }
  return kept;
}

static Expr *renumbering(MapContext *context, VarKind kind, const bool *used, uint32_t count) {
  Expr *by = ARENA_NEW(context->arena, Expr, count);
  for (uint32_t i = 0, kept = 0; i < count; i++)
    if (used[i]) by[i] = expr_var(context->pool, kind, kept++);
  assert(by != nullptr || count == 0);
  return by;
}

/* Replaces variables by variables, so the depth does not change. */
static void expressions_renumber(
    MapContext *context, const Substitution *by, const Map *map, Map *kept) {
  Error error;
  error_clear(&error);
  [[maybe_unused]] bool fits = expr_substitute(context->pool, context->arena, by, map->result_count,
                                   map->results, kept->results, &error) &&
                               constraints_substitute(context, by, map->constraint_count,
                                   map->constraints, kept->constraints, &error);
  assert(fits);
}

static const Map *index_renumber(MapContext *context, const Map *from, const Map *owner,
    const Substitution *by, const Map *index) {
  const Map *renumbered;
  Error error;
  error_clear(&error);
  [[maybe_unused]] bool fits =
      map_renew_index(context, from, owner, by, index, &renumbered, &error);
  assert(fits);
  return renumbered;
}

static void keep_sources(MapContext *context, const Map *map, const DropUsage *usage,
    const Substitution *by, Map *kept) {
  if (map->sources == nullptr) return;
  kept->sources = ARENA_NEW(context->arena, RuntimeSource, kept->runtime_count);
  for (uint32_t i = 0, at = 0; i < map->runtime_count; i++) {
    if (!usage->runtimes[i]) continue;
    assert(at < kept->runtime_count);
    kept->sources[at] = map->sources[i];
    kept->sources[at++].index = index_renumber(context, map, kept, by, map->sources[i].index);
  }
}

/* Marks runtime variables with tightened bounds: those bounds restrict the domain. */
static void mark_restricted(DropUsage *usage, const Map *map) {
  for (uint32_t i = 0; map->sources != nullptr && i < map->runtime_count; i++) {
    Interval feasible = map->sources[i].clamp, bounds = map->runtimes[i].bounds;
    if (bounds.lo > feasible.lo || bounds.hi < feasible.hi) usage->runtimes[i] = true;
  }
}

static const Map *without_unused(MapContext *context, const Map *map, const DropUsage *usage) {
  assert(!map_has_empty_bounds(map) || map->dim_count > 0);
  uint32_t ranges = 0, runtimes = 0;
  for (uint32_t i = 0; i < map->range_count; i++) ranges += usage->ranges[i];
  for (uint32_t i = 0; i < map->runtime_count; i++) runtimes += usage->runtimes[i];
  if (ranges == map->range_count && runtimes == map->runtime_count) return map;
  Map *kept = map_create(
      context, map->dim_count, ranges, runtimes, map->result_count, map->constraint_count);
  map_take_variables(kept, map, VAR_DIM);
  drop_keep(usage->ranges, map->range_count, map->ranges, kept->ranges);
  drop_keep(usage->runtimes, map->runtime_count, map->runtimes, kept->runtimes);
  Substitution by = {.ranges = renumbering(context, VAR_RANGE, usage->ranges, map->range_count),
      .runtimes = renumbering(context, VAR_RUNTIME, usage->runtimes, map->runtime_count)};
  expressions_renumber(context, &by, map, kept);
  keep_sources(context, map, usage, &by, kept);
  assert(map_is_checked(context, kept) || !map_is_checked(context, map));
  return kept;
}

const Map *map_drop_unused(MapContext *context, const Map *map) {
  if (map->state != MAP_PLAIN) return map;
  if (map->range_count == 0 && map->runtime_count == 0) return map;
  if (variables_have_empty(map->range_count, map->ranges) ||
      variables_have_empty(map->runtime_count, map->runtimes))
    return map_known_empty(context);
  map = map_drop_satisfied(context, map);
  if (map->state != MAP_PLAIN) return map;
  DropUsage usage = {.context = context,
      .ranges = ARENA_NEW(context->arena, bool, map->range_count),
      .runtimes = ARENA_NEW(context->arena, bool, map->runtime_count)};
  ExprVariables marks = marks_of(&usage);
  map_mark_variables(context, map, &marks);
  mark_restricted(&usage, map);
  mark_sources(&usage, map);
  return without_unused(context, map, &usage);
}
