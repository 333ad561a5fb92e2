/* Threads over an array in memory order: the indices of element n = (bl_x * threads + th_x) *
 * vector + v are the digits of n, with the sizes from major to minor. */
#include "core/base/checked.h"
#include "core/index/ops/memory.h"
#include "core/analysis/analysis.h"

static void thread_digits(Build *build, const Shape *shape, Expr number, Expr *results) {
  uint32_t *order = ARENA_NEW(build->context->arena, uint32_t, shape->rank);
  shape_minor_to_major(shape, order);
  int64_t stride = shape_elements(shape);
  for (uint32_t i = shape->rank; i-- > 0;) {
    stride /= shape->sizes[order[i]];
    results[order[i]] = build_floordiv(build, number, stride);
    number = build_mod(build, number, stride);
  }
}

static Map *named(MapContext *context, const Map *map) {
  Map *copy = map_copy(context->arena, map);
  copy->dims[0].name = "th_x";
  copy->dims[1].name = "bl_x";
  if (copy->range_count > 0) copy->ranges[0].name = "vector";
  return copy;
}

bool use_thread_map(MapContext *context, const Shape *shape, const ThreadGrid *grid,
    const Map **map, Error *error) {
  *map = nullptr;
  int64_t block;
  if (grid->threads < 1 || grid->vector < 1 || !mul64(grid->threads, grid->vector, &block))
    return error_set(error, ERROR_INPUT, "a block of %s with %s each",
        counted(grid->threads, "thread"), counted(grid->vector, "element"));
  if (!shape_is_array(shape)) return true;
  int64_t elements = shape_elements(shape);
  if (elements == 0) return true;
  MemoryOrder memory;
  const char *reason = "";
  bool is_laid_out = memory_order(context->arena, shape, &memory, &reason);
  if (!is_laid_out || memory.tile_count > 0)
    return error_set(error, ERROR_UNSUPPORTED, "threads over %s: state their order",
        is_laid_out ? "a layout with tiles" : reason);
  Build build = build_start(context);
  Expr thread = build_add_dim(&build, (Interval){0, grid->threads - 1});
  Expr blocks = build_add_dim(&build, (Interval){0, ceildiv64(elements, block) - 1});
  Expr number = build_plus(
      &build, build_times(&build, blocks, block), build_times(&build, thread, grid->vector));
  number = build_plus(&build, number, build_span(&build, grid->vector));
  if (elements % block != 0) build_require(&build, number, 0, elements - 1);
  Expr *results = ARENA_NEW(context->arena, Expr, shape->rank);
  thread_digits(&build, shape, number, results);
  for (uint32_t i = 0; i < shape->rank; i++) build_result(&build, results[i]);
  const Map *made;
  if (!build_finish(&build, &made, error)) return false;
  if (made != nullptr) *map = named(context, made);
  return true;
}
