/* The base: arithmetic against 128-bit definitions, arena marks, errors with carets, unreadable
 * files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/bindings.h"
#include "core/base/budget.h"
#include "core/base/checked.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/law_grade.h"
#include "core/base/table.h"
#include "core/base/text.h"

typedef _BitInt(128) Wide;

/* The definition: x = c * q + r with 0 <= r < c has exactly one solution. */
static void check_division(int64_t x, int64_t c) {
  int64_t q = floordiv64(x, c), r = mod64(x, c), up = ceildiv64(x, c);
  assert_true((Wide)c * q + r == x && 0 <= r && r < c);
  assert_true((Wide)c * up >= x && (Wide)c * up - x < c);
}

static void divisions_meet_their_definition(void **state) {
  (void)state;
  for (int64_t c = 1; c <= 127; c++)
    for (int64_t x = -128; x <= 127; x++) check_division(x, c);
  static const int64_t ends[] = {
      INT64_MIN, INT64_MIN + 1, -2, -1, 0, 1, 2, INT64_MAX - 1, INT64_MAX};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    for (size_t j = 0; j < sizeof ends / sizeof *ends; j++) {
      if (ends[j] > 0) check_division(ends[i], ends[j]);
      assert_int_equal(order64(ends[i], ends[j]), i < j ? -1 : i > j);
      assert_int_equal(order64_at(&ends[i], &ends[j]), i < j ? -1 : i > j);
    }
}

static void overflow_is_reported(void **state) {
  (void)state;
  int64_t value;
  assert_false(add64(INT64_MAX, 1, &value));
  assert_false(sub64(INT64_MIN, 1, &value));
  assert_false(mul64(INT64_MIN, -1, &value));
  assert_true(mul64(INT64_MIN, 1, &value) && value == INT64_MIN);
  assert_true(gcd64(INT64_MIN, 0) == UINT64_C(1) << 63);
  assert_true(gcd64(-12, 18) == 6 && gcd64(0, 0) == 0);
}

static void a_rewind_frees_what_was_allocated_after_the_mark(void **state) {
  (void)state;
  Arena *arena = arena_create();
  char *kept = arena_text(arena, "kept", 4);
  ArenaMark mark = arena_mark(arena);
  for (int round = 0; round < 100; round++) {
    for (int i = 0; i < 100; i++) memset(ARENA_NEW(arena, char, 5000), 1, 5000);
    arena_rewind(arena, mark);
    unsigned char *zeroed = ARENA_NEW(arena, unsigned char, 64);
    for (int i = 0; i < 64; i++) assert_int_equal(zeroed[i], 0);
    memset(zeroed, 1, 64);
    unsigned char *grown = arena_grow(arena, zeroed, 3, 5000, 1);
    for (int i = 0; i < 5000; i++) assert_int_equal(grown[i], i < 3);
    arena_rewind(arena, mark);
  }
  assert_string_equal(kept, "kept");
  assert_in_range(arena_bytes(arena), 1, 4 << 20);
  char *huge = ARENA_NEW(arena, char, (size_t)64 << 20);
  huge[((size_t)64 << 20) - 1] = 1;
  arena_rewind(arena, mark);
  assert_in_range(arena_bytes(arena), 1, 16 << 20);
  arena_destroy(arena);
}

static void an_error_shows_line_and_caret(void **state) {
  (void)state;
  Source source = {.name = "a.txt", .text = "one\ntwo three\n", .length = 14, .first_line = 1};
  Error error = {};
  assert_false(error_at(&error, ERROR_INPUT, &source, 8, 5, "expected %d", 4));
  assert_false(error_set(&error, ERROR_LIMIT, "later"));
  char text[512];
  error_format(&error, text, sizeof text);
  assert_string_equal(text, "a.txt:2:5: error: expected 4\n    2 | two three\n      |     ^~~~~\n");
}

static void an_error_in_a_long_line_is_short(void **state) {
  (void)state;
  static char line[100000];
  memset(line, 'x', sizeof line);
  Source source = {.name = "long", .text = line, .length = sizeof line, .first_line = 7};
  Error error = {};
  assert_false(error_at(&error, ERROR_INPUT, &source, 50000, 10, "here"));
  assert_int_equal(error.line, 7);
  assert_int_equal(error.column, 50001);
  assert_in_range(strlen(error.excerpt), 1, 120);
  Error end = {};
  assert_false(error_at(&end, ERROR_INPUT, &source, SIZE_MAX, 10, "after the end"));
  assert_int_equal(end.column, sizeof line + 1);
}

static void a_message_that_does_not_fit_is_marked(void **state) {
  (void)state;
  char text[2 * sizeof((Error){}).message];
  memset(text, 'x', sizeof text);
  text[sizeof text - 1] = 0;
  Error whole = {}, cut = {};
  size_t most = sizeof whole.message - 1;
  assert_false(error_set(&whole, ERROR_INPUT, "%.*s", (int)most, text));
  assert_false(error_set(&cut, ERROR_INPUT, "%s", text));
  assert_int_equal(strlen(whole.message), most);
  assert_int_equal(whole.message[most - 1], 'x');
  assert_int_equal(strlen(cut.message), most);
  assert_string_equal(cut.message + most - 4, "x...");
}

