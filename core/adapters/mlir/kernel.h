/* Loop nests that visit a whole domain and return a few numbers: the text that run.c compiles
 * through MLIR.
 *
 * A kernel visits the box (all variables' bounds) with affine.for, tests the domain with affine.if,
 * and computes results with affine.apply. The longest loop is innermost and carries its sums in
 * values of type index, so that it vectorizes; after each such row they are added to i64 values.
 * One loop, that of the first variable with more than one value, takes its bounds from the caller:
 * slabs follow the order of points, dimensions first, row-major.
 *
 * Width: index has 32 bits if no regrouping of any expression can leave 32 bits (magnitude.h), else
 * 64; if that does not suffice, ERROR_OVERFLOW. */
#ifndef CORE_ADAPTERS_MLIR_KERNEL_H
#define CORE_ADAPTERS_MLIR_KERNEL_H

#include "core/base/text.h"
#include "core/map/map.h"
#include "core/adapters/mlir/nest.h"

typedef struct Kernel {
  Text text; /* the module, whose function is @kernel */
  const Map *box;
  uint32_t width;     /* 32 or 64 */
  uint64_t points;    /* of the box; 0 if it is empty, and then there is no text */
  NestVariable slabs; /* the loop that takes its bounds from the caller */
  uint64_t least_slab; /* the minimum number of steps in a slab, so that rows do not become too
                        * short */
  uint64_t points_a_step;
} Kernel;

/* @kernel(begin, end) -> (points inside `before`, linear index of the first difference or
 * INT64_MAX). */
[[nodiscard]] bool kernel_same_map(MapContext *context, Arena *scratch, const Map *before,
    const Map *after, Kernel *kernel, Error *error);
/* @kernel(begin, end) -> (points inside, checksum). */
[[nodiscard]] bool kernel_count(
    MapContext *context, Arena *scratch, const Map *map, Kernel *kernel, Error *error);
/* @kernel(begin, end, words) -> (points inside, points whose results leave the sizes, points whose
 * bit was already set). The width is 64. */
[[nodiscard]] bool kernel_image(MapContext *context, Arena *scratch, const Map *map,
    const int64_t *sizes, Kernel *kernel, Error *error);

#endif
