/* Interval bounds of an expression over the bounds of its variables; constraints are ignored.
 *
 * Keeps: bounds(e) contains e(p) for every point p of the box. The interval may be wider, never
 * narrower. On int64 overflow there are no bounds: a saturated bound would permit an unsound
 * rewrite. */
#ifndef CORE_MAP_BOUNDS_H
#define CORE_MAP_BOUNDS_H

#include "core/map/map.h"

/* False if an end would leave int64, a divisor is not a constant > 0, or a variable's bounds are
 * empty. */
[[nodiscard]] bool expr_bounds(
    const MapContext *context, const Map *box, Expr expr, Interval *bounds);

/* expr_bounds for many expressions over one box: each shared node is computed once. Allocated in
 * the context's arena, which the caller rewinds. */
typedef struct Bounds Bounds;
[[nodiscard]] Bounds *bounds_create(const MapContext *context, const Map *box);
[[nodiscard]] bool bounds_of(Bounds *bounds, Expr expr, Interval *result);

/* The transfer function of each operator, for internal use and for its proofs. */
[[nodiscard]] bool bounds_apply(ExprOp op, Interval left, Interval right, Interval *bounds);

#endif
