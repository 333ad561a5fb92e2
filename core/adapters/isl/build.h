/* Maps as isl maps, built through isl's functions. For this directory alone: it shows isl's types.
 */
#ifndef CORE_ISL_BUILD_H
#define CORE_ISL_BUILD_H

#include <isl/map.h>

#include "core/map/map.h"

/* GIVE: { [d, s, rt] -> [e] : inside }, over all variables. nullptr with an error set:
 * ERROR_UNSUPPORTED, or ERROR_LIMIT when isl ran out of operations. The map is MAP_PLAIN. */
[[nodiscard]] isl_map *build_map(
    isl_ctx *isl, const MapContext *context, const Map *map, Error *error);

#endif
