/* Folds whose order matters or does not, at any size, against the definition of fold_functions.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/hlo/test/fold_functions.h"
#include "smt/values/test/values_status.h"

static bool folds_are_proved(
    Arena *, const Computation *before, const Computation *after, LawGrade grade) {
  return values_status(before, after, grade) == VERDICT_PROVED;
}

static void folds_are_sequences_if_their_order_matters(void **) {
  check_all_fold_orders(folds_are_proved);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(
      folds_are_sequences_if_their_order_matters, arena_begin, arena_end)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
