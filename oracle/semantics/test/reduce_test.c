/* Read sets of reductions, windows, contractions and convolutions, against sets written by hand. */
#include "oracle/test/test_module.h"

typedef struct LeafCase {
  const char *lines;
  uint32_t leaf, operand;
  const char *reads;
} LeafCase;

#define COMPUTATIONS \
  "add {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] add(x, y)\n}\n" \
  "ge {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = pred[] compare(x, y), direction=GE\n}\n" \
  "two {\na = f32[] parameter(0)\nb = s32[] parameter(1)\nc = f32[] parameter(2)\nd = s32[] parameter(3)\n" \
  "e = f32[] add(a, c)\nf = s32[] add(b, d)\nROOT t = (f32[], s32[]) tuple(e, f)\n}\n" \
  "step {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\ns = f32[] add(x, y)\nROOT t = (f32[], f32[]) tuple(s, s)\n}\n" \
  "row {\nx = f32[2] parameter(0)\ny = f32[2] parameter(1)\ns = f32[2] add(x, y)\nROOT t = (f32[2], f32[2]) tuple(s, s)\n}\n"

static void reduce_check(const LeafCase *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    OracleFixture bench = bench_create();
    const Instruction *root =
        read_root(&bench, arena_printf(bench.arena,
                              "HloModule m\n" COMPUTATIONS "ENTRY e {\n%s\n}\n", cases[i].lines));
    const char *reads = reads_of_leaf(&bench, root, cases[i].leaf, cases[i].operand, 0);
    if (strcmp(reads, cases[i].reads) != 0)
      fail_msg("%s\nleaf %u operand %u: %s\nexpected: %s", cases[i].lines, cases[i].leaf,
          cases[i].operand, reads, cases[i].reads);
    bench_destroy(&bench);
  }
}

#define VARIADIC \
  "a = f32[2,2] parameter(0)\nb = s32[2,2] parameter(1)\nz = f32[] parameter(2)\no = s32[] parameter(3)\n" \
  "ROOT r = (f32[2], s32[2]) reduce(a, b, z, o), dimensions={0}, to_apply=two"
#define SCAN(shape, lines) \
  "a = f32[3] parameter(0)\nc = f32[] parameter(1)\nROOT r = " shape " scan(a, c), " lines

static void reductions_read_lines(void **state) {
  (void)state;
  static const LeafCase cases[] = {
      {"a = f32[2,3] parameter(0)\nz = f32[] parameter(1)\nROOT r = f32[3] reduce(a, z), dimensions={0}, to_apply=add",
          0, 0, "0 3|1 4|2 5"},
      {"a = f32[2,3] parameter(0)\nz = f32[] parameter(1)\nROOT r = f32[] reduce(a, z), dimensions={1,0}, to_apply=add",
          0, 0, "0 1 2 3 4 5"},
      {"a = f32[2,3] parameter(0)\nz = f32[] parameter(1)\nROOT r = f32[2,3] reduce(a, z), dimensions={}, to_apply=add",
          0, 0, "0|1|2|3|4|5"},
      {"a = f32[2,0] parameter(0)\nz = f32[] parameter(1)\nROOT r = f32[2] reduce(a, z), dimensions={1}, to_apply=add",
          0, 0, "|"},
      {"a = f32[2,0] parameter(0)\nz = f32[] parameter(1)\nROOT r = f32[2] reduce(a, z), dimensions={1}, to_apply=add",
          0, 1, "0|0"},
      {VARIADIC, 0, 0, "0 2|1 3"},
      {VARIADIC, 1, 0, "0 2|1 3"},
      {VARIADIC, 0, 3, "0|0"},
      {SCAN("(f32[3], f32[])", "dimensions={0}, num_carries=1, to_apply=step"), 0, 0,
          "0|0 1|0 1 2"},
      {SCAN("(f32[3], f32[])", "dimensions={0}, num_carries=1, is_reverse=true, to_apply=step"), 0,
          0, "0 1 2|1 2|2"},
      {SCAN("(f32[3], f32[])", "dimensions={0}, num_carries=1, to_apply=step"), 1, 0, "0 1 2"},
      {SCAN("(f32[3], f32[])", "dimensions={0}, num_carries=1, to_apply=step"), 0, 1, "0|0|0"},
      {"a = f32[2,2] parameter(0)\nc = f32[2] parameter(1)\nROOT r = (f32[2,2], f32[2]) scan(a, c), dimensions={1}, num_carries=1, "
       "to_apply=row",
          0, 0, "0|0 1|2|2 3"},
      {"a = f32[2,2] parameter(0)\nc = f32[2] parameter(1)\nROOT r = (f32[2,2], f32[2]) scan(a, c), dimensions={1}, num_carries=1, "
       "to_apply=row",
          1, 0, "0 1|2 3"},
      {"a = f32[2,2] parameter(0)\nc = f32[2] parameter(1)\nROOT r = (f32[2,2], f32[2]) scan(a, c), dimensions={1}, num_carries=1, "
       "to_apply=row",
          0, 1, "0|0|1|1"},
  };
  reduce_check(cases, sizeof cases / sizeof *cases);
}

