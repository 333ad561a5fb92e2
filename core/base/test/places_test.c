/* Places of errors in a piece of a text, against errors that are set in the whole text; texts on
 * one line; paths that are no files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/test/test_arena.h"
#include "core/base/text.h"

static void assert_same_error(const Error *a, const Error *b) {
  assert_int_equal(a->kind, b->kind);
  assert_string_equal(a->message, b->message);
  assert_string_equal(a->name, b->name);
  assert_string_equal(a->excerpt, b->excerpt);
  assert_true(
      a->line == b->line && a->column == b->column && a->width == b->width && a->caret == b->caret);
}

static uint32_t line_at(const Source *source, size_t offset) {
  uint32_t line = source->first_line;
  for (size_t i = 0; i < offset; i++) line += source->text[i] == '\n';
  return line;
}

/* Every piece that begins in the text, before the end of a line, and ends where the text ends;
 * every place in the piece. */
static void an_error_of_a_piece_is_placed_in_the_whole(void **) {
  static const char *const texts[] = {"abcd", "abc\ndefg\nhi", "\nab\n\ncd\n", "a\na\na", "ab\n"};
  static const uint32_t first_lines[] = {1, 7};
  for (size_t i = 0; i < 2 * (sizeof texts / sizeof *texts); i++) {
    const char *text = texts[i / 2];
    Source whole = {
        .name = "w", .text = text, .length = strlen(text), .first_line = first_lines[i % 2]};
    for (size_t from = 0; from < whole.length; from++)
      for (size_t at = text[from] == '\n' ? whole.length + 1 : from; at <= whole.length; at++)
        for (uint32_t width = 0; width < 4; width++) {
          Source piece = {.name = "p",
              .text = text + from,
              .length = whole.length - from,
              .first_line = line_at(&whole, from)};
          Error error = {}, wanted = {};
          (void)error_at(&error, ERROR_LIMIT, &piece, at - from, width, "no %d", 5);
          (void)error_at(&wanted, ERROR_LIMIT, &whole, at, width, "no %d", 5);
          Error placed = error_in_whole(&whole, &error);
          assert_same_error(&placed, &wanted);
        }
  }
}

/* A line that is not in the text, or is another one there, places nothing. */
static void an_error_of_another_text_is_as_it_was(void **) {
  static const char text[] = "abc\ndefg\nhi\ndefg x";
  const Source whole = {.name = "w", .text = text, .length = strlen(text), .first_line = 3};
  static const struct {
    const char *line;
    uint32_t number;
  } rows[] = {{"abc", 4}, {"hi", 4}, {"defg x", 4}, {"x", 4}, {"abc", 7}, {"h", 7}, {"zz", 3},
      {"defgh", 4}, {"hi", 9}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Source other = {.name = "o",
        .text = rows[i].line,
        .length = strlen(rows[i].line),
        .first_line = rows[i].number};
    Error error = {};
    (void)error_at(&error, ERROR_INPUT, &other, 0, 1, "wrong");
    Error placed = error_in_whole(&whole, &error);
    assert_same_error(&placed, &error);
  }
}

/* All texts of up to four of these bytes. */
static void lines_are_joined_by_blanks(void **) {
  static const char bytes[] = {'\n', '\0', ' ', '\t', 'a', '\r'};
  for (uint32_t i = 0; i < 6 * 6 * 6 * 6; i++)
    for (uint32_t length = 0; length <= 4; length++) {
      Text text = text_create(arena);
      char given[4], wanted[4];
      for (uint32_t k = 0, rest = i; k < length; k++, rest /= 6) {
        given[k] = bytes[rest % 6];
        wanted[k] = rest % 6 < 2 ? ' ' : given[k];
      }
      text_append(&text, given, length);
      text_join_lines(&text);
      assert_int_equal(text.length, length);
      assert_memory_equal(text.bytes, wanted, length);
      assert_int_equal(text.bytes[length], 0);
    }
}

static void only_files_are_regular(void **) {
  char directory[200];
  file_scratch(sizeof directory, directory, "places");
  assert_non_null(mkdtemp(directory));
  const char *pipe_path = arena_printf(arena, "%s/pipe", directory),
             *file_path = arena_printf(arena, "%s/file", directory);
  Error error = {};
  assert_int_equal(mkfifo(pipe_path, 0600), 0);
  FILE *file = fopen(file_path, "w");
  assert_non_null(file);
  fclose(file);
  assert_true(file_check_regular(file_path, &error));
  assert_true(file_check_regular(arena_printf(arena, "%s/none", directory), &error));
  assert_int_equal(error.kind, ERROR_NONE);
  assert_false(file_check_regular(directory, &error));
  assert_int_equal(error.kind, ERROR_ENVIRONMENT);
  assert_string_equal(error.message, "is a directory");
  assert_string_equal(error.name, directory);
  error = (Error){};
  assert_false(file_check_regular(pipe_path, &error));
  assert_string_equal(error.message, "is not a regular file");
  (void)unlink(pipe_path);
  (void)unlink(file_path);
  (void)rmdir(directory);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_error_of_a_piece_is_placed_in_the_whole),
      cmocka_unit_test(an_error_of_another_text_is_as_it_was),
      cmocka_unit_test(lines_are_joined_by_blanks), cmocka_unit_test(only_files_are_regular)};
  return cmocka_run_group_tests(tests, arena_begin, arena_end);
}
