/* Whole functions of the base against definitions of this file, over all small inputs: distances of
 * words, positions of errors, encodings, and arenas and texts against plain copies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/bindings.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/foreign.h"
#include "core/base/nearest.h"
#include "core/base/remedy.h"
#include "core/base/text.h"

static uint64_t state_of_draws = 1;

static uint32_t draw_below(uint32_t end) {
  state_of_draws = state_of_draws * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_draws >> 33) % end;
}

/* The `number`th string of `length` bytes over the letters. */
static void write_string(
    const char *letters, size_t letter_count, size_t length, size_t number, char *to) {
  for (size_t i = 0; i < length; i++, number /= letter_count)
    to[i] = letters[number % letter_count];
  to[length] = 0;
}

static size_t string_count(size_t letter_count, size_t length) {
  size_t count = 1;
  for (size_t i = 0; i < length; i++) count *= letter_count;
  return count;
}

/* ---- nearest ---- */

/* The fewest insertions, deletions, substitutions and exchanges of neighbours, none inside of
 * another, by trying the last one. */
static uint32_t defined_distance(const char *a, size_t m, const char *b, size_t n) {
  if (m == 0 || n == 0) return (uint32_t)(m + n);
  uint32_t least = defined_distance(a, m - 1, b, n - 1) + (a[m - 1] != b[n - 1]);
  uint32_t deleted = defined_distance(a, m - 1, b, n) + 1;
  uint32_t inserted = defined_distance(a, m, b, n - 1) + 1;
  if (deleted < least) least = deleted;
  if (inserted < least) least = inserted;
  if (m > 1 && n > 1 && a[m - 1] == b[n - 2] && a[m - 2] == b[n - 1]) {
    uint32_t exchanged = defined_distance(a, m - 2, b, n - 2) + 1;
    if (exchanged < least) least = exchanged;
  }
  return least;
}

static void check_nearest(const char *word, const char *first, const char *second) {
  size_t length = strlen(word);
  uint32_t most = length < 4 ? 1 : (uint32_t)(length / 3);
  uint32_t to_first = defined_distance(word, length, first, strlen(first));
  uint32_t to_second = defined_distance(word, length, second, strlen(second));
  const char *found = to_first <= most ? first : nullptr;
  if (to_second <= most && (found == nullptr || to_second < to_first)) found = second;
  if (length == 0) found = nullptr;
  Nearest nearest = nearest_begin(word, length);
  nearest_try(&nearest, first);
  nearest_try(&nearest, second);
  assert_ptr_equal(nearest.found, found);
  if (found != nullptr) assert_int_equal(nearest.distance, found == first ? to_first : to_second);
}

static void a_word_is_near_by_its_distance(void **) {
  char a[16], b[16], c[16];
  for (size_t m = 0; m <= 4; m++)
    for (size_t n = 0; n <= 4; n++)
      for (size_t i = 0; i < string_count(3, m); i++)
        for (size_t k = 0; k < string_count(3, n); k++) {
          write_string("abc", 3, m, i, a);
          write_string("abc", 3, n, k, b);
          check_nearest(a, b, "abca");
        }
  for (uint32_t round = 0; round < 40; round++) {
    write_string("abcd", 4, 5 + draw_below(4), draw_below(1 << 16), a);
    write_string("abcd", 4, 4 + draw_below(5), draw_below(1 << 16), b);
    memcpy(c, a, sizeof c); /* an edit of the word itself */
    c[draw_below(3)] = 'x';
    check_nearest(a, b, c);
    check_nearest(a, c, b);
  }
}

static void a_long_word_is_near_to_none(void **) {
  char word[80], candidate[80];
  for (size_t length = 58; length <= 66; length++) {
    memset(word, 'w', sizeof word);
    word[length] = 0;
    memcpy(candidate, word, sizeof candidate);
    candidate[3] = 'x';
    Nearest nearest = nearest_begin(word, length);
    nearest_try(&nearest, candidate);
    assert_ptr_equal(nearest.found, length <= 62 ? candidate : nullptr);
  }
}

/* ---- remedies ---- */

/* The remedy for a sign, empty if there is none in the language; nullptr: it is no sign. "in"
 * stands for the longest of them. */
