/* affirm prove --order on the engine's own rules: each decreases, and the obligations are written
 * with certificates. AFFIRM_FEW: only the rules of two files; ci_certify proves all, by the
 * program. */
#include <stdlib.h>

#include "cli/test/test_command.h"

static void rules_of_the_engine_decrease(void **) {
  bool is_brief = getenv("AFFIRM_FEW") != nullptr;
  Ran ran =
      is_brief
          ? RUN(prove, WORD("--order"), WORD("--certificate"), path_of("order"),
                WORD(AFFIRM_SOURCE_DIR "/core/rules/mod.rules"),
                WORD(AFFIRM_SOURCE_DIR "/core/rules/sums.rules"))
          : RUN(prove, WORD("--order"), WORD("--certificate"), path_of("order"));
  if (is_brief) print_message("skipped: the rules of four files\n");
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
