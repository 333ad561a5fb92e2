/* The points of a map's box: all values of its variables within their bounds, constraints aside.
 * They come in row-major order, the last variable fastest; values[map_variable_count] stand in the
 * order of the variables' numbers (map_point). The oracle has a walk of its own. */
#ifndef CORE_MAP_POINTS_H
#define CORE_MAP_POINTS_H

#include "core/map/map.h"

/* The first point; false where the box has none, or the map is not plain. A map without variables
 * has one point.
 *   for (bool more = map_points_begin(map, values); more; more = map_points_next(map, values)) ...
 */
[[nodiscard]] bool map_points_begin(const Map *map, int64_t *values);
/* The next point; false after the last one, and the values are those of the first again. */
[[nodiscard]] bool map_points_next(const Map *map, int64_t *values);

/* The number of points; false where there are more than `most`. */
[[nodiscard]] bool map_points_count(const Map *map, uint64_t most, uint64_t *count);
/* The point of that number in the order, of a box that has that many: number < count. */
void map_points_at(const Map *map, uint64_t number, int64_t *values);

#endif
