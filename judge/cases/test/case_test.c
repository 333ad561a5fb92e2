/* Tests of the parser of cases: names, continued lines, blocks, several expectations, and each
 * error with its position. */
#include "judge/cases/case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/text.h"

static bool case_parse(
    Arena *arena, const char *name, const char *text, CaseFile *cases, Error *error) {
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = name, .text = text, .length = strlen(text), .first_line = 1};
  *error = (Error){};
  return cases_parse(arena, source, cases, error);
}

static void reads_three_lines_and_a_blank_one(void **) {
  Arena *arena = arena_create();
  CaseFile cases;
  Error error;
  assert_true(case_parse(arena, "a.case",
      "# a file of two\n\n# one\nparse (d0) -> (d0)\n= x\n\n# two\n# said why\nsame A ; B\nrefuted d0=3\n",
      &cases, &error));
  assert_int_equal(cases.count, 2);
  assert_false(cases.must_fail);
  assert_string_equal(cases.items[0].name, "one");
  assert_int_equal(cases.items[0].verb, VERB_PARSE);
  assert_string_equal(cases.items[0].input.text, "(d0) -> (d0)");
  assert_int_equal(cases.items[0].line, 4);
  assert_string_equal(cases.items[1].name, "two");
  assert_int_equal(cases.items[1].expected.items[0].kind, EXPECT_REFUTED);
  assert_string_equal(cases.items[1].expected.items[0].text.text, "d0=3");
  arena_destroy(arena);
}

static void continued_lines_belong_to_the_line_above(void **) {
  Arena *arena = arena_create();
  CaseFile cases;
  Error error;
  assert_true(case_parse(arena, "b.bad.case",
      "# long\nsimplify (d0) -> (d0),\n  domain:\n  d0 in [0, 3]\n= (d0)\n   -> (d0)\n", &cases,
      &error));
  assert_true(cases.must_fail);
  assert_string_equal(cases.items[0].input.text, "(d0) -> (d0),\n  domain:\n  d0 in [0, 3]");
  assert_string_equal(cases.items[0].expected.items[0].text.text, "(d0)\n   -> (d0)");
  arena_destroy(arena);
}

static const char *without_blanks(Arena *arena, const char *text) {
  Text kept = text_create(arena);
  for (; *text != 0; text++)
    if (*text != ' ' && *text != '\t') text_append(&kept, text, 1);
  return kept.bytes;
}

/* All texts of three bytes, as the second line and the third one of a case. */
static void a_text_of_several_lines_is_continued(void **) {
  static const char bytes[] = "a \t\n";
  for (uint32_t code = 0; code < 4 * 4 * 4; code++) {
    Arena *arena = arena_create();
    const char *text =
        arena_printf(arena, "x\n%c%c%cy", bytes[code % 4], bytes[code / 4 % 4], bytes[code / 16]);
    const char *line = case_continued(arena, text);
    assert_string_equal(without_blanks(arena, line), without_blanks(arena, text));
    for (const char *at = line; *at != 0; at++)
      if (at[0] == '\n' && strchr(" \t", at[1]) == nullptr) fail_msg("'%s'", line);
    CaseFile cases;
    Error error;
    if (strstr(without_blanks(arena, text), "\n\n") == nullptr) { /* a blank line ends the case */
      assert_true(case_parse(
          arena, "a.case", arena_printf(arena, "# a\nparse %s\n= y\n", line), &cases, &error));
      assert_string_equal(cases.items[0].input.text, line);
    }
    arena_destroy(arena);
  }
}

static void blocks_may_hold_blank_lines_and_maps_follow(void **) {
  Arena *arena = arena_create();
  CaseFile cases;
  Error error;
  const char *text =
      "# one\ncheck o2i 0 0 hlo\np0 = f32[2] parameter(0)\n\nROOT n = f32[2] negate(p0)\nend\nmap A\nmap B\nwrong\n\n"
      "# two\nmap i2o 0 0\nhlo\np\nend\n= A\n= B\n";
  assert_true(case_parse(arena, "c.case", text, &cases, &error));
  assert_int_equal(cases.count, 2);
  assert_string_equal(cases.items[0].input.text, "o2i 0 0");
  assert_string_equal(
      cases.items[0].block.text, "p0 = f32[2] parameter(0)\n\nROOT n = f32[2] negate(p0)\n");
  assert_int_equal(cases.items[0].block.first_line, 3);
  assert_int_equal(cases.items[0].maps.count, 2);
  assert_string_equal(cases.items[1].block.text, "p\n");
  assert_int_equal(cases.items[1].expected.count, 2);
  arena_destroy(arena);
}

