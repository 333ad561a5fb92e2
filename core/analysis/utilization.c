/* Operand utilization. One map: the product over its parts of the number of distinct results, in
 * closed form, by enumeration of up to use_most_points, or by counting points if the part is
 * injective. Several maps: one bit for each operand element, set by enumerating the products of the
 * parts' images, for up to 2^28 elements.
 *
 * A runtime variable is fixed at its least value if it only shifts one result, because the count
 * does not depend on it. Otherwise it takes all its values, and the count is an upper bound.
 * Another upper bound is the number of points of the other variables; the smaller of the two is
 * used. */
#include <assert.h>

#include "core/base/checked.h"
#include "core/expr/visit.h"
#include "core/index/ops/terms.h"
#include "core/analysis/algebra.h"
#include "core/analysis/parts.h"
#include "core/analysis/analysis.h"
#include "core/analysis/values.h"

static constexpr int64_t most_elements = INT64_C(1) << 28;

/* True if the variable has one value for the whole array: its source's index contains no variables
 * of the map. */
static bool is_one_value(const MapContext *context, const Map *map, uint32_t runtime) {
  const Map *index = map->sources == nullptr ? nullptr : map->sources[runtime].index;
  if (index == nullptr) return false;
  for (uint32_t i = 0; i < index->result_count; i++)
    if (expr_has_kinds(context->pool, context->arena, index->results[i], expr_all_kinds))
      return false;
  return true;
}

/* True if the variable occurs only as a summand of one result. */
static bool only_shifts(MapContext *context, const Map *map, Expr variable) {
  uint32_t uses = 0;
  for (uint32_t i = 0; i < map->constraint_count; i++)
    if (expr_contains(context->pool, context->arena, map->constraints[i].expr, variable))
      return false;
  for (uint32_t i = 0; i < map->result_count; i++) {
    if (!expr_contains(context->pool, context->arena, map->results[i], variable)) continue;
    uses++;
    Build build = build_start(context);
    LinearTerms terms = terms_of(&build, map->results[i]);
    for (uint32_t t = 0; t < terms.count; t++)
      if (!expr_same(terms.items[t].atom, variable) &&
          expr_contains(context->pool, context->arena, terms.items[t].atom, variable))
        return false;
    if (build.overflow) return false;
  }
  return uses <= 1;
}

/* True if runs may differ in the points that the variable's value permits. */
static bool may_differ(const Map *map, uint32_t runtime) {
  Interval bounds = map->runtimes[runtime].bounds;
  return bounds.lo != bounds.hi || values_are_restricted(map, runtime);
}

/* The map with shifting runtime variables fixed. */
static const Map *held(MapContext *context, const Map *map, bool *is_at_most) {
  Map *still = ARENA_NEW(context->arena, Map, 1);
  *still = *map;
  still->runtimes = ARENA_NEW(context->arena, Variable, map->runtime_count);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    still->runtimes[i] = map->runtimes[i];
    bool is_shift = is_one_value(context, map, i) &&
                    only_shifts(context, map, expr_var(context->pool, VAR_RUNTIME, i));
    if (is_shift) still->runtimes[i].bounds.hi = still->runtimes[i].bounds.lo;
    *is_at_most |= is_shift ? values_are_restricted(map, i) : may_differ(map, i);
  }
  return still;
}

/* For parts with too many points to enumerate: an injective part has as many results as points. */
static bool count_one_to_one(
    Simplifier *simplifier, const Map *map, const Part *part, int64_t *count) {
  const Map *own = part_map(simplifier_context(simplifier), map, part);
  uint64_t points;
  Error error = {};
  if (map_is_injective(simplifier, own, 1, nullptr) != VERDICT_PROVED) return false;
  return map_count_points(simplifier, own, use_most_points, &points, &error) &&
         !ckd_add(count, points, 0);
}

static bool count_part(
    Simplifier *simplifier, const Map *map, const Part *part, int64_t *count, Error *error) {
  MapContext *context = simplifier_context(simplifier);
  PartProgression progression;
  PartImage image;
  Error rejection = {};
  if (part_progression(context, map, part, &progression)) {
    *count = progression.count;
    return true;
  }
  if (part->result_count == 0) {
    bool has_point;
    if (!part_has_point(context, map, part, use_most_points, &has_point, error)) return false;
    *count = has_point;
    return true;
  }
  if (!part_image(context, map, part, use_most_points, &image, &rejection))
    return (rejection.kind == ERROR_LIMIT && count_one_to_one(simplifier, map, part, count)) ||
           error_set(error, rejection.kind, "%s", rejection.message);
  *count = (int64_t)image.count;
  return true;
}

static bool count_map(Simplifier *simplifier, const Map *map, int64_t *read, Error *error) {
  Parts parts = parts_of(simplifier_context(simplifier), map);
  *read = 1;
  for (uint32_t i = 0; i < parts.count; i++) {
    int64_t count;
    if (!count_part(simplifier, map, &parts.items[i], &count, error)) return false;
    if (!mul64(*read, count, read))
      return error_set(error, ERROR_OVERFLOW, "the number of elements leaves int64");
  }
  return true;
}

