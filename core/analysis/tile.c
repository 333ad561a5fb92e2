/* Tile propagation. Substituting d_i = offset_i + stride_i * t_i gives a map over t. The elements
 * read are a strided box exactly if each result's values are an arithmetic progression and each
 * part has as many tuples of results as the product of their numbers of values. Runtime variables
 * must be summands of results. They are split off as the base of the offset, which must have one
 * value for the tile. */
#include <assert.h>
#include <stdckdint.h>
#include <stdlib.h>

#include "core/base/checked.h"
#include "core/expr/visit.h"
#include "core/index/ops/terms.h"
#include "core/analysis/parts.h"
#include "core/analysis/analysis.h"
#include "core/analysis/values.h"

typedef struct TileTiling {
  Build build; /* only for expressions */
  const Map *map;
  Map *over; /* the map over t, without runtime variables */
  Tile *tile;
  Error *error;
} TileTiling;

static bool no_box(TileTiling *tiling, const char *reason) {
  tiling->tile->is_box = false;
  tiling->tile->reason = reason;
  return true;
}

/* The values of t for which offset + stride * t is within the bounds. */
static bool clip(TileTiling *tiling, const TileDim *of, Interval bounds, Interval *t) {
  Build *build = &tiling->build;
  if (of->stride <= 0)
    return error_set(tiling->error, ERROR_INPUT, "a tile's stride is %lld", (long long)of->stride);
  *t = (Interval){max64(0, ceildiv64(build_difference(build, bounds.lo, of->offset), of->stride)),
      min64(max64(of->size, 0) - 1,
          floordiv64(build_difference(build, bounds.hi, of->offset), of->stride))};
  return !build->overflow || error_set(tiling->error, ERROR_OVERFLOW, "a tile's end leaves int64");
}

/* Sets the bounds of t in `over`, and the dimensions as functions of t. */
static bool tile_dims(TileTiling *tiling, const TileDim *of, Expr *dims) {
  Build *build = &tiling->build;
  for (uint32_t i = 0; i < tiling->map->dim_count; i++) {
    if (!clip(tiling, &of[i], tiling->map->dims[i].bounds, &tiling->over->dims[i].bounds))
      return false;
    Expr t = expr_var(build->context->pool, VAR_DIM, i);
    dims[i] = build_plus_const(build, build_times(build, t, of[i].stride), of[i].offset);
  }
  return true;
}

/* Splits result = rest + base, where base has exactly the runtime variables. False if they are not
 * summands. */
static bool tile_split(TileTiling *tiling, Expr *result, Expr *base) {
  Build *build = &tiling->build;
  const ExprPool *pool = build->context->pool;
  LinearTerms terms = terms_of(build, *result), fixed = {.constant = terms.constant}, moving = {};
  for (uint32_t i = 0; i < terms.count; i++) {
    bool runtime =
        expr_has_kinds(pool, build->context->arena, terms.items[i].atom, 1u << VAR_RUNTIME);
    if (runtime && expr_node(pool, terms.items[i].atom)->op != EXPR_VAR) return false;
    *ARENA_PUSH(build->context->arena, runtime ? &moving : &fixed) = terms.items[i];
  }
  *base = terms_expr(build, &moving, UINT32_MAX, 1);
  if (moving.count > 0) *result = terms_expr(build, &fixed, UINT32_MAX, 1);
  return true;
}

static bool tile_substitute(TileTiling *tiling, const Expr *dims, Expr from, Expr *to) {
  MapContext *context = tiling->build.context;
  return expr_substitute(
      context->pool, context->arena, &(Substitution){.dims = dims}, 1, &from, to, tiling->error);
}

/* Completes the map over t. Sets tile->reason if runtime variables prevent it. */
static bool tile_prepare(TileTiling *tiling, const Expr *dims) {
  const Map *map = tiling->map;
  MapContext *context = tiling->build.context;
  Map *over = tiling->over;
  for (uint32_t i = 0; i < map->runtime_count; i++)
    if (values_are_restricted(map, i))
      return no_box(tiling, "nothing is read at some runtime values");
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    over->constraints[i].in = map->constraints[i].in;
    if (expr_has_kinds(context->pool, context->arena, map->constraints[i].expr, 1u << VAR_RUNTIME))
      return no_box(tiling, "a constraint depends on runtime values");
    if (!tile_substitute(tiling, dims, map->constraints[i].expr, &over->constraints[i].expr))
      return false;
  }
  for (uint32_t i = 0; i < map->result_count; i++) {
    if (!tile_substitute(tiling, dims, map->results[i], &over->results[i])) return false;
    if (!tile_split(tiling, &over->results[i], &tiling->tile->bases[i]))
      return no_box(tiling, "a result depends on runtime values other than by a shift");
    if (values_may_differ(context, map, tiling->tile->bases[i], over, dims))
      return no_box(tiling, "a shift by a runtime value that may differ within the tile");
  }
  return !tiling->build.overflow ||
         error_set(tiling->error, ERROR_OVERFLOW, "an offset leaves int64");
}

