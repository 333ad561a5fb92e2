/* affirm prove --confluence: a peak or a missing instance that is not listed fails, a complete list
 * passes, and a line that disagrees with the result is reported. */
#include "cli/test/test_command.h"

#include "core/base/text.h"
#include "core/rules/rule.h"

#define CONFLUENCE(...) \
  RUN(prove, WORD("--confluence"), WORD("--tries"), WORD("40") __VA_OPT__(, ) __VA_ARGS__)

/* The lines that a list needs for the printed peaks. */
static char *list_of(const char *printed) {
  Text text = text_create(arena);
  for (const char *line = printed; line != nullptr && *line != 0;) {
    const char *end = strchr(line, '\n'), *peak = strstr(line, ": not joined"),
               *none = strstr(line, ": no instance");
    if (peak != nullptr && peak < end) text_printf(&text, "%.*s known\n", (int)(peak - line), line);
    if (none != nullptr && none < end)
      text_printf(&text, "%.*s none known\n", (int)(none - line), line);
    line = end == nullptr ? nullptr : end + 1;
  }
  return text.bytes;
}

static const char *line_with(const char *list, const char *what) {
  const char *at = strstr(list, what);
  if (at == nullptr) {
    fail_msg("no line with '%s'", what);
    return list;
  }
  while (at > list && at[-1] != '\n') at--;
  return at;
}

/* The list with one line changed; an empty line removes it. */
static char *list_but(const char *list, const char *what, const char *instead) {
  const char *line = line_with(list, what), *end = strchr(line, '\n');
  return arena_printf(arena, "%.*s%s%s", (int)(line - list), list, instead, end);
}

static void peaks_are_listed_or_fail(void **) {
  Ran ran = CONFLUENCE();
  assert_int_equal(ran.status, 1);
  assert_contains(ran.printed, "NOT LISTED");
  assert_contains(ran.printed, "mod-known mod-known 1=1: no instance, NOT LISTED");
  RuleSet rules = {};
  Error error = {};
  assert_true(rules_engine(arena, &rules, &error));
  assert_contains(ran.complained, arena_printf(arena, "overlaps of %u rules, ", rules.count));
  const char *list = list_of(ran.printed);
  ran = CONFLUENCE(WORD("--quiet"), WORD("--peaks"), write_text("all.txt", list));
  assert_int_equal(ran.status, 0);
  assert_string_equal(ran.printed, "");
  ran = CONFLUENCE(WORD("--quiet"), WORD("--peaks"),
      write_text("fewer.txt", list_but(list, " longer known", "")));
  assert_int_equal(ran.status, 1);
  assert_contains(ran.printed, "NOT LISTED");
  ran = CONFLUENCE(
      WORD("--quiet"), WORD("--peaks"), write_text("none.txt", list_but(list, " none known", "")));
  assert_int_equal(ran.status, 1);
  assert_contains(ran.printed, "no instance, NOT LISTED");
}

static void a_false_line_is_reported(void **) {
  const char *list = list_of(CONFLUENCE().printed);
  const char *line = line_with(list, " longer known");
  const char *rule = arena_printf(arena, "%.*s", (int)strcspn(line, " "), line);
  const char *cut = strstr(line, " longer known");
  char *level = arena_printf(arena, "%.*s level known", (int)(cut - line), line);
  Ran ran = CONFLUENCE(WORD("--quiet"), WORD("--peaks"),
      write_text("level.txt", list_but(list, " longer known", level)));
  assert_int_equal(ran.status, 1);
  assert_contains(ran.complained, rule);
  assert_contains(ran.complained, "no result matches its line");
  ran = CONFLUENCE(WORD("--quiet"), WORD("--peaks"),
      write_text(
          "more.txt", arena_printf(arena, "%smod-known no-such-rule 1=1 none known\n", list)));
  assert_int_equal(ran.status, 2);
  assert_contains(ran.complained, "no-such-rule 1=1: listed, but no result matches its line");
  assert_int_equal(CONFLUENCE(WORD("--peaks"), write_text("bad.txt", "one\n")).status, 3);
}

static void random_maps_are_a_second_net(void **) {
  const char *list = list_of(CONFLUENCE().printed);
  Ran ran = CONFLUENCE(WORD("--maps"), WORD("6"), WORD("--quiet"), WORD("--peaks"),
      write_text("overlaps.txt", list));
  assert_int_equal(ran.status, 1);
  assert_contains(ran.printed, "NOT LISTED");
  assert_contains(ran.complained, "1770 pairs of rules on random maps");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(peaks_are_listed_or_fail),
      cmocka_unit_test(a_false_line_is_reported), cmocka_unit_test(random_maps_are_a_second_net)};
  return cmocka_run_group_tests(tests, command_begin, command_end);
}
