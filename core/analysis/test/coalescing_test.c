/* The elements that the threads of a warp read together, against plain enumeration of the array in
 * memory order. */
#include "core/analysis/test/bench.h"

/* --- coalescing --- */

static Coalescing coalescing_of(AnalysisFixture *bench, const Map *map, const Shape *operand) {
  Coalescing coalescing;
  Error error = {};
  WarpAccess warp = {.lanes = 32, .segment_bytes = 128};
  assert_true(use_coalescing(bench->context, map, operand, &warp, &coalescing, &error));
  return coalescing;
}

static void rows_coalesce_and_columns_do_not(void **) {
  AnalysisFixture bench = bench_open("ROOT p = f32[64,64] parameter(0)");
  Coalescing rows = coalescing_of(&bench,
      parsed(&bench, "(th_x, bl_x) -> (bl_x, th_x), domain: th_x in [0, 63], bl_x in [0, 63]"),
      bench.root->shape);
  assert_int_equal(rows.accesses, 128);
  assert_int_equal(rows.segments, 128);
  assert_int_equal(rows.least, 128);
  assert_int_equal(rows.worst, 1);
  Coalescing columns = coalescing_of(&bench,
      parsed(&bench, "(th_x, bl_x) -> (th_x, bl_x), domain: th_x in [0, 63], bl_x in [0, 63]"),
      bench.root->shape);
  assert_int_equal(columns.segments, 128 * 32);
  assert_int_equal(columns.least, 128);
  assert_int_equal(columns.worst, 32);
  assert_false(columns.is_sampled);
  bench_close(&bench);
}

static void layout_turns_columns_into_rows(void **) {
  AnalysisFixture bench = bench_open("ROOT p = f32[64,64]{0,1} parameter(0)");
  Coalescing columns = coalescing_of(&bench,
      parsed(&bench, "(th_x, bl_x) -> (th_x, bl_x), domain: th_x in [0, 63], bl_x in [0, 63]"),
      bench.root->shape);
  assert_int_equal(columns.segments, 128);
  bench_close(&bench);
}

/* Tiles of 64 rows and one column: vertical neighbours in the array are neighbours in memory. */
static void tiles_turn_columns_into_rows(void **) {
  AnalysisFixture bench = bench_open("ROOT p = f32[64,64]{1,0:T(64,1)} parameter(0)");
  Coalescing columns = coalescing_of(&bench,
      parsed(&bench, "(th_x, bl_x) -> (th_x, bl_x), domain: th_x in [0, 63], bl_x in [0, 63]"),
      bench.root->shape);
  Coalescing rows = coalescing_of(&bench,
      parsed(&bench, "(th_x, bl_x) -> (bl_x, th_x), domain: th_x in [0, 63], bl_x in [0, 63]"),
      bench.root->shape);
  assert_int_equal(columns.segments, 128);
  assert_int_equal(rows.segments, 128 * 32);
  bench_close(&bench);
}

/* Rows of 33 floats in tiles of 64: each row begins a segment. */
static void padding_takes_capacity(void **) {
  AnalysisFixture bench = bench_open("ROOT p = f32[4,33]{1,0:T(64)} parameter(0)");
  Coalescing rows = coalescing_of(&bench,
      parsed(&bench, "(th_x, bl_x) -> (bl_x, th_x), domain: th_x in [0, 31], bl_x in [0, 3]"),
      bench.root->shape);
  assert_int_equal(rows.segments, 4);
  bench_close(&bench);
}

static void elements_take_the_bits_of_their_layout(void **) {
  static const char *const shapes[] = {
      "ROOT p = s4[1024]{0} parameter(0)", "ROOT p = s4[1024]{0:E(4)} parameter(0)"};
  static const uint64_t segments[] = {32, 16};
  for (uint32_t i = 0; i < 2; i++) {
    AnalysisFixture bench = bench_open(shapes[i]);
    Coalescing row = coalescing_of(&bench,
        parsed(
            &bench, "(th_x, bl_x) -> (bl_x * 32 + th_x), domain: th_x in [0, 31], bl_x in [0, 31]"),
        bench.root->shape);
    assert_int_equal(row.segments, 32);
    assert_int_equal(row.least, 32);
    Coalescing wide = coalescing_of(&bench,
        parsed(
            &bench, "(th_x, bl_x) -> (th_x * 8 + bl_x), domain: th_x in [0, 31], bl_x in [0, 0]"),
        bench.root->shape);
    assert_int_equal(wide.segments, segments[i] / 16);
    bench_close(&bench);
  }
}

