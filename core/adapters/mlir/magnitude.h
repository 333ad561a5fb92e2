/* How large an expression can get, however MLIR regroups its sums and products: bounds of every
 * value and every folded constant. value: |const| = its absolute value; a variable = the larger end
 * of its bounds in absolute value, at least 1 (or exactly 1 where no box is given: then only
 * constants are measured); |a + b| = |a| + |b|; |a * b| = |a| * |b|; |x mod c| = c; |x floordiv c|
 * = |x ceildiv c| = |x| / c + 1; of min and max the larger. peak: the largest value of any node
 * inside. Keeps: no association, commutation, distribution or cancellation of sums and products,
 * and no multiple of the divisor moved out of a division, makes a value or a coefficient larger
 * than peak. So peak(e) <= INT64_MAX licenses MLIR's folding, which does not check for overflow
 * (`d0 * 9223372036854775807 * 4` comes back as `d0 * -4`), and peak(e) < 2^31 licenses evaluation
 * in 32 bits. Independent of core/map/bounds. */
#ifndef CORE_MLIR_MAGNITUDE_H
#define CORE_MLIR_MAGNITUDE_H

#include "core/expr/memo.h"
#include "core/map/map.h"

typedef struct Magnitude {
  uint64_t value, peak; /* UINT64_MAX where they would be larger */
} Magnitude;

typedef struct Magnitudes {
  const MapContext *context;
  const Map *box; /* nullptr: a variable counts 1 */
  Memo places;    /* handle -> place in items */
  uint32_t count, capacity;
  Magnitude *items;
} Magnitudes;

[[nodiscard]] Magnitudes magnitudes_create(
    const MapContext *context, Arena *scratch, const Map *box);
/* Recursion is as deep as the expression, at most expr_max_depth. */
[[nodiscard]] Magnitude magnitude(Magnitudes *known, Expr expr);
/* Of an interval's ends, at least 1. */
[[nodiscard]] uint64_t magnitude_of_interval(Interval in);

#endif
