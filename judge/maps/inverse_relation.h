/* Builds the inverse relation of a map: the same pairs with sides exchanged. Nothing is solved. The
 * map's dimensions and range variables become range variables, and a constraint equates each result
 * with a new dimension. If a result is a single variable, the new dimension replaces that
 * variable. */
#ifndef JUDGE_MAPS_INVERSE_RELATION_H
#define JUDGE_MAPS_INVERSE_RELATION_H

#include "core/map/map.h"

/* inverse relation(x)[d, s]{rt} -> (d) for the d and s that are not replaced, with x within the
 * sizes, e(d, s, rt) - x in [0, 0], and the given constraints. Rejects with ERROR_OVERFLOW if e - x
 * can leave int64. */
[[nodiscard]] bool relation_inverse(MapContext *context, const Map *map, uint32_t rank,
    const int64_t *sizes, const Map **inverse, Error *error);

#endif