static void inactive_lanes_and_shifts_count(void **) {
  AnalysisFixture bench = bench_open("ROOT p = f32[200] parameter(0)");
  Coalescing shifted = coalescing_of(&bench,
      parsed(&bench,
          "(th_x, bl_x) -> (bl_x * 64 + th_x + 1), domain: th_x in [0, 63], bl_x in [0, 3], "
          "bl_x * 64 + th_x in [0, 198]"),
      bench.root->shape);
  assert_int_equal(shifted.accesses, 7);
  assert_int_equal(shifted.segments, 6 * 2 + 1);
  assert_int_equal(shifted.least, 7);
  bench_close(&bench);
}

static void large_maps_are_sampled_and_say_so(void **) {
  AnalysisFixture bench = bench_open("ROOT p = f32[65536,4096] parameter(0)");
  Coalescing rows = coalescing_of(&bench,
      parsed(&bench,
          "(th_x, bl_x)[s0] -> (bl_x, s0 * 64 + th_x), domain: th_x in [0, 63], bl_x in [0, 65535], "
          "s0 in [0, 63]"),
      bench.root->shape);
  assert_true(rows.is_sampled);
  assert_int_equal(rows.segments, rows.accesses);
  bench_close(&bench);
}

/* --- random accesses, lane by lane --- */

/* An array of rank 2 and the place of its elements in memory. */
typedef struct DefinedArray {
  const char *shape;
  int64_t sizes[2], tile[2]; /* tile {1, 1}: none */
  bool is_column_major;
  int64_t bits;
} DefinedArray;

static const DefinedArray defined_arrays[] = {{"f32[6,8]", {6, 8}, {1, 1}, false, 32},
    {"f32[6,8]{0,1}", {6, 8}, {1, 1}, true, 32}, {"s4[6,8]", {6, 8}, {1, 1}, false, 8},
    {"s4[6,8]{1,0:E(4)}", {6, 8}, {1, 1}, false, 4}, {"f64[6,8]{0,1}", {6, 8}, {1, 1}, true, 64},
    {"u8[6,8]{1,0:T(4,4)}", {6, 8}, {4, 4}, false, 8},
    {"f32[6,8]{1,0:T(2,3)}", {6, 8}, {2, 3}, false, 32}};

/* Tiles stand one after another, and the last of a row is as large as the others. */
static int64_t defined_position(const DefinedArray *array, int64_t row, int64_t column) {
  if (array->is_column_major) return column * array->sizes[0] + row;
  int64_t height = array->tile[0], width = array->tile[1],
          tiles_of_row = (array->sizes[1] + width - 1) / width,
          tile = row / height * tiles_of_row + column / width;
  return tile * height * width + row % height * width + column % width;
}

static bool add_distinct(int64_t *items, uint32_t *count, int64_t item) {
  for (uint32_t i = 0; i < *count; i++)
    if (items[i] == item) return false;
  items[(*count)++] = item;
  return true;
}

/* The threads of one warp at fixed values of the other variables. */
static void count_access(const AnalysisFixture *bench, const Map *map, const DefinedArray *array,
    const WarpAccess *access, int64_t warp, int64_t *values, Coalescing *sum) {
  int64_t elements[16], segments[200], result[2];
  int64_t bits = access->element_bits != 0 ? access->element_bits : array->bits,
          segment_bits = 8 * access->segment_bytes;
  uint32_t element_count = 0, segment_count = 0;
  for (uint32_t lane = 0; lane < access->lanes; lane++) {
    Point point = map_point(map, values);
    values[0] = warp * access->lanes + lane;
    if (values[0] < map->dims[0].bounds.lo || values[0] > map->dims[0].bounds.hi ||
        map_evaluate(bench->context, map, &point, result) != POINT_INSIDE)
      continue;
    int64_t element = defined_position(array, result[0], result[1]);
    if (!add_distinct(elements, &element_count, element)) continue;
    for (int64_t bit = element * bits; bit < (element + 1) * bits; bit++)
      (void)add_distinct(segments, &segment_count, bit / segment_bits);
  }
  sum->accesses += element_count > 0;
  sum->segments += segment_count;
  sum->least += (element_count * bits + segment_bits - 1) / segment_bits;
  if (segment_count > sum->worst) sum->worst = segment_count;
}

