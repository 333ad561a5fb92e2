/* Constraints that only range variables of no result have a part in. */
#ifndef CORE_SIMPLIFY_SATISFIED_H
#define CORE_SIMPLIFY_SATISFIED_H

#include "core/map/map.h"

/* The map without the constraints that only speak of range variables which nothing else uses, where
 * some values satisfy them: the same relation. Known empty where no values do. What would take long
 * to decide stays. */
[[nodiscard]] const Map *map_drop_satisfied(MapContext *context, const Map *map);

#endif
