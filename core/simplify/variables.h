/* The rest of the algebra of maps: choosing results, turning range variables into dimensions,
 * dropping dimensions and rescaling. Names and the sources of runtime variables follow their
 * variables. A map that is known empty or undefined stays so. */
#ifndef CORE_SIMPLIFY_VARIABLES_H
#define CORE_SIMPLIFY_VARIABLES_H

#include "core/simplify/simplify.h"

/* ---- variables.c ---- */

/* The results with the given numbers, in that order, over the same variables and domain. */
[[nodiscard]] const Map *map_sub_map(
    MapContext *context, const Map *map, uint32_t count, const uint32_t *results);
/* Range variables become further dimensions, after the given ones: the same pairs, with the range
 * variables' values on the left. */
[[nodiscard]] const Map *map_ranges_to_dims(MapContext *context, const Map *map);
/* Without the dimensions that no result, no constraint and no index map uses; `kept` (room for
 * dim_count, or nullptr) says which stay. A dimension without values makes the map known empty. */
[[nodiscard]] const Map *map_drop_dims(MapContext *context, const Map *map, bool *kept);

/* ---- rescale.c ---- */

/* A range variable that a constraint holds to one remainder, s = lo + m*t, is replaced by t in [0,
 * ..]: the relation is the same, the constraint is gone. Simplifies before and after. */
[[nodiscard]] bool map_rescale(
    Simplifier *simplifier, const Map *map, const Map **rescaled, Error *error);

#endif
