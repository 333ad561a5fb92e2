/* Coalescing. An access is one warp at fixed values of all other variables, with one value of each
 * runtime variable for all lanes; lanes with values of their own are unsupported. The address of a
 * lane is the position of its element in memory, by the layout with its tiles, times the bits that
 * an element takes there. Accesses are numbered in a mixed radix over the other variables and the
 * warp; beyond the limit only every n-th is visited. Lanes outside the domain are inactive. Runtime
 * variables that are clamps of one value have only the values of one run together. */
#include <assert.h>
#include <stdlib.h>

#include "core/base/checked.h"
#include "core/index/ops/memory.h"
#include "core/map/evaluate.h"
#include "core/analysis/analysis.h"
#include "core/analysis/values.h"

typedef struct Warps {
  MapContext *context;
  const Map *map;
  const Shape *operand;
  const WarpAccess *access;
  int64_t *strides; /* [rank] in elements, by layout; nullptr for a layout with tiles */
  const Map *tiled; /* for a layout with tiles: from indices to positions in memory */
  int64_t *values;  /* dims, ranges, runtimes */
  int64_t *counts;  /* of their values */
  int64_t *results;
  int64_t *segments; /* [span * lanes]: the segments that a lane's element touches */
  uint32_t span;     /* maximum number of segments of one element */
  ValueElements values_read;
  int64_t *elements; /* [lanes] */
  uint32_t active;
  Coalescing *sum;
} Warps;

static int64_t *layout_strides(Arena *arena, const MemoryOrder *memory) {
  const Shape *shape = memory->shape;
  int64_t *strides = ARENA_NEW(arena, int64_t, shape->rank), stride = 1;
  for (uint32_t i = shape->rank; i-- > 0;) {
    strides[memory->order[i]] = stride;
    stride *= shape->sizes[memory->order[i]];
  }
  return strides;
}

static bool position_map(
    MapContext *context, const MemoryOrder *memory, const Map **map, Error *error) {
  Build build = build_over(context, memory->shape);
  Expr *index = ARENA_NEW(context->arena, Expr, memory->shape->rank);
  for (uint32_t i = 0; i < memory->shape->rank; i++) index[i] = build_dim(&build, i);
  build_result(&build, memory_address(&build, memory, index));
  return build_finish(&build, map, error);
}

static bool lay_out(Warps *warps, Error *error) {
  MemoryOrder memory;
  const char *reason;
  if (shape_elements(warps->operand) == 0) return true;
  if (!memory_order(warps->context->arena, warps->operand, &memory, &reason))
    return error_set(error, ERROR_UNSUPPORTED, "%s", reason);
  if (memory.tile_count > 0) return position_map(warps->context, &memory, &warps->tiled, error);
  warps->strides = layout_strides(warps->context->arena, &memory);
  return true;
}

/* The position in elements of memory; the index must be inside the operand. */
static bool position_at(Warps *warps, int64_t *position, Error *error) {
  if (warps->tiled != nullptr)
    return map_evaluate(warps->context, warps->tiled, &(Point){.dims = warps->results}, position) ==
               POINT_INSIDE ||
           error_set(error, ERROR_OVERFLOW, "a place leaves int64");
  *position = 0;
  for (uint32_t i = 0; i < warps->operand->rank; i++)
    *position += warps->results[i] * warps->strides[i];
  return true;
}

/* Lanes mostly read in memory order, so sorting is rarely needed. */
static bool is_sorted(const int64_t *items, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    if (items[i] < items[i - 1]) return false;
  return true;
}

static uint64_t distinct(int64_t *items, uint32_t count) {
  assert(count > 0);
  if (!is_sorted(items, count)) qsort(items, count, sizeof *items, order64_at);
  uint64_t found = 1;
  for (uint32_t i = 1; i < count; i++) found += items[i] != items[i - 1];
  return found;
}

static uint32_t element_bits(const Shape *operand, const WarpAccess *access) {
  return access->element_bits != 0 ? access->element_bits : shape_stored_bits(operand);
}

static bool read_lane(Warps *warps, Error *error) {
  const Map *map = warps->map;
  Point point = map_point(map, warps->values);
  PointState state = map_evaluate(warps->context, map, &point, warps->results);
  if (state == POINT_OVERFLOW) return error_set(error, ERROR_OVERFLOW, "a value leaves int64");
  if (state == POINT_OUTSIDE) return true;
  if (!value_elements_agree(warps->context, &warps->values_read, &point))
    return error_set(error, ERROR_UNSUPPORTED,
        "threads of one warp use different runtime indices, so coalescing is undefined here");
  int64_t element, bits = element_bits(warps->operand, warps->access);
  for (uint32_t i = 0; i < warps->operand->rank; i++)
    if (warps->results[i] < 0 || warps->results[i] >= warps->operand->sizes[i])
      return error_set(error, ERROR_INPUT, "result %u leaves the operand", i);
  if (!position_at(warps, &element, error)) return false;
  int64_t first, segment_bits = (int64_t)warps->access->segment_bytes * 8;
  if (!mul64(element, bits, &first) || first > INT64_MAX - bits)
    return error_set(error, ERROR_OVERFLOW, "an address leaves int64");
  int64_t *touched = warps->segments + (size_t)warps->span * warps->active;
  for (uint32_t i = 0; i < warps->span; i++)
    touched[i] = min64(first / segment_bits + i, (first + bits - 1) / segment_bits);
  warps->elements[warps->active++] = element;
  return true;
}

