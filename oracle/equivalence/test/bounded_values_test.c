/* Arrays of bounded size: no pair of graphs is decided. If the bounds are the true sizes, the same
 * pair has the same values. */
#include "core/hlo/test/bounded_rows.h"
#include "oracle/equivalence/test/values_cases.h"

static VerdictReason bounded_answer(const char *before, const char *after, bool is_bounded) {
  OracleFixture bench = bench_create();
  const char *texts[] = {before, after};
  const Computation *entries[2];
  for (uint32_t i = 0; i < 2; i++) {
    Text made = text_create(bench.arena);
    for (const char *at = texts[i]; *at != 0; at++)
      if (is_bounded || strncmp(at, "<=", 2) != 0) text_append(&made, at, 1);
      else at++;
    entries[i] = values_case_entry(&bench, made.bytes);
  }
  ValuesVerdict verdict;
  oracle_values_query(
      oracle_values_create(bench.arena, entries[0], entries[1], &(ValuesLimits){}), 0, &verdict);
  bench_destroy(&bench);
  return verdict.answer;
}

static void bounds_are_no_sizes(void **) {
  uint32_t faults = 0;
  for (size_t i = 0; i < sizeof bounded_rows / sizeof *bounded_rows; i++) {
    const BoundedRow *row = &bounded_rows[i];
    for (uint32_t turned = 0; turned < 2; turned++) {
      const char *before = turned == 0 ? row->before : row->after,
                 *after = turned == 0 ? row->after : row->before;
      VerdictReason bounded = bounded_answer(before, after, true),
                    known = bounded_answer(before, after, false);
      if (bounded == REASON_OPEN && known == REASON_EXACT) continue;
      print_error("%s: %s with bounds, %s with sizes\n", row->name, values_case_answer(bounded),
          values_case_answer(known));
      faults++;
    }
  }
  assert_int_equal(faults, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_are_no_sizes)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
