/* Sizes of which only a bound is known: no pair is proved or refuted, and the same pair is proved
 * where the bounds are the sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/test_arena.h"
#include "core/hlo/read/read.h"
#include "core/hlo/test/bounded_rows.h"
#include "smt/smt.h"

static const Computation *bounded_entry(const char *text, bool is_bounded) {
  Text made = text_create(arena);
  for (const char *at = text; *at != 0; at++)
    if (is_bounded || strncmp(at, "<=", 2) != 0) text_append(&made, at, 1);
    else at++;
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "bounded", .text = made.bytes, .length = made.length, .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", made.bytes, error.message);
  return module->entry;
}

static VerdictStatus bounded_status(const char *before, const char *after, bool is_bounded) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  SmtValues *values = smt_values_create(
      smt, bounded_entry(before, is_bounded), bounded_entry(after, is_bounded), LAW_EXACT);
  Verdict verdict;
  Error error = {};
  assert_true(smt_values_query(values, 0, &verdict, &error));
  smt_values_destroy(values);
  smt_destroy(smt);
  map_context_destroy(context);
  return verdict.status;
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
