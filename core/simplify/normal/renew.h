/* Replacing the variables of a map. */
#ifndef CORE_SIMPLIFY_RENEW_H
#define CORE_SIMPLIFY_RENEW_H

#include "core/map/map.h"

/* Writes results, constraints, runtime variables and their sources of `map`, rewritten by the
 * substitution, into `renewed`, which has room for as many and whose dims and ranges are set. Names
 * stay with runtime variables. False past expr_max_depth. */
[[nodiscard]] bool map_renew(
    MapContext *context, const Map *map, const Substitution *by, Map *renewed, Error *error);

/* The index map of a runtime variable, over the variables that `owner` has now. nullptr, known
 * empty and undefined stay. False past expr_max_depth. */
[[nodiscard]] bool map_renew_index(MapContext *context, const Map *owner, const Substitution *by,
    const Map *index, const Map **renewed, Error *error);

#endif
