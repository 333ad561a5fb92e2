/* Removes range variables that only constraints use. */
#ifndef CORE_INDEX_FUSION_PROJECT_H
#define CORE_INDEX_FUSION_PROJECT_H

#include "core/map/map.h"

/* The same relation without the range variables that only one constraint mentions, if that
 * constraint can be rewritten without them. Returns `map` itself if there are none. Preserves the
 * relation, not the map: the variables are unused afterwards, for map_drop_unused. False on
 * overflow. */
[[nodiscard]] bool map_project(
    MapContext *context, const Map *map, const Map **projected, Error *error);

#endif
