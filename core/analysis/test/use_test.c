/* Every number of core/analysis against plain enumeration on small shapes, and the known values of
 * a few large ones. */
#include "core/analysis/query.h"
#include "core/analysis/test/bench.h"

/* --- progressions --- */

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state >> 20;
}

static int64_t random_in(uint64_t *state, int64_t lo, int64_t hi) {
  return lo + (int64_t)(next_random(state) % (uint64_t)(hi - lo + 1));
}

/* Sums of up to three variables, with and without gaps, coefficients of both signs and 0. A claimed
 * progression must be the enumerated values; a rejected sum must have a gap, except in rare
 * cases. */
static void progressions_are_what_is_enumerated(void **state) {
  (void)state;
  MapContext *context = map_context_create();
  uint64_t random = 88172645463325252u, claimed = 0, rejected_though_even = 0, rounds = 20000;
  for (uint64_t round = 0; round < rounds; round++) {
    MapMark mark = map_context_mark(context);
    Map *map = map_create(context, 3, 0, 0, 1, 0);
    map->results[0] = expr_const(context->pool, random_in(&random, -9, 9));
    for (uint32_t i = 0; i < 3; i++) {
      int64_t lo = random_in(&random, -4, 4),
              c = random_in(&random, 0, 1) == 0
                      ? random_in(&random, -3, 4)
                      : random_in(&random, 1, 3) * random_in(&random, -4, 4);
      map->dims[i].bounds = (Interval){lo, lo + random_in(&random, 0, 5)};
      Expr term = expr_binary(context->pool, EXPR_MUL, expr_var(context->pool, VAR_DIM, i),
          expr_const(context->pool, c));
      map->results[0] = expr_binary(context->pool, EXPR_ADD, map->results[0], term);
    }
    Parts parts = parts_of(context, map);
    PartProgression known;
    PartImage image;
    Error error = {};
    assert_true(parts.items[0].result_count == 1 &&
                part_image(context, map, &parts.items[0], 1000, &image, &error));
    bool is_known = part_progression(context, map, &parts.items[0], &known), is_even = true;
    for (uint64_t i = 2; i < image.count; i++)
      is_even = is_even && image.rows[i] - image.rows[i - 1] == image.rows[1] - image.rows[0];
    claimed += is_known;
    rejected_though_even += !is_known && is_even;
    if (is_known) {
      assert_true(is_even && known.count == (int64_t)image.count && known.first == image.rows[0] &&
                  known.last == image.rows[image.count - 1]);
      assert_true(image.count == 1 || known.stride == image.rows[1] - image.rows[0]);
    }
    map_context_rewind(context, mark);
  }
  print_message("%llu of %llu claimed; %llu rejected that are even\n", (unsigned long long)claimed,
      (unsigned long long)rounds, (unsigned long long)rejected_though_even);
  assert_true(claimed * 4 > rounds && rejected_though_even * 10 < rounds);
  map_context_destroy(context);
}

typedef struct LargeUse {
  const char *map;
  uint32_t rank;
  int64_t sizes[3], read; /* -1: expected to be unknown */
} LargeUse;

static const LargeUse large_uses[] = {
    {"(d0, d1) -> (d1, d0), domain: d0 in [0, 65535], d1 in [0, 65535]", 2, {65536, 65536},
        INT64_C(4294967296)},
    {"(d0) -> (d0 floordiv 65536, d0 mod 65536), domain: d0 in [0, 4294967295]", 2, {65536, 65536},
        INT64_C(4294967296)},
    {"(d0, d1) -> (d0 * 65536 + d1), domain: d0 in [0, 65535], d1 in [0, 65535]", 1,
        {INT64_C(4294967296)}, INT64_C(4294967296)},
    {"(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 2147483646], s0 in [0, 2]", 1,
        {INT64_C(4294967296)}, INT64_C(4294967295)},
    {"(d0)[s0] -> (d0 * 4 + s0), domain: d0 in [0, 1073741823], s0 in [0, 1]", 1,
        {INT64_C(4294967296)}, INT64_C(2147483648)},
    {"(d0) -> ((d0 - 3) floordiv 7), domain: d0 in [3, 4294967295], (d0 - 3) mod 7 in [0, 0]", 1,
        {613566757}, 613566757},
    {"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 2147483647], d1 in [0, 2147483647], s0 in [0, 7]",
        2, {INT64_C(2147483648), 8}, INT64_C(17179869184)},
    {"(d0) -> ((d0 * 7919) mod 4294967311), domain: d0 in [0, 4294967295]", 1,
        {INT64_C(4294967311)}, -1},
};

