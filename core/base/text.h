/* A growing text in an arena, for printers. Always NUL-terminated. */
#ifndef CORE_BASE_TEXT_H
#define CORE_BASE_TEXT_H

#include <string.h>

#include "core/base/arena.h"

typedef struct Text {
  Arena *arena;
  char *bytes;
  size_t length;
  size_t capacity;
} Text;

[[nodiscard]] Text text_create(Arena *arena);
void text_append(Text *text, const char *bytes, size_t length);
/* Inline, because the length of a literal is then a constant: printers mostly append a few bytes.
 */
static inline void text_string(Text *text, const char *string) {
  size_t length = strlen(string);
  if (length >= text->capacity - text->length) {
    text_append(text, string, length);
    return;
  }
  memcpy(text->bytes + text->length, string, length + 1);
  text->length += length;
}
void text_integer(Text *text, int64_t value);
/* Appends the values with `between` between them. */
void text_integers(Text *text, const char *between, uint32_t count, const int64_t *values);
/* Appends "(3, 0)". */
void text_tuple(Text *text, uint32_t count, const int64_t *values);
[[gnu::format(printf, 2, 3)]] void text_printf(Text *text, const char *format, ...);

/* Makes one line of the text: line breaks and bytes 0 become blanks. */
void text_join_lines(Text *text);
[[nodiscard]] bool string_ends_with(const char *string, const char *tail);

/* "1 rule", "2 rules", "0 queries". `noun` is singular; its last word has at most 32 bytes. The
 * text belongs to the thread and stays valid for the next seven calls. */
[[nodiscard]] const char *counted(uint64_t count, const char *noun);
/* "1 dimension and 2 range variables": the counts that are not 0, each with its noun; `none` if all
 * are 0. */
void text_counts(
    Text *text, uint32_t kinds, const uint32_t *counts, const char *const *nouns, const char *none);

#endif
