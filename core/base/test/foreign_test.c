/* Foreign strings in output: no byte that a terminal or a runner of workflows interprets is
 * printed, and UTF-8 is as in RFC 3629. Files are replaced as a whole. */
#include "core/base/foreign.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/error.h"
#include "core/base/file.h"

/* The definition in RFC 3629, section 4, by ranges of bytes. */
static size_t defined_length(const unsigned char *b) {
  static const struct {
    unsigned char lo[4], hi[4];
    size_t length;
  } rows[] = {{{0x00}, {0x7F}, 1}, {{0xC2, 0x80}, {0xDF, 0xBF}, 2},
      {{0xE0, 0xA0, 0x80}, {0xE0, 0xBF, 0xBF}, 3}, {{0xE1, 0x80, 0x80}, {0xEC, 0xBF, 0xBF}, 3},
      {{0xED, 0x80, 0x80}, {0xED, 0x9F, 0xBF}, 3}, {{0xEE, 0x80, 0x80}, {0xEF, 0xBF, 0xBF}, 3},
      {{0xF0, 0x90, 0x80, 0x80}, {0xF0, 0xBF, 0xBF, 0xBF}, 4},
      {{0xF1, 0x80, 0x80, 0x80}, {0xF3, 0xBF, 0xBF, 0xBF}, 4},
      {{0xF4, 0x80, 0x80, 0x80}, {0xF4, 0x8F, 0xBF, 0xBF}, 4}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    bool fits = true;
    for (size_t k = 0; k < rows[i].length && fits; k++)
      fits = b[k] >= rows[i].lo[k] && b[k] <= rows[i].hi[k];
    if (fits) return rows[i].length;
  }
  return 0;
}

static void utf8_is_that_of_the_standard(void **) {
  static const unsigned char bytes[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0,
      0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF};
  static constexpr size_t count = sizeof bytes;
  for (size_t first = 0; first < 256; first++)
    for (size_t i = 0; i < count * count * count; i++) {
      unsigned char text[5] = {(unsigned char)first, bytes[i % count], bytes[i / count % count],
          bytes[i / count / count], 0};
      assert_int_equal(utf8_length((const char *)text), defined_length(text));
    }
}

static const char *shown(Arena *arena, const char *string) {
  Text text = text_create(arena);
  text_foreign(&text, string);
  char copy[200];
  foreign_copy(sizeof copy, copy, string);
  assert_string_equal(text.bytes, copy);
  return text.bytes;
}

static void nothing_is_obeyed(void **) {
  Arena *arena = arena_create();
  assert_string_equal(shown(arena, "a/b c.hlo"), "a/b c.hlo");
  assert_string_equal(shown(arena, "gr\u00f6\u00dfe"), "gr\u00f6\u00dfe");
  assert_string_equal(shown(arena, "a\n::stop-commands::x"), "a\\u000a::stop-commands::x");
  assert_string_equal(shown(arena, "::error::x"), "\\u003a:error::x");
  assert_string_equal(shown(arena, "  ::error::x"), "  \\u003a:error::x");
  assert_string_equal(shown(arena, "a ##[error]x"), "a \\u0023#[error]x");
  assert_string_equal(shown(arena, "\033[2J\x7f\r"), "\\u001b[2J\\u007f\\u000d");
  assert_string_equal(shown(arena, "\xe2\x80\xaexyz\xe2\x81\xa6"), "\\u202exyz\\u2066");
  assert_string_equal(shown(arena, "\xc2\x9b"
                                   "31m"),
      "\\u009b31m");
  assert_string_equal(shown(arena, "\xed\xa0\x80"), "\\u00ed\\u00a0\\u0080");
  char small[9];
  foreign_copy(sizeof small, small, "abc\033d");
  assert_string_equal(small, "abc");
  arena_destroy(arena);
}

static void lines_of_ours_stay(void **) {
  char bytes[256] = {};
  FILE *stream = fmemopen(bytes, sizeof bytes - 1, "w");
  ForeignLine line = {};
  assert_true(foreign_write(stream, &line, "one\n\t two: three\n  "));
  assert_true(foreign_write(stream, &line, "::error::x\n::y a ::z"));
  assert_true(foreign_write(stream, &line, "::w \033"));
  fclose(stream);
  assert_string_equal(bytes, "one\n\t two: three\n  \\u003a:error::x\n\\u003a:y a ::z::w \\u001b");
}

static void errors_are_one_line(void **) {
  Error error = {};
  error_set(&error, ERROR_INPUT, "no '%s'", "a\n::stop-commands::x\033");
  snprintf(error.name, sizeof error.name, "b\n::error::c");
  char text[512];
  error_format(&error, text, sizeof text);
  assert_string_equal(text, "b\\u000a::error::c: error: no 'a\\u000a::stop-commands::x\\u001b'\n");
}

static uint32_t count_of(const char *text, const char *part) {
  uint32_t count = 0;
  for (const char *at = text; (at = strstr(at, part)) != nullptr; at += strlen(part)) count++;
  return count;
}

