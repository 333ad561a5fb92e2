/* The inverse relation of a map: input-to-output from output-to-input, and back. */
#ifndef CORE_INDEX_INVERSE_H
#define CORE_INDEX_INVERSE_H

#include "core/hlo/shape.h"
#include "core/map/map.h"

/* The inverse relation: dimensions are the elements of `target` (the array that the map's
 * results index), results are the map's dimensions. nullptr where it has no points. False on
 * overflow. */
[[nodiscard]] bool map_inverse_relation(
    MapContext *context, const Map *map, const Shape *target, const Map **inverse, Error *error);

#endif
