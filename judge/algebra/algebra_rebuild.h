/* Builds the map that an answer of the algebra must equal, from the given map by substitution
 * alone, so that oracle and smt can compare the two. The given map must be plain. */
#ifndef JUDGE_ALGEBRA_ALGEBRA_REBUILD_H
#define JUDGE_ALGEBRA_ALGEBRA_REBUILD_H

#include "core/map/map.h"

/* Selects the results with these numbers, which must be valid. */
[[nodiscard]] bool rebuild_results(MapContext *context, const Map *map, uint32_t count,
    const int64_t *numbers, const Map **rebuilt, Error *error);
[[nodiscard]] bool rebuild_ranges_as_dims(
    MapContext *context, const Map *map, const Map **rebuilt, Error *error);
/* Turns dimensions that no result, constraint or index of a source mentions into range
 * variables. */
[[nodiscard]] bool rebuild_unused_as_ranges(
    MapContext *context, const Map *map, const Map **rebuilt, Error *error);
/* Gives a map without sources the runtime variables of `all`, in its order: those in the bit set
 * `kept` are the map's own ones, and the map does not mention the others. As many bits are set as
 * the map has runtime variables. */
[[nodiscard]] bool rebuild_with_runtimes(MapContext *context, const Map *map, const Map *all,
    uint32_t kept, const Map **rebuilt, Error *error);
/* Restricts the map to points whose results are within the intervals. */
[[nodiscard]] bool rebuild_within(MapContext *context, const Map *map, const Interval *results,
    const Map **rebuilt, Error *error);
/* Makes all variables dimensions. `alone` maps each point to itself, `twins` to every point with
 * the same results. Both have the same relation exactly if the map is injective. */
[[nodiscard]] bool rebuild_twins(
    MapContext *context, const Map *map, const Map **alone, const Map **twins, Error *error);

#endif
