/* An upper bound of the size of an expression, however MLIR regroups its sums and products: it
 * bounds every value and every folded constant.
 *
 * value: of a constant its absolute value; of a variable the larger end of its bounds in absolute
 * value, at least 1 (or exactly 1 if no box is given: then only constants are measured); |a + b| =
 * |a| + |b|; |a * b| = |a| * |b|; |x mod c| = c; |x floordiv c| = |x ceildiv c| = |x| / c + 1; of
 * min and max the larger. peak: the largest value of any node inside.
 *
 * Keeps: no association, commutation, distribution or cancellation of sums and products, and no
 * multiple of the divisor moved out of a division, makes a value or a coefficient larger than peak.
 * So peak(e) <= INT64_MAX permits MLIR's folding, which does not check for overflow (`d0 *
 * 9223372036854775807 * 4` comes back as `d0 * -4`), and peak(e) < 2^31 permits evaluation in 32
 * bits. Independent of core/map/bounds. */
#ifndef CORE_ADAPTERS_MLIR_MAGNITUDE_H
#define CORE_ADAPTERS_MLIR_MAGNITUDE_H

#include "core/expr/memo.h"
#include "core/map/map.h"

typedef struct Magnitude {
  uint64_t value, peak; /* UINT64_MAX: that or larger */
} Magnitude;

typedef struct Magnitudes {
  const MapContext *context;
  const Map *box; /* nullptr: a variable counts as 1 */
  Memo positions;    /* handle -> position in `items` */
  uint32_t count, capacity;
  Magnitude *items;
} Magnitudes;

[[nodiscard]] Magnitudes magnitudes_create(
    const MapContext *context, Arena *scratch, const Map *box);
/* The recursion is as deep as the expression, at most expr_max_depth. */
[[nodiscard]] Magnitude magnitude(Magnitudes *known, Expr expr);
/* The magnitude of an interval's ends, at least 1. */
[[nodiscard]] uint64_t magnitude_of_interval(Interval in);

#endif
