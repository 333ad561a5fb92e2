/* Runtime values that differ within one access of a warp or within one tile. A value is an element
 * of its source: two points share it if the source's index is the same at both. An unknown source
 * is assumed to have one value. */
#ifndef CORE_ANALYSIS_VALUES_H
#define CORE_ANALYSIS_VALUES_H

#include "core/map/map.h"

/* The source elements at one point, for comparison with later points. */
typedef struct ValueElements {
  const Map *map;
  uint32_t count;
  const Map **indices; /* [count] index maps that depend on the map's variables */
  int64_t **first;     /* [count] elements at the first point */
  int64_t *now;
  bool has_first;
} ValueElements;
[[nodiscard]] ValueElements value_elements(MapContext *context, const Map *map);
/* True if each value's element at this point is that of the first point since has_first was
 * false. */
[[nodiscard]] bool value_elements_agree(
    const MapContext *context, ValueElements *elements, const Point *point);

/* True if a runtime value in the expression may differ between two points of the box. The box's
 * dimensions represent `dims` of the map; its ranges are the map's. False if the box has no
 * point. */
[[nodiscard]] bool values_may_differ(
    MapContext *context, const Map *map, Expr expr, const Map *box, const Expr *dims);

/* True if the source can have values that the bounds of the variable exclude. The map has no points
 * in a run with one of them. */
[[nodiscard]] bool values_are_restricted(const Map *map, uint32_t runtime);

/* Runtime variables with the same index of one source are clamps of one value. The first of them
 * stands for all: the number of their different values together, and the assignment of those with a
 * number from 0 on. The count is 1 for the others. False if it leaves int64. */
[[nodiscard]] bool values_count(const Map *map, uint32_t runtime, int64_t *count);
void values_choose(const Map *map, uint32_t runtime, int64_t number, int64_t *runtimes);

#endif
