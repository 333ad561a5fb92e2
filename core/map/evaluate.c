/* One point: bounds of the variables, then the constraints, then the results. */
#include "core/map/evaluate.h"

#include <assert.h>

static bool evaluate_within(int64_t value, Interval interval) {
  return interval.lo <= value && value <= interval.hi;
}

static bool inside_box(const Variable *variables, uint32_t count, const int64_t *values) {
  for (uint32_t i = 0; i < count; i++)
    if (!evaluate_within(values[i], variables[i].bounds)) return false;
  return true;
}

PointState map_evaluate(
    const MapContext *context, const Map *map, const Point *point, int64_t *results) {
  if (map->state != MAP_PLAIN) return POINT_OUTSIDE;
  assert(map_is_whole(context, map));
  if (!inside_box(map->dims, map->dim_count, point->dims) ||
      !inside_box(map->ranges, map->range_count, point->ranges) ||
      !inside_box(map->runtimes, map->runtime_count, point->runtimes))
    return POINT_OUTSIDE;
  assert(!map_has_empty_bounds(map));
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    int64_t value;
    if (!expr_evaluate(context->pool, map->constraints[i].expr, point, &value))
      return POINT_OVERFLOW;
    if (!evaluate_within(value, map->constraints[i].in)) return POINT_OUTSIDE;
  }
  for (uint32_t i = 0; i < map->result_count; i++)
    if (!expr_evaluate(context->pool, map->results[i], point, &results[i])) return POINT_OVERFLOW;
  return POINT_INSIDE;
}
