/* The inverse relation of a map as a map: the same pairs, read from the other side. Nothing is
 * solved: the given map's dimensions and range variables become range variables, and each of its
 * results must equal a new dimension; a result that is a variable alone gives that variable the
 * dimension's place. */
#ifndef JUDGE_INVERSE_H
#define JUDGE_INVERSE_H

#include "core/map/map.h"

/* inverse relation(x)[d, s]{rt} -> (d), for the d and s that have no such place, x within the
 * sizes, e(d, s, rt) - x in [0, 0], and the given constraints. Rejects with ERROR_OVERFLOW where e
 * - x can leave int64. */
[[nodiscard]] bool relation_inverse(MapContext *context, const Map *map, uint32_t rank,
    const int64_t *sizes, const Map **inverse, Error *error);

#endif
