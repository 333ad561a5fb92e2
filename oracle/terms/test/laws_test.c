/* Checks the grade of every law on the values of law_check that the gate tries. AFFIRM_NIGHTLY=1
 * tries all of them, which takes two minutes of processor time. */
#include "oracle/terms/laws.h"
#include "oracle/terms/laws_check.h"

#include <stdlib.h>

#include "oracle/test/test_module.h"

static bool is_brief(void) { return getenv("AFFIRM_NIGHTLY") == nullptr; }

static void own_laws_hold_at_their_grades(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Laws laws;
  Error error = {};
  uint32_t faults = 0;
  if (!laws_own(arena, &laws, &error)) fail_msg("%u: %s", error.line, error.message);
  assert_true(laws.count >= 40);
  if (is_brief()) print_message("skipped: %s\n", law_check_left_out());
  for (uint32_t i = 0; i < laws.count; i++) {
    LawCheck check;
    law_check(arena, &laws, i, is_brief(), &check);
    if (!check.holds) print_error("%s: %s\n", laws.items[i].name, check.why);
    faults += !check.holds;
  }
  assert_int_equal(faults, 0);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(own_laws_hold_at_their_grades)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
