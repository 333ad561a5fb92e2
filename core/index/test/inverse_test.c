/* Inverse relations of random maps against all pairs of points and results. Most results are
 * variables, variables plus constants and constants, also at the ends of int64 and twice; some are
 * sums, and some maps have constraints. */
#include "core/index/fusion/inverse.h"

#include "core/index/test/test_bench.h"
#include "core/map/points.h"

static constexpr uint32_t most_dims = 2, most_ranges = 2, most_results = 3, most_pairs = 4096;
static constexpr int64_t most_size = 4;

static uint64_t inverse_draws;

static int64_t drawn(int64_t count) {
  inverse_draws = inverse_draws * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int64_t)((inverse_draws >> 33) % (uint64_t)count);
}

static Interval drawn_bounds(void) {
  static constexpr int64_t lowest[] = {INT64_MIN, INT64_MIN + 1, INT64_MAX - 2, -2, -1, 0, 0, 0};
  int64_t lo = lowest[drawn(8)];
  return (Interval){lo, lo + drawn(3)};
}

static int64_t drawn_summand(void) {
  static constexpr int64_t edges[] = {
      INT64_MIN, INT64_MIN + 1, INT64_MIN + 3, INT64_MAX, INT64_MAX - 1};
  return drawn(3) == 0 ? edges[drawn(5)] : drawn(7) - 3;
}

static Expr drawn_variable(MapContext *context, const Map *map) {
  uint32_t at = (uint32_t)drawn(map_variable_count(map));
  return at < map->dim_count ? expr_var(context->pool, VAR_DIM, at)
                             : expr_var(context->pool, VAR_RANGE, at - map->dim_count);
}

static Expr drawn_result(MapContext *context, const Map *map) {
  Expr constant = expr_const(context->pool, drawn_summand());
  if (map_variable_count(map) == 0 || drawn(6) == 0)
    return expr_const(context->pool, drawn(most_size + 2) - 1);
  Expr variable = drawn_variable(context, map);
  if (drawn(3) == 0) return variable;
  if (drawn(8) == 0) constant = drawn_variable(context, map);
  return expr_binary(context->pool, EXPR_ADD, variable, constant);
}

static const Map *drawn_map(MapContext *context) {
  uint32_t dims = (uint32_t)drawn(most_dims + 1), ranges = (uint32_t)drawn(most_ranges + 1);
  Map *map = map_create(
      context, dims, ranges, 0, (uint32_t)drawn(most_results + 1), dims > 0 && drawn(4) == 0);
  for (uint32_t i = 0; i < dims; i++) map->dims[i].bounds = drawn_bounds();
  for (uint32_t i = 0; i < ranges; i++) map->ranges[i].bounds = drawn_bounds();
  for (uint32_t i = 0; i < map->result_count; i++) map->results[i] = drawn_result(context, map);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    map->constraints[i] = (Constraint){drawn_variable(context, map), drawn_bounds()};
  return map;
}

typedef struct InversePair {
  int64_t dims[most_dims], results[most_results];
} InversePair;

typedef struct InversePairs {
  uint32_t count;
  InversePair items[most_pairs];
} InversePairs;

static bool has_pair(const InversePairs *pairs, const InversePair *pair) {
  for (uint32_t i = 0; i < pairs->count; i++)
    if (memcmp(&pairs->items[i], pair, sizeof *pair) == 0) return true;
  return false;
}

/* The pairs of a map, or of an inverse, whose dimensions are the results; those in the target. */
static void list_pairs(const MapContext *context, const Map *map, bool is_inverse,
    const Shape *target, InversePairs *pairs) {
  int64_t values[16] = {}, results[most_results] = {};
  pairs->count = 0;
  if (map == nullptr) return;
  for (uint32_t i = 0; i < map_variable_count(map); i++) {
    Interval bounds = map_variable(map, i)->bounds;
    assert_true(bounds.lo <= bounds.hi && (uint64_t)bounds.hi - (uint64_t)bounds.lo < most_size);
  }
  for (bool more = map_points_begin(map, values); more; more = map_points_next(map, values)) {
    const Point point = map_point(map, values);
    PointState state = map_evaluate(context, map, &point, results);
    assert_int_not_equal(state, POINT_OVERFLOW);
    InversePair pair = {};
    for (uint32_t i = 0; i < map->dim_count; i++)
      (is_inverse ? pair.results : pair.dims)[i] = values[i];
    for (uint32_t i = 0; i < map->result_count; i++)
      (is_inverse ? pair.dims : pair.results)[i] = results[i];
    bool is_inside = state == POINT_INSIDE;
    for (uint32_t i = 0; i < target->rank; i++)
      is_inside &= pair.results[i] >= 0 && pair.results[i] < target->sizes[i];
    assert_true(is_inside || !is_inverse || state == POINT_OUTSIDE);
    if (!is_inside || has_pair(pairs, &pair)) continue;
    assert_true(pairs->count < most_pairs);
    pairs->items[pairs->count++] = pair;
  }
}

static void an_inverse_has_the_pairs_of_its_map(void **) {
  static InversePairs own, inverted;
  MapContext *context = map_context_create();
  uint32_t checked = 0, related = 0, rejected = 0;
  for (uint32_t round = 0; round < 40000; round++) {
    ArenaMark mark = arena_mark(context->arena);
    const Map *map = drawn_map(context), *inverse;
    int64_t sizes[most_results];
    for (uint32_t i = 0; i < most_results; i++) sizes[i] = 1 + drawn(most_size);
    const Shape target = {.type = TYPE_f32, .rank = map->result_count, .sizes = sizes};
    Error error = {};
    if (map_is_checked(context, map)) {
      checked++;
      if (map_inverse_relation(context, map, &target, &inverse, &error)) {
        list_pairs(context, map, false, &target, &own);
        list_pairs(context, inverse, true, &target, &inverted);
        assert_int_equal(own.count, inverted.count);
        for (uint32_t i = 0; i < own.count; i++) assert_true(has_pair(&inverted, &own.items[i]));
        related += own.count > 0;
      } else {
        rejected++;
      }
    }
    arena_rewind(context->arena, mark);
  }
  assert_true(checked > 8000 && related > 2000 && rejected < checked / 4);
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_inverse_has_the_pairs_of_its_map),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
