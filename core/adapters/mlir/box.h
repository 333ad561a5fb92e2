/* The box that a kernel goes over: the hull of the bounds of one or two maps over the same
 * variables. */
#ifndef CORE_MLIR_BOX_H
#define CORE_MLIR_BOX_H

#include "core/map/map.h"

/* A map without results that has the hull of the bounds. A map that is known empty adds nothing,
 * and may have no variables. Where there is no variable at all, the box has one dimension in [0,
 * 0]: a loop needs one.
 * ERROR_INPUT when the numbers of variables differ, ERROR_UNSUPPORTED for UNDEFINED. */
[[nodiscard]] bool box_of(
    MapContext *context, const Map *a, const Map *b, const Map **box, Error *error);
/* The map over the box's variables: a known-empty map gets them, without results (and stays
 * MAP_KNOWN_EMPTY), and a map without variables gets the one dimension.
 * Every other map is given back as it is. */
[[nodiscard]] const Map *box_seen(MapContext *context, const Map *box, const Map *map);
/* Number of points; ERROR_LIMIT when it is past INT64_MAX. */
[[nodiscard]] bool box_points(const Map *box, uint64_t *points, Error *error);
/* hi - lo + 1, 0 when empty. Saturates. */
[[nodiscard]] uint64_t interval_length(Interval in);

#endif
