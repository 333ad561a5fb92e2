/* Replaying a model: the map as stated, evaluated in 128 bits at one point, by nothing of the
 * encoder. A SAT that does not replay here is never reported as a refutation. */
#ifndef SMT_CONFIRM_H
#define SMT_CONFIRM_H

#include "core/base/text.h"
#include "core/map/map.h"
#include "smt/terms/sums.h"

typedef enum Replay : uint8_t { REPLAY_INSIDE, REPLAY_OUTSIDE, REPLAY_FAILED } Replay;

/* Values of a map's variables: dimensions, ranges, runtime variables after one another. */
typedef struct Replayed {
  Replay state;    /* FAILED: a divisor <= 0, or a value past 128 bits */
  bool left_int64; /* some value on the way is outside int64, where the engine rejects */
  Wide *results;   /* [result_count], of a point inside */
} Replayed;
[[nodiscard]] Replayed confirm_map(
    Arena *scratch, const MapContext *context, const Map *map, const Wide *values);
/* One expression over the same values. */
[[nodiscard]] bool confirm_expr(Arena *scratch, const MapContext *context, const Map *map,
    Expr expr, const Wide *values, Wide *value, bool *left_int64);

void text_wide(Text *text, Wide value);
/* map_bindings of values of any size. */
[[nodiscard]] Bindings wide_bindings(Arena *arena, const Map *map, const Wide *values);
/* "(3, 7)", "outside the domain" */
void text_replayed(Text *text, const Map *map, const Replayed *replayed);

#endif
