/* Maps that answers of the algebra must be the same as, built from the given map by substitution
 * alone, so that oracle and smt can hold the answers against them. The given map is plain. */
#ifndef JUDGE_ALGEBRA_REBUILD_H
#define JUDGE_ALGEBRA_REBUILD_H

#include "core/map/map.h"

/* The results with these numbers, which the caller has checked. */
[[nodiscard]] bool rebuild_results(MapContext *context, const Map *map, uint32_t count,
    const int64_t *numbers, const Map **rebuilt, Error *error);
[[nodiscard]] bool rebuild_ranges_as_dims(
    MapContext *context, const Map *map, const Map **rebuilt, Error *error);
/* Dimensions that no result, constraint or index of a source mentions are range variables. */
[[nodiscard]] bool rebuild_unused_as_ranges(
    MapContext *context, const Map *map, const Map **rebuilt, Error *error);
/* The points whose results lie within the intervals. */
[[nodiscard]] bool rebuild_within(MapContext *context, const Map *map, const Interval *results,
    const Map **rebuilt, Error *error);
/* All variables of the map as dimensions. `alone`: a point to itself; `twins`: to every point with
 * the same results. The same relation exactly where the map is injective. */
[[nodiscard]] bool rebuild_twins(
    MapContext *context, const Map *map, const Map **alone, const Map **twins, Error *error);

#endif
