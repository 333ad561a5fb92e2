/* Decides whether maps are injective, and whether they are bijective onto a box. PROVED needs an
 * inverse or an enumeration of all points. REFUTED needs two points with one result, or more points
 * than possible results. The witness names two such points if a walk from the first point finds
 * them early. If the domain is too large, only a corner of it is enumerated: two points with one
 * result refute, and otherwise the question stays open. An injective map whose results lie in a box
 * reaches every index of the box if and only if there are as many points as indices. */
#include <assert.h>
#include <stdckdint.h>
#include <string.h>

#include "core/base/budget.h"
#include "core/base/table.h"
#include "core/base/text.h"
#include "core/map/bounds.h"
#include "core/map/evaluate.h"
#include "core/analysis/algebra.h"
#include "core/map/points.h"

static VerdictStatus injective_say(const char **why, VerdictStatus answer, const char *reason) {
  if (why != nullptr) *why = reason;
  return answer;
}

/* A collision is better evidence than a count, so this many points are searched for one before
 * points are counted. */
static constexpr uint64_t few_points = 1024;
/* If the count refutes, the walk through the domain that names two points visits at most this many
 * points of the box. */
static constexpr uint64_t most_named = UINT64_C(1) << 17;

/* ---- results seen so far ---- */

typedef struct InjectiveSeen {
  Arena *arena;
  uint32_t width; /* number of results of a point */
  uint32_t count, capacity;
  int64_t *rows;   /* [capacity][width] */
  uint64_t *steps; /* [capacity]: the step of the walk that added the row */
  Table table;
} InjectiveSeen;

static uint64_t row_hash(const InjectiveSeen *seen, const int64_t *row) {
  uint64_t hash = seen->width;
  for (uint32_t i = 0; i < seen->width; i++) hash = hash_mix(hash, (uint64_t)row[i]);
  return hash;
}

static void seen_grow(InjectiveSeen *seen) {
  uint32_t capacity = seen->capacity == 0 ? 16 : 2 * seen->capacity;
  seen->rows = arena_grow(seen->arena, seen->rows, (size_t)seen->count * seen->width,
      (size_t)capacity * seen->width + 1, sizeof *seen->rows);
  seen->steps = arena_grow(seen->arena, seen->steps, seen->count, capacity, sizeof *seen->steps);
  seen->capacity = capacity;
}

/* Adds the row. False if it exists already; `step` is then that of its first occurrence. */
static bool add_row(InjectiveSeen *seen, const int64_t *row, uint64_t *step) {
  uint64_t hash = row_hash(seen, row);
  uint32_t item;
  for (TableProbe probe = table_probe(&seen->table, hash);
      table_next(&seen->table, &probe, &item);) {
    assert(seen->rows != nullptr && item < seen->count);
    if (memcmp(&seen->rows[(size_t)item * seen->width], row, seen->width * sizeof *row) != 0)
      continue;
    *step = seen->steps[item];
    return false;
  }
  if (seen->count == seen->capacity) seen_grow(seen);
  memcpy(&seen->rows[(size_t)seen->count * seen->width], row, seen->width * sizeof *row);
  seen->steps[seen->count] = *step;
  table_add(&seen->table, seen->arena, hash, seen->count++);
  return true;
}

/* ---- a corner of the domain, or all of it ---- */

typedef struct InjectiveWalk {
  MapContext *context;
  const Map *map;
  Map *corner;     /* the map, with bounds that contain only the corner */
  bool is_whole;   /* the corner is the whole box */
  uint64_t most;   /* steps */
  int64_t *values; /* [map_variable_count] */
} InjectiveWalk;

/* The corner has the first values of each variable, as many as fit the budget; narrow variables
 * leave more of it to wide ones. */
static void cut_corner(InjectiveWalk *walk, uint64_t budget) {
  uint64_t side = budget, points;
  assert(budget > 0);
  do {
    walk->is_whole = true;
    for (uint32_t i = 0; i < map_variable_count(walk->map); i++) {
      Interval bounds = map_variable(walk->map, i)->bounds;
      bool is_cut = bounds.lo <= bounds.hi && (uint64_t)bounds.hi - (uint64_t)bounds.lo >= side;
      if (is_cut) bounds.hi = (int64_t)((uint64_t)bounds.lo + side - 1);
      map_variable(walk->corner, i)->bounds = bounds;
      walk->is_whole = walk->is_whole && !is_cut;
    }
    side = side > 64 ? side - side / 4 : side - 1;
  } while (!map_points_count(walk->corner, budget, &points) && side > 0);
}

