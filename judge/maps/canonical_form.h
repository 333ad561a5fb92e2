/* Is a map canonical? Simplified once more it stays as it is; it comes out the same whatever the
 * order of operands and constraints; and simplifying makes it no larger. Of affirm's own
 * engine, which promises this; none of it says that the map is right. */
#ifndef JUDGE_CANONICAL_H
#define JUDGE_CANONICAL_H

#include "judge/maps/judge.h"

typedef enum CanonicalProperty : uint8_t {
  CANONICAL_IDEMPOTENT,
  CANONICAL_ORDER,
  CANONICAL_LARGER
} CanonicalProperty;
static constexpr uint32_t canonical_property_count = CANONICAL_LARGER + 1;
/* "simplified once more", "in another order", ... */
[[nodiscard]] const char *canonical_property_text(CanonicalProperty rest);

/* Two maps that must be alike. */
typedef struct UnequalMaps {
  const Map *before, *after;
} UnequalMaps;

/* "(d0) -> (d0 + 0), simplified once more, is (d0) -> (d0)" */
void unequal_print(
    Text *text, const MapContext *context, const UnequalMaps *unequal, CanonicalProperty rest);

/* False, with both maps, where the simplified map is not canonical in this sense. What the engine
 * rejects is canonical. */
[[nodiscard]] bool map_is_canonical(
    Judge *judge, CanonicalProperty rest, const Map *map, UnequalMaps *unequal);
/* The same of answers to questions, which are simplified to the end: once more changes nothing. */
[[nodiscard]] bool answer_is_idempotent(
    MapContext *context, Simplifier *simplifier, const MapSet *maps, UnequalMaps *unequal);

/* One that is canonical so comes out the same, points kept, in another order; else in which sense
 * it does not. */
[[nodiscard]] bool answer_is_canonical(
    Judge *judge, const Map *answer, CanonicalProperty *rest, UnequalMaps *unequal);

/* The map with the operands of commutative operators and the constraints turned around. */
[[nodiscard]] const Map *map_reordered(MapContext *context, const Map *map);

#endif