static Coalescing defined_coalescing(const AnalysisFixture *bench, const Map *map,
    const DefinedArray *array, const WarpAccess *access) {
  Coalescing sum = {.assignments = 1};
  int64_t values[4], lanes = access->lanes, other[3];
  for (uint32_t i = 1; i < map_variable_count(map); i++)
    other[i - 1] = map_variable(map, i)->bounds.hi - map_variable(map, i)->bounds.lo + 1;
  if (map->runtime_count > 0) sum.assignments = (uint64_t)other[2];
  for (int64_t number = 0; number < other[0] * other[1] * (map->runtime_count > 0 ? other[2] : 1);
      number++) {
    int64_t rest = number;
    for (uint32_t i = 1; i < map_variable_count(map); i++, rest /= other[i - 2])
      values[i] = map_variable(map, i)->bounds.lo + rest % other[i - 1];
    for (int64_t warp = -20; warp <= 20; warp++)
      if ((warp + 1) * lanes > map->dims[0].bounds.lo && warp * lanes <= map->dims[0].bounds.hi)
        count_access(bench, map, array, access, warp, values, &sum);
  }
  return sum;
}

static void random_accesses_are_counted_lane_by_lane(void **) {
  uint64_t state = 20261205;
  for (uint32_t i = 0; i < 700; i++) {
    uint32_t n[12];
    for (uint32_t k = 0; k < 12; k++) {
      state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      n[k] = (uint32_t)(state >> 33);
    }
    const DefinedArray *array = &defined_arrays[i % 7];
    Arena *arena = arena_create();
    AnalysisFixture bench =
        bench_open(arena_printf(arena, "ROOT p = %s parameter(0)", array->shape));
    int lo = (int)(n[0] % 9) - 4, hi = lo + (int)(n[1] % 14);
    const Map *map = parsed(
        &bench, arena_printf(arena,
                    "(d0, d1)[s0]%s -> ((d0 * %u + d1%s) mod 6, (d0%s + s0 * %u) mod %u), domain: "
                    "d0 in [%d, %d], d1 in [0, %u], s0 in [-1, %u]%s, d0 + d1 in [-9, %u]",
                    i % 3 == 0 ? "{rt0}" : "", n[2] % 3, i % 3 == 0 ? " + rt0" : "",
                    n[3] % 2 == 0 ? " floordiv 2" : "", n[4] % 4, 1 + n[5] % 8, lo, hi, n[6] % 3,
                    n[7] % 2, i % 3 == 0 ? ", rt0 in [0, 2]" : "", n[8] % 12));
    WarpAccess access = {.lanes = 1 + n[9] % 7,
        .segment_bytes = 1 + n[10] % 9,
        .element_bits = n[11] % 3 == 0 ? 1 + n[11] / 3 % 70 : 0};
    Coalescing found, wanted = defined_coalescing(&bench, map, array, &access);
    Error error = {};
    assert_true(use_coalescing(bench.context, map, bench.root->shape, &access, &found, &error));
    assert_false(found.is_sampled);
    assert_int_equal(found.accesses, wanted.accesses);
    assert_int_equal(found.segments, wanted.segments);
    assert_int_equal(found.least, wanted.least);
    assert_int_equal(found.worst, wanted.worst);
    assert_int_equal(found.assignments, wanted.assignments);
    bench_close(&bench);
    arena_destroy(arena);
  }
}

