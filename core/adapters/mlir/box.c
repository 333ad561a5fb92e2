/* Hulls: an empty interval is neutral. */
#include "core/adapters/mlir/box.h"

#include <assert.h>
#include <stdckdint.h>

#include "core/base/checked.h"
#include "core/adapters/mlir/nest.h"

uint64_t interval_length(Interval in) {
  if (in.lo > in.hi) return 0;
  uint64_t steps = (uint64_t)in.hi - (uint64_t)in.lo;
  return steps == UINT64_MAX ? steps : steps + 1;
}

static Interval hull(Interval a, Interval b) {
  if (a.lo > a.hi) return b;
  if (b.lo > b.hi) return a;
  Interval both = {min64(a.lo, b.lo), max64(a.hi, b.hi)};
  assert(both.lo <= a.lo && a.hi <= both.hi && both.lo <= b.lo && b.hi <= both.hi);
  return both;
}

static void hull_variables(Variable *box, const Variable *a, const Variable *b, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) box[i].bounds = hull(a[i].bounds, b[i].bounds);
}

bool box_of(MapContext *context, const Map *a, const Map *b, const Map **box, Error *error) {
  if (a->state == MAP_UNDEFINED || b->state == MAP_UNDEFINED)
    return error_set(error, ERROR_UNSUPPORTED, "UNDEFINED has no domain");
  if (a->state == MAP_KNOWN_EMPTY) a = b;
  if (b->state == MAP_KNOWN_EMPTY) b = a;
  if (!map_same_kinds(a, b))
    return error_set(error, ERROR_INPUT, "the maps have different numbers of variables");
  bool bare = map_variable_count(a) == 0;
  Map *made = map_create(context, bare ? 1 : a->dim_count, a->range_count, a->runtime_count, 0, 0);
  made->state = a->state;
  if (bare) made->dims[0].bounds = (Interval){0, 0};
  hull_variables(made->dims, a->dims, b->dims, a->dim_count);
  hull_variables(made->ranges, a->ranges, b->ranges, a->range_count);
  hull_variables(made->runtimes, a->runtimes, b->runtimes, a->runtime_count);
  assert(map_variable_count(made) > 0);
  *box = made;
  return true;
}

const Map *box_seen(MapContext *context, const Map *box, const Map *map) {
  if (map->state == MAP_PLAIN && map_same_kinds(map, box)) return map;
  assert(map->state == MAP_KNOWN_EMPTY || map_variable_count(map) == 0);
  Map *made = ARENA_NEW(context->arena, Map, 1);
  *made = *box;
  made->state = map->state;
  if (map->state == MAP_KNOWN_EMPTY) return made;
  made->result_count = map->result_count;
  made->results = map->results;
  made->constraint_count = map->constraint_count;
  made->constraints = map->constraints;
  return made;
}

bool box_points(const Map *box, uint64_t *points, Error *error) {
  bool empty = box->state == MAP_KNOWN_EMPTY, fits = true;
  *points = 1;
  for (uint32_t i = 0; i < map_variable_count(box); i++) {
    uint64_t length = interval_length(nest_variable(box, i).bounds);
    empty = empty || length == 0;
    fits = fits && !ckd_mul(points, *points, length) && *points <= INT64_MAX;
  }
  if (empty) *points = 0;
  assert(!fits || *points <= INT64_MAX);
  if (empty || fits) return true;
  return error_set(error, ERROR_LIMIT, "the domain has more than 2^63 points");
}
