/* Checks that a simplified map is canonical: it is idempotent, it does not depend on the order of
 * operands and constraints, and simplifying makes no map larger. Only affirm's own engine promises
 * these properties. None of them shows that the map is right. */
#ifndef JUDGE_MAPS_CANONICAL_FORM_H
#define JUDGE_MAPS_CANONICAL_FORM_H

#include "judge/maps/judge.h"

typedef enum CanonicalProperty : uint8_t {
  CANONICAL_IDEMPOTENT,
  CANONICAL_ORDER,
  CANONICAL_LARGER
} CanonicalProperty;
static constexpr uint32_t canonical_property_count = CANONICAL_LARGER + 1;
/* "simplified once more", "in another order", ... */
[[nodiscard]] const char *canonical_property_text(CanonicalProperty rest);

/* Two maps that must be equal and are not. */
typedef struct UnequalMaps {
  const Map *before, *after;
} UnequalMaps;

/* "(d0) -> (d0 + 0), simplified once more, is (d0) -> (d0)" */
void unequal_print(
    Text *text, const MapContext *context, const UnequalMaps *unequal, CanonicalProperty rest);

/* Checks one property. On failure, `unequal` has both maps. A map that the engine rejects
 * passes. */
[[nodiscard]] bool map_is_canonical(
    Judge *judge, CanonicalProperty rest, const Map *map, UnequalMaps *unequal);
/* Checks that simplifying the engine's answer again changes nothing. UNKNOWN: nothing was found to
 * change, but the engine rejects a map, which `unequal->before` is. */
[[nodiscard]] VerdictStatus answer_idempotence(
    MapContext *context, Simplifier *simplifier, const MapSet *maps, UnequalMaps *unequal);

/* Checks that an answer is canonical under permutation of operands and constraints and
 * other nesting of chains. On failure,
 * `rest` names the violated property. */
[[nodiscard]] bool answer_is_canonical(
    Judge *judge, const Map *answer, CanonicalProperty *rest, UnequalMaps *unequal);

/* The map with its constraints and the operands of commutative operators in reverse order. */
[[nodiscard]] const Map *map_reordered(MapContext *context, const Map *map);
/* The map with the constant factors of (x * c) * d joined, unless their product leaves int64: the
 * same factors in another order. */
[[nodiscard]] const Map *map_joined(MapContext *context, const Map *map);
/* The map with op(op(a, b), c) of sums, minima and maxima as op(op(b, c), a), but for results and
 * constraints that could leave int64 then. */
[[nodiscard]] const Map *map_regrouped(MapContext *context, const Map *map);

#endif
