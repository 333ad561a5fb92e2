/* Enumerates the points of a map's box. */
#ifndef FUZZ_HARNESS_HARNESS_POINTS_H
#define FUZZ_HARNESS_HARNESS_POINTS_H

#include "core/map/map.h"

typedef struct HarnessPoint {
  int64_t dims[16], ranges[16], runtimes[16];
} HarnessPoint;

[[nodiscard]] HarnessPoint harness_first_point(const Map *map);
/* Returns false after the last point. */
[[nodiscard]] bool harness_next_point(const Map *map, HarnessPoint *point);

#endif
