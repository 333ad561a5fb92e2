/* Checks the map algebra: counts, bounds of the image, inverses, injectivity, rescaling, selecting
 * and dropping, each against the points of the map. */
#ifndef FUZZ_HARNESS_HARNESS_ALGEBRA_H
#define FUZZ_HARNESS_HARNESS_ALGEBRA_H

#include "fuzz/harness/harness.h"

/* A report shows the map. A map with too many points to enumerate is counted as too large. */
void harness_check_algebra(Harness *harness, const Map *map);

#endif