static void tensors_past_32_bits_are_counted(void **state) {
  (void)state;
  AnalysisFixture bench = bench_open("ROOT p = f32[1] parameter(0)");
  for (size_t i = 0; i < sizeof large_uses / sizeof *large_uses; i++) {
    const LargeUse *large = &large_uses[i];
    const Map *map = parsed(&bench, large->map);
    Shape operand = *bench.root->shape;
    operand.rank = large->rank;
    operand.has_layout = false;
    operand.sizes = ARENA_NEW(bench.arena, int64_t, large->rank);
    memcpy(operand.sizes, large->sizes, large->rank * sizeof *operand.sizes);
    Utilization utilization;
    Error error = {};
    bool known = use_utilization(
        bench.simplifier, &(MapSet){.count = 1, .maps = &map}, &operand, &utilization, &error);
    if (known != (large->read >= 0)) print_message("%s: %s\n", large->map, error.message);
    assert_true(known == (large->read >= 0));
    if (known) assert_int_equal(utilization.read, large->read);
    else assert_int_equal(error.kind, ERROR_LIMIT);
  }
  bench_close(&bench);
}

static void tiles_past_32_bits_are_boxes(void **state) {
  (void)state;
  AnalysisFixture bench = bench_open("ROOT p = f32[1] parameter(0)");
  const Map *map = parsed(&bench,
      "(d0, d1)[s0] -> (d0 * 65536 + s0, d1 * 3 + 1), domain: d0 in [0, 65535], d1 in [0, 2147483647], s0 in [0, 65535]");
  Tile tile;
  Error error = {};
  assert_true(
      use_tile(bench.context, map, (TileDim[]){{0, 65536, 1}, {5, 1073741824, 2}}, &tile, &error));
  assert_true(tile.is_box && tile.dims[0].offset == 0 && tile.dims[0].size == INT64_C(4294967296) &&
              tile.dims[0].stride == 1);
  assert_true(
      tile.dims[1].offset == 16 && tile.dims[1].size == 1073741822 && tile.dims[1].stride == 6);
  bench_close(&bench);
}

/* --- utilization --- */

typedef struct UseCase {
  const char *hlo;
  uint32_t operand;
} UseCase;

static const UseCase small[] = {
    {"p = f32[6,5] parameter(0)\nROOT r = f32[3,2] slice(p), slice={[0:6:2],[1:5:3]}", 0},
    {"p = f32[6,4] parameter(0)\nROOT r = f32[4,6] reshape(p)", 0},
    {"p = f32[3,4] parameter(0)\nv = f32[] parameter(1)\nROOT r = f32[5,3] pad(p, v), padding=1_1x-1_0",
        0},
    {"p = f32[3,4] parameter(0)\nv = f32[] parameter(1)\nROOT r = f32[5,3] pad(p, v), padding=1_1x-1_0",
        1},
    {"f {\n p = f32[4,6] parameter(0)\n a = f32[2,3] slice(p), slice={[0:2],[0:3]}\n b = f32[2,3] slice(p), slice={[1:3],[1:6:2]}\n"
     " ROOT s = f32[2,3] add(a, b)\n}\nENTRY e {\n p = f32[4,6] parameter(0)\n ROOT r = f32[2,3] fusion(p), kind=kLoop, calls=f\n}",
        0},
    {"p = f32[2,3] parameter(0)\nROOT r = f32[4,2,3] broadcast(p), dimensions={1,2}", 0},
    {"f {\n p = f32[12] parameter(0)\n a = f32[7] slice(p), slice={[2:9]}\n ROOT b = f32[3,7] broadcast(a), dimensions={1}\n}\n"
     "ENTRY e {\n p = f32[12] parameter(0)\n ROOT r = f32[3,7] fusion(p), kind=kLoop, calls=f\n}",
        0},
};