static void unreadable_files_are_errors(void **state) {
  (void)state;
  Arena *arena = arena_create();
  static const char *const paths[] = {"/nonexistent/file", "/", "/dev/zero"};
  for (size_t i = 0; i < 3; i++) {
    Source source;
    Error error = {};
    assert_false(file_read(arena, paths[i], 1 << 28, &source, &error));
    assert_int_equal(error.kind, ERROR_ENVIRONMENT);
    assert_string_equal(error.name, paths[i]);
  }
  assert_true(arena_bytes(arena) < 16 << 20); /* of a device without an end only a part is read */
  arena_destroy(arena);
}

/* A pipe has no length. A limit of one byte less than the length is too small. */
static void a_file_is_read_whole(void **state) {
  (void)state;
  static const size_t lengths[] = {0, 1, 4095, 65534, 65535, 65536, 1'000'003};
  Arena *arena = arena_create();
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    char path[4096];
    file_scratch(sizeof path, path, "read");
    int file = mkstemp(path);
    char *bytes = arena_alloc(arena, lengths[i] + 1, 1);
    for (size_t k = 0; k < lengths[i]; k++) bytes[k] = (char)(k * 2654435761 >> 20);
    assert_true(file >= 0 && file_append(file, bytes, lengths[i]));
    Source source = {};
    Error error = {};
    assert_true(file_read(arena, path, lengths[i], &source, &error));
    assert_int_equal(source.length, lengths[i]);
    assert_memory_equal(source.text, bytes, lengths[i] + 1);
    if (lengths[i] > 0) assert_false(file_read(arena, path, lengths[i] - 1, &source, &error));
    if (lengths[i] <= 65536) { /* what a pipe holds */
      int ends[2];
      assert_int_equal(pipe(ends), 0);
      assert_true(file_append(ends[1], bytes, lengths[i]));
      close(ends[1]);
      char *end = arena_printf(arena, "/dev/fd/%d", ends[0]);
      assert_true(file_read(arena, end, lengths[i], &source, &error));
      assert_int_equal(source.length, lengths[i]);
      assert_memory_equal(source.text, bytes, lengths[i] + 1);
      close(ends[0]);
    }
    close(file);
    unlink(path);
  }
  arena_destroy(arena);
}

/* text_printf prints the same as vsnprintf, whether it formats a conversion itself or not. */
#define assert_prints_alike(...) \
  do { \
    char expected[300]; \
    Text text = text_create(arena); \
    snprintf(expected, sizeof expected, __VA_ARGS__); \
    text_printf(&text, __VA_ARGS__); \
    assert_string_equal(text.bytes, expected); \
    assert_int_equal(text.length, strlen(expected)); \
  } while (0)

static void formats_print_as_they_do_elsewhere(void **) {
  Arena *arena = arena_create();
  assert_prints_alike("%s", "");
  assert_prints_alike("plain, 100%% of %s", "it");
  assert_prints_alike("%d %d %d %u %u", 0, INT32_MIN, INT32_MAX, 0u, UINT32_MAX);
  assert_prints_alike("%lld,%lld;%llu%llu", (long long)INT64_MIN, (long long)INT64_MAX, 0ull,
      (unsigned long long)UINT64_MAX);
  assert_prints_alike("%s%u then %-5s| %05d %.3s %c %x", "a", 7u, "b", 42, "abcdef", 'z', 255u);
  assert_prints_alike("%u%s", 3u,
      "a long text that does not fit into the room that a text begins with, so that it has to grow on the way, once and twice, to hold all of it, to the end");
  arena_destroy(arena);
}

static void counts_are_listed_with_their_nouns(void **) {
  static const char *const nouns[] = {"dimension", "index", "leaf"};
  static const struct {
    uint32_t counts[3];
    const char *text;
  } rows[] = {{{0, 0, 0}, "none"}, {{1, 0, 0}, "1 dimension"}, {{0, 2, 0}, "2 indices"},
      {{1, 0, 3}, "1 dimension and 3 leaves"}, {{2, 1, 1}, "2 dimensions, 1 index and 1 leaf"}};
  Arena *arena = arena_create();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Text text = text_create(arena);
    text_counts(&text, 3, rows[i].counts, nouns, "none");
    assert_string_equal(text.bytes, rows[i].text);
  }
  arena_destroy(arena);
}

