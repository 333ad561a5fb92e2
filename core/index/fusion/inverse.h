/* The inverse relation of a map: from output-to-input to input-to-output, and back. */
#ifndef CORE_INDEX_FUSION_INVERSE_H
#define CORE_INDEX_FUSION_INVERSE_H

#include "core/hlo/shape.h"
#include "core/map/map.h"

/* The dimensions of the inverse relation are the elements of `target` (the array that the map's
 * results index), its results are the map's dimensions. nullptr if it has no points. False on
 * overflow. */
[[nodiscard]] bool map_inverse_relation(
    MapContext *context, const Map *map, const Shape *target, const Map **inverse, Error *error);

#endif
