/* Evaluates a map at one point, in the engine's int64 arithmetic. */
#ifndef CORE_MAP_EVALUATE_H
#define CORE_MAP_EVALUATE_H

#include "core/map/map.h"

typedef enum PointState : uint8_t { POINT_INSIDE, POINT_OUTSIDE, POINT_OVERFLOW } PointState;

/* results: [result_count], set if the point is inside the domain. */
[[nodiscard]] PointState map_evaluate(
    const MapContext *context, const Map *map, const Point *point, int64_t *results);

#endif
