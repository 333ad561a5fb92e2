/* A growing text: doubles its room in the arena; the old room is given up until the arena rewinds. */
#include "core/base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

Text text_create(Arena *arena) {
  static constexpr size_t first = 128;
  return (Text){.arena = arena, .bytes = arena_alloc(arena, first, 1), .capacity = first};
}

static void reserve(Text *text, size_t length) {
  size_t needed = text->length + length + 1;
  if (needed <= text->capacity) return;
  size_t capacity = text->capacity;
  while (capacity < needed) capacity *= 2;
  text->bytes = arena_grow(text->arena, text->bytes, text->length, capacity, 1);
  text->capacity = capacity;
}

void text_append(Text *text, const char *bytes, size_t length) {
  reserve(text, length);
  if (length > 0) memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  text->bytes[text->length] = 0;
}

void text_string(Text *text, const char *string) { text_append(text, string, strlen(string)); }

void text_integer(Text *text, int64_t value) {
  char digits[24];
  int length = snprintf(digits, sizeof digits, "%" PRId64, value);
  text_append(text, digits, (size_t)length);
}

void text_printf(Text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  if (length > 0) {
    reserve(text, (size_t)length);
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
}
