/* Replays a model: evaluates the original map in 128 bits at one point, without code of the
 * encoder. A SAT result that does not replay is never reported as a refutation. */
#ifndef SMT_SOLVER_CONFIRM_H
#define SMT_SOLVER_CONFIRM_H

#include "core/base/text.h"
#include "core/map/map.h"
#include "smt/terms/sums.h"

typedef enum Replay : uint8_t { REPLAY_INSIDE, REPLAY_OUTSIDE, REPLAY_FAILED } Replay;

/* The result of a replay. The values of a map's variables are ordered: dimensions, ranges, runtime
 * variables. */
typedef struct Replayed {
  Replay state;    /* REPLAY_FAILED: a divisor <= 0, or a value past 128 bits */
  bool left_int64; /* some intermediate value is outside int64, where the engine rejects the map */
  Wide *results;   /* [result_count], for a point inside */
} Replayed;
[[nodiscard]] Replayed confirm_map(
    Arena *scratch, const MapContext *context, const Map *map, const Wide *values);
/* Evaluates one expression with the same values. */
[[nodiscard]] bool confirm_expr(Arena *scratch, const MapContext *context, const Map *map,
    Expr expr, const Wide *values, Wide *value, bool *left_int64);

/* map_bindings for values of any size. */
[[nodiscard]] Bindings wide_bindings(Arena *arena, const Map *map, const Wide *values);
/* Prints "(3, 7)" or "outside the domain". */
void text_replayed(Text *text, const Map *map, const Replayed *replayed);

#endif
