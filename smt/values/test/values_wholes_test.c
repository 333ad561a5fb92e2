/* Two arrays that are read at many indices are compared once: the number of compared pairs of
 * operations is that of one comparison, whatever the number of indices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/text.h"
#include "smt/values/test/values_status.h"

static constexpr uint32_t operations = 40, slices = 12;

/* Slices of an array after many operations, one after the other, and the last ones reversed. */
static const Computation *slices_of_chain(bool is_exchanged) {
  Text text = text_create(arena);
  text_string(&text, "HloModule m\nENTRY e {\nv0 = s32[900] parameter(0)\n");
  for (uint32_t i = 0; i < operations; i++)
    text_printf(&text, "v%u = s32[900] subtract(v%u, v0)\n", i + 1, i);
  for (uint32_t i = 0; i < slices; i++)
    text_printf(&text, "s%u = s32[%u] slice(v%u), slice={[%u:%u]}\n", i, 20 + i, operations, 50 * i,
        50 * i + 20 + i);
  text_printf(&text, "ROOT r = s32[%u] concatenate(", slices * 20 + slices * (slices - 1) / 2);
  for (uint32_t i = 0; i < slices; i++)
    text_printf(&text, "%ss%u", i == 0 ? "" : ", ", is_exchanged && i < 2 ? 1 - i : i);
  text_string(&text, "), dimensions={0}\n}\n");
  return values_entry(text.bytes);
}

static uint64_t steps_between(bool is_exchanged, VerdictStatus status) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  SmtValues *values =
      smt_values_create(smt, slices_of_chain(false), slices_of_chain(is_exchanged), LAW_NONE);
  Verdict verdict;
  Error error = {};
  assert_true(smt_values_query(values, 0, &verdict, &error));
  assert_int_equal(verdict.status, status);
  uint64_t steps = smt_values_steps(values);
  smt_values_destroy(values);
  smt_destroy(smt);
  map_context_destroy(context);
  return steps;
}

static void an_array_is_compared_once(void **) {
  uint64_t steps = steps_between(false, VERDICT_PROVED);
  print_message("%llu steps\n", (unsigned long long)steps);
  assert_true(steps < 6 * (operations + slices * slices));
  (void)steps_between(true, VERDICT_REFUTED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(an_array_is_compared_once, arena_begin, arena_end)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
