/* What is asked about a simplified map: the same map by enumeration and by proof, simplest, the
 * same from every order, and no larger. */
#ifndef FUZZ_HARNESS_MAP_H
#define FUZZ_HARNESS_MAP_H

#include "fuzz/harness/harness.h"

/* nullptr where the engine rejects it (overflow, a limit), which is counted. `body` is what a
 * report shows. */
[[nodiscard]] const Map *harness_simplified(Harness *harness, const Map *map, const char *body);
/* The same map by enumeration; false where it is too large for that. */
bool harness_require_same(Harness *harness, const Map *map, const Map *result, const char *body);
/* The same map by proof; what stays unknown is counted. */
void harness_prove_same(Harness *harness, const Map *map, const Map *result, const char *body);
/* Simplified with a record of its steps: the same result, and each step that can be enumerated
 * keeps the map. */
void harness_check_trace(Harness *harness, const Map *map, const char *body, const char *text);
/* Their texts are equal; nullptr is like everything. */
void harness_require_alike(FindingKind kind, const char *body, const char *text, const char *other);

#endif
