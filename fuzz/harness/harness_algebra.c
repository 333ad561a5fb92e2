/* Enumerates the map's points once; every result about the map is compared with that list. Queries
 * that the engine rejects or answers with UNKNOWN are skipped and not counted as passed. */
#include "fuzz/harness/harness_algebra.h"

#include <string.h>

#include "core/map/evaluate.h"
#include "core/analysis/algebra.h"
#include "fuzz/harness/harness_points.h"

static constexpr uint32_t most_points = 1024, most_compared = 96, most_results = 8;

typedef struct Image {
  const Map *map;
  const char *body;
  uint32_t count; /* points of the domain */
  HarnessPoint *points;
  int64_t (*results)[most_results];
} Image;

/* Returns false if the box has too many points. */
static bool write_down(Harness *harness, const Map *map, Image *image) {
  HarnessPoint at = harness_first_point(map);
  uint32_t seen = 0;
  bool any = true;
  for (uint32_t i = 0; i < map->dim_count; i++)
    any = any && map->dims[i].bounds.lo <= map->dims[i].bounds.hi;
  for (uint32_t i = 0; i < map->range_count; i++)
    any = any && map->ranges[i].bounds.lo <= map->ranges[i].bounds.hi;
  for (bool more = any; more; more = harness_next_point(map, &at)) {
    if (++seen > most_points || image->count == most_points) return false;
    int64_t results[16];
    if (map_evaluate(harness->context, map, &(Point){at.dims, at.ranges, at.runtimes}, results) !=
        POINT_INSIDE)
      continue;
    image->points[image->count] = at;
    memcpy(image->results[image->count++], results, map->result_count * sizeof *results);
  }
  return true;
}

/* Enumerates the map's box. True if the number of points differs from `count`. */
static bool is_miscounted(Harness *harness, const Map *map, uint64_t count) {
  static constexpr uint64_t most_looked_at = 1 << 18;
  HarnessPoint at = harness_first_point(map);
  uint64_t inside = 0, seen = 0;
  int64_t results[16];
  do
    inside += map_evaluate(harness->context, map, &(Point){at.dims, at.ranges, at.runtimes},
                  results) == POINT_INSIDE;
  while (++seen < most_looked_at && harness_next_point(map, &at));
  return seen < most_looked_at && inside != count;
}

/* Checks that the engine's count of `map`, times `factor`, is the number of the image's points.
 * `map` is the image's map or derived from it. A difference is a finding of `kind`, or of the count
 * itself. */
static void require_count(
    Harness *harness, FindingKind kind, const Image *image, const Map *map, uint64_t factor) {
  uint64_t count;
  Error error = {};
  if (!map_count_points(harness->simplifier, map, 1 << 16, &count, &error) ||
      count * factor == image->count)
    return;
  const char *text = harness_map_text(harness, map);
  if (map->state == MAP_PLAIN && is_miscounted(harness, map, count))
    harness_fail(FOUND_POINTS, arena_printf(harness->arena, "keeps %s", text),
        "counted as %llu points", (unsigned long long)count);
  harness_fail(kind, image->body, "%llu points times %llu, not %u, in %s",
      (unsigned long long)count, (unsigned long long)factor, image->count, text);
}

static void check_bounds(Harness *harness, const Image *image) {
  Interval bounds[most_results];
  if (!map_image_bounds(harness->context, image->map, bounds)) return;
  for (uint32_t i = 0; i < image->count; i++)
    for (uint32_t k = 0; k < image->map->result_count; k++)
      if (image->results[i][k] < bounds[k].lo || image->results[i][k] > bounds[k].hi)
        harness_fail(FOUND_IMAGE, image->body, "result %u is outside its bounds at point %u", k, i);
}

static bool is_injective(const Image *image) {
  for (uint32_t a = 0; a < image->count; a++)
    for (uint32_t b = 0; b < a; b++)
      if (memcmp(image->results[a], image->results[b],
              image->map->result_count * sizeof(int64_t)) == 0)
        return false;
  return true;
}

/* Checks with a budget for the whole domain and with a small one, which may give UNKNOWN. */
static void check_injective(Harness *harness, const Image *image) {
  static const uint64_t budgets[] = {1 << 12, 5};
  for (uint32_t i = 0; image->count <= most_compared && i < 2; i++) {
    VerdictStatus answer = map_is_injective(harness->simplifier, image->map, budgets[i], nullptr);
    if (answer != VERDICT_UNKNOWN && (answer == VERDICT_PROVED) != is_injective(image))
      harness_fail(FOUND_INJECTIVE, image->body, "said to be %sinjective",
          answer == VERDICT_PROVED ? "" : "not ");
  }
}

/* Checks the box from 0 to the largest result in each dimension. Also checks that the map is never
 * bijective onto a box that is one smaller in a dimension. */
