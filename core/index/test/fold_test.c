/* Runtime variables with known values, and sources that are not folded. */
#include "core/index/test/test_bench.h"

typedef struct FoldCase {
  const char *offset; /* defines k, an integer scalar */
  int64_t start;      /* the start of a slice of 4 out of 100; -1: a runtime variable remains */
} FoldCase;

static const FoldCase folds[] = {
    {"k = s32[] constant(17)", 17},
    {"k = s32[] constant(-17)", 0},
    {"k = s32[] constant(1000)", 96},
    {"a = s32[] constant(-35)\nb = s32[] constant(2)\nc = s32[] divide(a, b)\nk = s32[] negate(c)",
        17},
    {"a = s32[] constant(-35)\nb = s32[] constant(4)\nc = s32[] remainder(a, b)\nk = s32[] negate(c)",
        3},
    {"a = s32[] constant(35)\nb = s32[] constant(0)\nc = s32[] divide(a, b)\nk = s32[] negate(c)",
        1},
    {"a = s32[] constant(35)\nb = s32[] constant(0)\nk = s32[] remainder(a, b)", 35},
    {"a = u32[] constant(35)\nb = u32[] constant(0)\nk = u32[] divide(a, b)", 96},
    {"a = s8[] constant(100)\nk = s8[] add(a, a)", 0},
    {"a = u8[] constant(200)\nk = u8[] add(a, a)", 96},
    {"a = u8[] constant(140)\nk = u8[] add(a, a)", 24},
    {"a = s32[] constant(-2147483648)\nb = s32[] constant(-1)\nk = s32[] divide(a, b)", 0},
    {"a = s32[] constant(300)\nb = s8[] convert(a)\nk = s32[] convert(b)", 44},
    {"a = s32[] constant(-1)\nk = u32[] convert(a)", 96},
    {"a = s32[7] iota(), iota_dimension=0\nb = s32[1] slice(a), slice={[5:6]}\nk = s32[] reshape(b)",
        5},
    {"a = u8[300] iota(), iota_dimension=0\nb = u8[1] slice(a), slice={[299:300]}\nk = u8[] reshape(b)",
        43},
    {"a = s32[4] constant({3, 1, 4, 1})\nb = s32[1] slice(a), slice={[2:3]}\nk = s32[] reshape(b)",
        4},
    {"a = s32[] constant(-3)\nz = s32[] constant(0)\nn = s32[] constant(50)\nl = pred[] compare(a, z), direction=LT\n"
     "m = s32[] add(a, n)\nk = s32[] select(l, m, a)",
        47},
    {"z = s32[] constant(5)\nx = s32[] constant(90)\nn = s32[] constant(50)\nk = s32[] clamp(z, x, n)",
        50},
    {"a = s32[] constant(3)\nb = s32[] constant(4)\nc = s32[] shift-left(a, b)\nk = s32[] xor(c, a)",
        51},
    {"i = s32[] parameter(1)\nj = s32[] constant(9)\nt = (s32[], s32[]) tuple(i, j)\nk = s32[] get-tuple-element(t), index=1",
        9},
    {"a = s32[] constant(-1)\nk = u32[] bitcast(a)", 96},
    {"a = u8[] constant(200)\nk = s8[] bitcast(a)", 0},
    {"a = u64[1] constant({4294967296})\nb = u32[2] bitcast(a)\nc = u32[1] slice(b), slice={[0:1]}\nk = u32[] reshape(c)",
        -1},
    {"a = u32[2] constant({5, 0})\nb = u64[1] bitcast(a)\nk = u64[] reshape(b)", -1},
    {"a = f32[] constant(3)\nk = s32[] bitcast(a)", -1},
    {"k = s32[] parameter(1)", -1},
    {"a = s32[] parameter(1)\nb = s32[] constant(2)\nk = s32[] multiply(a, b)", -1},
    {"a = f32[] constant(3)\nk = s32[] convert(a)", -1},
};