static void utilization_counts_distinct_elements(void **) {
  for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
    AnalysisFixture bench = bench_open(small[i].hlo);
    MapSet maps = maps_of(&bench, small[i].operand);
    const Shape *operand = bench.root->operands[small[i].operand]->shape;
    Utilization utilization;
    Error error = {};
    assert_true(use_utilization(bench.simplifier, &maps, operand, &utilization, &error));
    assert_false(utilization.is_at_most);
    assert_int_equal(utilization.elements, shape_elements(operand));
    assert_int_equal(utilization.read, distinct_reads(&bench, &maps, operand));
    bench_close(&bench);
  }
}

static void utilization_of_a_dynamic_slice_is_the_slice(void **) {
  AnalysisFixture bench = bench_open(
      "p = f32[1000000,300] parameter(0)\ni = s32[] parameter(1)\nj = s32[] parameter(2)\n"
      "ROOT r = f32[1000,20] dynamic-slice(p, i, j), dynamic_slice_sizes={1000,20}");
  MapSet maps = maps_of(&bench, 0);
  Utilization utilization;
  Error error = {};
  assert_true(use_utilization(
      bench.simplifier, &maps, bench.root->operands[0]->shape, &utilization, &error));
  assert_false(utilization.is_at_most);
  assert_int_equal(utilization.read, 20000);
  assert_int_equal(utilization.elements, 300000000);
  bench_close(&bench);
}

static void utilization_of_a_gather_is_an_upper_bound(void **) {
  AnalysisFixture bench = bench_open(
      "p = f32[9,4] parameter(0)\ni = s32[5] parameter(1)\nROOT r = f32[5,2] gather(p, i), offset_dims={1}, "
      "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}");
  MapSet maps = maps_of(&bench, 0);
  Utilization utilization;
  Error error = {};
  assert_true(use_utilization(
      bench.simplifier, &maps, bench.root->operands[0]->shape, &utilization, &error));
  assert_true(utilization.is_at_most);
  assert_int_equal(utilization.read, 10);
  bench_close(&bench);
}

/* The value of i selects which map has points, if any. */
static void maps_of_some_runs_are_upper_bounds(void **) {
  static const char *const texts[] = {
      "f {\np = f32[1] parameter(0)\nz = f32[] constant(0)\ni = s32[] parameter(1)\n"
      "c = f32[2] pad(p, z), padding=1_0\n"
      "ROOT r = f32[1] dynamic-slice(c, i), dynamic_slice_sizes={1}\n}\n"
      "ENTRY e {\np = f32[1] parameter(0)\ni = s32[] parameter(1)\n"
      "ROOT r = f32[1] fusion(p, i), kind=kLoop, calls=f\n}",
      "f {\np = f32[2] parameter(0)\ni = s32[] parameter(1)\nz = s32[] constant(0)\n"
      "a = f32[1] slice(p), slice={[0:1]}\nb = f32[1] slice(p), slice={[1:2]}\n"
      "x = f32[1,1] reshape(a)\ny = f32[1,1] reshape(b)\n"
      "c = f32[2,1] concatenate(x, y), dimensions={0}\n"
      "s = f32[1,1] dynamic-slice(c, i, z), dynamic_slice_sizes={1,1}\nROOT r = f32[1] reshape(s)\n}\n"
      "ENTRY e {\np = f32[2] parameter(0)\ni = s32[] parameter(1)\n"
      "ROOT r = f32[1] fusion(p, i), kind=kLoop, calls=f\n}"};
  for (uint32_t i = 0; i < 2; i++) {
    AnalysisFixture bench = bench_open(texts[i]);
    MapSet maps = maps_of(&bench, 0);
    Utilization utilization;
    Tile tile;
    Error error = {};
    assert_int_equal(maps.count, i + 1);
    assert_true(use_utilization(
        bench.simplifier, &maps, bench.root->operands[0]->shape, &utilization, &error));
    assert_true(utilization.is_at_most);
    assert_true(use_tile(bench.context, maps.maps[0], &(TileDim){0, 1, 1}, &tile, &error));
    assert_false(tile.is_box);
    bench_close(&bench);
  }
}

