/* Interval bounds of an expression over the variables' bounds (constraints aside).
 * Keeps: bounds(e) contains e(p) for every point p of the box; it may be wider, never narrower.
 * Rejects on int64 overflow instead of saturating: a saturated bound would license a wrong
 * rewrite. */
#ifndef CORE_MAP_BOUNDS_H
#define CORE_MAP_BOUNDS_H

#include "core/map/map.h"

/* False when an end would leave int64, or a divisor is not a constant > 0, or a variable's bounds
 * are empty. */
[[nodiscard]] bool expr_bounds(
    const MapContext *context, const Map *box, Expr expr, Interval *bounds);

/* The same for many expressions over one box: each shared node is bounded once. Lives in the
 * context's arena, which the caller rewinds. */
typedef struct Bounds Bounds;
[[nodiscard]] Bounds *bounds_create(const MapContext *context, const Map *box);
[[nodiscard]] bool bounds_of(Bounds *bounds, Expr expr, Interval *result);

/* The transfer function of each operator, for inner use and for the proofs about it. */
[[nodiscard]] bool bounds_apply(ExprOp op, Interval left, Interval right, Interval *bounds);

#endif
