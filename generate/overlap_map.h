/* Instances of an overlap: maps of one result or one constraint in which both left sides stand.
 * Always the same for the same number; small numbers stand for small constants and domains. Whether
 * both rules fire is for the engine to say: the guards are not looked at. */
#ifndef GENERATE_OVERLAP_MAP_H
#define GENERATE_OVERLAP_MAP_H

#include "core/map/map.h"
#include "generate/overlap.h"

typedef struct OverlapMap {
  const Map *map;
  Expr outer, inner; /* where the roots stand; of constraints nothing */
} OverlapMap;

/* False where the number stands for none: constants that do not agree, a value that can leave
 * int64. */
[[nodiscard]] bool overlap_map(
    MapContext *context, const Overlap *overlap, uint64_t number, OverlapMap *made);

#endif
