/* affirm prove --order on the engine's own rules: each decreases, and the obligations are written
 * with certificates. */
#include "cli/test/test_command.h"

static void rules_of_the_engine_decrease(void **) {
  Ran ran = RUN(prove, WORD("--order"), WORD("--certificate"), path_of("order"));
  if (ran.status != 0) print_error("%s%s", ran.printed, ran.complained);
  assert_int_equal(ran.status, 0);
  assert_null(strstr(ran.printed, "NOT PROVED"));
  assert_null(strstr(ran.printed, "is not refuted"));
  assert_contains(ran.printed, "digits-join DECREASES: weight, 1 of 1 obligation proved");
  const char *obligations = read_text(path_of("order/order.rules"));
  assert_contains(obligations, "rule mod-common-factor/nesting");
  assert_contains(read_text(path_of("order/mod-common-factor_nesting.cert")), "certificate 1");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rules_of_the_engine_decrease)};
  return cmocka_run_group_tests(tests, command_begin, command_end);
}
