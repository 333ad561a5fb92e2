/* Row-major stepping: the last variable runs fastest. */
#include "core/adapters/mlir/walk.h"

#include <stdlib.h>
#include <string.h>

#include "core/map/text.h"
#include "core/adapters/mlir/nest.h"

const Map *walk_parse(MapContext *context, const char *text) {
  Error error = {};
  const Map *map = nullptr;
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  if (map_parse(context, &source, &map, &error)) return map;
  error_print(&error, stderr);
  abort();
}

Point walk_point(const Map *map, const int64_t *values) {
  return (Point){.dims = values,
      .ranges = values + map->dim_count,
      .runtimes = values + map->dim_count + map->range_count};
}

bool walk_begin(const Map *map, int64_t *values) {
  bool some = true;
  for (uint32_t i = 0; i < nest_count(map); i++) {
    Interval bounds = nest_variable(map, i).bounds;
    values[i] = bounds.lo;
    some = some && bounds.lo <= bounds.hi;
  }
  return some && map->state == MAP_PLAIN;
}

bool walk_next(const Map *map, int64_t *values) {
  for (uint32_t i = nest_count(map); i-- > 0;) {
    Interval bounds = nest_variable(map, i).bounds;
    if (values[i] < bounds.hi) {
      values[i]++;
      return true;
    }
    values[i] = bounds.lo;
  }
  return false;
}