static void windows_read_what_is_not_padding(void **state) {
  (void)state;
#define WINDOW(shape, window) \
  "a = f32[5] parameter(0)\nz = f32[] parameter(1)\nROOT r = " shape \
  " reduce-window(a, z), window={" window "}, to_apply=add"
  static const LeafCase cases[] = {
      {WINDOW("f32[4]", "size=2"), 0, 0, "0 1|1 2|2 3|3 4"},
      {WINDOW("f32[2]", "size=2 stride=2"), 0, 0, "0 1|2 3"},
      {WINDOW("f32[3]", "size=2 stride=3 pad=2_1"), 0, 0, "|1 2|4"},
      {WINDOW("f32[3]", "size=2 stride=3 pad=2_1"), 0, 1, "0|0|0"},
      {WINDOW("f32[3]", "size=2 rhs_dilate=2"), 0, 0, "0 2|1 3|2 4"},
      {WINDOW("f32[8]", "size=2 lhs_dilate=2"), 0, 0, "0|1|1|2|2|3|3|4"},
      {WINDOW("f32[2]", "size=2 pad=-1_-1"), 0, 0, "1 2|2 3"},
      {WINDOW("f32[3]", "size=3 stride=2 pad=1_1 rhs_dilate=1"), 0, 0, "0 1|1 2 3|3 4"},
      {"a = f32[2,2] parameter(0)\nz = f32[] parameter(1)\nROOT r = f32[2,1] reduce-window(a, z), window={size=1x2}, to_apply=add",
          0, 0, "0 1|2 3"},
      {"a = f32[4] parameter(0)\ns = f32[2] parameter(1)\nz = f32[] parameter(2)\nROOT r = f32[4] select-and-scatter(a, s, z), "
       "window={size=2 stride=2}, select=ge, scatter=add",
          0, 1, "0|0|1|1"},
      {"a = f32[4] parameter(0)\ns = f32[2] parameter(1)\nz = f32[] parameter(2)\nROOT r = f32[4] select-and-scatter(a, s, z), "
       "window={size=2 stride=2}, select=ge, scatter=add",
          0, 0, "0 1|0 1|2 3|2 3"},
      {"a = f32[4] parameter(0)\ns = f32[3] parameter(1)\nz = f32[] parameter(2)\nROOT r = f32[4] select-and-scatter(a, s, z), "
       "window={size=2 stride=1}, select=ge, scatter=add",
          0, 0, "0 1|0 1 2|1 2 3|2 3"},
      {"a = f32[5] parameter(0)\ns = f32[2] parameter(1)\nz = f32[] parameter(2)\nROOT r = f32[5] select-and-scatter(a, s, z), "
       "window={size=2 stride=3}, select=ge, scatter=add",
          0, 1, "0|0||1|1"},
  };
  reduce_check(cases, sizeof cases / sizeof *cases);
}

#define RAGGED "a = f32[4,2] parameter(0)\nb = f32[2,2,1] parameter(1)\n"
#define RAGGED_ROOT \
  "\nROOT r = f32[4,1] ragged-dot(a, b, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}"

