/* What is asked about the rest of the algebra of maps: counts, bounds of the image, inverses,
 * injectivity, rescaling, choosing and dropping, each against the points of the map. */
#ifndef FUZZ_HARNESS_ALGEBRA_H
#define FUZZ_HARNESS_ALGEBRA_H

#include "fuzz/harness/harness.h"

/* A report shows the map. One of more points than are gone through is counted as too large. */
void harness_check_algebra(Harness *harness, const Map *map);

#endif