static const char *sign_remedy(const char *text, size_t length, bool is_map) {
  static const struct {
    const char *sign, *map, *rules;
  } rows[] = {{"%", "; write mod", "; write mod"}, {"//", "; write floordiv", "; write floordiv"},
      {"/", "", "; write floordiv"}, {"&", "; write a comma", "; write a comma"},
      {"&&", "; write a comma", "; write a comma"}, {"||", "", "; write a rule for each case"},
      {"->", "", "; write =>"}, {"=>", "; write ->", ""}, {"<", "in", ""}, {"<=", "in", ""},
      {">", "in", ""}, {">=", "in", ""}, {"=", "in", "; write =="}, {"==", "in", ""},
      {"!", "", "; write !="}, {"!=", "", ""}, {";", "; write a comma", "; write a comma"},
      {"**", "; write a product", "; write a product"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strlen(rows[i].sign) != length || memcmp(rows[i].sign, text, length) != 0) continue;
    const char *remedy = is_map ? rows[i].map : rows[i].rules;
    return strcmp(remedy, "in") == 0 ? "; write EXPRESSION in [LO, HI]" : remedy;
  }
  return nullptr;
}

/* The longest sign at the offset has the remedy; what is past the end does not count. */
static void a_remedy_is_that_of_the_longest_sign(void **) {
  static const char signs[] = "%/&|-=<>!;* 1";
  char text[8];
  for (size_t i = 0; i < string_count(13, 4); i++) {
    write_string(signs, 13, 4, i, text);
    for (uint32_t code = 0; code < 2 * 4; code++) {
      bool is_map = code % 2 == 0;
      size_t length = 1 + code / 4, offset = code / 2 % 2;
      Source source = {.name = "s", .text = text, .length = length, .first_line = 1};
      const char *remedy = nullptr;
      for (size_t size = 2; size > 0 && remedy == nullptr; size--)
        if (offset + size <= length) remedy = sign_remedy(text + offset, size, is_map);
      assert_string_equal(remedy_text(&source, offset, is_map ? REMEDY_MAP : REMEDY_RULES),
          remedy == nullptr ? "" : remedy);
    }
  }
}

/* ---- errors ---- */

static void check_error_at(const Source *source, size_t offset, size_t width) {
  static constexpr size_t before = 60, most = 120;
  Error error = {};
  assert_false(error_at(&error, ERROR_INPUT, source, offset, width, "here"));
  size_t at = offset < source->length ? offset : source->length, start = at, end = at;
  uint32_t line = source->first_line == 0 ? 1 : source->first_line;
  for (size_t i = 0; i < at; i++) line += source->text[i] == '\n';
  while (start > 0 && source->text[start - 1] != '\n') start--;
  size_t from = at - start <= before ? start : at - before;
  while (end < source->length && source->text[end] != '\n') end++;
  size_t shown = end - from < most ? end - from : most;
  assert_int_equal(error.line, line);
  assert_int_equal(error.column, at - start + 1);
  assert_int_equal(error.caret, at - from);
  assert_int_equal(strlen(error.excerpt), shown);
  for (size_t i = 0; i < shown; i++) {
    char byte = source->text[from + i];
    bool is_plain = byte >= ' ' && byte <= '~';
    assert_int_equal(error.excerpt[i], is_plain ? byte : byte == '\t' ? ' ' : '?');
  }
  size_t room = from + shown - at;
  size_t marked = width < 1 ? 1 : width;
  if (marked > room) marked = room;
  assert_int_equal(error.width, marked < 1 ? 1 : marked);
  assert_string_equal(error.name, source->name == nullptr ? "<input>" : source->name);
}

static void an_error_is_where_it_is(void **) {
  static constexpr char letters[] = "a\n\t\x01\x7f~";
  char bytes[8];
  for (size_t length = 0; length <= 4; length++)
    for (size_t i = 0; i < string_count(6, length); i++) {
      write_string(letters, 6, length, i, bytes);
      for (size_t offset = 0; offset <= length + 1; offset++)
        for (size_t width = 0; width <= 3; width++)
          for (uint32_t line = 0; line <= 2; line++)
            check_error_at(
                &(Source){line == 0 ? nullptr : "n", bytes, length, line}, offset, width);
    }
}

static void an_error_in_a_long_line_is_where_it_is(void **) {
  char bytes[512];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)('a' + i % 26);
  for (size_t before = 0; before < 4; before++)
    for (size_t length = 100; length < 320; length += 7)
      for (size_t offset = 0; offset <= length; offset += offset % 60 == 0 ? 1 : 59) {
        char text[512];
        memcpy(text, bytes, sizeof text);
        if (before > 0) text[before - 1] = '\n';
        if (before % 2 == 1) text[length] = '\n';
        check_error_at(&(Source){"long", text, length + before, 3}, before + offset, 200);
        check_error_at(&(Source){"long", text, length + before, 3}, before + offset, 20);
      }
}

