/* Runs that a time limit ends: they are counted, and show neither that a case passes nor that a
 * candidate shows the finding. */
#include "reduce/shrink.h"
#include "reduce/shrink_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static Arena *arena;

static constexpr int results = 4000, last = 300;

static void print_map(Text *text, bool is_second) {
  text_string(text, "(d0, d1) -> (");
  for (int i = 1; i <= results; i++) text_printf(text, "(d0 * %d + d1) mod %d, ", i, i + 7);
  if (is_second) text_printf(text, "d0 floordiv %d * (d1 floordiv %d)", last, last);
  else text_string(text, "0");
  text_printf(text, "), domain: d0 in [0, %d], d1 in [0, %d]", last, last);
}

/* Two maps that differ only at their last point: enumerating them takes seconds. */
static const char *slow_pair(void) {
  Text text = text_create(arena);
  print_map(&text, false);
  text_string(&text, " ; ");
  print_map(&text, true);
  return text.bytes;
}

static Source source_of(const char *name, const char *text) {
  return (Source){.name = name, .text = text, .length = strlen(text), .first_line = 1};
}

static CaseTrialEnd end_of(const char *text, double seconds, bool (*stop)(void)) {
  CaseFile cases;
  Source source = source_of("a.case", text);
  CaseTrialEnd end = CASE_TRIAL_LATE;
  Error error = {};
  assert_true(cases_parse(arena, &source, &cases, &error));
  assert_true(shrink_case_try(arena, nullptr, &cases.items[0], seconds, stop, &end, &error));
  return end;
}

static bool late_stops(void) { return true; }

static void a_case_that_lasts_too_long_neither_passes_nor_fails(void **) {
  const char *slow = arena_printf(arena, "# a\nsame %s\nrefuted\n", slow_pair());
  assert_int_equal(end_of(slow, 0.2, nullptr), CASE_TRIAL_LATE);
  assert_int_equal(end_of(slow, 300, late_stops), CASE_TRIAL_LATE);
  static const char quick[] =
      "# a\nsame (d0) -> (d0), domain: d0 in [0, 3] ; (d0) -> (d0 + 1), domain: d0 in [0, 3]\n";
  assert_int_equal(
      end_of(arena_printf(arena, "%srefuted\n", quick), 300, nullptr), CASE_TRIAL_PASSED);
  assert_int_equal(
      end_of(arena_printf(arena, "%sproved\n", quick), 300, nullptr), CASE_TRIAL_NOT_PASSED);
}

/* Waits until nearly no time is left for a trial after the first, which is the subject itself. */
static void wait_until_late(uint32_t trials, double left) {
  static constexpr double rest = 0.1;
  if (trials < 2 || left <= rest) return;
  double seconds = left - rest;
  struct timespec time = {.tv_sec = (time_t)seconds};
  time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
  (void)nanosleep(&time, nullptr);
}

static void the_end_of_the_time_shows_no_timeout(void **) {
  const char *text = slow_pair();
  Source subject = source_of("subject", text);
  Error error = {};
  Shrink shrinking = {.arena = arena,
      .kind = "timeout",
      .seconds = 3,
      .most_trials = 5000,
      .form = FORM_SAME,
      .at = wait_until_late};
  assert_int_equal(shrink(&shrinking, &subject, &error), SHRINK_DONE);
  assert_string_equal(shrinking.signature.text, "timeout");
  assert_string_equal(shrinking.smallest, text);
  assert_true(shrinking.is_cut);
  assert_in_range(shrinking.late, 2, 100);
}

static int late_set_up(void **) { return (arena = arena_create()) == nullptr; }
static int late_tear_down(void **) { return arena_destroy(arena), 0; }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_case_that_lasts_too_long_neither_passes_nor_fails),
      cmocka_unit_test(the_end_of_the_time_shows_no_timeout),
  };
  return cmocka_run_group_tests(tests, late_set_up, late_tear_down);
}