typedef struct UtilizationMarks {
  const Map *map;
  const Shape *operand;
  Parts parts;
  PartImage *images; /* [parts.count] */
  int64_t *strides;  /* [rank] row-major */
  uint64_t *bits;
  int64_t count; /* of set bits */
} UtilizationMarks;

static void utilization_mark(UtilizationMarks *marks, int64_t element) {
  uint64_t bit = UINT64_C(1) << (element & 63), *word = &marks->bits[element >> 6];
  marks->count += (*word & bit) == 0;
  *word |= bit;
}

/* The recursion is as deep as the map has parts, at most its results and variables. */
static bool mark_products(UtilizationMarks *marks, uint32_t at, int64_t element, Error *error) {
  if (at == marks->parts.count) {
    utilization_mark(marks, element);
    return true;
  }
  const Part *part = &marks->parts.items[at];
  const PartImage *image = &marks->images[at];
  for (uint64_t row = 0; row < image->count; row++) {
    int64_t sum = element;
    for (uint32_t i = 0; i < part->result_count; i++) {
      uint32_t result = part->results[i];
      int64_t value = image->rows[row * part->result_count + i];
      if (value < 0 || value >= marks->operand->sizes[result])
        return error_set(error, ERROR_INPUT, "result %u leaves the operand", result);
      sum += value * marks->strides[result];
    }
    if (!mark_products(marks, at + 1, sum, error)) return false;
  }
  return true;
}

/* For a part without results: whether it has a point. */
static bool image_of(
    const MapContext *context, const Map *map, const Part *part, PartImage *image, Error *error) {
  if (part->result_count > 0) return part_image(context, map, part, use_most_points, image, error);
  bool has_point;
  if (!part_has_point(context, map, part, use_most_points, &has_point, error)) return false;
  *image = (PartImage){.count = has_point};
  return true;
}

static bool mark_map(MapContext *context, UtilizationMarks *marks, const Map *map, Error *error) {
  marks->map = map;
  marks->parts = parts_of(context, map);
  marks->images = ARENA_NEW(context->arena, PartImage, marks->parts.count);
  for (uint32_t i = 0; i < marks->parts.count; i++)
    if (!image_of(context, map, &marks->parts.items[i], &marks->images[i], error)) return false;
  return mark_products(marks, 0, 0, error);
}

static int64_t *row_major_strides(Arena *arena, const Shape *shape) {
  int64_t *strides = ARENA_NEW(arena, int64_t, shape->rank), stride = 1;
  for (uint32_t i = shape->rank; i-- > 0;) {
    strides[i] = stride;
    stride *= shape->sizes[i];
  }
  return strides;
}

static bool count_union(MapContext *context, const MapSet *maps, const Shape *operand,
    Utilization *utilization, Error *error) {
  if (utilization->elements > most_elements)
    return error_set(
        error, ERROR_LIMIT, "several maps of more than %lld elements", (long long)most_elements);
  UtilizationMarks marks = {.operand = operand,
      .strides = row_major_strides(context->arena, operand),
      .bits = ARENA_NEW(context->arena, uint64_t, utilization->elements / 64 + 1)};
  for (uint32_t i = 0; i < maps->count; i++) {
    for (uint32_t r = 0; r < maps->maps[i]->runtime_count; r++)
      utilization->is_at_most |= may_differ(maps->maps[i], r);
    if (!mark_map(context, &marks, maps->maps[i], error)) return false;
  }
  utilization->read = marks.count;
  return true;
}

static int64_t times_values(int64_t count, Interval bounds) {
  int64_t values;
  if (bounds.lo > bounds.hi) return 0;
  if (!sub64(bounds.hi, bounds.lo, &values) || !add64(values, 1, &values) ||
      !mul64(count, values, &count))
    return INT64_MAX;
  return count;
}

/* In one run a runtime variable has one value at each point of the other variables. */
static int64_t most_reads(const MapSet *maps) {
  int64_t most = 0;
  for (uint32_t i = 0; i < maps->count; i++) {
    const Map *map = maps->maps[i];
    int64_t points = 1;
    for (uint32_t k = 0; k < map->dim_count; k++)
      points = times_values(points, map->dims[k].bounds);
    for (uint32_t k = 0; k < map->range_count; k++)
      points = times_values(points, map->ranges[k].bounds);
    if (!add64(most, points, &most)) return INT64_MAX;
  }
  return most;
}

static bool count_maps(Simplifier *simplifier, const MapSet *maps, const Shape *operand,
    Utilization *utilization, Error *error) {
  MapContext *context = simplifier_context(simplifier);
  if (maps->count > 1) return count_union(context, maps, operand, utilization, error);
  return count_map(simplifier, held(context, maps->maps[0], &utilization->is_at_most),
      &utilization->read, error);
}

bool use_utilization(Simplifier *simplifier, const MapSet *maps, const Shape *operand,
    Utilization *utilization, Error *error) {
  assert(shape_is_array(operand));
  *utilization = (Utilization){.elements = shape_elements(operand)};
  if (maps->count == 0) return true;
  if (!count_maps(simplifier, maps, operand, utilization, error)) return false;
  if (utilization->is_at_most) utilization->read = min64(utilization->read, most_reads(maps));
  utilization->is_at_most |= maps->claim == INDEX_OVER_APPROXIMATION;
  return true;
}