/* --- tiles --- */

typedef struct TileCase {
  const char *map;
  TileDim of[3];
  bool is_box;
  TileDim dims[3];
} TileCase;

static const TileCase tiles[] = {
    {"(d0, d1) -> (d1, d0), domain: d0 in [0, 9], d1 in [0, 19]", {{2, 3, 1}, {4, 5, 2}}, true,
        {{4, 5, 2}, {2, 3, 1}}},
    {"(d0, d1) -> (-d0 + 9, d1 * 3 + 1), domain: d0 in [0, 9], d1 in [0, 19]",
        {{2, 3, 1}, {4, 5, 1}}, true, {{5, 3, 1}, {13, 5, 3}}},
    {"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 9], d1 in [0, 19], s0 in [0, 30]",
        {{2, 3, 1}, {4, 5, 1}}, true, {{2, 3, 1}, {0, 31, 1}}},
    {"(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 9], d1 in [0, 7]", {{2, 3, 1}, {0, 8, 1}}, true,
        {{16, 24, 1}}},
    {"(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 9], d1 in [0, 7]", {{2, 3, 1}, {0, 4, 1}}, false,
        {}},
    {"(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 63]", {{8, 16, 1}}, true,
        {{1, 2, 1}, {0, 8, 1}}},
    {"(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 63]", {{8, 17, 1}}, false, {}},
    {"(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 63]", {{9, 3, 2}}, true,
        {{1, 1, 1}, {1, 3, 2}}},
    {"(d0) -> (d0 floordiv 8, d0), domain: d0 in [0, 63]", {{8, 16, 1}}, false, {}},
    {"(d0) -> (d0 floordiv 2), domain: d0 in [0, 62], d0 mod 2 in [0, 0]", {{10, 9, 1}}, true,
        {{5, 5, 1}}},
    {"(d0)[s0] -> (d0 + s0), domain: d0 in [0, 62], s0 in [0, 2]", {{10, 4, 1}}, true,
        {{10, 6, 1}}},
    {"(d0)[s0] -> (d0 + s0), domain: d0 in [0, 62], s0 in [0, 2]", {{10, 4, 8}}, false, {}},
    {"(d0) -> (d0 - 5), domain: d0 in [5, 15]", {{0, 10, 1}}, true, {{0, 5, 1}}},
    {"(d0) -> (d0 - 5), domain: d0 in [5, 15]", {{0, 4, 1}}, true, {{0, 0, 1}}},
    {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 20]", {{4, 3, 1}}, true,
        {{4, 3, 1}}},
    {"(d0){rt0} -> (d0 - rt0), domain: d0 in [0, 9], rt0 in [0, 20], d0 - rt0 in [0, 3]",
        {{4, 3, 1}}, false, {}},
    /* nothing is read, although what other dimensions read is no box */
    {"(d0, d1) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 63], d1 in [0, 0]",
        {{8, 17, 1}, {1, 2, 1}}, true, {{0, 0, 1}, {0, 0, 1}}},
    {"(d0, d1) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 63], d1 in [0, 9], d1 mod 4 in [3, 3]",
        {{8, 17, 1}, {4, 2, 1}}, true, {{0, 0, 1}, {0, 0, 1}}},
    {"(d0){rt0} -> (d0 - rt0), domain: d0 in [0, 9], rt0 in [0, 20], d0 - rt0 in [0, 3]",
        {{10, 3, 1}}, true, {{0, 0, 1}}},
};

