/* Enumerates like an odometer: dimensions change fastest, then range variables, then runtime
 * variables. Decoded maps have at most 3 variables of a kind, pairs twice as many. */
#include "fuzz/harness/harness_points.h"

#include <assert.h>

static void set_lowest(uint32_t count, const Variable *variables, int64_t *values) {
  assert(count <= 16);
  for (uint32_t i = 0; i < count; i++) values[i] = variables[i].bounds.lo;
}

HarnessPoint harness_first_point(const Map *map) {
  HarnessPoint point = {};
  set_lowest(map->dim_count, map->dims, point.dims);
  set_lowest(map->range_count, map->ranges, point.ranges);
  set_lowest(map->runtime_count, map->runtimes, point.runtimes);
  return point;
}

static bool harness_points_turn(uint32_t count, const Variable *variables, int64_t *values) {
  for (uint32_t i = 0; i < count; i++) {
    if (values[i] < variables[i].bounds.hi) {
      values[i]++;
      return true;
    }
    values[i] = variables[i].bounds.lo;
  }
  return false;
}

bool harness_next_point(const Map *map, HarnessPoint *point) {
  return harness_points_turn(map->dim_count, map->dims, point->dims) ||
         harness_points_turn(map->range_count, map->ranges, point->ranges) ||
         harness_points_turn(map->runtime_count, map->runtimes, point->runtimes);
}
