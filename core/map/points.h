/* The points of a map's box: all values of its variables within their bounds; constraints are
 * ignored. The order is row-major, the last variable fastest. values[map_variable_count] is ordered
 * by the variables' numbers (map_point). The oracle has its own walk. */
#ifndef CORE_MAP_POINTS_H
#define CORE_MAP_POINTS_H

#include "core/map/map.h"

/* The first point; false if the box is empty or the map is not plain. A map without variables has
 * one point.
 *   for (bool m = map_points_begin(map, values); m; m = map_points_next(map, values)) ... */
[[nodiscard]] bool map_points_begin(const Map *map, int64_t *values);
/* The next point. After the last one returns false, and the values are those of the first point. */
[[nodiscard]] bool map_points_next(const Map *map, int64_t *values);

/* The number of points; false if there are more than `most`. */
[[nodiscard]] bool map_points_count(const Map *map, uint64_t most, uint64_t *count);
/* The point with this number in the order; number < count. */
void map_points_at(const Map *map, uint64_t number, int64_t *values);

#endif
