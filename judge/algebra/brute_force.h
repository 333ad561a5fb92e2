/* Every point of a small map, listed blindly: through all bounds one after another, each expression
 * walked as it stands, in 128 bits. Takes no part in what core knows of maps (evaluation, bounds,
 * counting, the algebra), so that what core says of a map can be held against the list. */
#ifndef JUDGE_BRUTE_FORCE_H
#define JUDGE_BRUTE_FORCE_H

#include "core/map/map.h"

/* A row a point of the domain: its dimensions, ranges, runtime variables, then the results. */
typedef struct BruteForceRows {
  uint32_t width;
  uint64_t count;
  int64_t *items; /* [count][width], in the arena */
} BruteForceRows;

/* After the results stand the values of `extra_count` further expressions. Rejects with
 * ERROR_LIMIT a box of more than `most` points, with ERROR_OVERFLOW a value that leaves int64 at a
 * point of the box, with ERROR_UNSUPPORTED the map UNDEFINED. */
[[nodiscard]] bool brute_force_list(Arena *arena, const MapContext *context, const Map *map,
    uint32_t extra_count, const Expr *extras, uint64_t most, BruteForceRows *rows, Error *error);

/* The given columns of every row, sorted; equal rows stay. */
[[nodiscard]] BruteForceRows brute_force_pick(
    Arena *arena, const BruteForceRows *rows, uint32_t count, const uint32_t *columns);
/* Of sorted rows each once: the list itself becomes shorter. */
void brute_force_once(BruteForceRows *rows);
/* The first row of sorted ones that is equal to the one before; the count where there is none. */
[[nodiscard]] uint64_t brute_force_repeated(const BruteForceRows *rows);
/* The first row of sorted `a` that sorted `b` does not have, each once; nullptr where b has all.
 * Rows of different widths are different. */
[[nodiscard]] const int64_t *brute_force_missing(const BruteForceRows *a, const BruteForceRows *b);

#endif