/* XLA indents the lines of a module. */
static void indented_blocks_follow_the_word_on_the_line(void **) {
  static const char *const texts[] = {
      "# one\nmap o2i 0 0 hlo\n  p\n  ROOT q\n  end\n= A\n",
      "# one\nmap o2i 0 0\n  hlo\n  p\n  ROOT q\nend\n= A\n",
      "# one\nmap o2i\n  0 0 hlo\n  p\n  ROOT q\nend\n= A\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Arena *arena = arena_create();
    CaseFile cases;
    Error error;
    assert_true(case_parse(arena, "i.case", texts[i], &cases, &error));
    assert_string_equal(cases.items[0].input.text, i == 2 ? "o2i\n  0 0" : "o2i 0 0");
    assert_string_equal(cases.items[0].block.text, "  p\n  ROOT q\n");
    arena_destroy(arena);
  }
}

static void faults_have_their_location(void **) {
  static const struct {
    const char *text;
    uint32_t line;
    const char *message;
  } rows[] = {
      {"", 1, "no case in this text"},
      {"\n\n# only a remark\n\n", 1, "no case in this text"},
      {"parse A\n= A\n", 1, "a case begins with `# name`, one word"},
      {"# two words\nparse A\n= A\n", 2, "a case begins with `# name`, one word"},
      {"# one\npars A\n= A\n", 2, "'pars' is not a verb of cases; did you mean parse?"},
      {"# one\nwhatever A\n= A\n", 2, "'whatever' is not a verb of cases"},
      {"# one\nparse A\n", 3, "a case must say what is expected"},
      {"# one\nparse A\n~ A\n", 3,
          "an expectation begins with one of: = nothing error proved refuted exact over-approximation wrong undefined sound"},
      {"# one\nmap o2i 0 0\n= A\n", 2, "this verb wants a block: `hlo` or `rules`, lines, `end`"},
      {"# one\nmap o2i 0 0 hlo\np\n\n= A\n", 2, "this block has no `end`"},
      {"# one\nparse A\nmap (garbage\n= A\n", 3, "`map` lines belong to `check` alone"},
      {"# one\nparse A\n= A\n\n# one\nparse A\n= A\n", 5, "an earlier case has this name"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    CaseFile cases;
    Error error;
    assert_false(case_parse(arena, "d.case", rows[i].text, &cases, &error));
    assert_string_equal(error.message, rows[i].message);
    assert_int_equal(error.line, rows[i].line);
    arena_destroy(arena);
  }
}

/* Every prefix and every changed byte of a legal text is parsed or rejected, without a crash. */
static void garbage_gets_an_answer(void **) {
  static const char text[] =
      "# one\ncheck o2i 0 0 hlo\np0 = f32[2] parameter(0)\nend\nmap A\nwrong x\n\n# two\nparse A\n B\n= A\n";
  for (size_t i = 0; i < sizeof text; i++) {
    char copy[sizeof text];
    memcpy(copy, text, sizeof text);
    copy[i] = (char)(i * 37 + 1);
    Source source = {.name = "e.case",
        .text = copy,
        .length = i % 2 == 0 ? sizeof text - 1 : i,
        .first_line = 1};
    Arena *arena = arena_create();
    CaseFile cases;
    Error error = {};
    bool read = cases_parse(arena, &source, &cases, &error);
    assert_true(read == (error.kind == ERROR_NONE));
    assert_true(!read || cases.count > 0);
    arena_destroy(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_three_lines_and_a_blank_one),
      cmocka_unit_test(continued_lines_belong_to_the_line_above),
      cmocka_unit_test(a_text_of_several_lines_is_continued),
      cmocka_unit_test(blocks_may_hold_blank_lines_and_maps_follow),
      cmocka_unit_test(indented_blocks_follow_the_word_on_the_line),
      cmocka_unit_test(faults_have_their_location),
      cmocka_unit_test(garbage_gets_an_answer),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
