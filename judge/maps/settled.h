/* Is a map at rest? Simplified once more it stays as it is; it comes out the same whatever the
 * order of operands and constraints; and simplifying makes it no larger. Of affirm's own
 * engine, which promises this; none of it says that the map is right. */
#ifndef JUDGE_SETTLED_H
#define JUDGE_SETTLED_H

#include "judge/maps/judge.h"

typedef enum Rest : uint8_t { REST_IDEMPOTENT, REST_ORDER, REST_LARGER } Rest;
static constexpr uint32_t rest_count = REST_LARGER + 1;
/* "simplified once more", "in another order", ... */
[[nodiscard]] const char *rest_text(Rest rest);

/* Two maps that must be alike. */
typedef struct Unrest {
  const Map *before, *after;
} Unrest;

/* False, with what came, where the simplified map is not at rest in this sense. What the engine
 * refuses is at rest. */
[[nodiscard]] bool map_rests(Judge *judge, Rest rest, const Map *map, Unrest *unrest);
/* The same of answers to questions, which are simplified to the end: once more changes nothing. */
[[nodiscard]] bool answer_rests(
    MapContext *context, Simplifier *simplifier, const MapSet *maps, Unrest *unrest);

/* One that is at rest so comes out the same, points kept, in another order; else in which sense it
 * does not. */
[[nodiscard]] bool answer_has_one_form(Judge *judge, const Map *answer, Rest *rest, Unrest *unrest);

/* The map with the operands of commutative operators and the constraints turned around. */
[[nodiscard]] const Map *map_turned(MapContext *context, const Map *map);

#endif
