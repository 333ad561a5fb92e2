/* Attributes that change values and those that do not, one by one. */
#include "oracle/test/test_module.h"

#include "core/hlo/test/attribute_rows.h"
#include "oracle/terms/same_values.h"

static void attributes_change_values_or_not(void **) {
  uint32_t failed = 0;
  for (size_t i = 0; i < 2 * attribute_row_count; i++) {
    const AttributeRow *row = &attribute_rows[i / 2];
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(attributes_change_values_or_not)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
