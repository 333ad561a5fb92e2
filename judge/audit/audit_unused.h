/* A map without the runtime variables that nothing uses: what a simplifier leaves, with those
 * after them moved up. */
#ifndef JUDGE_AUDIT_UNUSED_H
#define JUDGE_AUDIT_UNUSED_H

#include "core/map/map.h"

/* Drops runtime variables that occur in no result and no constraint and have a value (an empty
 * interval stays: it makes the map empty). The same map handle where there is none such. For maps
 * without stated sources: asserted. */
[[nodiscard]] bool map_drop_unused_runtimes(
    MapContext *context, const Map *map, const Map **dropped, Error *error);

#endif
