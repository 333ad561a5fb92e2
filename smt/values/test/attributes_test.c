/* Attributes that change values and those that do not, one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/hlo/test/attribute_rows.h"
#include "smt/values/test/values_status.h"

static void attributes_change_values_or_not(void **) {
  uint32_t failed = 0;
  for (size_t i = 0; i < 2 * attribute_case_count; i++) {
    const AttributeCase *row = &attribute_cases[i / 2];
    const Computation *one = values_entry(attribute_module(arena, row, i % 2 == 1)),
                      *other = values_entry(attribute_module(arena, row, i % 2 == 0));
    VerdictStatus status = values_status(one, other, LAW_EXACT);
    if ((status == VERDICT_PROVED) != row->is_same)
      print_error("%s: %s, %s: %s\n", row->operation, row->one, row->other,
          status == VERDICT_PROVED ? "proved" : "not proved");
    failed += (status == VERDICT_PROVED) != row->is_same;
  }
  assert_int_equal(failed, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(attributes_change_values_or_not, arena_begin, arena_end)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