/* As many points are visited as the limit says, and at least one warp. */
static void a_limit_of_points_samples_the_accesses(void **) {
  AnalysisFixture bench = bench_open("ROOT p = f32[64] parameter(0)");
  const Map *map = parsed(&bench, "(d0, d1) -> (d0 + d1 * 4), domain: d0 in [0, 3], d1 in [0, 15]");
  for (uint64_t most = 1; most < 100; most++) {
    Coalescing found;
    Error error = {};
    WarpAccess access = {.lanes = 4, .segment_bytes = 16, .most_points = most};
    assert_true(use_coalescing(bench.context, map, bench.root->shape, &access, &found, &error));
    assert_int_equal(found.is_sampled, found.accesses < 16);
    assert_true(found.accesses >= 1 && (found.accesses == 1 || found.accesses * 4 <= most));
    assert_true(most < 64 || found.accesses == 16);
    assert_int_equal(found.segments, found.accesses);
  }
  bench_close(&bench);
}

static void an_access_has_lanes_and_segments(void **) {
  static const struct {
    uint32_t lanes, bytes;
    bool is_right;
  } rows[] = {{1, 1, true}, {1024, 1, true}, {1025, 1, false}, {0, 1, false}, {1, 0, false},
      {1, 1 << 20, true}, {1, (1 << 20) + 1, false}, {1024, 1 << 20, true}};
  AnalysisFixture bench = bench_open("ROOT p = f32[8] parameter(0)");
  const Map *map = parsed(&bench, "(d0) -> (d0), domain: d0 in [0, 7]"),
            *scalar = parsed(&bench, "()[s0] -> (s0), domain: s0 in [0, 7]");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Coalescing found;
    Error error = {};
    WarpAccess access = {.lanes = rows[i].lanes, .segment_bytes = rows[i].bytes};
    assert_int_equal(use_coalescing(bench.context, map, bench.root->shape, &access, &found, &error),
        rows[i].is_right);
    assert_int_equal(error.kind, rows[i].is_right ? ERROR_NONE : ERROR_INPUT);
    error = (Error){};
    assert_false(use_coalescing(bench.context, scalar, bench.root->shape, &access, &found, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
  }
  bench_close(&bench);
}

/* --- threads --- */

typedef struct Walking {
  Seen seen;
  ThreadGrid grid;
} Walking;

/* Dimensions th_x, bl_x; then the element of the thread, if it has several. */
static void see_thread(void *state, const int64_t *values, const int64_t *results) {
  Walking *walking = state;
  const Shape *shape = walking->seen.operand;
  uint32_t order[3];
  int64_t address = 0, within = walking->grid.vector > 1 ? values[2] : 0;
  shape_minor_to_major(shape, order);
  for (uint32_t i = shape->rank; i-- > 0;)
    address = address * shape->sizes[order[i]] + results[order[i]];
  assert_int_equal(
      address, (values[1] * walking->grid.threads + values[0]) * walking->grid.vector + within);
  assert_false(walking->seen.elements[row_major(shape, results)]);
  see(&walking->seen, values, results);
}

/* Every element exactly once, in memory order, before and after the map is simplified. */
static void threads_walk_memory(void **) {
  static const char *const shapes[] = {"f32[5,7,3]{0,2,1}", "f32[4,8,2]", "f32[7]", "f32[1,1,1]",
      "f32[]", "f32[6,1,4]{1,0,2}", "f32[3,64]{0,1}"};
  static const ThreadGrid grids[] = {
      {32, 1}, {1, 1}, {7, 1}, {4, 2}, {3, 4}, {1000, 1}, {1, 128}, {8, 3}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    for (size_t g = 0; g < 2 * sizeof grids / sizeof *grids; g++) {
      Arena *arena = arena_create();
      AnalysisFixture bench =
          bench_open(arena_printf(arena, "ROOT p = %s parameter(0)", shapes[i]));
      const Map *map;
      Error error = {};
      Walking walking = {
          .seen = {.operand = bench.root->shape, .elements = ARENA_NEW(bench.arena, bool, 1024)},
          .grid = grids[g / 2]};
      assert_true(use_thread_map(bench.context, bench.root->shape, &walking.grid, &map, &error));
      SimplifyOptions options = {.keep_points = true};
      if (g % 2 == 1)
        assert_true(simplify_map(bench.simplifier, map, &options, &map, nullptr, &error));
      assert_int_equal(map->range_count, walking.grid.vector > 1);
      int64_t values[3];
      each_point(bench.context, map, values, 0, see_thread, &walking);
      assert_int_equal(walking.seen.count, shape_elements(bench.root->shape));
      bench_close(&bench);
      arena_destroy(arena);
    }
  }
}

static void senseless_questions_are_errors(void **) {
  AnalysisFixture bench = bench_open("ROOT p = f32[8] parameter(0)");
  const Map *map = parsed(&bench, "(d0) -> (d0), domain: d0 in [0, 7]"), *threads;
  Coalescing coalescing;
  Tile tile;
  Error errors[6] = {};
  assert_false(use_coalescing(bench.context, map, bench.root->shape,
      &(WarpAccess){.lanes = 0, .segment_bytes = 128}, &coalescing, &errors[0]));
  assert_false(use_coalescing(bench.context, map, bench.root->shape,
      &(WarpAccess){.lanes = 32, .segment_bytes = 0}, &coalescing, &errors[1]));
  assert_false(use_tile(bench.context, map, &(TileDim){0, 4, 0}, &tile, &errors[2]));
  assert_false(
      use_thread_map(bench.context, bench.root->shape, &(ThreadGrid){0, 1}, &threads, &errors[3]));
  assert_false(
      use_thread_map(bench.context, bench.root->shape, &(ThreadGrid){1, 0}, &threads, &errors[4]));
  assert_false(use_thread_map(
      bench.context, bench.root->shape, &(ThreadGrid){INT64_MAX, 2}, &threads, &errors[5]));
  for (uint32_t i = 0; i < 6; i++) assert_int_equal(errors[i].kind, ERROR_INPUT);
  bench_close(&bench);
}

/* Neither the first thread of a warp nor the step between two elements overflows int64. */
static void extreme_bounds_are_rejected_or_no_progression(void **) {
  AnalysisFixture bench = bench_open("ROOT p = f32[8] parameter(0)");
  const Map *map = parsed(
      &bench, "(d0) -> (d0 mod 8), domain: d0 in [-9223372036854775808, 9223372036854775807]");
  const Map *jump = parsed(&bench,
      "(d0)[s0] -> (s0 * 9223372036854775807 + min(d0, 0)), domain: d0 in [0, 1], s0 in [-1, 1]");
  Coalescing coalescing;
  Tile tile;
  Error error = {};
  assert_false(use_coalescing(bench.context, map, bench.root->shape,
      &(WarpAccess){.lanes = 31, .segment_bytes = 128}, &coalescing, &error));
  assert_int_equal(error.kind, ERROR_OVERFLOW);
  assert_true(
      use_tile(bench.context, map, &(TileDim){0, INT64_MIN, 1}, &tile, &(Error){}) && tile.is_box);
  assert_int_equal(tile.dims[0].size, 0);
  assert_true(use_tile(bench.context, jump, &(TileDim){0, 1, 1}, &tile, &error));
  bench_close(&bench);
}

static void threads_over_tiles_want_an_order(void **) {
  AnalysisFixture bench = bench_open("ROOT p = f32[8]{0:T(4)} parameter(0)");
  const Map *threads;
  Error error = {};
  assert_false(
      use_thread_map(bench.context, bench.root->shape, &(ThreadGrid){4, 1}, &threads, &error));
  assert_int_equal(error.kind, ERROR_UNSUPPORTED);
  bench_close(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_over_tiles_want_an_order),
      cmocka_unit_test(rows_coalesce_and_columns_do_not),
      cmocka_unit_test(layout_turns_columns_into_rows),
      cmocka_unit_test(tiles_turn_columns_into_rows),
      cmocka_unit_test(padding_takes_capacity),
      cmocka_unit_test(elements_take_the_bits_of_their_layout),
      cmocka_unit_test(inactive_lanes_and_shifts_count),
      cmocka_unit_test(random_accesses_are_counted_lane_by_lane),
      cmocka_unit_test(a_limit_of_points_samples_the_accesses),
      cmocka_unit_test(an_access_has_lanes_and_segments),
      cmocka_unit_test(large_maps_are_sampled_and_say_so),
      cmocka_unit_test(threads_walk_memory),
      cmocka_unit_test(senseless_questions_are_errors),
      cmocka_unit_test(extreme_bounds_are_rejected_or_no_progression),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
