/* Maps over their whole domains. In place, in columns and compiled return the same counts, sums and
 * images on random maps; each way reports its rejections; the switch points switch. */
#include "oracle/evaluate/evaluate_map.h"

#include <stdlib.h>

#include "core/base/budget.h"
#include "core/map/test/random_map.h"
#include "oracle/test/test_module.h"

static constexpr EvaluateWay ways[] = {EVALUATE_IN_PLACE, EVALUATE_IN_COLUMNS, EVALUATE_COMPILED};

/* A random map with two results that can be compiled: its sums stay in int64 when they are
 * regrouped. */
static const Map *evaluate_draw(OracleFixture *bench, RandomMaps *random) {
  const EvaluateWay way = EVALUATE_COMPILED;
  for (;;) {
    const Map *map = random_map(bench->maps, random);
    MapCount count;
    Error error = {};
    if (map->result_count == 2 && evaluate_count(bench->maps, map, &way, &count, &error))
      return map;
  }
}

static void three_ways_give_the_same(void **state) {
  (void)state;
  uint32_t rounds = getenv("AFFIRM_FEW") != nullptr ? 6 : 40, inside = 0, repeated = 0, outside = 0;
  RandomMaps random = {.state = 1,
      .max_variables = 3,
      .max_depth = 3,
      .max_results = 2,
      .max_constraints = 1,
      .max_coefficient = 9,
      .max_bound = 25};
  for (uint32_t round = 0; round < rounds; round++) {
    OracleFixture bench = bench_create();
    const Map *map = evaluate_draw(&bench, &random);
    const int64_t sizes[2] = {random_between(&random, 1, 40), random_between(&random, 1, 40)};
    MapCount counts[3];
    MapImage images[3];
    Error error = {};
    for (uint32_t i = 0; i < 3; i++) {
      assert_true(evaluate_count(bench.maps, map, &ways[i], &counts[i], &error));
      assert_true(evaluate_image(bench.maps, map, sizes, &ways[i], &images[i], &error));
      assert_int_equal(counts[i].way, ways[i]);
      assert_int_equal(images[i].way, ways[i]);
      assert_int_equal(counts[i].points, counts[0].points);
      assert_int_equal(counts[i].inside, counts[0].inside);
      assert_int_equal(counts[i].checksum, counts[0].checksum);
      assert_int_equal(images[i].inside, counts[0].inside);
      assert_int_equal(images[i].outside, images[0].outside);
      assert_int_equal(images[i].repeated, images[0].repeated);
      assert_int_equal(images[i].is_one_to_one, images[0].is_one_to_one);
      assert_int_equal(images[i].is_onto, images[0].is_onto);
    }
    inside += counts[0].inside > 0;
    repeated += images[0].repeated > 0;
    outside += images[0].outside > 0;
    bench_destroy(&bench);
  }
  assert_true(inside > 0 && repeated > 0 && outside > 0);
}

static const Map *evaluate_parsed(OracleFixture *bench, const char *text) {
  return map_of(bench, text);
}

static void images_distinguish_bijections(void **state) {
  (void)state;
  typedef struct ImageCase {
    const char *map;
    int64_t sizes[2];
    bool is_one_to_one, is_onto;
  } ImageCase;
  static const ImageCase cases[] = {
      {"(d0, d1) -> (d1, d0), domain: d0 in [0, 99], d1 in [0, 6]", {7, 100}, true, true},
      {"(d0) -> ((d0 * 37 + 11) mod 700), domain: d0 in [0, 699]", {700}, true, true},
      {"(d0) -> ((d0 * 35 + 11) mod 700), domain: d0 in [0, 699]", {700}, false, false},
      {"(d0) -> (d0), domain: d0 in [0, 698]", {700}, true, false},
      {"(d0) -> (d0), domain: d0 in [0, 700]", {700}, false, true},
      {"(d0) -> (d0 mod 700), domain: d0 in [0, 700]", {700}, false, true},
      {"() -> ()", {}, true, true},
      {"(d0) -> (), domain: d0 in [0, 1]", {}, false, true},
      {"KNOWN EMPTY", {}, true, false},
  };
  for (size_t row = 0; row < sizeof cases / sizeof *cases; row++)
    for (uint32_t i = 0; i < 3; i++) {
      OracleFixture bench = bench_create();
      MapImage image;
      Error error = {};
      bool done = evaluate_image(bench.maps, evaluate_parsed(&bench, cases[row].map),
          cases[row].sizes, &ways[i], &image, &error);
      if (!done || image.is_one_to_one != cases[row].is_one_to_one ||
          image.is_onto != cases[row].is_onto)
        fail_msg("%s, %s: %s", cases[row].map, evaluate_way_text(ways[i]), error.message);
      bench_destroy(&bench);
    }
}