/* Sorted distinct values as a progression; false if they are none. */
static bool progression(const PartImage *image, TileDim *dim) {
  *dim = (TileDim){.offset = image->rows[0], .size = (int64_t)image->count, .stride = 1};
  if (image->count == 1) return true;
  if (!sub64(image->rows[1], image->rows[0], &dim->stride)) return false;
  for (uint64_t i = 2; i < image->count; i++) {
    int64_t step;
    if (!sub64(image->rows[i], image->rows[i - 1], &step) || step != dim->stride) return false;
  }
  return true;
}

/* The distinct values of one result, ascending. */
static PartImage column_of(Arena *arena, const PartImage *image, uint32_t width, uint32_t column) {
  PartImage values = {.rows = ARENA_NEW(arena, int64_t, image->count)};
  uint64_t kept = 0;
  for (uint64_t i = 0; i < image->count; i++) values.rows[i] = image->rows[i * width + column];
  qsort(values.rows, image->count, sizeof *values.rows, order64_at);
  for (uint64_t i = 0; i < image->count; i++)
    if (kept == 0 || values.rows[i] != values.rows[kept - 1]) values.rows[kept++] = values.rows[i];
  values.count = kept;
  return values;
}

/* Dependent results fill a box if each has evenly spaced values, and there are as many tuples as
 * combinations of those values. */
static bool box_of_joint(TileTiling *tiling, const Part *part, const PartImage *image) {
  Arena *arena = tiling->build.context->arena;
  uint64_t product = 1;
  bool is_box = true;
  for (uint32_t i = 0; i < part->result_count && is_box; i++) {
    PartImage values = column_of(arena, image, part->result_count, i);
    is_box = progression(&values, &tiling->tile->dims[part->results[i]]) &&
             !ckd_mul(&product, product, values.count);
  }
  return is_box && product == image->count;
}

static bool nothing_read(const TileTiling *tiling) {
  Tile *tile = tiling->tile;
  for (uint32_t i = 0; i < tile->rank; i++) {
    tile->dims[i] = (TileDim){.size = 0, .stride = 1};
    tile->bases[i] = expr_const(tiling->build.context->pool, 0);
  }
  return true;
}

/* Nothing is read if one part has no point, whatever the others are. */
static bool box_of_parts(TileTiling *tiling) {
  const MapContext *context = tiling->build.context;
  Parts parts = parts_of(context, tiling->over);
  const char *reason = nullptr;
  bool empty = false;
  for (uint32_t i = 0; i < parts.count; i++) {
    const Part *part = &parts.items[i];
    PartProgression known;
    PartImage image;
    if (part_progression(tiling->build.context, tiling->over, part, &known)) {
      tiling->tile->dims[part->results[0]] =
          (TileDim){known.first, known.count, known.count == 1 ? 1 : known.stride};
      continue;
    }
    if (part->result_count == 0) {
      bool has_point;
      if (!part_has_point(context, tiling->over, part, use_most_points, &has_point, tiling->error))
        return false;
      empty |= !has_point;
      continue;
    }
    if (!part_image(context, tiling->over, part, use_most_points, &image, tiling->error))
      return false;
    empty |= image.count == 0;
    if (image.count == 0) continue;
    if (part->result_count > 1 && !box_of_joint(tiling, part, &image))
      reason = "two dimensions of the operand move together";
    if (part->result_count > 1) continue;
    if (!progression(&image, &tiling->tile->dims[part->results[0]]))
      reason = "the elements are not evenly spaced";
  }
  if (empty) return nothing_read(tiling);
  return reason == nullptr || no_box(tiling, reason);
}

bool use_tile(MapContext *context, const Map *map, const TileDim *of, Tile *tile, Error *error) {
  assert(map->state == MAP_PLAIN);
  *tile = (Tile){.is_box = true,
      .rank = map->result_count,
      .dims = ARENA_NEW(context->arena, TileDim, map->result_count),
      .bases = ARENA_NEW(context->arena, Expr, map->result_count)};
  TileTiling tiling = {.build = build_start(context), .map = map, .tile = tile, .error = error};
  tiling.over = map_create(
      context, map->dim_count, map->range_count, 0, map->result_count, map->constraint_count);
  map_take_variables(tiling.over, map, VAR_RANGE);
  Expr *dims = ARENA_NEW(context->arena, Expr, map->dim_count);
  if (!tile_dims(&tiling, of, dims)) return false;
  if (map_has_empty_bounds(map) || map_has_empty_bounds(tiling.over)) return nothing_read(&tiling);
  if (!tile_prepare(&tiling, dims)) return false;
  return !tile->is_box || box_of_parts(&tiling);
}