/* A text that is cut is a prefix of the whole one. */
static void an_error_is_cut_at_any_capacity(void **) {
  Source source = {"a.txt", "one\n  two three\nfour", 20, 1};
  Error errors[2] = {};
  assert_false(error_at(&errors[0], ERROR_LIMIT, &source, 6, 5, "no %s", "word"));
  assert_false(error_of_file(&errors[1], ERROR_INPUT, "b.txt", "no %s", "file"));
  static const char *const texts[] = {
      "a.txt:2:3: error: no word\n    2 |   two three\n      |   ^~~~~\n",
      "b.txt: error: no file\n"};
  for (size_t i = 0; i < 2; i++)
    for (size_t capacity = 1; capacity < 100; capacity++) {
      char text[100];
      error_format(&errors[i], text, capacity);
      assert_int_equal(strlen(text), strlen(texts[i]) < capacity ? strlen(texts[i]) : capacity - 1);
      assert_memory_equal(text, texts[i], strlen(text));
    }
  assert_int_equal(errors[0].kind, ERROR_LIMIT);
  assert_int_equal(errors[1].kind, ERROR_INPUT);
}

/* ---- encodings ---- */

static bool defined_encoding(const unsigned char *b, size_t length) {
  if (length >= 3 && b[0] == 0xEF && b[1] == 0xBB && b[2] == 0xBF) return false;
  if (length >= 2 && ((b[0] == 0xFF && b[1] == 0xFE) || (b[0] == 0xFE && b[1] == 0xFF)))
    return false;
  if (length < 4) return true;
  bool is_little = b[0] != 0 && b[1] == 0 && b[2] != 0 && b[3] == 0;
  bool is_big = b[0] == 0 && b[1] != 0 && b[2] == 0 && b[3] != 0;
  return !is_little && !is_big;
}

static void marks_of_encodings_are_rejected(void **) {
  static constexpr char letters[] = "\xEF\xBB\xBF\xFF\xFE\0a";
  char bytes[8];
  for (size_t length = 0; length <= 5; length++)
    for (size_t i = 0; i < string_count(7, length); i++) {
      write_string(letters, 7, length, i, bytes);
      Error error = {};
      bool fits = file_check_encoding(&(Source){"t", bytes, length, 1}, &error);
      assert_int_equal(fits, defined_encoding((const unsigned char *)bytes, length));
      if (fits) continue;
      bool is_utf8 = memcmp(bytes, "\xEF\xBB\xBF", 3) == 0;
      assert_int_equal(error.width, is_utf8 ? 3 : 2);
      assert_int_equal(strstr(error.message, "UTF-16") == nullptr, is_utf8);
      assert_int_equal(error.column, 1);
    }
}

/* ---- arenas ---- */

typedef struct ArenaBlock {
  unsigned char *bytes;
  size_t length;
  unsigned char mark;
} ArenaBlock;

static constexpr size_t most_blocks = 400;
typedef struct ArenaShadow {
  Arena *arena;
  ArenaBlock blocks[most_blocks];
  size_t count;
  struct {
    ArenaMark mark;
    size_t count;
  } marks[16];
  size_t mark_count;
} ArenaShadow;

static void check_block(const ArenaShadow *shadow, const ArenaBlock *block) {
  if (block->length == 0) return;
  assert_true(arena_holds(shadow->arena, block->bytes));
  assert_true(arena_holds(shadow->arena, block->bytes + block->length - 1));
  for (size_t i = 0; i < block->length; i += 1 + i / 64)
    assert_int_equal(block->bytes[i], block->mark);
  assert_int_equal(block->bytes[block->length - 1], block->mark);
}