/* Compares the values of the map over the tile, as a set of elements, with the claimed box. */
static void check_tile(
    AnalysisFixture *bench, const Map *map, const TileCase *one, const Tile *tile) {
  static const int64_t sizes[3] = {256, 256, 256};
  Shape operand = {.type = TYPE_f32, .rank = map->result_count, .sizes = (int64_t *)sizes};
  Seen seen = {.operand = &operand, .elements = ARENA_NEW(bench->arena, bool, 256 * 256)};
  int64_t values[8];
  Map *clipped = ARENA_NEW(bench->arena, Map, 1);
  *clipped = *map;
  clipped->constraints =
      ARENA_NEW(bench->arena, Constraint, map->constraint_count + map->dim_count);
  if (map->constraint_count > 0)
    memcpy(
        clipped->constraints, map->constraints, map->constraint_count * sizeof *map->constraints);
  clipped->dims = ARENA_NEW(bench->arena, Variable, map->dim_count);
  for (uint32_t i = 0; i < map->dim_count; i++) {
    const TileDim *of = &one->of[i];
    clipped->dims[i] = map->dims[i];
    if (clipped->dims[i].bounds.lo < of->offset) clipped->dims[i].bounds.lo = of->offset;
    int64_t last = of->offset + of->stride * (of->size - 1);
    if (clipped->dims[i].bounds.hi > last) clipped->dims[i].bounds.hi = last;
    Expr from = expr_binary(bench->context->pool, EXPR_ADD,
        expr_var(bench->context->pool, VAR_DIM, i), expr_const(bench->context->pool, -of->offset));
    Expr step = expr_binary(
        bench->context->pool, EXPR_MOD, from, expr_const(bench->context->pool, of->stride));
    clipped->constraints[clipped->constraint_count++] = (Constraint){.expr = step, .in = {0, 0}};
  }
  if (map->runtime_count > 0) return;
  each_point(bench->context, clipped, values, 0, see, &seen);
  int64_t product = 1;
  for (uint32_t i = 0; i < tile->rank; i++) product *= tile->dims[i].size;
  assert_int_equal(seen.count, product);
  for (int64_t at = 0; at < product; at++) {
    int64_t left = at, index[3];
    for (uint32_t i = tile->rank; i-- > 0; left /= tile->dims[i].size)
      index[i] = tile->dims[i].offset + tile->dims[i].stride * (left % tile->dims[i].size);
    assert_true(seen.elements[row_major(&operand, index)]);
  }
}

static void tiles_are_boxes_exactly_when_they_are(void **) {
  for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
    AnalysisFixture bench = bench_open("ROOT p = f32[] parameter(0)");
    const Map *map = parsed(&bench, tiles[i].map);
    Tile tile;
    Error error = {};
    assert_true(use_tile(bench.context, map, tiles[i].of, &tile, &error));
    assert_int_equal(tile.is_box, tiles[i].is_box);
    assert_true(tile.is_box == (tile.reason == nullptr));
    for (uint32_t k = 0; tile.is_box && k < tile.rank; k++)
      assert_memory_equal(&tile.dims[k], &tiles[i].dims[k], sizeof(TileDim));
    if (tile.is_box) check_tile(&bench, map, &tiles[i], &tile);
    bench_close(&bench);
  }
}

/* For every tile of reshapes and sums the claim, a box or none, is right: the elements, counted one
 * by one, do or do not fill the hull of their values' progressions. */
