/* Points by counting: the values are the digits of the point's number, and each variable's width is
 * the base of its digit. Widths are unsigned, so that bounds may be the ends of int64. */
#include "core/map/points.h"

#include <assert.h>
#include <stdckdint.h>

bool map_points_begin(const Map *map, int64_t *values) {
  bool some = map->state == MAP_PLAIN;
  for (uint32_t i = 0; i < map_variable_count(map); i++) {
    Interval bounds = map_variable(map, i)->bounds;
    values[i] = bounds.lo;
    some = some && bounds.lo <= bounds.hi;
  }
  assert(!some || map_has_point(map, values));
  return some;
}

bool map_points_next(const Map *map, int64_t *values) {
  assert(map_has_point(map, values));
  for (uint32_t i = map_variable_count(map); i-- > 0;) {
    Interval bounds = map_variable(map, i)->bounds;
    if (values[i] < bounds.hi) {
      values[i]++;
      return true;
    }
    values[i] = bounds.lo;
  }
  return false;
}

static uint64_t width_of(Interval bounds) {
  assert(bounds.lo <= bounds.hi);
  return (uint64_t)bounds.hi - (uint64_t)bounds.lo;
} /* one less than the number of values */

bool map_points_count(const Map *map, uint64_t most, uint64_t *count) {
  *count = map->state == MAP_PLAIN && !map_has_empty_bounds(map);
  for (uint32_t i = 0; i < map_variable_count(map) && *count > 0; i++) {
    uint64_t width = width_of(map_variable(map, i)->bounds);
    if (width == UINT64_MAX || ckd_mul(count, *count, width + 1)) return false;
  }
  assert(*count > 0 || map->state != MAP_PLAIN || map_has_empty_bounds(map));
  return *count <= most;
}

void map_points_at(const Map *map, uint64_t number, int64_t *values) {
  for (uint32_t i = map_variable_count(map); i-- > 0;) {
    Interval bounds = map_variable(map, i)->bounds;
    uint64_t width = width_of(bounds);
    uint64_t digit = width == UINT64_MAX ? number : number % (width + 1);
    values[i] = (int64_t)((uint64_t)bounds.lo + digit);
    number = width == UINT64_MAX ? 0 : number / (width + 1);
  }
  assert(number == 0 && map_has_point(map, values));
}
