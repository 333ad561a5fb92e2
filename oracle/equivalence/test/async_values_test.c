/* Operations in two halves have the values of the operation as a whole, and the first half holds
 * its operands: every form is compared with every other one, element by element. */
#include "core/hlo/test/async_forms.h"
#include "oracle/equivalence/test/values_cases.h"

static void halves_have_the_values_of_the_whole(void **) {
  uint32_t failed = 0;
  for (uint32_t pair = 0; pair < async_form_count * async_form_count; pair++) {
    const AsyncForm *a = &async_forms[pair / async_form_count],
                    *b = &async_forms[pair % async_form_count];
    OracleFixture bench = bench_create();
    ValuesVerdict verdict;
    oracle_values_query(
        oracle_values_create(bench.arena,
            values_case_entry(&bench, async_text(bench.arena, a->lines)),
            values_case_entry(&bench, async_text(bench.arena, b->lines)), &(ValuesLimits){}),
        0, &verdict);
    bool is_same = strcmp(a->function, b->function) == 0;
    if ((verdict.answer == REASON_EXACT) != is_same) {
      print_error("%s, %s and %s:\n%s%s", values_case_answer(verdict.answer), a->function,
          b->function, a->lines, b->lines);
      failed++;
    }
    bench_destroy(&bench);
  }
  assert_int_equal(failed, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(halves_have_the_values_of_the_whole)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
