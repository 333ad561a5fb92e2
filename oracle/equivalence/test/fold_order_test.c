/* Folds by terms, whose order matters or does not, against the definition of fold_functions.h. */
#include "oracle/test/test_module.h"

#include "core/hlo/test/fold_functions.h"
#include "oracle/equivalence/same_values.h"

static bool folds_are_proved(
    Arena *arena, const Computation *before, const Computation *after, LawGrade grade) {
  ValuesVerdict verdict;
  OracleValues *values = oracle_values_create(
      arena, before, after, &(ValuesLimits){.elements = 8'000, .grade = grade});
  oracle_values_query(values, 0, &verdict);
  return verdict.answer == REASON_EXACT;
}

static void folds_are_sequences_if_their_order_matters(void **) {
  check_all_fold_orders(folds_are_proved);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(folds_are_sequences_if_their_order_matters)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
