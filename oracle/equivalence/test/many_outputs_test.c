/* What a comparison of one output takes for evaluation is not kept for the next ones. */
#include "core/base/text.h"
#include "oracle/equivalence/test/values_cases.h"

static constexpr uint32_t outputs = 24;

/* Each output is (x * y) * (x * y) + z, with exchanged factors if `is_exchanged`. */
static const char *squares(Arena *arena, bool is_exchanged) {
  Text text = text_create(arena), shapes = text_create(arena), names = text_create(arena);
  const char *factors = is_exchanged ? "y, x" : "x, y";
  text_string(&text, "HloModule m\nENTRY e {\n");
  for (uint32_t i = 0; i < 3; i++)
    text_printf(&text, " %c = f32[128] parameter(%u)\n", "xyz"[i], i);
  for (uint32_t i = 0; i < outputs; i++) {
    text_printf(&text, " c%u = f32[] constant(%u)\n b%u = f32[128] broadcast(c%u), dimensions={}\n",
        i, i + 2, i, i);
    text_printf(&text, " m%u = f32[128] multiply(%s)\n s%u = f32[128] add(m%u, b%u)\n", i, factors,
        i, i, i);
    text_printf(&text, " r%u = f32[128] multiply(s%u, z)\n", i, i);
    text_printf(&shapes, i == 0 ? "f32[128]" : ", f32[128]");
    text_printf(&names, i == 0 ? "r%u" : ", r%u", i);
  }
  text_printf(&text, " ROOT t = (%s) tuple(%s)\n}\n", shapes.bytes, names.bytes);
  return text.bytes;
}

static void evaluation_takes_no_memory_of_later_outputs(void **) {
  OracleFixture bench = bench_create();
  const Computation *before = values_case_entry(&bench, squares(bench.arena, false)),
                    *after = values_case_entry(&bench, squares(bench.arena, true));
  ValuesLimits limits = {.bytes = (size_t)16 << 20};
  OracleValues *values = oracle_values_create(bench.arena, before, after, &limits);
  for (uint32_t i = 0; i < outputs; i++) {
    ValuesVerdict verdict;
    oracle_values_query(values, i, &verdict);
    if (verdict.answer != REASON_SAME_READS) fail_msg("output %u: %s", i, verdict.reason);
    assert_string_equal(verdict.by, "values");
  }
  bench_destroy(&bench);
}

static void no_method_decides_an_unknown_output(void **) {
  OracleFixture bench = bench_create();
  const Computation *before = values_case_entry(&bench, squares(bench.arena, false)),
                    *after = values_case_entry(&bench, squares(bench.arena, true));
  ValuesLimits limits = {.elements = 300};
  OracleValues *values = oracle_values_create(bench.arena, before, after, &limits);
  ValuesVerdict verdict;
  for (uint32_t i = 0; i < outputs; i++) {
    oracle_values_query(values, i, &verdict);
    if (verdict.answer == REASON_OPEN) assert_null(verdict.by);
  }
  assert_int_equal(verdict.answer, REASON_OPEN);
  assert_non_null(strstr(verdict.reason, "the outputs before took all elements"));
  bench_destroy(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(evaluation_takes_no_memory_of_later_outputs),
      cmocka_unit_test(no_method_decides_an_unknown_output)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
