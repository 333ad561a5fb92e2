/* Every point of a small map, listed blindly: through all bounds one after another, each expression
 * walked as it stands, in 128 bits. Takes no part in what core knows of maps (evaluation, bounds,
 * counting, the algebra), so that what core says of a map can be held against the list. */
#ifndef JUDGE_BLIND_H
#define JUDGE_BLIND_H

#include "core/map/map.h"

/* A row a point of the domain: its dimensions, ranges, runtime variables, then the results. */
typedef struct BlindRows {
  uint32_t width;
  uint64_t count;
  int64_t *items; /* [count][width], in the arena */
} BlindRows;

/* Behind the results stand the values of `extra_count` further expressions. Refuses with
 * ERROR_LIMIT a box of more than `most` points, with ERROR_OVERFLOW a value that leaves int64 at a
 * point of the box, with ERROR_UNSUPPORTED the map UNDEFINED. */
[[nodiscard]] bool blind_list(Arena *arena, const MapContext *context, const Map *map,
    uint32_t extra_count, const Expr *extras, uint64_t most, BlindRows *rows, Error *error);

/* The given columns of every row, sorted; equal rows stay. */
[[nodiscard]] BlindRows blind_pick(
    Arena *arena, const BlindRows *rows, uint32_t count, const uint32_t *columns);
/* Of sorted rows each once: the list itself becomes shorter. */
void blind_once(BlindRows *rows);
/* The first row of sorted ones that is equal to the one before; the count where there is none. */
[[nodiscard]] uint64_t blind_repeated(const BlindRows *rows);
/* The first row of sorted `a` that sorted `b` does not have, each once; nullptr where b has all.
 * Rows of different widths are different. */
[[nodiscard]] const int64_t *blind_missing(const BlindRows *a, const BlindRows *b);

#endif