static InjectiveWalk walk_of(MapContext *context, const Map *map, uint64_t most) {
  return (InjectiveWalk){.context = context,
      .map = map,
      .corner = map_copy_variables(context->arena, map, 0, 0),
      .most = most,
      .values = ARENA_NEW(context->arena, int64_t, map_variable_count(map))};
}

static InjectiveWalk open_walk(MapContext *context, const Map *map, uint64_t budget) {
  InjectiveWalk walk = walk_of(context, map, UINT64_MAX);
  cut_corner(&walk, budget);
  return walk;
}

static PointState injective_evaluate(const InjectiveWalk *walk, int64_t *row) {
  const Map *map = walk->map;
  Point point = map_point(map, walk->values);
  return map_evaluate(walk->context, map, &point, row);
}

static void print_point(Text *text, const InjectiveWalk *walk) {
  Bindings bindings = map_bindings(text->arena, walk->map, walk->values);
  text_string(text, "(");
  bindings_print(text, &bindings);
  text_string(text, ")");
}

static const char *collision(InjectiveWalk *walk, uint64_t first, const int64_t *row) {
  Text text = text_create(walk->context->arena), second = text_create(walk->context->arena);
  print_point(&second, walk);
  map_points_at(walk->corner, first, walk->values);
  print_point(&text, walk);
  text_printf(&text, " and %s both give ", second.bytes);
  text_tuple(&text, walk->map->result_count, row);
  return text.bytes;
}

static VerdictStatus walk_through(InjectiveWalk *walk, const char **why) {
  InjectiveSeen seen = {.arena = walk->context->arena, .width = walk->map->result_count};
  int64_t *row = ARENA_NEW(walk->context->arena, int64_t, walk->map->result_count);
  uint64_t step = 0;
  bool more = map_points_begin(walk->corner, walk->values);
  for (; more && step < walk->most; more = map_points_next(walk->corner, walk->values), step++) {
    if (budget_is_spent()) return injective_say(why, VERDICT_UNKNOWN, budget_reason());
    PointState state = injective_evaluate(walk, row);
    uint64_t first = step;
    if (state == POINT_OVERFLOW) return injective_say(why, VERDICT_UNKNOWN, "a value leaves int64");
    if (state == POINT_INSIDE && !add_row(&seen, row, &first))
      return injective_say(why, VERDICT_REFUTED, collision(walk, first, row));
  }
  if (walk->is_whole) return injective_say(why, VERDICT_PROVED, "all points were gone through");
  return injective_say(
      why, VERDICT_UNKNOWN, "no inverse is found, and there are too many points to go through");
}

static VerdictStatus go_through(
    MapContext *context, const Map *map, uint64_t budget, const char **why) {
  InjectiveWalk walk = open_walk(context, map, budget);
  return walk_through(&walk, why);
}

/* Any results + 1 points of the domain include two with one result. */
static bool name_collision(MapContext *context, const Map *map, const char **why) {
  InjectiveWalk walk = walk_of(context, map, most_named);
  const char *points = nullptr;
  if (walk_through(&walk, &points) != VERDICT_REFUTED) return false;
  (void)injective_say(why, VERDICT_REFUTED, points);
  return true;
}

/* ---- more points than results ---- */

bool map_image_bounds(MapContext *context, const Map *map, Interval *bounds) {
  assert(map->state == MAP_PLAIN);
  for (uint32_t i = 0; i < map->result_count; i++)
    if (!expr_bounds(context, map, map->results[i], &bounds[i])) return false;
  return true;
}

static bool most_results(MapContext *context, const Map *map, uint64_t *count) {
  Interval *image = ARENA_NEW(context->arena, Interval, map->result_count);
  *count = 1;
  if (!map_image_bounds(context, map, image)) return false;
  for (uint32_t i = 0; i < map->result_count; i++) {
    uint64_t width = (uint64_t)image[i].hi - (uint64_t)image[i].lo;
    if (width == UINT64_MAX || ckd_mul(count, *count, width + 1)) return false;
  }
  return true;
}

static bool has_too_many_points(
    Simplifier *simplifier, const Map *map, uint64_t budget, const char **why) {
  MapContext *context = simplifier_context(simplifier);
  uint64_t points, results;
  Error error = {};
  if (!map_count_points(simplifier, map, budget, &points, &error) ||
      !most_results(context, map, &results) || points <= results)
    return false;
  if (name_collision(context, map, why)) return true;
  (void)injective_say(why, VERDICT_REFUTED,
      arena_printf(context->arena, "%s have at most %s", counted(points, "point"),
          counted(results, "result")));
  return true;
}

