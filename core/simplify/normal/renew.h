/* Replaces the variables of a map. */
#ifndef CORE_SIMPLIFY_NORMAL_RENEW_H
#define CORE_SIMPLIFY_NORMAL_RENEW_H

#include "core/map/map.h"

/* Writes results, constraints, runtime variables and their sources of `map`, rewritten by the
 * substitution, into `renewed`, which must have room for as many and whose dims and ranges are set.
 * Runtime variables keep their names. False if a result is deeper than expr_max_depth. */
[[nodiscard]] bool map_renew(
    MapContext *context, const Map *map, const Substitution *by, Map *renewed, Error *error);

/* The index map of a runtime variable of `from`, over the current variables of `owner`. nullptr,
 * known empty, undefined, and a map with variables that `from` lacks are returned unchanged. False
 * if a result is deeper than expr_max_depth. */
[[nodiscard]] bool map_renew_index(MapContext *context, const Map *from, const Map *owner,
    const Substitution *by, const Map *index, const Map **renewed, Error *error);

#endif
