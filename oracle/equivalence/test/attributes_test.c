/* What distinguishes operations beside their operands: attributes one by one, and constants. */
#include "oracle/test/test_module.h"

#include "core/hlo/test/attribute_rows.h"
#include "oracle/equivalence/same_values.h"

static void attributes_change_values_or_not(void **) {
  uint32_t failed = 0;
  for (size_t i = 0; i < 2 * attribute_case_count; i++) {
    const AttributeCase *row = &attribute_cases[i / 2];
    OracleFixture bench = bench_create();
    const Computation *sides[2];
    for (uint32_t k = 0; k < 2; k++)
      sides[k] = read_root(&bench, attribute_module(bench.arena, row, k == i % 2))->parent;
    ValuesVerdict verdict;
    OracleValues *values = oracle_values_create(
        bench.arena, sides[0], sides[1], &(ValuesLimits){.elements = 8'000, .grade = LAW_EXACT});
    oracle_values_query(values, 0, &verdict);
    bool is_proved = verdict.answer == REASON_EXACT;
    if (is_proved != row->is_same)
      print_error("%s: %s, %s: %s\n", row->operation, row->one, row->other,
          is_proved ? "proved" : "not proved");
    failed += is_proved != row->is_same;
    bench_destroy(&bench);
  }
  assert_int_equal(failed, 0);
}

/* Constants whose numbers are not read: each equals only the one of its name, text and shape. */
static void unread_constants_go_by_name_text_and_shape(void **) {
  static const char *const graphs[] = {"k = f32[3] constant({...})\nROOT r = f32[3] copy(k)",
      "l = f32[3] constant({...})\nROOT r = f32[3] copy(l)",
      "k = f32[4] constant({...})\nROOT r = f32[3] slice(k), slice={[0:3]}",
      "k = f32[3] constant({1, 2, 3})\nROOT r = f32[3] copy(k)",
      "k = f32[3] constant({1, 2, 4})\nROOT r = f32[3] copy(k)",
      "k = f32[3] constant({...})\nROOT r = f32[3] reverse(k), dimensions={0}",
      "k = c64[3] constant({(1, 2), (1, 2), (1, 2)})\nROOT r = f32[3] real(k)",
      "k = c64[3] constant({(1, 3), (1, 2), (1, 2)})\nROOT r = f32[3] real(k)"};
  static constexpr size_t count = sizeof graphs / sizeof *graphs;
  for (size_t i = 0; i < count * count; i++) {
    OracleFixture bench = bench_create();
    const Computation *one = root_of(&bench, graphs[i / count])->parent,
                      *other = root_of(&bench, graphs[i % count])->parent;
    ValuesVerdict verdict;
    oracle_values_query(
        oracle_values_create(bench.arena, one, other, &(ValuesLimits){.elements = 100}), 0,
        &verdict);
    if ((verdict.answer == REASON_EXACT) != (i / count == i % count))
      fail_msg("%s\n%s", graphs[i / count], graphs[i % count]);
    bench_destroy(&bench);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(attributes_change_values_or_not),
      cmocka_unit_test(unread_constants_go_by_name_text_and_shape)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
