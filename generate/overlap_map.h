/* Instances of an overlap: maps with one result or one constraint that contains both left sides.
 * Deterministic in the number; smaller numbers have smaller constants and domains. The guards are
 * ignored: the engine decides whether both rules fire. */
#ifndef GENERATE_OVERLAP_MAP_H
#define GENERATE_OVERLAP_MAP_H

#include "core/map/map.h"
#include "generate/overlap.h"

typedef struct OverlapMap {
  const Map *map;
  Expr outer, inner; /* the subexpressions at the roots; unused for constraints */
} OverlapMap;

/* Returns false if the number has no instance: the constants are contradictory, or a value can
 * leave int64. */
[[nodiscard]] bool overlap_map(
    MapContext *context, const Overlap *overlap, uint64_t number, OverlapMap *made);

#endif