static void contractions_read_along(void **state) {
  (void)state;
  static const LeafCase cases[] = {
      {"a = f32[2,3] parameter(0)\nb = f32[3,2] parameter(1)\nROOT r = f32[2,2] dot(a, b), lhs_contracting_dims={1}, "
       "rhs_contracting_dims={0}",
          0, 0, "0 1 2|0 1 2|3 4 5|3 4 5"},
      {"a = f32[2,3] parameter(0)\nb = f32[3,2] parameter(1)\nROOT r = f32[2,2] dot(a, b), lhs_contracting_dims={1}, "
       "rhs_contracting_dims={0}",
          0, 1, "0 2 4|1 3 5|0 2 4|1 3 5"},
      {"a = f32[2,2,1] parameter(0)\nb = f32[1,2,2] parameter(1)\nROOT r = f32[2,1,1] dot(a, b), lhs_batch_dims={1}, "
       "rhs_batch_dims={2}, lhs_contracting_dims={0}, rhs_contracting_dims={1}",
          0, 0, "0 2|1 3"},
      {"a = f32[2,2,1] parameter(0)\nb = f32[1,2,2] parameter(1)\nROOT r = f32[2,1,1] dot(a, b), lhs_batch_dims={1}, "
       "rhs_batch_dims={2}, lhs_contracting_dims={0}, rhs_contracting_dims={1}",
          0, 1, "0 2|1 3"},
      {"a = f32[2] parameter(0)\nb = f32[3] parameter(1)\nROOT r = f32[2,3] dot(a, b)", 0, 1,
          "0|1|2|0|1|2"},
      {"a = f32[1,4] parameter(0)\nb = f32[1,4] parameter(1)\ns = f32[1,2] parameter(2)\nt = f32[1,1] parameter(3)\n"
       "ROOT r = f32[1,1] scaled-dot(a, b, s, t), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
          0, 2, "0 1"},
      {"a = f32[4,2] parameter(0)\nb = f32[1,2] parameter(1)\ns = f32[2,1] parameter(2)\nt = f32[1,1] parameter(3)\n"
       "ROOT r = f32[4,1] scaled-dot(a, b, s, t), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
          0, 2, "0|0|1|1"},
      {"a = f32[1,0] parameter(0)\nb = f32[1,0] parameter(1)\ns = f32[1,2] parameter(2)\nt = f32[1,0] parameter(3)\n"
       "ROOT r = f32[1,1] scaled-dot(a, b, s, t), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
          0, 2, ""},
      {RAGGED "g = s32[2] constant({1, 2})" RAGGED_ROOT, 0, 0, "0 1|2 3|4 5|"},
      {RAGGED "g = s32[2] constant({1, 2})" RAGGED_ROOT, 0, 1, "0 1|2 3|2 3|"},
      {RAGGED "g = s32[2] constant({1, 2})" RAGGED_ROOT, 0, 2, "0 1|0 1|0 1|0 1"},
      {"a = f32[1,4] parameter(0)\nb = f32[4,1] parameter(1)\ng = s32[2] constant({1, 2})\nROOT r = f32[2,1,1] ragged-dot(a, b, g), "
       "lhs_contracting_dims={1}, rhs_contracting_dims={0}, lhs_ragged_dims={1}",
          0, 0, "0|1 2"},
      {"a = f32[3,1] parameter(0)\nb = f32[3,1] parameter(1)\ng = s32[2] constant({1, 1})\nROOT r = f32[3] ragged-dot(a, b, g), "
       "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}",
          0, 1, "0|1|"},
  };
  reduce_check(cases, sizeof cases / sizeof *cases);
}

/* Group sizes of each batch: the rows of the left operand are the groups of their own batch. */
#define RAGGED_IN_BATCHES \
  "a = f32[2,3,1] parameter(0)\nb = f32[2,2,1,1] parameter(1)\ng = s32[2,2] constant({{1, 2}, {2, 0}})\n" \
  "ROOT r = f32[2,3,1] ragged-dot(a, b, g), lhs_batch_dims={0}, rhs_batch_dims={1}, lhs_contracting_dims={2}, " \
  "rhs_contracting_dims={2}, lhs_ragged_dims={1}, rhs_group_dims={0}"
#define TWO_ARRAYS \
  "a = f32[3] parameter(0)\nb = s32[3] parameter(1)\ni = s32[1,1] constant({{1}})\nu = f32[1] parameter(2)\n" \
  "v = s32[1] parameter(3)\nROOT r = (f32[3], s32[3]) scatter(a, b, i, u, v), update_window_dims={}, " \
  "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=two"

