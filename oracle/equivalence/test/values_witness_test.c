/* The witness of a difference: the smallest element that differs, and inputs at which the values
 * can be computed again. */
#include "oracle/equivalence/test/values_cases.h"
#include "oracle/equivalence/test/values_modules.h"

static void a_difference_is_the_smallest(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  ValuesVerdict verdict;
  OracleValues *values = oracle_values_create(bench.arena,
      values_case_entry(&bench, E("a = f32[4] parameter(0)\nROOT r = f32[4] copy(a)")),
      values_case_entry(&bench,
          E("a = f32[4] parameter(0)\nx = f32[2] slice(a), slice={[0:2]}\ny = f32[2] slice(a), slice={[2:4]}\n"
            "z = f32[2] reverse(y), dimensions={0}\nROOT r = f32[4] concatenate(x, z), dimensions={0}")),
      nullptr);
  oracle_values_query(values, 0, &verdict);
  assert_int_equal(verdict.answer, REASON_DIFFERENT);
  assert_int_equal(verdict.point[0], 2);
  assert_string_not_equal(verdict.values[0], verdict.values[1]);
  assert_string_equal(verdict.terms, "p0[2] before, p0[3] after");
  bench_destroy(&bench);
}

/* Of sixteen million elements only a few are tried; the named element is nevertheless the first
 * one. */
static void a_difference_of_a_large_array_is_the_smallest(void **state) {
  (void)state;
#define LARGE "a = f32[4000,4000] parameter(0)\n"
#define HALVES \
  LARGE \
  "x = f32[4000,2000] slice(a), slice={[0:4000],[0:2000]}\n" \
  "y = f32[4000,2000] slice(a), slice={[0:4000],[2000:4000]}\n"
  static const struct {
    const char *before, *after;
    int64_t point[2];
  } pairs[] = {
      {E(LARGE "ROOT r = f32[4000,4000] transpose(a), dimensions={1,0}"),
          E(LARGE "ROOT r = f32[4000,4000] copy(a)"), {0, 1}},
      {E(HALVES "z = f32[4000,2000] reverse(y), dimensions={0}\n"
                "ROOT r = f32[4000,4000] concatenate(x, z), dimensions={1}"),
          E(HALVES "ROOT r = f32[4000,4000] concatenate(x, y), dimensions={1}"), {0, 2000}},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    OracleFixture bench = bench_create();
    ValuesVerdict verdict;
    OracleValues *values =
        oracle_values_create(bench.arena, values_case_entry(&bench, pairs[i].before),
            values_case_entry(&bench, pairs[i].after), nullptr);
    oracle_values_query(values, 0, &verdict);
    assert_int_equal(verdict.answer, REASON_DIFFERENT);
    assert_int_equal(verdict.point[0], pairs[i].point[0]);
    assert_int_equal(verdict.point[1], pairs[i].point[1]);
    bench_destroy(&bench);
  }
}

/* Every input that is not zero is named, and each number is written as its type defines it. So a
 * person who evaluates both graphs with these inputs obtains the two values. */
static void a_difference_can_be_evaluated_again(void **state) {
  (void)state;
  static const char *const texts[][5] = {
      {E("a = u64[] parameter(0)\nROOT r = u64[] not(a)"),
          E("a = u64[] parameter(0)\nROOT r = u64[] copy(a)"), "every input that is read is zero",
          "18446744073709551615", "0"},
      {M("least {\nx = u32[] parameter(0)\ny = u32[] parameter(1)\nROOT s = u32[] minimum(x, y)\n}\n",
           "a = u32[2] parameter(0)\nb = u32[] parameter(1)\n"
           "ROOT r = u32[] reduce(a, b), dimensions={0}, to_apply=least"),
          M("least {\nx = u32[] parameter(0)\ny = u32[] parameter(1)\nROOT s = u32[] minimum(x, y)\n}\n",
              "a = u32[2] parameter(0)\nb = u32[] parameter(1)\n"
              "i = u32[] reduce(a, b), dimensions={0}, to_apply=least\none = u32[] constant(1)\n"
              "ROOT r = u32[] add(i, one)"),
          "p1 = 4294967295", "0", "1"},
      {E("x = s32[5000] parameter(0)\ni = s32[] parameter(1)\n"
         "ROOT r = s32[1] dynamic-slice(x, i), dynamic_slice_sizes={1}"),
          E("x = s32[5000] parameter(0)\ni = s32[] parameter(1)\no = s32[] constant(4998)\n"
            "j = s32[] add(i, o)\nROOT r = s32[1] dynamic-slice(x, j), dynamic_slice_sizes={1}"),
          "p0[0] = 18, p0[4998] = 9", "18", "9"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    OracleFixture bench = bench_create();
    ValuesVerdict verdict;
    OracleValues *values = oracle_values_create(bench.arena, values_case_entry(&bench, texts[i][0]),
        values_case_entry(&bench, texts[i][1]), nullptr);
    oracle_values_query(values, 0, &verdict);
    assert_int_equal(verdict.answer, REASON_DIFFERENT);
    assert_string_equal(verdict.inputs, texts[i][2]);
    assert_string_equal(verdict.values[0], texts[i][3]);
    assert_string_equal(verdict.values[1], texts[i][4]);
    bench_destroy(&bench);
  }
}

/* In a sum over a hundred elements few inputs matter. A product over seventy needs all of them: the
 * sentence names 64 and the number of the others; the fields contain all. */
static void a_difference_names_the_inputs_that_matter(void **state) {
  (void)state;
  static const struct {
    const char *before, *after, *inputs;
    uint32_t count;
  } folds[] = {
      {M(ADD, "a = f32[100] parameter(0)\nz = f32[] constant(0)\n"
              "ROOT r = f32[] reduce(a, z), dimensions={0}, to_apply=add"),
          M(ADD,
              "a = f32[100] parameter(0)\nz = f32[] constant(0)\n"
              "s = f32[] reduce(a, z), dimensions={0}, to_apply=add\nROOT r = f32[] multiply(s, s)"),
          "p0[99] = ", 1},
      {M(PRODUCT_S32, "a = s32[70] parameter(0)\nz = s32[] constant(1)\n"
                      "ROOT r = s32[] reduce(a, z), dimensions={0}, to_apply=product"),
          M(PRODUCT_S32,
              "a = s32[70] parameter(0)\nz = s32[] constant(1)\n"
              "s = s32[] reduce(a, z), dimensions={0}, to_apply=product\nROOT r = s32[] negate(s)"),
          ", and 6 more that are not zero", 70},
  };
  for (size_t i = 0; i < sizeof folds / sizeof *folds; i++) {
    OracleFixture bench = bench_create();
    ValuesVerdict verdict;
    OracleValues *values =
        oracle_values_create(bench.arena, values_case_entry(&bench, folds[i].before),
            values_case_entry(&bench, folds[i].after), nullptr);
    oracle_values_query(values, 0, &verdict);
    assert_int_equal(verdict.answer, REASON_DIFFERENT);
    if (strstr(verdict.inputs, folds[i].inputs) == nullptr) fail_msg("%s", verdict.inputs);
    assert_int_equal(verdict.at.count, folds[i].count);
    bench_destroy(&bench);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_difference_can_be_evaluated_again),
      cmocka_unit_test(a_difference_names_the_inputs_that_matter),
      cmocka_unit_test(a_difference_of_a_large_array_is_the_smallest),
      cmocka_unit_test(a_difference_is_the_smallest),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
