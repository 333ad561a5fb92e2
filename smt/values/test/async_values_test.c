/* Operations in two halves have the values of the operation as a whole, and the first half holds
 * its operands: every form is compared with every other one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/hlo/test/async_forms.h"
#include "smt/values/test/values_status.h"

static void two_halves_are_the_whole(void **) {
  uint32_t failed = 0;
  for (uint32_t pair = 0; pair < async_form_count * async_form_count; pair++) {
    const AsyncForm *a = &async_forms[pair / async_form_count],
                    *b = &async_forms[pair % async_form_count];
    VerdictStatus status = values_status(values_entry(async_text(arena, a->lines)),
        values_entry(async_text(arena, b->lines)), LAW_EXACT);
    bool is_same = strcmp(a->function, b->function) == 0;
    if ((status == VERDICT_PROVED) == is_same) continue;
    print_error(
        "status %u, %s and %s:\n%s%s", status, a->function, b->function, a->lines, b->lines);
    failed++;
  }
  assert_int_equal(failed, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(two_halves_are_the_whole, arena_begin, arena_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