VerdictStatus map_is_injective(
    Simplifier *simplifier, const Map *map, uint64_t budget, const char **why) {
  MapContext *context = simplifier_context(simplifier);
  if (map->state == MAP_UNDEFINED)
    return injective_say(why, VERDICT_UNKNOWN, "the map is undefined");
  if (map->state == MAP_KNOWN_EMPTY)
    return injective_say(why, VERDICT_PROVED, "the map has no points");
  if (map->runtime_count == 0 && map_is_decoded(simplifier, map_ranges_to_dims(context, map)))
    return injective_say(why, VERDICT_PROVED, "it has an inverse");
  budget = budget == 0 ? 1 : budget > map_most_budget ? map_most_budget : budget;
  VerdictStatus answer = go_through(context, map, budget < few_points ? budget : few_points, why);
  if (answer != VERDICT_UNKNOWN) return answer;
  if (has_too_many_points(simplifier, map, budget, why)) return VERDICT_REFUTED;
  return budget > few_points ? go_through(context, map, budget, why) : VERDICT_UNKNOWN;
}

/* ---- onto a box ---- */

/* PROVED if result `i` is in the interval `to` at some point, REFUTED if at none: such points are
 * counted. */
static VerdictStatus leaves(
    Simplifier *simplifier, const Map *map, uint32_t i, Interval to, uint64_t budget) {
  MapContext *context = simplifier_context(simplifier);
  Map outside = *map;
  uint64_t points;
  Error error = {};
  map_add_constraint(context->arena, &outside, (Constraint){map->results[i], to});
  if (to.lo > to.hi) return VERDICT_REFUTED;
  if (!map_count_points(simplifier, &outside, budget, &points, &error)) return VERDICT_UNKNOWN;
  return points == 0 ? VERDICT_REFUTED : VERDICT_PROVED;
}

static VerdictStatus stays_inside(Simplifier *simplifier, const Map *map, const int64_t *sizes,
    uint64_t budget, const char **why) {
  MapContext *context = simplifier_context(simplifier);
  Interval *image = ARENA_NEW(context->arena, Interval, map->result_count);
  if (!map_image_bounds(context, map, image))
    return injective_say(why, VERDICT_UNKNOWN, "a result leaves int64");
  for (uint32_t i = 0; i < map->result_count; i++) {
    VerdictStatus below = leaves(simplifier, map, i, (Interval){image[i].lo, -1}, budget);
    VerdictStatus above = below == VERDICT_REFUTED ? leaves(simplifier, map, i,
                                                         (Interval){sizes[i], image[i].hi}, budget)
                                                   : below;
    if (above == VERDICT_PROVED)
      return injective_say(why, VERDICT_REFUTED,
          arena_printf(context->arena, "result %u leaves [0, %lld]", i, (long long)sizes[i] - 1));
    if (above == VERDICT_UNKNOWN)
      return injective_say(why, VERDICT_UNKNOWN,
          arena_printf(context->arena, "whether result %u stays within [0, %lld] is open", i,
              (long long)sizes[i] - 1));
  }
  return VERDICT_PROVED;
}

/* False if there are more than UINT64_MAX indices. */
static bool count_indices(uint32_t rank, const int64_t *sizes, uint64_t *indices) {
  bool fits = true, is_empty = false;
  *indices = 1;
  for (uint32_t i = 0; i < rank; i++) {
    is_empty = is_empty || sizes[i] <= 0;
    fits = fits && (sizes[i] <= 0 || !ckd_mul(indices, *indices, (uint64_t)sizes[i]));
  }
  if (is_empty) *indices = 0;
  return fits || is_empty;
}

VerdictStatus map_is_bijective(Simplifier *simplifier, const Map *map, uint32_t rank,
    const int64_t *sizes, uint64_t budget, const char **why) {
  uint64_t indices, points = 0;
  Error error = {};
  if (map->state == MAP_UNDEFINED)
    return injective_say(why, VERDICT_UNKNOWN, "the map is undefined");
  assert(map->state == MAP_KNOWN_EMPTY || rank == map->result_count);
  Arena *arena = simplifier_context(simplifier)->arena;
  if (!map_count_points(simplifier, map, budget, &points, &error))
    return injective_say(why, VERDICT_UNKNOWN, arena_printf(arena, "%s", error.message));
  if (!count_indices(rank, sizes, &indices))
    return injective_say(why, VERDICT_REFUTED,
        arena_printf(arena, "%s and at least 2^64 indices", counted(points, "point")));
  if (points != indices)
    return injective_say(why, VERDICT_REFUTED,
        arena_printf(arena, "%s and %s", counted(points, "point"), counted(indices, "index")));
  if (points == 0) return injective_say(why, VERDICT_PROVED, "no points and no indices");
  VerdictStatus inside = stays_inside(simplifier, map, sizes, budget, why);
  return inside == VERDICT_PROVED ? map_is_injective(simplifier, map, budget, why) : inside;
}