static void groups_of_batches_and_scatters_of_two_arrays(void **state) {
  (void)state;
  static const LeafCase cases[] = {{RAGGED_IN_BATCHES, 0, 0, "0|1|2|3|4|"},
      {RAGGED_IN_BATCHES, 0, 1, "0|2|2|1|1|"}, {RAGGED_IN_BATCHES, 0, 2, "0 1|0 1|0 1|2 3|2 3|2 3"},
      {TWO_ARRAYS, 0, 0, "0|1|2"}, {TWO_ARRAYS, 1, 1, "0|1|2"}, {TWO_ARRAYS, 0, 2, "0|0|0"},
      {TWO_ARRAYS, 0, 3, "|0|"}, {TWO_ARRAYS, 0, 4, "|0|"}, {TWO_ARRAYS, 1, 3, "|0|"},
      {TWO_ARRAYS, 1, 4, "|0|"}};
  reduce_check(cases, sizeof cases / sizeof *cases);
}

#define CONVOLUTION(input, kernel, output, rest) \
  "a = f32[" input "] parameter(0)\nk = f32[" kernel "] parameter(1)\nROOT r = f32[" output \
  "] convolution(a, k), dim_labels=bf0_oi0->bf0, " rest

static void convolutions_read_their_windows(void **state) {
  (void)state;
  static const LeafCase cases[] = {
      {CONVOLUTION("1,1,4", "1,1,2", "1,1,3", "window={size=2}"), 0, 0, "0 1|1 2|2 3"},
      {CONVOLUTION("1,1,4", "1,1,2", "1,1,3", "window={size=2}"), 0, 1, "0 1|0 1|0 1"},
      {CONVOLUTION("1,1,4", "1,1,3", "1,1,4", "window={size=3 pad=1_1}"), 0, 0,
          "0 1|0 1 2|1 2 3|2 3"},
      {CONVOLUTION("1,1,4", "1,1,3", "1,1,4", "window={size=3 pad=1_1}"), 0, 1,
          "1 2|0 1 2|0 1 2|0 1"},
      {CONVOLUTION("1,1,4", "1,1,3", "1,1,4", "window={size=3 pad=1_1 rhs_reversal=1}"), 0, 1,
          "0 1|0 1 2|0 1 2|1 2"},
      {CONVOLUTION("1,1,5", "1,1,2", "1,1,2", "window={size=2 stride=2 rhs_dilate=2}"), 0, 0,
          "0 2|2 4"},
      {CONVOLUTION("1,1,3", "1,1,2", "1,1,4", "window={size=2 lhs_dilate=2}"), 0, 0, "0|1|1|2"},
      {CONVOLUTION("1,1,3", "1,1,2", "1,1,4", "window={size=2 lhs_dilate=2}"), 0, 1, "0|1|0|1"},
      {CONVOLUTION("1,1,4", "1,1,2", "1,1,1", "window={size=2 pad=-1_-1}"), 0, 0, "1 2"},
      {CONVOLUTION("1,2,1", "2,1,1", "1,2,1", "window={size=1}, feature_group_count=2"), 0, 0,
          "0|1"},
      {CONVOLUTION("1,2,1", "2,1,1", "1,2,1", "window={size=1}, feature_group_count=2"), 0, 1,
          "0|1"},
      {CONVOLUTION("1,4,1", "2,2,1", "1,2,1", "window={size=1}, feature_group_count=2"), 0, 0,
          "0 1|2 3"},
      {CONVOLUTION("1,2,1", "4,1,1", "1,4,1", "window={size=1}, feature_group_count=2"), 0, 0,
          "0|0|1|1"},
      {CONVOLUTION("4,1,1", "2,1,1", "2,2,1", "window={size=1}, batch_group_count=2"), 0, 0,
          "0|2|1|3"},
      {CONVOLUTION("2,1,1", "4,1,1", "1,4,1", "window={size=1}, batch_group_count=2"), 0, 0,
          "0|0|1|1"},
      {CONVOLUTION("1,1,1", "1,1,1", "1,1,3", "window={size=1 pad=1_1}"), 0, 0, "|0|"},
      {CONVOLUTION("1,1,1", "1,1,1", "1,1,3", "window={size=1 pad=1_1}"), 0, 1, "|0|"},
      {"a = f32[2,3] parameter(0)\nk = f32[3,1] parameter(1)\nROOT r = f32[2,1] convolution(a, k), dim_labels=bf_io->bf",
          0, 0, "0 1 2|3 4 5"},
  };
  reduce_check(cases, sizeof cases / sizeof *cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reductions_read_lines),
      cmocka_unit_test(windows_read_what_is_not_padding),
      cmocka_unit_test(contractions_read_along),
      cmocka_unit_test(convolutions_read_their_windows),
      cmocka_unit_test(groups_of_batches_and_scatters_of_two_arrays),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
