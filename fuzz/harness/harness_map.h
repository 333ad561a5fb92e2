/* Checks a simplified map: the same map by enumeration and by proof, idempotent, independent of
 * operand order, and no larger. */
#ifndef FUZZ_HARNESS_HARNESS_MAP_H
#define FUZZ_HARNESS_HARNESS_MAP_H

#include "fuzz/harness/harness.h"

/* Returns nullptr if the engine rejects the map for overflow or a limit; such maps are counted.
 * `body` is the case that a report shows. */
[[nodiscard]] const Map *harness_simplified(Harness *harness, const Map *map, const char *body);
/* Checks by enumeration that both are the same map. Returns false if they are too large for
 * that. */
bool harness_require_same(Harness *harness, const Map *map, const Map *result, const char *body);
/* Checks by proof that both are the same map. UNKNOWN is counted. */
void harness_prove_same(Harness *harness, const Map *map, const Map *result, const char *body);
/* Simplifies with a recorded trace: the result must be the same, and each step that can be
 * enumerated must preserve the map. */
void harness_check_trace(Harness *harness, const Map *map, const char *body, const char *text);
/* Checks that the two texts are equal. */
void harness_require_alike(FindingKind kind, const char *body, const char *text, const char *other);

#endif
