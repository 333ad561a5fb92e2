/* A growing text: doubles its capacity in the arena. The old bytes are unused until the arena
 * rewinds. */
#define _GNU_SOURCE
#include "core/base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

Text text_create(Arena *arena) {
  static constexpr size_t first = 128;
  return (Text){.arena = arena, .bytes = arena_alloc(arena, first, 1), .capacity = first};
}

static void text_reserve(Text *text, size_t length) {
  size_t needed = text->length + length + 1;
  if (needed <= text->capacity) return;
  size_t capacity = text->capacity;
  while (capacity < needed) capacity *= 2;
  text->bytes = arena_grow(text->arena, text->bytes, text->length, capacity, 1);
  text->capacity = capacity;
}

void text_append(Text *text, const char *bytes, size_t length) {
  text_reserve(text, length);
  if (length > 0) memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  text->bytes[text->length] = 0;
}

void text_join_lines(Text *text) {
  for (size_t i = 0; i < text->length; i++)
    if (text->bytes[i] == '\n' || text->bytes[i] == 0) text->bytes[i] = ' ';
}

bool string_ends_with(const char *string, const char *tail) {
  size_t length = strlen(string), tail_length = strlen(tail);
  return length >= tail_length && strcmp(string + length - tail_length, tail) == 0;
}

static void append_number(Text *text, bool is_negative, uint64_t left) {
  char digits[24];
  size_t at = sizeof digits;
  do digits[--at] = (char)('0' + left % 10);
  while ((left /= 10) > 0);
  if (is_negative) digits[--at] = '-';
  text_append(text, digits + at, sizeof digits - at);
}

void text_integer(Text *text, int64_t value) {
  append_number(text, value < 0, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void text_integers(Text *text, const char *between, uint32_t count, const int64_t *values) {
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0) text_string(text, between);
    text_integer(text, values[i]);
  }
}

void text_tuple(Text *text, uint32_t count, const int64_t *values) {
  text_string(text, "(");
  text_integers(text, ", ", count, values);
  text_string(text, ")");
}

typedef struct TextArguments {
  va_list list;
} TextArguments;

/* Appends one conversion, given without its `%`. Returns the length of the conversion, or 0 if it
 * is not supported here. */
static size_t append_argument(Text *text, const char *conversion, TextArguments *arguments) {
  if (conversion[0] == 's') {
    const char *string = va_arg(arguments->list, const char *);
    if (string == nullptr) return 0;
    text_string(text, string);
    return 1;
  }
  if (conversion[0] == 'u') {
    append_number(text, false, va_arg(arguments->list, unsigned));
    return 1;
  }
  if (conversion[0] == 'd') {
    text_integer(text, va_arg(arguments->list, int));
    return 1;
  }
  if (strncmp(conversion, "lld", 3) == 0) {
    text_integer(text, va_arg(arguments->list, long long));
    return 3;
  }
  if (strncmp(conversion, "llu", 3) == 0) {
    append_number(text, false, va_arg(arguments->list, unsigned long long));
    return 3;
  }
  return 0;
}

/* Strings and integers without width or precision, all that nearly every format has: a fifth of the
 * time of vsnprintf. If the format has anything else, returns false and restores the text. */
static bool append_plainly(Text *text, const char *format, TextArguments *arguments) {
  size_t start = text->length;
  for (const char *at = format; *at != 0;) {
    const char *next = strchrnul(at, '%');
    text_append(text, at, (size_t)(next - at));
    if (*next == 0) return true;
    size_t length = append_argument(text, next + 1, arguments);
    if (length == 0) {
      text->length = start;
      text->bytes[start] = 0;
      return false;
    }
    at = next + 1 + length;
  }
  return true;
}

void text_printf(Text *text, const char *format, ...) {
  TextArguments plain;
  va_start(plain.list, format);
  bool is_done = append_plainly(text, format, &plain);
  va_end(plain.list);
  if (is_done) return;
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  size_t capacity = text->capacity - text->length;
  int length = vsnprintf(text->bytes + text->length, capacity, format, arguments);
  va_end(arguments);
  if (length > 0 && (size_t)length >= capacity) {
    text_reserve(text, (size_t)length);
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
  }
  if (length > 0) text->length += (size_t)length;
  text->bytes[text->length] = 0;
  va_end(again);
}

const char *counted(uint64_t count, const char *noun) {
  static thread_local char texts[8][64];
  static thread_local uint32_t next;
  char *text = texts[next++ % 8];
  size_t length = strlen(noun);
  const char *end = "s";
  if (count == 1) end = "";
  else if (length >= 4 && strcmp(noun + length - 4, "leaf") == 0) length--, end = "ves";
  else if (noun[length - 1] == 'x') length -= 2, end = "ices";
  else if (noun[length - 1] == 'y') length--, end = "ies";
  else if (noun[length - 1] == 's') end = "es";
  snprintf(text, sizeof texts[0], "%" PRIu64 " %.*s%s", count, (int)length, noun, end);
  return text;
}

void text_counts(Text *text, uint32_t kinds, const uint32_t *counts, const char *const *nouns,
    const char *none) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < kinds; i++) left += counts[i] > 0;
  if (left == 0) text_string(text, none);
  for (uint32_t i = 0; i < kinds; i++) {
    if (counts[i] == 0) continue;
    text_string(text, counted(counts[i], nouns[i]));
    if (--left > 0) text_string(text, left == 1 ? " and " : ", ");
  }
}
