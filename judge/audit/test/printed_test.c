/* Parses output of print_indexing, with and without log lines: blocks, maps, lines, and each
 * error. */
#include "judge/audit/printed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/test_arena.h"
#include "core/base/text.h"

static bool printed_cut(const char *text, Printed *printed, Error *error) {
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "maps", .text = text, .length = strlen(text), .first_line = 1};
  *error = (Error){};
  return printed_parse(arena, source, printed, error);
}

static Printed printed_read(const char *text) {
  Printed printed;
  Error error;
  assert_true(printed_cut(text, &printed, &error));
  return printed;
}

static void blocks_in_order(void **) {
  Printed printed = printed_read(
      "Output 0 operand 0:\n(d0) -> (d0), domain: d0 in [0, 3]\nKNOWN EMPTY\nOutput 1 operand 2:\n(none)\n"
      "Operand 1.2 output 0:\nUNDEFINED");
  assert_int_equal(printed.count, 3);
  assert_int_equal(printed.items[0].maps.count, 2);
  assert_string_equal(printed.items[0].maps.items[1].text, "KNOWN EMPTY");
  assert_true(printed.items[1].is_none);
  assert_int_equal(printed.items[1].line, 4);
  assert_int_equal(printed.items[1].output, 1);
  assert_int_equal(printed.items[1].operand, 2);
  assert_int_equal(printed.items[1].operand_leaf, -1);
  assert_true(printed.items[2].is_inverse);
  assert_int_equal(printed.items[2].operand, 1);
  assert_int_equal(printed.items[2].operand_leaf, 2);
  assert_int_equal(printed.passed_over, 0);
}

/* Log lines are emptied but kept, so that an error in a map's third line is at line 3. */
static void logs_leave_empty_lines(void **) {
  Printed printed = printed_read(
      "I0000 00:00:17.1 1 x.cc:3] (d0) -> (d9), Output 0 operand 7:\nOutput 0 operand 0:\r\n"
      "  (d0){rt0} -> (d0 + rt0),\n2026-08-01 12:00:00 -> log\n  domain: d0 in [0, 3]\n  rt0 in [0, 4]\n"
      "(d0 + rt0) in [0, 5]\nruntime variables:\n\nWARNING: All log messages\nrt0: %off; (d0) -> (),\ndomain:\nd0 in [0, 3]\n\n"
      "replica_id map: (d0) -> (d0)\nsome words\n(d0) -> (1), domain: d0 in [0, 3]\n");
  assert_int_equal(printed.count, 1);
  assert_int_equal(printed.items[0].line, 2);
  assert_int_equal(printed.items[0].maps.count, 2);
  assert_string_equal(printed.items[0].maps.items[0].text,
      "(d0){rt0} -> (d0 + rt0),\n\ndomain: d0 in [0, 3]\nrt0 in [0, 4]\n(d0 + rt0) in [0, 5]\nruntime variables:\n\n\n"
      "rt0: %off; (d0) -> (),\ndomain:\nd0 in [0, 3]");
  assert_int_equal(printed.items[0].maps.items[0].first_line, 3);
  assert_int_equal(printed.items[0].maps.items[1].first_line, 17);
  assert_int_equal(printed.passed_over, 5);
  assert_int_equal(printed.replica_lines, 1);
}

/* Text that could be part of a map is never dropped: it becomes a map that does not parse. */
static void pieces_are_kept(void **) {
  static const char *const pieces[] = {"d0) -> (d0), domain: d0 in [0, 3]", "d0 in [0, 3]",
      "domain: d0 in [0, 3]", "rt0: off; (d0) -> ()", "runtime variables:", "(d0"};
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
    Printed printed = printed_read(arena_printf(arena, "Output 0 operand 0:\n%s\n", pieces[i]));
    assert_int_equal(printed.items[0].maps.count, 1);
    assert_string_equal(printed.items[0].maps.items[0].text, pieces[i]);
  }
}

