/* Lists every point of a small map without shortcuts: it enumerates the whole box and evaluates
 * each expression as written, in 128 bits. It does not use core's evaluation, bounds, counting or
 * algebra, so that core's results can be compared with the list. */
#ifndef JUDGE_ALGEBRA_BRUTE_FORCE_H
#define JUDGE_ALGEBRA_BRUTE_FORCE_H

#include "core/map/map.h"

/* One row per point of the domain: dimensions, ranges, runtime variables, then results. */
typedef struct BruteForceRows {
  uint32_t width;
  uint64_t count;
  int64_t *items; /* [count][width], in the arena */
} BruteForceRows;

/* Appends the values of `extra_count` further expressions to each row. Fails with ERROR_LIMIT for a
 * box of more than `most` points, with ERROR_OVERFLOW if a value leaves int64 at a point of the
 * box, with ERROR_UNSUPPORTED for an UNDEFINED map. */
[[nodiscard]] bool brute_force_list(Arena *arena, const MapContext *context, const Map *map,
    uint32_t extra_count, const Expr *extras, uint64_t most, BruteForceRows *rows, Error *error);

/* Selects columns of every row and sorts the rows; duplicates are kept. */
[[nodiscard]] BruteForceRows brute_force_pick(
    Arena *arena, const BruteForceRows *rows, uint32_t count, const uint32_t *columns);
/* Removes duplicates from sorted rows in place. */
void brute_force_once(BruteForceRows *rows);
/* The index of the first sorted row that equals the previous one; the count if there is none. */
[[nodiscard]] uint64_t brute_force_repeated(const BruteForceRows *rows);
/* The first row of `a` that `b` lacks, nullptr if there is none. Both must be sorted without
 * duplicates. Rows of different widths are different. */
[[nodiscard]] const int64_t *brute_force_missing(const BruteForceRows *a, const BruteForceRows *b);

#endif
