/* A growing text: doubles its room in the arena; the old room is given up until the arena rewinds. */
#include "core/base/text.h"

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
  size_t at = sizeof digits;
  uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
  do digits[--at] = (char)('0' + left % 10);
  while ((left /= 10) > 0);
  if (value < 0) digits[--at] = '-';
  text_append(text, digits + at, sizeof digits - at);
}

void text_printf(Text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  size_t room = text->capacity - text->length;
  int length = vsnprintf(text->bytes + text->length, room, format, arguments);
  va_end(arguments);
  if (length > 0 && (size_t)length >= room) {
    reserve(text, (size_t)length);
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
  }
  if (length > 0) text->length += (size_t)length;
  text->bytes[text->length] = 0;
  va_end(again);
}
