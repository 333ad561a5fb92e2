/* For the tests of this folder: reading a map, and walking its points one by one with
 * map_evaluate. */
#ifndef CORE_MLIR_WALK_H
#define CORE_MLIR_WALK_H

#include "core/map/map.h"

/* Ends the program when the text is not a map. */
[[nodiscard]] const Map *walk_parse(MapContext *context, const char *text);

/* Values of a map's variables, dimensions first; `values` has one for each. */
[[nodiscard]] Point walk_point(const Map *map, const int64_t *values);
/* To the lowest point; false when the box is empty. */
[[nodiscard]] bool walk_begin(const Map *map, int64_t *values);
/* To the next point, row-major; false after the last. */
[[nodiscard]] bool walk_next(const Map *map, int64_t *values);

#endif
