/* Dropping range variables that only constraints use. */
#ifndef CORE_INDEX_PROJECT_H
#define CORE_INDEX_PROJECT_H

#include "core/map/map.h"

/* The same relation without range variables of which only "there is a value" is said and that can
 * be said without them. `map` itself when there are none. Keeps the relation, not the map: the
 * variables stand unused afterwards, for map_drop_unused. False on overflow. */
[[nodiscard]] bool map_project(
    MapContext *context, const Map *map, const Map **projected, Error *error);

#endif
