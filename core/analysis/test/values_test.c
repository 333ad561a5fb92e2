/* Runtime values that differ between points: accesses that depend on them are counted if possible,
 * else rejected or bounded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/map/text.h"
#include "core/analysis/analysis.h"

typedef struct ValuesFixture {
  Arena *arena;
  MapContext *context;
} ValuesFixture;

static const Shape numbers = {.type = TYPE_c128, .rank = 1, .sizes = (int64_t[]){64}},
                   square = {.type = TYPE_f32, .rank = 2, .sizes = (int64_t[]){64, 64}};

static ValuesFixture bench_open(void) {
  return (ValuesFixture){.arena = arena_create(), .context = map_context_create()};
}

static void bench_close(ValuesFixture *bench) {
  map_context_destroy(bench->context);
  arena_destroy(bench->arena);
}

static const Map *values_parsed(ValuesFixture *bench, const char *text) {
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map = nullptr;
  Error error = {};
  if (!map_parse(bench->context, &source, &map, &error)) fail_msg("%s: %s", text, error.message);
  return map;
}

static void wide_elements_touch_all_their_segments(void **) {
  ValuesFixture bench = bench_open();
  Coalescing coalescing;
  Error error = {};
  assert_true(use_coalescing(bench.context,
      values_parsed(
          &bench, "(th_x, bl_x) -> (th_x * 2 + bl_x), domain: th_x in [0, 31], bl_x in [0, 0]"),
      &numbers, &(WarpAccess){.lanes = 32, .segment_bytes = 3}, &coalescing, &error));
  uint64_t segments = 0;
  for (int64_t at = 0, next = 0; at < 64; at += 2) {
    int64_t first = at * 16 / 3 < next ? next : at * 16 / 3, last = (at * 16 + 15) / 3;
    segments += (uint64_t)(last - first + 1);
    next = last + 1;
  }
  assert_int_equal(coalescing.segments, segments);
  assert_int_equal(coalescing.worst, segments);
  bench_close(&bench);
}

/* A warp of 64-lane rows uses one element of i; with rows of 16 lanes it uses several. For a gather
 * of a gather the inner one decides. */
