/* Lines are joined by what they begin with; the parser decides whether the result is a map. */
#include "core/map/lines.h"

#include <string.h>

#include "core/base/text.h"

static bool line_begins(const char *line, const char *word) {
  return strncmp(line, word, strlen(word)) == 0;
}

bool map_line_is_skipped(const char *line) {
  line += strspn(line, " \t\r");
  return *line == 0 || *line == '#' || line_begins(line, "Output ") ||
         line_begins(line, "Operand ");
}

/* `rt0: NAME; MAP`. */
static bool is_source(const char *line) {
  size_t length = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  return length > 0 && line[length] == ':' && strchr(line, ';') != nullptr;
}

/* A line that continues a map: its domain, a bound or constraint, or the source of a runtime
 * variable. */
static bool goes_on(const char *line) {
  line += strspn(line, " \t\r");
  if (line_begins(line, "runtime variables:") || line_begins(line, "domain:") || is_source(line))
    return true;
  return strstr(line, " in [") != nullptr && strstr(line, "->") == nullptr;
}

static const char *next_line(Arena *arena, MapLines *lines) {
  const char *begin = lines->source->text + lines->at,
             *end = memchr(begin, '\n', lines->source->length - lines->at);
  size_t length = end == nullptr ? lines->source->length - lines->at : (size_t)(end - begin);
  lines->at += length + 1;
  lines->number++;
  return arena_text(arena, begin, length);
}

Source map_lines_next(Arena *arena, MapLines *lines) {
  Source map = {.name = lines->source->name, .first_line = lines->number};
  const char *first = next_line(arena, lines);
  Text text = text_create(arena);
  text_string(&text, first);
  bool is_open = !map_line_is_skipped(first);
  while (is_open && lines->at < lines->source->length) {
    MapLines ahead = *lines;
    const char *line = next_line(arena, &ahead);
    is_open = goes_on(line);
    if (!is_open) break;
    text_printf(&text, "\n%s", line);
    *lines = ahead;
  }
  map.text = text.bytes;
  map.length = text.length;
  return map;
}