static void check_bijective(Harness *harness, const Image *image) {
  int64_t sizes[most_results] = {}, all = 1;
  bool inside = true;
  if (image->count > most_compared || image->count == 0) return;
  for (uint32_t i = 0; i < image->count; i++)
    for (uint32_t k = 0; k < image->map->result_count; k++) {
      int64_t result = image->results[i][k];
      inside = inside && result >= 0 && result < most_points;
      if (inside && result >= sizes[k]) sizes[k] = result + 1;
    }
  if (!inside) return;
  for (uint32_t k = 0; k < image->map->result_count && all <= most_points; k++) all *= sizes[k];
  bool is = is_injective(image) && all == image->count;
  VerdictStatus answer = map_is_bijective(
      harness->simplifier, image->map, image->map->result_count, sizes, 1 << 12, nullptr);
  if (answer != VERDICT_UNKNOWN && (answer == VERDICT_PROVED) != is)
    harness_fail(FOUND_BIJECTIVE, image->body, "said to be %sbijective",
        answer == VERDICT_PROVED ? "" : "not ");
  if (image->map->result_count == 0) return;
  sizes[image->count % image->map->result_count]--;
  if (map_is_bijective(harness->simplifier, image->map, image->map->result_count, sizes, 1 << 12,
          nullptr) == VERDICT_PROVED)
    harness_fail(FOUND_BIJECTIVE, image->body, "said to be bijective onto a smaller box");
}

/* Checks that the inverse maps every result back to its point and has no further points. */
static void check_inverse(Harness *harness, const Image *image) {
  const Map *inverse;
  Error error = {};
  if (!map_inverse(harness->simplifier, image->map, &inverse, &error)) return;
  for (uint32_t i = 0; i < image->count; i++) {
    int64_t back[16];
    PointState state = inverse->state == MAP_PLAIN ? map_evaluate(harness->context, inverse,
                                                         &(Point){.dims = image->results[i]}, back)
                                                   : POINT_OUTSIDE;
    if (state != POINT_INSIDE ||
        memcmp(back, image->points[i].dims, image->map->dim_count * sizeof *back) != 0)
      harness_fail(FOUND_INVERSE, image->body, "point %u does not come back through %s", i,
          harness_map_text(harness, inverse));
  }
  require_count(harness, FOUND_INVERSE, image, inverse, 1);
}

static void check_relation(
    Harness *harness, FindingKind kind, const Image *image, const Map *other) {
  Verdict verdict;
  Error error = {};
  if (!oracle_same_relation(harness->oracle, image->map, other, 1 << 14, &verdict, &error))
    harness_fail(FOUND_JUDGE, image->body, "%s", error.message);
  if (verdict.status == VERDICT_REFUTED)
    harness_fail(kind, image->body, "becomes %s: %s", harness_map_text(harness, other),
        verdict_text(&verdict));
}

static void check_rescaled(Harness *harness, const Image *image) {
  const Map *rescaled;
  Error error = {};
  if (map_rescale(harness->simplifier, image->map, &rescaled, &error))
    check_relation(harness, FOUND_RESCALE, image, rescaled);
  else if (error.kind != ERROR_OVERFLOW && error.kind != ERROR_LIMIT)
    harness_fail(FOUND_REJECTED, image->body, "%s", error.message);
  if (image->map->runtime_count == 0)
    check_relation(
        harness, FOUND_DROP_UNUSED, image, map_drop_unused(harness->context, image->map));
}

/* Checks that the number of points stays the same with fewer or more dimensions. A removed
 * dimension divides the number by its size. */
static void check_dimensions(Harness *harness, const Image *image) {
  bool kept[16] = {};
  uint64_t gone = 1;
  uint32_t last = image->map->result_count - 1, both[2] = {last, 0};
  const Map *wide = map_ranges_to_dims(harness->context, image->map),
            *narrow = map_drop_dims(harness->context, image->map, kept);
  require_count(harness, FOUND_RANGES_TO_DIMS, image, wide, 1);
  for (uint32_t i = 0; i < image->map->dim_count; i++)
    if (!kept[i])
      gone *= (uint64_t)(image->map->dims[i].bounds.hi - image->map->dims[i].bounds.lo + 1);
  require_count(harness, FOUND_DROP_DIMS, image, narrow, gone);
  if (image->map->result_count == 0) return;
  const Map *part = map_sub_map(harness->context, image->map, 2, both);
  if (part->result_count != 2 || !expr_same(part->results[0], image->map->results[last]) ||
      !expr_same(part->results[1], image->map->results[0]))
    harness_fail(FOUND_SUB_MAP, image->body, "in %s", harness_map_text(harness, part));
}

void harness_check_algebra(Harness *harness, const Map *map) {
  if (map->state != MAP_PLAIN || map->result_count > most_results) return;
  Image image = {
      .map = map, .body = arena_printf(harness->arena, "keeps %s", harness_map_text(harness, map))};
  image.points = ARENA_NEW(harness->arena, HarnessPoint, most_points);
  image.results = arena_alloc(harness->arena, most_points, sizeof *image.results);
  if (!write_down(harness, map, &image)) {
    harness->answers[REASON_TOO_LARGE]++;
    return;
  }
  harness->answers[REASON_EXACT]++;
  require_count(harness, FOUND_POINTS, &image, map, 1);
  check_bounds(harness, &image);
  check_injective(harness, &image);
  check_bijective(harness, &image);
  check_inverse(harness, &image);
  check_rescaled(harness, &image);
  check_dimensions(harness, &image);
}
