/* Removes unused runtime variables from a map and renumbers the later ones, as a simplifier
 * does. */
#ifndef JUDGE_AUDIT_AUDIT_UNUSED_H
#define JUDGE_AUDIT_AUDIT_UNUSED_H

#include "core/map/map.h"

/* Drops runtime variables that occur in no result and no constraint and have at least one value; an
 * empty interval stays because it makes the map empty. Returns the same map if there are none, and
 * if sources are stated. */
[[nodiscard]] bool map_drop_unused_runtimes(
    MapContext *context, const Map *map, const Map **dropped, Error *error);

#endif