static void rejections_have_a_reason(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  /* The parser rejects such a map, so it is built by hand. */
  Map map = *evaluate_parsed(&bench, "(d0) -> (d0 * 9223372036854775807), domain: d0 in [0, 1]");
  map.dims = &(Variable){.bounds = {0, 2}};
  const Map *strays = &map;
  MapCount count;
  MapImage image;
  Error error = {};
  assert_false(evaluate_count(bench.maps, strays, nullptr, &count, &error));
  assert_int_equal(error.kind, ERROR_OVERFLOW);
  assert_non_null(strstr(error.message, "d0 = 2"));
  error = (Error){};
  assert_false(evaluate_count(bench.maps, strays, &ways[2], &count, &error));
  assert_int_equal(error.kind, ERROR_OVERFLOW);
  error = (Error){};
  assert_false(evaluate_image(bench.maps, strays, (int64_t[]){-1}, nullptr, &image, &error));
  assert_int_equal(error.kind, ERROR_INPUT);
  error = (Error){};
  assert_false(evaluate_image(bench.maps, strays, (int64_t[]){INT64_MAX}, nullptr, &image, &error));
  assert_int_equal(error.kind, ERROR_LIMIT);
  error = (Error){};
  assert_false(
      evaluate_count(bench.maps, evaluate_parsed(&bench, "UNDEFINED"), nullptr, &count, &error));
  assert_int_equal(error.kind, ERROR_UNSUPPORTED);
  bench_destroy(&bench);
}

static bool stops_at_once(void) { return true; }

static void a_spent_budget_ends_a_walk(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  const Map *map = evaluate_parsed(&bench, "(d0) -> (d0), domain: d0 in [0, 9999]");
  for (size_t i = 0; i < 2; i++) {
    MapCount count;
    MapImage image;
    Error error = {};
    bool began = budget_begin(1, stops_at_once);
    assert_false(evaluate_count(bench.maps, map, &ways[i], &count, &error));
    assert_int_equal(error.kind, ERROR_LIMIT);
    assert_string_equal(error.message, "evaluating points: interrupted");
    error = (Error){};
    assert_false(evaluate_image(bench.maps, map, (int64_t[]){10000}, &ways[i], &image, &error));
    assert_int_equal(error.kind, ERROR_LIMIT);
    budget_end(began);
  }
  bench_destroy(&bench);
}

static void the_way_goes_by_the_number_of_points(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  const int64_t points[] = {
      1, evaluate_columns_from - 1, evaluate_columns_from, evaluate_compiled_from};
  const EvaluateWay expected[] = {
      EVALUATE_IN_PLACE, EVALUATE_IN_PLACE, EVALUATE_IN_COLUMNS, EVALUATE_COMPILED};
  for (uint32_t i = 0; i < 4; i++) {
    MapCount count;
    Error error = {};
    const Map *map = evaluate_parsed(
        &bench, arena_printf(bench.arena, "(d0) -> (d0 mod 5), domain: d0 in [0, %lld]",
                    (long long)points[i] - 1));
    assert_true(evaluate_count(bench.maps, map, nullptr, &count, &error));
    assert_int_equal(count.way, expected[i]);
    assert_int_equal(count.points, points[i]);
    assert_int_equal(count.inside, points[i]);
  }
  bench_destroy(&bench);
}

/* A difference at one point of 2^25, above and below the switch point. */
static void one_point_that_differs_is_found(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  const Map *before = evaluate_parsed(&bench,
      "(d0, d1) -> ((d0 * 4096 + d1) floordiv 12289), domain: d0 in [0, 8191], d1 in [0, 4095]");
  const Map *after = evaluate_parsed(&bench,
      "(d0, d1) -> ((d0 * 4096 + d1) floordiv 12289 + max(d0 + d1 - 12285, 0)), domain: d0 in [0, 8191], d1 in [0, 4095]");
  Verdict verdict;
  Error error = {};
  assert_true(evaluate_same(
      bench.maps, bench.oracle, before, after, UINT64_C(1) << 30, nullptr, &verdict, &error));
  assert_int_equal(verdict.status, VERDICT_REFUTED);
  assert_non_null(strstr(verdict_text(&verdict), "d0 = 8191, d1 = 4095"));
  assert_true(evaluate_same(
      bench.maps, bench.oracle, before, before, UINT64_C(1) << 30, nullptr, &verdict, &error));
  assert_int_equal(verdict.status, VERDICT_PROVED);
  assert_int_equal(verdict.work, UINT64_C(1) << 25);
  assert_true(
      evaluate_same(bench.maps, bench.oracle, before, after, 1 << 20, nullptr, &verdict, &error));
  assert_int_equal(verdict.status, VERDICT_UNKNOWN);
  bench_destroy(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_ways_give_the_same),
      cmocka_unit_test(images_distinguish_bijections),
      cmocka_unit_test(rejections_have_a_reason),
      cmocka_unit_test(a_spent_budget_ends_a_walk),
      cmocka_unit_test(the_way_goes_by_the_number_of_points),
      cmocka_unit_test(one_point_that_differs_is_found),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
