/* More operations on maps: selecting results, turning range variables into dimensions, removing
 * dimensions, and rescaling. Names and sources of runtime variables follow their variables. A map
 * that is known empty or undefined remains so. */
#ifndef CORE_SIMPLIFY_VARIABLES_H
#define CORE_SIMPLIFY_VARIABLES_H

#include "core/simplify/simplify.h"

/* ---- variables.c ---- */

/* The results at the given positions, in that order, over the same variables and domain. */
[[nodiscard]] const Map *map_sub_map(
    MapContext *context, const Map *map, uint32_t count, const uint32_t *results);
/* Range variables become further dimensions, after the existing ones: the same pairs, with the
 * range variables' values on the left. */
[[nodiscard]] const Map *map_ranges_to_dims(MapContext *context, const Map *map);
/* Removes the dimensions that no result, no constraint and no index map uses; `kept` (room for
 * dim_count, or nullptr) receives which remain. A dimension without values makes the map known
 * empty. */
[[nodiscard]] const Map *map_drop_dims(MapContext *context, const Map *map, bool *kept);

/* ---- rescale.c ---- */

/* If a constraint fixes a remainder of a range variable s, replaces s by lo + m*t with t in [0,
 * ..]: the relation is the same, and the constraint is removed. Simplifies before and after. */
[[nodiscard]] bool map_rescale(
    Simplifier *simplifier, const Map *map, const Map **rescaled, Error *error);

#endif
