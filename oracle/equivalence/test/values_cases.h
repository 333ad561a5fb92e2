/* Test support: two modules, and the expected verdict about their values. */
#ifndef ORACLE_EQUIVALENCE_TEST_VALUES_CASES_H
#define ORACLE_EQUIVALENCE_TEST_VALUES_CASES_H

#include "oracle/equivalence/same_values.h"
#include "oracle/test/test_module.h"

typedef struct ValuesCase {
  const char *name, *before, *after, *answer;
} ValuesCase;

static const char *values_case_answer(VerdictReason answer) {
  static const char *const texts[] = {"same values", "same reads", "fewer reads", "more reads",
      "same on tries", "different", "unknown"};
  return texts[values_rank(answer)];
}

static const Computation *values_case_entry(OracleFixture *bench, const char *text) {
  const Module *module;
  Error error = {};
  if (!hlo_read(bench->arena, source_of(bench, text), &module, &error))
    fail_msg("%s\n%s", text, error.message);
  return module->entry;
}

[[maybe_unused]] static uint32_t values_cases_faults(
    size_t count, const ValuesCase *cases, const ValuesLimits *limits) {
  uint32_t faults = 0;
  for (size_t i = 0; i < count; i++) {
    OracleFixture bench = bench_create();
    ValuesVerdict verdict;
    OracleValues *values =
        oracle_values_create(bench.arena, values_case_entry(&bench, cases[i].before),
            values_case_entry(&bench, cases[i].after), limits);
    oracle_values_query(values, 0, &verdict);
    if (strcmp(values_case_answer(verdict.answer), cases[i].answer) != 0) {
      print_error("%s: %s, wanted %s: %s %s\n", cases[i].name, values_case_answer(verdict.answer),
          cases[i].answer, verdict.reason, verdict.terms == nullptr ? "" : verdict.terms);
      faults++;
    }
    bench_destroy(&bench);
  }
  return faults;
}

#endif