static size_t draw_length(void) {
  switch (draw_below(16)) {
    case 0: return draw_below(3) * ((size_t)4 << 20) + draw_below(64);
    case 1:
    case 2: return draw_below(300'000);
    case 3:
    case 4: return 32 * 1024 - 64 + draw_below(128);
    default: return draw_below(200);
  }
}

static void push_block(ArenaShadow *shadow) {
  size_t length = draw_length(), copied = 0;
  const ArenaBlock *last = shadow->count == 0 ? nullptr : &shadow->blocks[shadow->count - 1];
  unsigned char *bytes;
  uint32_t kind = draw_below(4);
  bool is_expected = draw_below(4) == 0;
  if (is_expected) arena_expect(shadow->arena, length);
  size_t taken = arena_bytes(shadow->arena);
  if (kind == 0 && last != nullptr && last->length <= length) {
    copied = last->length;
    bytes = arena_grow(shadow->arena, last->bytes, copied, length, 1);
    for (size_t i = 0; i < copied; i++) assert_int_equal(bytes[i], last->mark);
  } else if (kind == 1 && length % 3 == 0) {
    bytes = arena_alloc(shadow->arena, length / 3, 3);
  } else {
    bytes = kind == 2 ? arena_alloc_unset(shadow->arena, length, 1)
                      : arena_alloc(shadow->arena, length, 1);
  }
  if (is_expected) assert_int_equal(arena_bytes(shadow->arena), taken);
  assert_int_equal((uintptr_t)bytes % 16, 0);
  for (size_t i = copied; i < length && kind != 2; i++) assert_int_equal(bytes[i], 0);
  ArenaBlock block = {bytes, length, (unsigned char)(1 + draw_below(255))};
  memset(bytes, block.mark, length);
  shadow->blocks[shadow->count++] = block;
}

static void step_arena(ArenaShadow *shadow) {
  uint32_t step = draw_below(12);
  if (step == 0 && shadow->mark_count < 16) {
    shadow->marks[shadow->mark_count].mark = arena_mark(shadow->arena);
    shadow->marks[shadow->mark_count++].count = shadow->count;
  } else if ((step == 1 && shadow->mark_count > 0) || shadow->count == most_blocks) {
    size_t mark = shadow->mark_count == 0 ? 0 : draw_below((uint32_t)shadow->mark_count);
    if (shadow->mark_count == 0) return;
    arena_rewind(shadow->arena, shadow->marks[mark].mark);
    const ArenaBlock *freed = &shadow->blocks[shadow->marks[mark].count];
    if (shadow->marks[mark].count < shadow->count && freed->length > 0)
      assert_false(arena_holds(shadow->arena, freed->bytes));
    shadow->count = shadow->marks[mark].count;
    shadow->mark_count = mark + draw_below(2);
  } else {
    push_block(shadow);
  }
}

/* Blocks do not overlap, are zeroed, and live until a mark before them is rewound. What is kept for
 * reuse is bounded by what was in use before. */
static void an_arena_keeps_what_is_not_rewound(void **) {
  for (uint32_t round = 0; round < 4; round++) {
    static ArenaShadow shadow;
    shadow = (ArenaShadow){.arena = arena_create()};
    ArenaMark empty = arena_mark(shadow.arena);
    shadow.marks[shadow.mark_count++].mark = empty;
    size_t first = arena_bytes(shadow.arena);
    for (uint32_t step = 0; step < 300; step++) {
      step_arena(&shadow);
      size_t used = 0;
      for (size_t i = 0; i < shadow.count; i++) used += shadow.blocks[i].length;
      assert_true(arena_bytes(shadow.arena) >= used);
      if (step % 20 == 0)
        for (size_t i = 0; i < shadow.count; i++) check_block(&shadow, &shadow.blocks[i]);
    }
    for (size_t i = 0; i < shadow.count; i++) check_block(&shadow, &shadow.blocks[i]);
    arena_rewind(shadow.arena, empty);
    assert_in_range(arena_bytes(shadow.arena), first, first + ((size_t)8 << 20));
    arena_destroy(shadow.arena);
  }
}

static void texts_of_an_arena_are_copies(void **) {
  Arena *arena = arena_create();
  char bytes[300];
  memset(bytes, 'x', sizeof bytes);
  for (size_t length = 0; length < sizeof bytes; length++) {
    const char *copy = arena_text(arena, bytes, length);
    const char *printed = arena_printf(arena, "%.*s%d", (int)length, bytes, 7);
    assert_int_equal(strlen(copy), length);
    assert_int_equal(strlen(printed), length + 1);
    assert_memory_equal(copy, bytes, length);
    assert_memory_equal(printed, bytes, length);
    assert_int_equal(printed[length], '7');
  }
  arena_destroy(arena);
}

/* ---- texts ---- */

static void check_texts(Text *text, char *expected, size_t *length, uint32_t kind, int64_t value) {
  static const char *const words[] = {"", "a", "a word", "fifteen letters"};
  const char *word = words[draw_below(4)];
  int added = 0;
  switch (kind) {
    case 0:
      text_string(text, word);
      added = sprintf(expected + *length, "%s", word);
      break;
    case 1:
      text_integer(text, value);
      added = sprintf(expected + *length, "%" PRId64, value);
      break;
    case 2:
      text_printf(text, "%s=%lld, %u%%", word, (long long)value, (unsigned)value);
      added = sprintf(expected + *length, "%s=%lld, %u%%", word, (long long)value, (unsigned)value);
      break;
    case 3:
      text_printf(text, "%d %s %04x", (int)value, word, (unsigned)value);
      added = sprintf(expected + *length, "%d %s %04x", (int)value, word, (unsigned)value);
      break;
    case 4:
      text_append(text, word, strlen(word) / 2);
      added = sprintf(expected + *length, "%.*s", (int)(strlen(word) / 2), word);
      break;
    default:
      text_printf(text, "%llu", (unsigned long long)value);
      added = sprintf(expected + *length, "%llu", (unsigned long long)value);
  }
  *length += (size_t)added;
}

/* A text is what its parts are, at every length at which it grows. */
static void a_text_is_its_parts(void **) {
  static char expected[8192];
  static const int64_t values[] = {0, 1, -1, 9, 10, -10, 99, 1000, INT32_MAX, INT32_MIN, UINT32_MAX,
      INT64_MAX, INT64_MIN, INT64_MIN + 1, INT64_C(1) << 53};
  for (uint32_t round = 0; round < 600; round++) {
    Arena *arena = arena_create();
    Text text = text_create(arena);
    size_t length = 0;
    for (uint32_t i = 0; i < 60; i++) {
      check_texts(&text, expected, &length, draw_below(6), values[draw_below(15)]);
      assert_int_equal(text.length, length);
      assert_true(text.capacity > length);
      assert_string_equal(text.bytes, expected);
    }
    arena_destroy(arena);
  }
}

/* ---- foreign strings ---- */

/* A string in one line, by its definition: letter by letter. */
static size_t write_foreign(const char *string, char *to) {
  size_t length = 0;
  bool is_inside = false;
  for (const char *at = string; *at != 0; at++) {
    bool is_command = strncmp(at, "##[", 3) == 0 || (!is_inside && at[0] == ':' && at[1] == ':');
    if (is_command || *at < ' ' || *at > '~')
      length += (size_t)sprintf(to + length, "\\u%04x", (unsigned char)*at);
    else to[length++] = *at;
    is_inside = is_inside || *at != ' ';
  }
  to[length] = 0;
  return length;
}

static void foreign_strings_are_one_line(void **) {
  Arena *arena = arena_create();
  char bytes[8], expected[64], copy[64];
  for (size_t count = 0; count <= 5; count++)
    for (size_t i = 0; i < string_count(7, count); i++) {
      write_string("a :#[\n\x80", 7, count, i, bytes);
      size_t length = write_foreign(bytes, expected);
      ArenaMark mark = arena_mark(arena);
      Text text = text_create(arena);
      text_foreign(&text, bytes);
      assert_string_equal(text.length == 0 ? "" : text.bytes, expected);
      for (size_t capacity = 1; capacity <= length + 1; capacity++) {
        foreign_copy(capacity, copy, bytes);
        assert_true(strlen(copy) < capacity && strlen(copy) + 6 >= capacity - 1);
        assert_memory_equal(copy, expected, strlen(copy));
      }
      assert_string_equal(copy, expected);
      arena_rewind(arena, mark);
    }
  arena_destroy(arena);
}

/* ---- bindings ---- */

static void bindings_are_copied_and_printed_in_order(void **) {
  Arena *arena = arena_create();
  char name[] = "d0", value[] = "x7";
  Bindings bindings = {};
  bindings_text(arena, &bindings, name, value);
  for (int64_t i = -5; i < 5; i++) bindings_integer(arena, &bindings, "s", i);
  Bindings copy = bindings_copy(arena, &bindings);
  name[0] = value[0] = '?';
  Text text = text_create(arena);
  bindings_print(&text, &copy);
  assert_string_equal(text.bytes,
      "d0 = x7, s = -5, s = -4, s = -3, s = -2, s = -1, s = 0, s = 1, s = 2, s = 3, s = 4");
  assert_int_equal(copy.count, 11);
  for (uint32_t i = 0; i < 11; i++) assert_int_equal(copy.items[i].is_integer, i > 0);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_word_is_near_by_its_distance),
      cmocka_unit_test(a_long_word_is_near_to_none),
      cmocka_unit_test(a_remedy_is_that_of_the_longest_sign),
      cmocka_unit_test(an_error_is_where_it_is),
      cmocka_unit_test(an_error_in_a_long_line_is_where_it_is),
      cmocka_unit_test(an_error_is_cut_at_any_capacity),
      cmocka_unit_test(marks_of_encodings_are_rejected),
      cmocka_unit_test(an_arena_keeps_what_is_not_rewound),
      cmocka_unit_test(texts_of_an_arena_are_copies),
      cmocka_unit_test(a_text_is_its_parts),
      cmocka_unit_test(foreign_strings_are_one_line),
      cmocka_unit_test(bindings_are_copied_and_printed_in_order),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
