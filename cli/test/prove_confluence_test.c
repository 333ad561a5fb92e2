/* affirm prove --confluence: a peak that is not listed fails, a list of all peaks passes, and a
 * line that no peak needs is said. */
#include "cli/test/test_command.h"

#include "core/base/text.h"

/* Lines `RULE RULE known` of the pairs that a run has printed. */
static char *list_of(const char *said) {
  Text text = text_create(arena);
  for (const char *line = said; line != nullptr && *line != 0;) {
    const char *colon = strchr(line, ':'), *end = strchr(line, '\n');
    if (*line != ' ' && colon != nullptr && strncmp(colon, ": not joined", 12) == 0) {
      text_append(&text, line, (size_t)(colon - line));
      text_string(&text, " known\n");
    }
    line = end == nullptr ? nullptr : end + 1;
  }
  return text.bytes;
}

static void peaks_are_listed_or_fail(void **) {
  Ran ran = RUN(prove, WORD("--confluence"), WORD("--tries"), WORD("12"));
  assert_int_equal(ran.status, 1);
  assert_says(ran.said, "NOT LISTED");
  assert_says(ran.complained, "1711 pairs of rules");
  const char *list = list_of(ran.said);
  char *all = write_text("all.txt", list);
  ran = RUN(prove, WORD("--confluence"), WORD("--tries"), WORD("12"), WORD("--quiet"),
      WORD("--peaks"), all);
  assert_int_equal(ran.status, 0);
  assert_string_equal(ran.said, "");
  char *fewer = write_text("fewer.txt", strchr(list, '\n') + 1);
  ran = RUN(prove, WORD("--confluence"), WORD("--tries"), WORD("12"), WORD("--quiet"),
      WORD("--peaks"), fewer);
  assert_int_equal(ran.status, 1);
  assert_says(ran.said, "NOT LISTED");
  char *more =
      write_text("more.txt", arena_printf(arena, "%smod-known no-such-rule known\n", list));
  ran = RUN(prove, WORD("--confluence"), WORD("--tries"), WORD("12"), WORD("--quiet"),
      WORD("--peaks"), more);
  assert_int_equal(ran.status, 2);
  assert_says(ran.complained, "no-such-rule: listed, and no peak");
  assert_int_equal(
      RUN(prove, WORD("--confluence"), WORD("--peaks"), write_text("bad.txt", "one\n")).status, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(peaks_are_listed_or_fail)};
  return cmocka_run_group_tests(tests, command_begin, command_end);
}
