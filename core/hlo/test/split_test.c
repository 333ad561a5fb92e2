/* Texts of several modules: where they are split, and that errors keep the line numbers of the
 * whole text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/hlo/read/from_text.h"

#define ENTRY(name) "ENTRY " name " { p = f32[] parameter(0) }\n"

static const struct {
  const char *text;
  uint32_t count, second_line; /* second_line: of the second part; 0 if there is none */
} splits[] = {
    {ENTRY("a"), 1, 0},
    {"HloModule a\n" ENTRY("a") "HloModule b\n" ENTRY("b"), 2, 3},
    {"HloModule a\n" ENTRY("a") "// -----\nHloModule b\n" ENTRY("b"), 2, 4},
    {ENTRY("a") "// -----\n" ENTRY("b") "// -----\n// CHECK: nothing\n", 2, 3},
    {"// RUN: x\n// -----\n" ENTRY("a"), 1, 0},
    {"HloModule a, x=\"\nHloModule b\n\"\n" ENTRY("a"), 1, 0},
    {"/*\nHloModule b\n*/ HloModule a\n" ENTRY("a"), 1, 0},
    {"HloModule a\n" ENTRY("a") "  HloModule b\n" ENTRY("b"), 2, 3},
    {"HloModule a\n" ENTRY("a") "  //   -----\n", 1, 0},
    {"HloModule a\nf { p = f32[] parameter(0) }\nHloModule2 { p = f32[] parameter(0) }\n", 1, 0},
    {"HloModule a\n" ENTRY("a") "HloModule\tb\n" ENTRY("b"), 2, 3},
    {"HloModule a\n" ENTRY("a") "HloModule/*c*/ b\n" ENTRY("b"), 2, 3},
    {"HloModule a // \"\rENTRY e { p = f32[] parameter(0) }\nHloModule b\n" ENTRY("b"), 2, 2},
};

static void texts_are_cut_between_modules(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
    Arena *arena = arena_create();
    Error error = {};
    Source source = source_of(splits[i].text, strlen(splits[i].text)), *parts;
    uint32_t count;
    assert_true(hlo_split(arena, &source, &count, &parts, &error));
    assert_int_equal(count, splits[i].count);
    if (count > 1)
      assert_int_equal(parts[1].first_line, splits[i].second_line - 1 + (parts[1].text[0] != '\n'));
    for (uint32_t line = 0; line < 4; line++) { /* 0 counts from 1 */
      Source moved = source, *others;
      uint32_t other_count;
      moved.first_line = line;
      assert_true(hlo_split(arena, &moved, &other_count, &others, &error));
      assert_int_equal(other_count, count);
      for (uint32_t j = 0; j < count; j++)
        assert_int_equal(
            others[j].first_line, parts[j].first_line + (line == 0 ? 1 : line) - source.first_line);
    }
    for (uint32_t j = 0; j < count; j++) {
      const Module *module;
      assert_true(hlo_read(arena, &parts[j], &module, &error));
    }
    arena_destroy(arena);
  }
}

static void an_error_has_the_line_of_the_whole_text(void **state) {
  (void)state;
  Arena *arena = arena_create();
  static const char text[] =
      "HloModule a\n" ENTRY("a") "// -----\n\nHloModule b\nENTRY b {\n  x = f32[] add(y)\n}\n";
  Error error = {};
  Source source = source_of(text, sizeof text - 1), *parts;
  uint32_t count;
  const Module *module;
  assert_true(hlo_split(arena, &source, &count, &parts, &error));
  assert_int_equal(count, 2);
  assert_true(hlo_read(arena, &parts[0], &module, &error));
  assert_false(hlo_read(arena, &parts[1], &module, &error));
  assert_int_equal(error.line, 7);
  assert_int_equal(error.column, 17);
  arena_destroy(arena);
}

static void a_text_without_a_module_is_rejected(void **state) {
  (void)state;
  Arena *arena = arena_create();
  static const char text[] = "// CHECK: a\n// -----\n  /* b */\n";
  Error error = {};
  Source source = source_of(text, sizeof text - 1), *parts;
  uint32_t count;
  assert_false(hlo_split(arena, &source, &count, &parts, &error));
  assert_string_equal(error.message, "the text has no module");
  assert_int_equal(error.line, 4);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_are_cut_between_modules),
      cmocka_unit_test(an_error_has_the_line_of_the_whole_text),
      cmocka_unit_test(a_text_without_a_module_is_rejected),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