static void one_is_singular(void **) {
  static const char *const rows[][3] = {{"rule", "1 rule", "2 rules"},
      {"further query", "1 further query", "2 further queries"}, {"leaf", "1 leaf", "2 leaves"},
      {"index", "1 index", "2 indices"}, {"warp access", "1 warp access", "2 warp accesses"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_string_equal(counted(1, rows[i][0]), rows[i][1]);
    assert_string_equal(counted(2, rows[i][0]), rows[i][2]);
  }
  const char *first = counted(0, "case"), *second = counted(UINT64_MAX, "case");
  assert_string_equal(first, "0 cases");
  assert_string_equal(second, "18446744073709551615 cases");
}

static void a_text_grows(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Text text = text_create(arena);
  for (int i = 0; i < 10000; i++) text_printf(&text, "%d,", i % 10);
  text_integer(&text, INT64_MIN);
  assert_int_equal(text.length, 20020);
  assert_string_equal(text.bytes + 20000, "-9223372036854775808");
  arena_destroy(arena);
}

static bool is_impatient;
static bool lose_patience(void) { return is_impatient; }

static void a_budget_is_of_the_outermost_question(void **state) {
  (void)state;
  assert_false(budget_is_spent());
  assert_null(budget_running());
  assert_true(budget_begin(100, lose_patience));
  bool inner = budget_begin(100, nullptr);
  assert_false(inner);
  budget_end(inner);
  assert_false(budget_is_spent() || budget_look(budget_running()));
  is_impatient = true;
  assert_true(budget_look(budget_running()));
  is_impatient = false;
  assert_true(budget_is_spent());
  assert_string_equal(budget_reason(), "interrupted");
  budget_end(true);
  assert_false(budget_is_spent());
  assert_true(budget_begin(100, nullptr));
  assert_false(budget_is_spent());
  budget_end(true);
}

static void a_question_after_an_interrupt_ends_at_its_first_look(void **state) {
  (void)state;
  is_impatient = true;
  assert_true(budget_begin(100, lose_patience));
  assert_true(budget_is_spent());
  assert_string_equal(budget_reason(), "interrupted");
  budget_end(true);
  is_impatient = false;
}

static void a_budget_ends_with_its_seconds(void **state) {
  (void)state;
  uint64_t looks = 0;
  assert_true(budget_begin(1, nullptr));
  while (!budget_is_spent()) looks++;
  assert_string_equal(budget_reason(), "out of time");
  assert_true(looks > 64);
  budget_end(true);
}

/* Three hashes for a thousand items: the table offers the items of a hash, in their order. */
static void a_table_offers_the_items_of_a_hash_in_order(void **state) {
  (void)state;
  static constexpr uint32_t items = 1000, hashes = 3;
  Arena *arena = arena_create();
  Table table = {};
  uint32_t item;
  TableProbe empty = table_probe(&table, 1);
  assert_false(table_next(&table, &empty, &item));
  for (uint32_t i = 0; i < items; i++) table_add(&table, arena, 31 * (i % hashes), i);
  assert_int_equal(table.count, items);
  for (uint32_t h = 0; h < hashes; h++) {
    uint32_t next = h;
    for (TableProbe probe = table_probe(&table, 31 * h); table_next(&table, &probe, &item);) {
      assert_int_equal(item, next);
      next += hashes;
    }
    assert_true(next >= items);
  }
  TableProbe other = table_probe(&table, 7);
  assert_false(table_next(&table, &other, &item));
  arena_destroy(arena);
}

static void grades_have_names(void **) {
  static const char *const names[] = {"none", "exact", "ieee", "fast"};
  for (uint32_t i = 0; i < 4; i++) {
    LawGrade grade = LAW_FAST;
    assert_true(law_grade_named(names[i], &grade));
    assert_int_equal(grade, i);
  }
  LawGrade kept = LAW_IEEE;
  assert_false(law_grade_named("fastest", &kept));
  assert_int_equal(kept, LAW_IEEE);
}

static void digits_alone_are_an_integer(void **) {
  static const struct {
    const char *value;
    bool is_integer;
  } rows[] = {{"0", true}, {"-12", true}, {"9223372036854775808", true}, {"", false}, {"-", false},
      {"--1", false}, {"+1", false}, {"1.5", false}, {"-1e9", false}, {"12 ", false},
      {"d0", false}};
  Arena *arena = arena_create();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Bindings bindings = {};
    bindings_text(arena, &bindings, "x", rows[i].value);
    assert_int_equal(bindings.count, 1);
    assert_int_equal(bindings.items[0].is_integer, rows[i].is_integer);
  }
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_table_offers_the_items_of_a_hash_in_order),
      cmocka_unit_test(divisions_meet_their_definition),
      cmocka_unit_test(overflow_is_reported),
      cmocka_unit_test(a_rewind_frees_what_was_allocated_after_the_mark),
      cmocka_unit_test(an_error_shows_line_and_caret),
      cmocka_unit_test(an_error_in_a_long_line_is_short),
      cmocka_unit_test(a_message_that_does_not_fit_is_marked),
      cmocka_unit_test(unreadable_files_are_errors),
      cmocka_unit_test(a_file_is_read_whole),
      cmocka_unit_test(formats_print_as_they_do_elsewhere),
      cmocka_unit_test(counts_are_listed_with_their_nouns),
      cmocka_unit_test(one_is_singular),
      cmocka_unit_test(a_text_grows),
      cmocka_unit_test(a_budget_is_of_the_outermost_question),
      cmocka_unit_test(a_question_after_an_interrupt_ends_at_its_first_look),
      cmocka_unit_test(a_budget_ends_with_its_seconds),
      cmocka_unit_test(grades_have_names),
      cmocka_unit_test(digits_alone_are_an_integer),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