/* A path that is too long keeps its end, which names the file; no character is cut. */
static void a_long_name_keeps_its_end(void **) {
  char path[700];
  memset(path, 'd', sizeof path);
  for (size_t shift = 0; shift < 2; shift++) {
    Error error = {};
    for (size_t i = 300 + shift; i + 1 < 420; i += 2) memcpy(path + i, "\u00e9", 2);
    snprintf(path + 690, 10, "/a.hlo");
    (void)error_of_file(&error, ERROR_INPUT, path, "what");
    const size_t length = strlen(error.name);
    assert_true(length + 2 >= sizeof error.name);
    assert_memory_equal(error.name, "...\u00e9", 5);
    assert_string_equal(error.name + 3, path + 696 - (length - 3));
  }
  Error whole = {};
  path[sizeof whole.name - 1] = 0;
  (void)error_of_file(&whole, ERROR_INPUT, path, "what");
  assert_string_equal(whole.name, path);
}

/* An escape takes six bytes for one. */
static void an_escaped_text_has_capacity(void **) {
  Error error = {};
  char message[300], name[150];
  memset(message, 'm', sizeof message);
  memset(name, 'n', sizeof name);
  for (size_t i = 0; i < 40; i++) message[i] = 1;
  for (size_t i = 0; i < 20; i++) name[i] = 1;
  error_set(&error, ERROR_INPUT, "%.*s", (int)sizeof message, message);
  snprintf(error.name, sizeof error.name, "%.*s", (int)sizeof name, name);
  char text[2048];
  error_format(&error, text, sizeof text);
  assert_int_equal(count_of(text, "\\u0001"), 60);
  assert_int_equal(count_of(text, "m"), 260);
  assert_int_equal(count_of(text, "n"), 130);
}

static void an_error_is_printed_as_it_is_formatted(void **) {
  Error error = {};
  error_set(&error, ERROR_INPUT, "no such thing");
  char text[512] = "", bytes[512] = "";
  error_format(&error, text, sizeof text);
  FILE *stream = fmemopen(bytes, sizeof bytes, "w");
  assert_non_null(stream);
  error_print(&error, stream);
  fclose(stream);
  assert_string_equal(bytes, "error: no such thing\n");
  assert_string_equal(bytes, text);
}

static const char *content(Arena *arena, const char *path) {
  Source source;
  Error error = {};
  return file_read(arena, path, 1000, &source, &error) ? source.text : nullptr;
}

/* A write that fails, here because of a limit on file sizes, keeps the old text and leaves no other
 * file. A new file has the mode that the mask of the process leaves, and the mask stays. */
static void files_are_replaced_as_a_whole(void **) {
  Arena *arena = arena_create();
  char directory[512], path[544];
  Error error = {};
  file_scratch(sizeof directory, directory, "foreign");
  assert_non_null(mkdtemp(directory));
  snprintf(path, sizeof path, "%s/f", directory);
  assert_true(file_write(path, "old", 3, &error));
  assert_int_equal(chmod(path, 0640), 0);
  pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){.rlim_cur = 8, .rlim_max = 8});
    _exit(file_write(path, "a text that does not fit", 24, &error) ? 1 : 0);
  }
  int how;
  waitpid(child, &how, 0);
  assert_int_equal(how, 0);
  assert_string_equal(content(arena, path), "old");
  assert_true(file_write(path, "new", 3, &error));
  assert_string_equal(content(arena, path), "new");
  struct stat state;
  assert_int_equal(stat(path, &state), 0);
  assert_int_equal(state.st_mode & 0777, 0640);
  unlink(path);
  mode_t mask = umask(027);
  assert_true(file_write(path, "new", 3, &error));
  assert_int_equal(umask(mask), 027);
  assert_int_equal(stat(path, &state), 0);
  assert_int_equal(state.st_mode & 0777, 0640);
  unlink(path);
  assert_int_equal(rmdir(directory), 0);
  assert_true(file_write("/dev/null", "x", 1, &error));
  assert_false(file_write("/dev/null/x", "x", 1, &error));
  arena_destroy(arena);
}

/* A shell itself reads the words back. */
static void a_word_of_a_shell_is_one_word(void **state) {
  (void)state;
  static const char *const words[] = {"a", "", "a b", "it's", "$(exit 3)", "`x`", "a\\b", "*", "~",
      "a;b", "\"", "'", "''", "#x", "!x", "a\nb", "{a,b}", "-", "dir/f-1_2.hlo", "x=1", "\xc3\xa9"};
  Arena *arena = arena_create();
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const char *word = shell_word(arena, words[i]);
    char read[64];
    FILE *shell = popen(arena_printf(arena, "printf '%%s|' %s", word), "r");
    assert_non_null(shell);
    size_t length = fread(read, 1, sizeof read - 1, shell);
    read[length] = 0;
    assert_int_equal(pclose(shell), 0);
    assert_string_equal(read, arena_printf(arena, "%s|", words[i]));
  }
  assert_string_equal(shell_word(arena, "dir/f-1_2.hlo"), "dir/f-1_2.hlo");
  assert_string_equal(shell_path(arena, "a b.hlo"), "'a b.hlo'");
  assert_string_equal(shell_path(arena, "-"), "FILE");
  assert_string_equal(shell_path(arena, "<stdin>"), "FILE");
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(utf8_is_that_of_the_standard),
      cmocka_unit_test(nothing_is_obeyed),
      cmocka_unit_test(lines_of_ours_stay),
      cmocka_unit_test(errors_are_one_line),
      cmocka_unit_test(a_long_name_keeps_its_end),
      cmocka_unit_test(an_escaped_text_has_capacity),
      cmocka_unit_test(an_error_is_printed_as_it_is_formatted),
      cmocka_unit_test(files_are_replaced_as_a_whole),
      cmocka_unit_test(a_word_of_a_shell_is_one_word),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
