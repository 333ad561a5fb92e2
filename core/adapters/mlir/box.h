/* The box that a kernel visits: the hull of the bounds of one or two maps over the same
 * variables. */
#ifndef CORE_ADAPTERS_MLIR_BOX_H
#define CORE_ADAPTERS_MLIR_BOX_H

#include "core/map/map.h"

/* A map without results whose bounds are the hull. A known-empty map adds nothing, and may have no
 * variables. If there is no variable at all, the box has one dimension in [0, 0], because a loop
 * needs one. ERROR_INPUT if the numbers of variables differ, ERROR_UNSUPPORTED for UNDEFINED. */
[[nodiscard]] bool box_of(
    MapContext *context, const Map *a, const Map *b, const Map **box, Error *error);
/* The map over the box's variables: a known-empty map gets them, without results (and remains
 * MAP_KNOWN_EMPTY); a map without variables gets the one dimension. Any other map is returned
 * unchanged. */
[[nodiscard]] const Map *box_seen(MapContext *context, const Map *box, const Map *map);
/* The number of points; ERROR_LIMIT if it exceeds INT64_MAX. */
[[nodiscard]] bool box_points(const Map *box, uint64_t *points, Error *error);
/* hi - lo + 1; 0 if empty. Saturates. */
[[nodiscard]] uint64_t interval_length(Interval in);

#endif