static void known_offsets_fold_with_the_arithmetic_of_hlo(void **) {
  for (size_t i = 0; i < sizeof folds / sizeof *folds; i++) {
    Arena *arena = arena_create();
    IndexFixture bench = bench_open(
        arena_printf(arena,
            "p = f32[100] parameter(0)\n%s\nROOT r = f32[4] dynamic-slice(p, k), dynamic_slice_sizes={4}",
            folds[i].offset),
        true);
    MapSet maps = query_of(&bench, root_of(&bench), false, 0, 0, 0);
    const char *expected =
        folds[i].start < 0    ? "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 96]"
        : folds[i].start == 0 ? "(d0) -> (d0), domain: d0 in [0, 3]"
                              : arena_printf(arena, "(d0) -> (d0 + %lld), domain: d0 in [0, 3]",
                                    (long long)folds[i].start);
    if (strncmp(texts_of(&bench, &maps), expected, strlen(expected)) != 0)
      fprintf(
          stderr, "%s\ncame %s\nexpected %s\n", folds[i].offset, texts_of(&bench, &maps), expected);
    assert_memory_equal(texts_of(&bench, &maps), expected, strlen(expected));
    bench_close(&bench);
    arena_destroy(arena);
  }
}

static void iota_indices_fold_clamped(void **) {
  IndexFixture bench = bench_open(
      "p = f32[10,3] parameter(0)\ni = s32[20] iota(), iota_dimension=0\n"
      "t = s32[] constant(2)\nb = s32[20] broadcast(t), dimensions={}\nj = s32[20] subtract(i, b)\n"
      "ROOT g = f32[20,3] gather(p, j), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
      "index_vector_dim=1, slice_sizes={1,3}",
      false);
  MapSet maps = query_of(&bench, root_of(&bench), false, 0, 0, 0);
  assert_string_equal(texts_of(&bench, &maps),
      "(d0, d1) -> (min(max(d0 - 2, 0), 9), d1), domain: d0 in [0, 19], d1 in [0, 2]");
  bench_close(&bench);
}

static void products_past_their_type_wrap(void **) {
  IndexFixture bench = bench_open(
      "p = f32[300] parameter(0)\ni = s8[4,1] iota(), iota_dimension=0\nt = s8[] constant(51)\n"
      "b = s8[4,1] broadcast(t), dimensions={}\nj = s8[4,1] multiply(i, b)\n"
      "ROOT g = f32[4] gather(p, j), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, "
      "index_vector_dim=1, slice_sizes={1}",
      false);
  MapSet maps = query_of(&bench, root_of(&bench), false, 0, 0, 0);
  assert_string_equal(texts_of(&bench, &maps),
      "(d0) -> (max((d0 * 51 + 128) mod 256 - 128, 0)), domain: d0 in [0, 3]");
  bench_close(&bench);
}

static void gathered_indices_carry_their_own_source(void **) {
  IndexFixture bench = bench_open(
      "f {\n p = f32[50,3] parameter(0)\n q = s32[9] parameter(1)\n i = s32[4] parameter(2)\n"
      " j = s32[4] gather(q, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, "
      "index_vector_dim=1, slice_sizes={1}\n"
      " ROOT g = f32[4,3] gather(p, j), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
      "index_vector_dim=1, slice_sizes={1,3}\n}\n"
      "ENTRY e {\n x = f32[50,3] parameter(0)\n y = s32[9] parameter(1)\n z = s32[4] parameter(2)\n"
      " ROOT r = f32[4,3] fusion(x, y, z), kind=kLoop, calls=f\n}",
      true);
  MapSet maps = query_of(&bench, root_of(&bench), false, 0, 0, 0);
  assert_int_equal(maps.count, 1);
  assert_string_equal(maps.maps[0]->sources[0].name, "j");
  maps = query_of(&bench, root_of(&bench), false, 0, 1, 0);
  assert_string_equal(texts_of(&bench, &maps),
      "(d0, d1){rt0} -> (rt0), domain: d0 in [0, 3], d1 in [0, 2], rt0 in [0, 8]\n"
      "runtime variables:\nrt0: z; (d0, d1){rt0} -> (d0), domain: d0 in [0, 3], "
      "d1 in [0, 2], rt0 in [0, 8]");
  for (uint32_t k = 0; k < 3; k++) check_inverse(&bench, root_of(&bench), 0, k, 0);
  bench_close(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_offsets_fold_with_the_arithmetic_of_hlo),
      cmocka_unit_test(iota_indices_fold_clamped),
      cmocka_unit_test(products_past_their_type_wrap),
      cmocka_unit_test(gathered_indices_carry_their_own_source),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
