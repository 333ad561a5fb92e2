/* Windows over tensors without dimensions, and operations that read no elements, or all elements of
 * several operands. */
#include "oracle/test/test_module.h"

#define ADD "add {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] add(x, y)\n}\n"
#define LESS \
  "less {\na = f32[] parameter(0)\nb = f32[] parameter(1)\nc = s32[] parameter(2)\nd = s32[] parameter(3)\n" \
  "ROOT l = pred[] compare(a, b), direction=LT\n}\n"

typedef struct ScalarCase {
  const char *lines;
  uint32_t leaf, operand;
  const char *reads;
} ScalarCase;

static void without_dimensions_there_is_one_element(void **state) {
  (void)state;
  static const ScalarCase cases[] = {
      {"a = f32[] parameter(0)\nz = f32[] parameter(1)\nROOT r = f32[] reduce-window(a, z), window={}, to_apply=add",
          0, 0, "0"},
      {"a = f32[] parameter(0)\nz = f32[] parameter(1)\nROOT r = f32[] reduce-window(a, z), to_apply=add",
          0, 0, "0"},
      {"a = f32[] parameter(0)\nz = f32[] parameter(1)\nROOT r = f32[] reduce-window(a, z), to_apply=add",
          0, 1, "0"},
      {"a = f32[3] parameter(0)\nROOT r = s32[] get-dimension-size(a), dimensions={0}", 0, 0, ""},
      {"a = f32[] parameter(0)\nb = f32[] parameter(1)\nROOT r = f32[2] rng(a, b), distribution=rng_uniform",
          0, 1, "0|0"},
      {"a = f32[] parameter(0)\nb = f32[] parameter(1)\nc = s32[2] parameter(2)\nROOT r = f32[2,1] rng(a, b, c), distribution=rng_normal",
          0, 2, "0 1|0 1"},
      {"a = f32[2,2] parameter(0)\nb = s32[2,2] parameter(1)\nROOT r = (f32[2,2], s32[2,2]) sort(a, b), dimensions={0}, to_apply=less",
          1, 0, "0 2|1 3|0 2|1 3"},
      {"a = f32[2,2] parameter(0)\nb = s32[2,2] parameter(1)\nROOT r = (f32[2,2], s32[2,2]) sort(a, b), dimensions={0}, to_apply=less",
          1, 1, "0 2|1 3|0 2|1 3"},
      {"a = f32[2,3] parameter(0)\nROOT r = (f32[2,1], s32[2,1]) topk(a), k=1, largest=true", 1, 0,
          "0 1 2|3 4 5"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    OracleFixture bench = bench_create();
    const Instruction *root = read_root(&bench,
        arena_printf(bench.arena, "HloModule m\n" ADD LESS "ENTRY e {\n%s\n}\n", cases[i].lines));
    const char *reads = reads_of_leaf(&bench, root, cases[i].leaf, cases[i].operand, 0);
    if (strcmp(reads, cases[i].reads) != 0)
      fail_msg("%s\nleaf %u operand %u: %s\nexpected: %s", cases[i].lines, cases[i].leaf,
          cases[i].operand, reads, cases[i].reads);
    bench_destroy(&bench);
  }
}

static void an_unknown_value_has_a_reason(void **state) {
  (void)state;
  static const char *const rows[][2] = {
      {"a = f32[3] parameter(0)\nROOT r = f32[3] custom-call(a), custom_call_target=\"f\"",
          "what it computes is not in the text"},
      {"a = u64[2] parameter(0)\nROOT r = (u64[2], u32[4]) rng-bit-generator(a), algorithm=rng_default",
          "the algorithm decides"},
      {"a = f32[3] parameter(0)\ns = s32[] parameter(1)\nROOT r = f32[<=3] set-dimension-size(a, s), dimensions={0}",
          "which elements exist"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    OracleFixture bench = bench_create();
    const char *reads = reads_of(&bench, root_of(&bench, rows[i][0]), 0);
    if (strncmp(reads, "rejected: ", 9) != 0 || strstr(reads, rows[i][1]) == nullptr)
      fail_msg("%s\n%s", rows[i][0], reads);
    bench_destroy(&bench);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_dimensions_there_is_one_element),
      cmocka_unit_test(an_unknown_value_has_a_reason),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
