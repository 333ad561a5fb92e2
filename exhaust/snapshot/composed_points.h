/* Compares a composition with one map after the other, point by point. */
#ifndef EXHAUST_SNAPSHOT_COMPOSED_POINTS_H
#define EXHAUST_SNAPSHOT_COMPOSED_POINTS_H

#include "core/map/map.h"

typedef struct ComposedPoints {
  bool is_whole;          /* every point of the variables' box was compared */
  const char *difference; /* at a point, or of the variables; nullptr: none. In the arena */
} ComposedPoints;

/* Compares every point of a small box, else a few thousand: the corners and random ones, which
 * depend on the maps' sizes alone. KEEP: the maps. */
[[nodiscard]] ComposedPoints composed_points(Arena *arena, MapContext *context, const Map *consumer,
    const Map *producer, const Map *composed);

#endif
