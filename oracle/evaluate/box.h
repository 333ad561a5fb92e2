/* All integer points of a box, in row-major order: the last variable runs fastest. */
#ifndef ORACLE_EVALUATE_BOX_H
#define ORACLE_EVALUATE_BOX_H

#include "core/map/map.h"
#include "oracle/evaluate/program.h"

static constexpr uint32_t box_block = 256; /* points evaluated together: the columns of a dozen
                                              steps fit the first-level cache */

typedef struct Box {
  uint32_t count;
  Interval *of; /* [count] */
  int64_t points;
} Box;

/* Sets box->points, 0 for an empty box. Returns false if there are more than `limit`. */
[[nodiscard]] bool box_count(Box *box, int64_t limit);
/* The values of all variables at one point. */
void box_point(const Box *box, int64_t point, int64_t *values);
/* Advances the values to the next point; after the last point, to the first. */
void box_next(const Box *box, int64_t *values);
/* The values of `count` points from `first` on: columns[variable][0 .. count - 1]. */
void box_columns(const Box *box, int64_t first, uint32_t count, int64_t **columns);

/* Allocates columns for a program's slots, of min(box_block, points) values each, with constants
 * filled. The first `shared` columns are those of `given`. */
[[nodiscard]] int64_t **columns_create(
    Arena *arena, const Program *program, int64_t points, uint32_t shared, int64_t **given);
/* The most elements of a tensor whose elements column_number numbers. */
static constexpr int64_t column_elements = UINT32_MAX;
/* Adds one dimension to row-major numbers: number = number * size + value. `outside` becomes
 * negative if the value is not in 0 .. size - 1; the number is then meaningless. So it is if the
 * tensor has more than column_elements elements. */
void column_number(const int64_t *restrict values, int64_t size, uint32_t count,
    int64_t *restrict numbers, int64_t *restrict outside);

/* The smallest interval that contains both; an empty one has no values. */
[[nodiscard]] static inline Interval interval_hull(Interval a, Interval b) {
  if (a.lo > a.hi) return b;
  if (b.lo > b.hi) return a;
  return (Interval){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

#endif