/* White space is free in a map, so that no line of a domain is taken for words beside it. */
static void lines_of_a_domain_are_kept(void **) {
  static const char *const lines[] = {"d0 mod 2 in[0, 0]", "d0 mod 2 in  [0, 0]",
      "d0 mod 2 in\t[0, 0]", "d0 mod 2\nin [0, 0]", "d0 mod 2 in\n[0,\n0]", "d0 mod 2 is 0",
      "\nd0 mod 2 in\n[0, 0]", "1000-10 * d0 in [1000, 1000]", "1000-10-20 * d0 in [980, 980]",
      "replica mod 2 in [0, 0]", "Replica0 mod 2 in\n[0, 0]", "E0001 mod 2 in [0, 0]"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    const char *map = arena_printf(arena, "(d0) -> (d0),\ndomain:\nd0 in [0, 3]\n%s", lines[i]);
    Printed printed = printed_read(
        arena_printf(arena, "Output 0 operand 0:\n%s\n\nwords\nOutput 0 operand 1:\n", map));
    assert_int_equal(printed.items[0].maps.count, 1);
    assert_string_equal(printed.items[0].maps.items[0].text, map);
    assert_int_equal(printed.passed_over, 1);
  }
}

static void no_heading_is_an_error(void **) {
  static const char *const faults[] = {"", "\n\n", "(d0) -> (d0), domain: d0 in [0, 3]",
      "Output 0 operand x:\n", "Output 0 operand 1: \nOutput 0 operand 1",
      "Output 0 operand 4294967296:\n", "Output 99999999999999999999999 operand 0:\n",
      "Output 0 operand 1.:\n", "Output 0 operand 1 :\n", "Operand 0 output -1:\n"};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    Printed printed;
    Error error;
    assert_false(printed_cut(faults[i], &printed, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_int_equal(error.line, i == 4 ? 2 : 1);
  }
}

/* Nobody would judge such a map. A line of a log may have an arrow. */
static void a_map_needs_a_heading(void **) {
  static const char block[] = "Output 0 operand 0:\n(none)\n", section[] = "# r in e\n";
  static const char *const maps[] = {"(d0) -> (d0), domain: d0 in [0, 3]\n", "KNOWN EMPTY\n",
      "UNDEFINED\n", "(none)\n", "()[s0] -> (s0),\n"};
  Printed printed;
  Error error;
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
    assert_false(printed_cut(arena_printf(arena, "%s%s", maps[i], block), &printed, &error));
    assert_int_equal(error.line, 1);
    assert_false(
        printed_cut(arena_printf(arena, "%s%s%s", block, section, maps[i]), &printed, &error));
    assert_int_equal(error.line, 4);
    assert_non_null(strstr(error.message, "a map under no heading"));
  }
  printed =
      printed_read("a -> (b)\nENTRY e (p: f32[3]) -> (f32[3]) {\nOutput 0 operand 0:\n(none)");
  assert_int_equal(printed.passed_over, 2);
}

static void garbage_is_read_or_rejected(void **) {
  uint64_t state = 88172645463325252u;
  static const char *const words[] = {"Output 0 operand 0:", "(d0)", " -> ", "\n", "rt0: a; ",
      "domain:", " in [0, 3]", "(none)", "\n\n", "runtime variables:", "KNOWN EMPTY", "I0000 x",
      "replica", "\xff", "Operand", " "};
  for (int round = 0; round < 20000; round++) {
    ArenaMark mark = arena_mark(arena);
    Text text = text_create(arena);
    for (int i = 0; i < 24; i++) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      text_string(&text, words[state % (sizeof words / sizeof *words)]);
    }
    Printed printed;
    Error error;
    if (printed_cut(text.bytes, &printed, &error)) assert_true(printed.count > 0);
    arena_rewind(arena, mark);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(blocks_in_order, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(logs_leave_empty_lines, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(pieces_are_kept, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(lines_of_a_domain_are_kept, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(no_heading_is_an_error, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(a_map_needs_a_heading, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(garbage_is_read_or_rejected, arena_begin, arena_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