static void every_small_tile_is_judged_right(void **) {
  static const char *const maps[] = {
      "(d0) -> (d0 floordiv 4, d0 mod 4), domain: d0 in [0, 23]",
      "(d0) -> (d0 floordiv 6, (d0 floordiv 2) mod 3, d0 mod 2), domain: d0 in [0, 23]",
      "(d0)[s0] -> (d0 + s0 * 4), domain: d0 in [0, 23], s0 in [0, 2]",
      "(d0) -> (d0 mod 6, d0 mod 4), domain: d0 in [0, 23]",
      "(d0) -> ((d0 - 1) floordiv 3, d0 floordiv 8), domain: d0 in [1, 23], (d0 - 1) mod 3 in [0, 0]",
  };
  uint32_t boxes = 0, none = 0;
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
    AnalysisFixture bench = bench_open("ROOT p = f32[] parameter(0)");
    const Map *map = parsed(&bench, maps[i]);
    for (TileDim of = {0, 1, 1}; of.stride <= 4; of.size < 24 ? of.size++
                                                 : of.offset < 23
                                                     ? (of.size = 1, of.offset++)
                                                     : (of.size = 1, of.offset = 0, of.stride++)) {
      bool seen[32][32][32] = {}, column[3][32] = {};
      uint32_t count = 0;
      for (int64_t t = 0; t < of.size; t++)
        for (int64_t s = 0; s <= (map->range_count > 0 ? map->ranges[0].bounds.hi : 0); s++) {
          int64_t d = of.offset + of.stride * t, e[3] = {};
          if (map_evaluate(bench.context, map, &(Point){&d, &s, nullptr}, e) != POINT_INSIDE)
            continue;
          count += !seen[e[0]][e[1]][e[2]];
          seen[e[0]][e[1]][e[2]] = true;
          for (uint32_t k = 0; k < 3; k++) column[k][e[k]] = true;
        }
      bool is_box = true;
      uint32_t product = 1;
      for (uint32_t k = 0; k < 3; k++) {
        uint32_t values = 0, first = 0, second = 0;
        for (uint32_t v = 0; v < 32; v++) {
          if (!column[k][v]) continue;
          first = values == 0 ? v : first;
          second = values == 1 ? v : second;
          is_box = is_box && (values < 2 || v == first + values * (second - first));
          values++;
        }
        product *= values;
      }
      is_box = is_box && product == count;
      Tile tile;
      Error error = {};
      assert_true(use_tile(bench.context, map, &of, &tile, &error));
      if (tile.is_box != is_box && count > 0)
        print_message("%s: %lld:%lld:%lld\n", maps[i], (long long)of.offset, (long long)of.size,
            (long long)of.stride);
      assert_true(count == 0 ? tile.is_box && tile.dims[0].size == 0 : tile.is_box == is_box);
      boxes += tile.is_box;
      none += !tile.is_box;
    }
    bench_close(&bench);
  }
  print_message("%u boxes, %u that are none\n", boxes, none);
  assert_true(boxes > 1000 && none > 1000);
}

/* A permutation of the dimensions, minor to major, and of as many as the array has. */
static void an_order_is_a_permutation_of_the_dimensions(void **) {
  static const struct {
    const char *text;
    bool is_order;
  } rows[] = {{"0", true}, {"1,0", true}, {"2,0,1", true}, {"0,0", false}, {"1", false},
      {"0,2", false}, {"", false}, {"0,", false}, {"0 ", false}, {"-1", false}, {"256", false},
      {"1,0x", false}};
  AnalysisFixture bench = bench_open("ROOT p = f32[2,3]{1,0:T(2,4)} parameter(0)");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    UseOrder order = {};
    assert_int_equal(use_order_parse(bench.arena, rows[i].text, &order), rows[i].is_order);
  }
  for (size_t i = 0; i < 3; i++) {
    UseOrder order = {};
    Shape ordered;
    Error error = {};
    assert_true(use_order_parse(bench.arena, rows[i].text, &order));
    assert_int_equal(use_order_apply(&order, bench.root->shape, &ordered, &error), i == 1);
    if (i != 1) continue;
    assert_true(ordered.has_layout && ordered.layout_rest == nullptr);
    assert_int_equal(ordered.minor_to_major[0], 1);
    assert_int_equal(ordered.minor_to_major[1], 0);
  }
  bench_close(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(utilization_counts_distinct_elements),
      cmocka_unit_test(utilization_of_a_dynamic_slice_is_the_slice),
      cmocka_unit_test(utilization_of_a_gather_is_an_upper_bound),
      cmocka_unit_test(maps_of_some_runs_are_upper_bounds),
      cmocka_unit_test(tiles_are_boxes_exactly_when_they_are),
      cmocka_unit_test(progressions_are_what_is_enumerated),
      cmocka_unit_test(every_small_tile_is_judged_right),
      cmocka_unit_test(tensors_past_32_bits_are_counted),
      cmocka_unit_test(tiles_past_32_bits_are_boxes),
      cmocka_unit_test(an_order_is_a_permutation_of_the_dimensions),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
