/* Random arithmetic on offsets, against its values for all values of a byte and for some of a wide
 * integer. Two arrays that differ at one position are never the same if some value of the offset
 * leads there; mostly they are the same if none does. */
#include "core/base/test/length.h"
#include "oracle/equivalence/test/offset_steps.h"
#include "oracle/equivalence/test/values_cases.h"

typedef struct CaseTallies {
  uint32_t reached, same, by_offsets, open;
} CaseTallies;

static void check_position(const CaseSteps *made, bool has_wide, uint32_t position, bool is_reached,
    CaseTallies *tallies) {
  OracleFixture bench = bench_create();
  const char *before = steps_text(bench.arena, made, table_size),
             *after = steps_text(bench.arena, made, position);
  ValuesVerdict verdict;
  OracleValues *values = oracle_values_create(
      bench.arena, values_case_entry(&bench, before), values_case_entry(&bench, after), nullptr);
  oracle_values_query(values, 0, &verdict);
  if (is_reached && verdict.answer == REASON_EXACT)
    fail_msg("the same, by %s, but position %u is reached\n%s", verdict.by, position, after);
  if (!has_wide && !is_reached && verdict.answer == REASON_DIFFERENT)
    fail_msg("different, but position %u is not reached\n%s", position, after);
  tallies->reached += is_reached;
  tallies->same += verdict.answer == REASON_EXACT;
  tallies->by_offsets += verdict.answer == REASON_EXACT && strcmp(verdict.by, "offsets") == 0;
  tallies->open += !is_reached && verdict.answer != REASON_EXACT;
  bench_destroy(&bench);
}

static void positions_that_an_offset_reaches_are_compared(void **) {
  const uint32_t rounds = test_length(250, 250, 70);
  CaseTallies tallies = {};
  for (uint32_t round = 0; round < rounds; round++) {
    bool has_wide = round % 3 > 0;
    CaseSteps made = draw_steps(has_wide);
    uint32_t reached = reached_positions(&made);
    if (reached == (1u << table_size) - 1 && case_below(4) > 0) continue;
    for (uint32_t i = 0; i < 3; i++) {
      uint32_t position = case_below(table_size);
      check_position(&made, has_wide, position, (reached >> position & 1) != 0, &tallies);
    }
  }
  assert_true(tallies.reached > rounds * 6 / 25 && tallies.by_offsets > rounds * 6 / 25);
  assert_true(tallies.open < tallies.same);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positions_that_an_offset_reaches_are_compared),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
