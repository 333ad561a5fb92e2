/* Runtime values that differ within one access of a warp or within one tile. A value is an element
 * of its source: two points share it where the source's index is the same at both. Where the source
 * is not known it is taken for one value. */
#ifndef CORE_USE_VALUES_H
#define CORE_USE_VALUES_H

#include "core/map/map.h"

/* Elements of the sources at one point, held against those of the points before. */
typedef struct ValueElements {
  const Map *map;
  uint32_t count;
  const Map **indices; /* [count] those that move with the map's variables */
  int64_t **first;     /* [count] at the first point */
  int64_t *now;
  bool has_first;
} ValueElements;
[[nodiscard]] ValueElements value_elements(MapContext *context, const Map *map);
/* Is each value's element at this point the one of the first point since has_first was false? */
[[nodiscard]] bool value_elements_agree(
    const MapContext *context, ValueElements *elements, const Point *point);

/* May the values that an expression of the map mentions differ between two points of the box? Its
 * dimensions stand for `dims` of the map, its ranges are the map's. False where it has no point. */
[[nodiscard]] bool values_may_differ(
    MapContext *context, const Map *map, Expr expr, const Map *box, const Expr *dims);

#endif
