/* One pass over the bytes: strings are copied, and each run of digits outside of them is counted.
 */
#include "cli/report/run_numbers.h"

#include <string.h>

#include "core/base/text.h"

static constexpr size_t most_digits = 15; /* 10^15 < 2^53 */

/* The length of the string that starts here, with its quotes. */
static size_t string_length(const char *text, size_t length) {
  size_t at = 1;
  while (at < length && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return at < length ? at + 1 : length;
}

/* The length of the number that starts here. */
static size_t number_length(const char *text, size_t length, bool *is_long) {
  size_t at = text[0] == '-', digits = 0;
  for (; at < length && text[at] >= '0' && text[at] <= '9'; at++) digits++;
  *is_long = digits > most_digits;
  for (; at < length && strchr("0123456789.eE+-", text[at]) != nullptr && text[at] != 0; at++)
    *is_long = false;
  return at;
}

const char *run_keep_digits(Arena *arena, const char *line, size_t *length) {
  Text text = text_create(arena);
  for (size_t at = 0; at < *length;) {
    const char first = line[at];
    const bool is_number = first == '-' || (first >= '0' && first <= '9');
    bool is_long = false;
    size_t part = first == '"' ? string_length(line + at, *length - at)
                  : is_number  ? number_length(line + at, *length - at, &is_long)
                               : 1;
    if (is_long) text_string(&text, "\"");
    text_append(&text, line + at, part);
    if (is_long) text_string(&text, "\"");
    at += part;
  }
  *length = text.length;
  return text.bytes;
}
