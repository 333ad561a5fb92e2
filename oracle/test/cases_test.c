/* Random arithmetic on offsets, against its values for all values of a byte and for some of a wide
 * integer. Two arrays that differ at one position are never the same if some value of the offset
 * leads there; mostly they are the same if none does. */
#include "oracle/test/offset_steps.h"
#include "oracle/test/values_cases.h"

static constexpr uint32_t table_size = 12;

/* The positions that some of the tried values lead to. */
static uint32_t reached_positions(const CaseSteps *made) {
  uint32_t reached = 0;
  for (int32_t byte = made->is_signed ? -128 : 0; byte <= (made->is_signed ? 127 : 255); byte++)
    for (int32_t code = 0; code < 2 * 40 + 4; code++) {
      static const int32_t ends[] = {INT32_MIN, INT32_MIN + 1, INT32_MAX - 1, INT32_MAX};
      int32_t wide = code < 4 ? ends[code] : (code - 4) * 7 - 280 + (byte & 3);
      int32_t values[most_case_steps];
      for (uint32_t i = 0; i < made->count; i++)
        values[i] = step_result(made, i, values, byte, wide);
      reached |= 1u << step_clamped(0, values[made->count - 1], (int32_t)table_size - 1);
    }
  return reached;
}

/* The element of the array at the offset; with a negated element at `changed` of the array. */
static const char *steps_text(Arena *arena, const CaseSteps *made, uint32_t changed) {
  Text text = text_create(arena);
  text_printf(&text, "HloModule m\nENTRY e {\np = f32[%u] parameter(0)\nq = %s[] parameter(2)\n",
      table_size, made->is_signed ? "s8" : "u8");
  for (uint32_t i = 0; i < made->count; i++) print_step_text(&text, made, i);
  if (changed < table_size)
    text_printf(&text,
        "one = f32[1] slice(p), slice={[%u:%u]}\nn = f32[1] negate(one)\nk = s32[] constant(%u)\n"
        "t = f32[%u] dynamic-update-slice(p, n, k)\n",
        changed, changed + 1, changed, table_size);
  text_printf(&text, "ROOT d = f32[1] dynamic-slice(%s, v%u), dynamic_slice_sizes={1}\n}\n",
      changed < table_size ? "t" : "p", made->count - 1);
  return text.bytes;
}

typedef struct CaseTallies {
  uint32_t reached, same, by_offsets, open;
} CaseTallies;

static void check_position(
    const CaseSteps *made, uint32_t position, bool is_reached, CaseTallies *tallies) {
  OracleFixture bench = bench_create();
  const char *before = steps_text(bench.arena, made, table_size),
             *after = steps_text(bench.arena, made, position);
  ValuesVerdict verdict;
  OracleValues *values = oracle_values_create(
      bench.arena, values_case_entry(&bench, before), values_case_entry(&bench, after), nullptr);
  oracle_values_query(values, 0, &verdict);
  if (is_reached && verdict.answer == REASON_EXACT)
    fail_msg("the same, by %s, but position %u is reached\n%s", verdict.by, position, after);
  tallies->reached += is_reached;
  tallies->same += verdict.answer == REASON_EXACT;
  tallies->by_offsets += verdict.answer == REASON_EXACT && strcmp(verdict.by, "offsets") == 0;
  tallies->open += !is_reached && verdict.answer != REASON_EXACT;
  bench_destroy(&bench);
}

static void positions_that_an_offset_reaches_are_compared(void **) {
  static constexpr uint32_t rounds = 250;
  CaseTallies tallies = {};
  for (uint32_t round = 0; round < rounds; round++) {
    CaseSteps made = draw_steps(true);
    uint32_t reached = reached_positions(&made);
    if (reached == (1u << table_size) - 1 && case_below(4) > 0) continue;
    for (uint32_t i = 0; i < 3; i++) {
      uint32_t position = case_below(table_size);
      check_position(&made, position, (reached >> position & 1) != 0, &tallies);
    }
  }
  assert_true(tallies.reached > 60 && tallies.by_offsets > 60);
  assert_true(tallies.open < tallies.same);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positions_that_an_offset_reaches_are_compared),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
