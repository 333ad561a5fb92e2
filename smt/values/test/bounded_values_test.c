/* Arrays of bounded size: no pair of graphs is proved or refuted. If the bounds are the true sizes,
 * the same pair is proved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/hlo/test/bounded_rows.h"
#include "smt/values/test/values_status.h"

static const Computation *bounded_entry(const char *text, bool is_bounded) {
  Text made = text_create(arena);
  for (const char *at = text; *at != 0; at++)
    if (is_bounded || strncmp(at, "<=", 2) != 0) text_append(&made, at, 1);
    else at++;
  return values_entry(made.bytes);
}

static VerdictStatus bounded_status(const char *before, const char *after, bool is_bounded) {
  return values_status(
      bounded_entry(before, is_bounded), bounded_entry(after, is_bounded), LAW_EXACT);
}

static void bounds_are_no_sizes(void **) {
  uint32_t faults = 0;
  for (size_t i = 0; i < sizeof bounded_rows / sizeof *bounded_rows; i++) {
    const BoundedRow *row = &bounded_rows[i];
    for (uint32_t turned = 0; turned < 2; turned++) {
      const char *before = turned == 0 ? row->before : row->after,
                 *after = turned == 0 ? row->after : row->before;
      VerdictStatus bounded = bounded_status(before, after, true),
                    known = bounded_status(before, after, false);
      if (bounded == VERDICT_UNKNOWN && known == VERDICT_PROVED) continue;
      print_error("%s: %d with bounds, %d with sizes\n", row->name, bounded, known);
      faults++;
    }
  }
  assert_int_equal(faults, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(bounds_are_no_sizes, arena_begin, arena_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