static bool read_warp(Warps *warps, int64_t first_thread, Error *error) {
  Interval threads = warps->map->dims[0].bounds;
  warps->active = 0;
  warps->values_read.has_first = false;
  for (uint32_t lane = 0; lane < warps->access->lanes; lane++) {
    warps->values[0] = first_thread + lane;
    if (warps->values[0] < threads.lo) continue;
    if (warps->values[0] > threads.hi) break;
    if (!read_lane(warps, error)) return false;
  }
  if (warps->active == 0) return true;
  uint64_t touched = distinct(warps->segments, warps->span * warps->active);
  uint64_t bits =
      distinct(warps->elements, warps->active) * element_bits(warps->operand, warps->access);
  uint64_t segment_bits = (uint64_t)warps->access->segment_bytes * 8;
  warps->sum->accesses++;
  warps->sum->segments += touched;
  warps->sum->least += (bits + segment_bits - 1) / segment_bits;
  if (touched > warps->sum->worst) warps->sum->worst = touched;
  return true;
}

/* The number of values of a variable; of a runtime variable, those that a run can give it. */
static bool count_values(const Map *map, uint32_t number, int64_t *values) {
  uint32_t fixed = map_variable_count(map) - map->runtime_count;
  if (number >= fixed) return values_count(map, number - fixed, values);
  Interval bounds = map_variable(map, number)->bounds;
  return sub64(bounds.hi, bounds.lo, values) && add64(*values, 1, values);
}

/* The number of accesses and of assignments; 0 if a bound is empty. False if one leaves int64. */
static bool count_accesses(Warps *warps, int64_t *accesses, uint64_t *assignments, Error *error) {
  const Map *map = warps->map;
  int64_t lanes = warps->access->lanes;
  Interval threads = map->dims[0].bounds;
  uint32_t fixed = map_variable_count(map) - map->runtime_count;
  *accesses = 0;
  *assignments = map->runtime_count == 0;
  if (map_has_empty_bounds(map)) return true;
  if (threads.lo < INT64_MIN / 2 || threads.hi > INT64_MAX / 2)
    return error_set(error, ERROR_OVERFLOW, "the number of accesses leaves int64");
  *accesses = floordiv64(threads.hi, lanes) - floordiv64(threads.lo, lanes) + 1;
  *assignments = 1;
  for (uint32_t i = 1; i < map_variable_count(map); i++) {
    if (!count_values(map, i, &warps->counts[i]) || !mul64(*accesses, warps->counts[i], accesses))
      return error_set(error, ERROR_OVERFLOW, "the number of accesses leaves int64");
    if (i >= fixed) *assignments *= (uint64_t)warps->counts[i];
  }
  return true;
}

/* Sets all variables but dimension 0 from the access's number; returns the warp's first thread. */
static int64_t coalescing_decode(Warps *warps, int64_t number) {
  const Map *map = warps->map;
  uint32_t fixed = map_variable_count(map) - map->runtime_count;
  for (uint32_t i = map_variable_count(map); i-- > 1;) {
    int64_t value = number % warps->counts[i];
    if (i >= fixed) values_choose(map, i - fixed, value, warps->values + fixed);
    else warps->values[i] = map_variable(map, i)->bounds.lo + value;
    number /= warps->counts[i];
  }
  return (floordiv64(map->dims[0].bounds.lo, warps->access->lanes) + number) * warps->access->lanes;
}

static bool check_access(const Map *map, const WarpAccess *access, Error *error) {
  if (map->dim_count == 0)
    return error_set(error, ERROR_INPUT, "a map without dimensions has no threads");
  bool sensible = access->lanes >= 1 && access->lanes <= 1024 && access->segment_bytes >= 1 &&
                  access->segment_bytes <= 1 << 20;
  return sensible || error_set(error, ERROR_INPUT, "a warp of %s with segments of %s",
                         counted(access->lanes, "lane"), counted(access->segment_bytes, "byte"));
}

/* The number of accesses that may be visited, at least one. */
static int64_t most_accesses(const WarpAccess *access) {
  uint64_t points = access->most_points == 0 || access->most_points > use_most_points
                        ? use_most_points
                        : access->most_points;
  return (int64_t)(points < access->lanes ? 1 : points / access->lanes);
}

/* The maximum is reached by an element that begins with the last bit of a segment. */
static uint32_t most_segments(const Shape *operand, const WarpAccess *access) {
  int64_t bits = element_bits(operand, access), segment_bits = (int64_t)access->segment_bytes * 8;
  return 2 + (uint32_t)(bits > 2 ? (bits - 2) / segment_bits : 0);
}

bool use_coalescing(MapContext *context, const Map *map, const Shape *operand,
    const WarpAccess *access, Coalescing *coalescing, Error *error) {
  assert(map->state == MAP_PLAIN && map->result_count == operand->rank);
  *coalescing = (Coalescing){};
  int64_t accesses;
  if (!check_access(map, access, error)) return false;
  Arena *arena = context->arena;
  Warps warps = {.context = context,
      .map = map,
      .operand = operand,
      .access = access,
      .sum = coalescing,
      .values = ARENA_NEW(arena, int64_t, map_variable_count(map)),
      .counts = ARENA_NEW(arena, int64_t, map_variable_count(map)),
      .results = ARENA_NEW(arena, int64_t, map->result_count),
      .span = most_segments(operand, access),
      .values_read = value_elements(context, map),
      .elements = ARENA_NEW(arena, int64_t, access->lanes)};
  warps.segments = ARENA_NEW(arena, int64_t, (size_t)warps.span * access->lanes);
  if (!count_accesses(&warps, &accesses, &coalescing->assignments, error) ||
      !lay_out(&warps, error))
    return false;
  int64_t step = max64(1, ceildiv64(accesses, most_accesses(access)));
  coalescing->is_sampled = step > 1;
  for (int64_t number = 0; number < accesses; number += step) {
    if (!read_warp(&warps, coalescing_decode(&warps, number), error)) return false;
    if (number > INT64_MAX - step) break;
  }
  return true;
}
