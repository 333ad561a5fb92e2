/* Tests of records: a printed record parses to the same verdict, and a changed or truncated line is
 * rejected. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/base/file.h"
#include "watch/kept.h"
#include "watch/record.h"

static StepVerdict make_verdict(void) {
  static Binding at = {"p0[3,0]", "-2", true};
  StepVerdict verdict = {.answer = REASON_DIFFERENT,
      .output = 3,
      .seconds = 0.001234,
      .lacks_before = true,
      .values = {.by = "values",
          .has_point = true,
          .rank = 2,
          .point = {4, 5},
          .terms = "a\tb\\c\nd",
          .sides = {"a\tb", "c\nd"},
          .inputs = "",
          .at = {.count = 1, .items = &at},
          .values = {"1", "-2"}}};
  snprintf(verdict.reason, sizeof verdict.reason, "why");
  return verdict;
}

static void what_is_printed_is_parsed(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Text text = text_create(arena);
  StepVerdict verdict = make_verdict(), read;
  uint64_t key;
  record_print(&text, 77, &verdict);
  assert_int_equal(text.bytes[text.length - 1], '\n');
  assert_null(memchr(text.bytes, '\n', text.length - 1));
  assert_true(record_parse(arena, text.bytes, text.length - 1, &key, &read));
  assert_int_equal(key, 77);
  assert_int_equal(read.answer, REASON_DIFFERENT);
  assert_int_equal(read.output, 3);
  assert_true(read.seconds > 0.0012339 && read.seconds < 0.0012341);
  assert_true(read.lacks_before);
  assert_true(read.values.has_point);
  assert_int_equal(read.values.rank, 2);
  assert_int_equal(read.values.point[1], 5);
  assert_string_equal(read.values.terms, verdict.values.terms);
  assert_string_equal(read.values.sides[0], "a\tb");
  assert_string_equal(read.values.sides[1], "c\nd");
  assert_string_equal(read.values.inputs, "");
  assert_int_equal(read.values.at.count, 1);
  assert_string_equal(read.values.at.items[0].name, "p0[3,0]");
  assert_string_equal(read.values.at.items[0].value, "-2");
  assert_true(read.values.at.items[0].is_integer);
  assert_string_equal(read.values.values[1], "-2");
  assert_null(read.values.laws);
  assert_string_equal(read.reason, "why");
  arena_destroy(arena);
}

static void lines_that_were_changed_are_none(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Text text = text_create(arena);
  StepVerdict verdict = make_verdict(), read;
  uint64_t key;
  record_print(&text, 77, &verdict);
  for (size_t length = 0; length + 1 < text.length; length++)
    if (record_parse(arena, text.bytes, length, &key, &read))
      fail_msg("a line that is cut to %zu bytes is parsed", length);
  for (size_t at = 0; at + 1 < text.length; at++) {
    char old = text.bytes[at];
    text.bytes[at] = old == '1' ? '2' : '1';
    if (record_parse(arena, text.bytes, text.length - 1, &key, &read))
      fail_msg("a line that is changed is parsed");
    text.bytes[at] = old;
  }
  arena_destroy(arena);
}

static void what_is_no_answer_is_not_proved(void **state) {
  (void)state;
  for (uint32_t i = 0; i < verdict_reason_count; i++)
    if (step_answer_text((VerdictReason)i) == nullptr)
      assert_int_not_equal(step_answer_status((VerdictReason)i), STATUS_PROVED);
}

/* A killed judge has decided nothing, and the reason of an unreadable text names a file that may
 * have another name: the next run judges again. */
static void a_lost_or_malformed_answer_is_not_kept(void **state) {
  (void)state;
  Arena *arena = arena_create();
  KeptResults kept;
  Error error = {};
  StepVerdict verdict = {.answer = REASON_OPEN, .is_lost = true, .reason = "killed"}, read;
  char path[512];
  file_scratch(sizeof path, path, "kept");
  close(mkstemp(path));
  assert_true(kept_open(&kept, arena, path, &error));
  assert_true(kept_add(&kept, 7, &verdict));
  verdict = make_verdict();
  assert_true(kept_add(&kept, 8, &verdict));
  verdict = (StepVerdict){.answer = REASON_MALFORMED, .reason = "da/m.2.b.hlo:1:1: expected"};
  assert_true(kept_add(&kept, 9, &verdict));
  kept_close(&kept);
  assert_true(kept_open(&kept, arena, path, &error));
  assert_false(kept_find(&kept, arena, 7, &read));
  assert_true(kept_find(&kept, arena, 8, &read));
  assert_false(kept_find(&kept, arena, 9, &read));
  kept_close(&kept);
  unlink(path);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_lost_or_malformed_answer_is_not_kept),
      cmocka_unit_test(what_is_no_answer_is_not_proved),
      cmocka_unit_test(what_is_printed_is_parsed),
      cmocka_unit_test(lines_that_were_changed_are_none),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
