/* Loop nests that judge a whole domain and give back a few numbers: the text that run.c has MLIR
 * compile.
 * A kernel goes over the box (all variables' bounds) with affine.for, tests the domain with
 * affine.if, computes results with affine.apply. The longest loop stands innermost and carries its
 * sums in values of type index, so that it vectorizes; after each such row they are folded into
 * i64. One loop, that of the first variable with more than one value, takes its bounds from the
 * caller: slabs come in the order of points, dimensions first, row-major.
 * Width: index is compiled to 32 bits where no regrouping of any expression can leave 32 bits
 * (magnitude.h), else to 64, else ERROR_OVERFLOW. */
#ifndef CORE_MLIR_KERNEL_H
#define CORE_MLIR_KERNEL_H

#include "core/base/text.h"
#include "core/map/map.h"
#include "core/adapters/mlir/nest.h"

typedef struct Kernel {
  Text text; /* the module; its function is @kernel */
  const Map *box;
  uint32_t width;     /* 32 or 64 */
  uint64_t points;    /* of the box; 0 when it is empty: then there is no text */
  NestVariable slabs; /* the loop that takes its bounds from the caller; index() is meaningless when
                         has_slabs is false */
  uint64_t least_slab; /* steps below which rows get too short */
  uint64_t points_a_step;
} Kernel;

/* @kernel(begin, end) -> (inside before, linear index of the first difference or INT64_MAX). */
[[nodiscard]] bool kernel_same_map(MapContext *context, Arena *scratch, const Map *before,
    const Map *after, Kernel *kernel, Error *error);
/* @kernel(begin, end) -> (inside, checksum). */
[[nodiscard]] bool kernel_count(
    MapContext *context, Arena *scratch, const Map *map, Kernel *kernel, Error *error);
/* @kernel(begin, end, words) -> (inside, results outside the sizes, bits that were set already). 64
 * bits wide. */
[[nodiscard]] bool kernel_image(MapContext *context, Arena *scratch, const Map *map,
    const int64_t *sizes, Kernel *kernel, Error *error);

#endif