static void lanes_led_by_one_value_are_counted_and_by_several_are_not(void **) {
  static const struct {
    const char *map;
    bool is_counted;
    uint64_t accesses;
  } rows[] = {
      {"(th_x, bl_x){rt0} -> (rt0, th_x), domain: th_x in [0, 63], bl_x in [0, 3], rt0 in [0, 9]\nruntime variables:\n"
       "rt0: p; (th_x, bl_x){rt0} -> (bl_x, 0), domain: th_x in [0, 63], bl_x in [0, 3], rt0 in [0, 9]",
          true, 80},
      {"(th_x, bl_x){rt0} -> (rt0, th_x mod 16), domain: th_x in [0, 63], bl_x in [0, 3], rt0 in [0, 9]\nruntime variables:\n"
       "rt0: p; (th_x, bl_x){rt0} -> (bl_x * 4 + th_x floordiv 16, 0), domain: th_x in [0, 63], bl_x in [0, 3], rt0 in [0, 9]",
          false, 0},
      {"(th_x, bl_x){rt0, rt1} -> (rt1, th_x), domain: th_x in [0, 31], bl_x in [0, 0], rt0 in [0, 1], rt1 in [0, 2]\nruntime variables:\n"
       "rt0: p; (th_x, bl_x){rt0, rt1} -> (bl_x, 0), domain: th_x in [0, 31], bl_x in [0, 0], rt0 in [0, 1], rt1 in [0, 2]\n"
       "rt1: p; (th_x, bl_x){rt0, rt1} -> (rt0, 0), domain: th_x in [0, 31], bl_x in [0, 0], rt0 in [0, 1], rt1 in [0, 2]",
          true, 6},
      {"(th_x, bl_x){rt0, rt1} -> (rt1, th_x), domain: th_x in [0, 31], bl_x in [0, 0], rt0 in [0, 1], rt1 in [0, 2]\nruntime variables:\n"
       "rt0: p; (th_x, bl_x){rt0, rt1} -> (th_x, 0), domain: th_x in [0, 31], bl_x in [0, 0], rt0 in [0, 1], rt1 in [0, 2]\n"
       "rt1: p; (th_x, bl_x){rt0, rt1} -> (rt0, 0), domain: th_x in [0, 31], bl_x in [0, 0], rt0 in [0, 1], rt1 in [0, 2]",
          false, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    ValuesFixture bench = bench_open();
    Coalescing coalescing;
    Error error = {};
    bool is_counted = use_coalescing(bench.context, values_parsed(&bench, rows[i].map), &square,
        &(WarpAccess){.lanes = 32, .segment_bytes = 128}, &coalescing, &error);
    assert_int_equal(is_counted, rows[i].is_counted);
    if (is_counted) assert_int_equal(coalescing.accesses, rows[i].accesses);
    else assert_int_equal(error.kind, ERROR_UNSUPPORTED);
    bench_close(&bench);
  }
}

static void a_tile_led_by_several_values_is_no_box(void **) {
  static const struct {
    const char *index;
    TileDim of;
    bool is_box;
  } rows[] = {{"d0", {3, 1, 1}, true}, {"d0", {3, 2, 1}, false}, {"d0 floordiv 8", {8, 8, 1}, true},
      {"d0 floordiv 8", {8, 9, 1}, false}, {"0", {0, 64, 1}, true}, {"d0", {70, 9, 4}, true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    ValuesFixture bench = bench_open();
    const Map *map = values_parsed(
        &bench, arena_printf(bench.arena,
                    "(d0){rt0} -> (rt0), domain: d0 in [0, 63], rt0 in [0, 9]\nruntime variables:\n"
                    "rt0: p; (d0){rt0} -> (%s), domain: d0 in [0, 63], rt0 in [0, 9]",
                    rows[i].index));
    Tile tile;
    Error error = {};
    assert_true(use_tile(bench.context, map, &rows[i].of, &tile, &error));
    if (tile.is_box != rows[i].is_box) print_error("%s\n", rows[i].index);
    assert_int_equal(tile.is_box, rows[i].is_box);
    bench_close(&bench);
  }
}

/* The bound is the number of points if that is smaller than the number of the offset's values, else
 * follows from those values. */
static void reads_of_a_gather_are_bounded_by_points_and_by_values(void **) {
  static const struct {
    int64_t last, read;
  } rows[] = {{1, 32}, {2, 48}, {3, 48}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    ValuesFixture bench = bench_open();
    Error error = {};
    Simplifier *simplifier = simplifier_create(bench.context, nullptr, &error);
    const Map *map = values_parsed(&bench,
        arena_printf(bench.arena,
            "(d0, d1){rt0} -> (rt0, d1), domain: d0 in [0, %lld], d1 in [0, 15], rt0 in [0, 2]\nruntime variables:\n"
            "rt0: p; (d0, d1){rt0} -> (d0, 0), domain: d0 in [0, %lld], d1 in [0, 15], rt0 in [0, 2]",
            (long long)rows[i].last, (long long)rows[i].last));
    Utilization utilization;
    assert_true(use_utilization(simplifier,
        &(MapSet){.count = 1, .maps = &map, .claim = INDEX_EXACT}, &square, &utilization, &error));
    assert_true(utilization.is_at_most);
    assert_int_equal(utilization.read, rows[i].read);
    simplifier_destroy(simplifier);
    bench_close(&bench);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wide_elements_touch_all_their_segments),
      cmocka_unit_test(lanes_led_by_one_value_are_counted_and_by_several_are_not),
      cmocka_unit_test(a_tile_led_by_several_values_is_no_box),
      cmocka_unit_test(reads_of_a_gather_are_bounded_by_points_and_by_values),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
