/* Builds isl maps through isl's functions. Only for this directory, because it exposes isl's
 * types. */
#ifndef CORE_ADAPTERS_ISL_BUILD_H
#define CORE_ADAPTERS_ISL_BUILD_H

#include <isl/map.h>

#include "core/map/map.h"

/* False with ERROR_UNSUPPORTED for UNDEFINED, and for a map of so many quotients that isl would not
 * end: its limit of operations does not count the work on its own divisions. */
[[nodiscard]] bool build_may_end(const MapContext *context, const Map *map, Error *error);

/* GIVE: { [d, s, rt] -> [e] : inside }, over all variables. Returns nullptr with an error set:
 * ERROR_UNSUPPORTED, or ERROR_LIMIT if isl ran out of operations. The map must be MAP_PLAIN. */
[[nodiscard]] isl_map *build_map(
    isl_ctx *isl, const MapContext *context, const Map *map, Error *error);

#endif
