/* Constraints in which only range variables outside all results occur. */
#ifndef CORE_SIMPLIFY_FACTS_SATISFIED_H
#define CORE_SIMPLIFY_FACTS_SATISFIED_H

#include "core/map/map.h"

/* Removes the constraints that are only about otherwise unused range variables, if some values
 * satisfy them: the relation is the same. Known empty if no values do. Constraints that would take
 * long to decide remain. */
[[nodiscard]] const Map *map_drop_satisfied(MapContext *context, const Map *map);

#endif
