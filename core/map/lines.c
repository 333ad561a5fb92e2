/* Lines are joined by what they begin with; the parser decides whether the result is a map. */
#include "core/map/lines.h"

#include <string.h>

#include "core/base/text.h"

static bool line_begins(const char *line, const char *word) {
  return strncmp(line, word, strlen(word)) == 0;
}

/* A line with more than the heading is none: what follows the colon may be a map. */
static bool is_heading(const char *begin, const char *end) {
  if (!line_begins(begin, "Output ") && !line_begins(begin, "Operand ")) return false;
  const char *colon = strchr(begin, ':');
  return colon != nullptr && colon + 1 + strspn(colon + 1, " \t\r") == end;
}

bool map_line_is_skipped(const Source *line) {
  size_t blanks = strspn(line->text, " \t\r");
  const char *begin = line->text + blanks;
  return blanks == line->length || *begin == '#' || is_heading(begin, line->text + line->length);
}

bool map_lines_begin(const Source *source) {
  static const char *const words[] = {"(", "KNOWN EMPTY", "UNDEFINED", "Output ", "Operand "};
  static const char blanks[] = " \t\r\n";
  const char *begin = source->text + strspn(source->text, blanks);
  while (*begin == '#') {
    begin += strcspn(begin, "\n");
    begin += strspn(begin, blanks);
  }
  bool begins = false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) begins |= line_begins(begin, words[i]);
  return begins;
}

/* `rt0: NAME; MAP`. */
static bool is_source(const char *line) {
  size_t length = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  return length > 0 && line[length] == ':' && strchr(line, ';') != nullptr;
}

/* A line that continues a map: its domain, a bound or constraint, or the source of a runtime
 * variable. A comment is none, whatever it contains. */
static bool goes_on(const Source *source) {
  if (map_line_is_skipped(source)) return false;
  const char *line = source->text + strspn(source->text, " \t\r");
  if (line_begins(line, "runtime variables:") || line_begins(line, "domain:") || is_source(line))
    return true;
  return strstr(line, " in [") != nullptr && strstr(line, "->") == nullptr;
}

static Source next_line(Arena *arena, MapLines *lines) {
  const char *begin = lines->source->text + lines->at,
             *end = memchr(begin, '\n', lines->source->length - lines->at);
  size_t length = end == nullptr ? lines->source->length - lines->at : (size_t)(end - begin);
  lines->at += length + 1;
  return (Source){.name = lines->source->name,
      .text = arena_text(arena, begin, length),
      .length = length,
      .first_line = lines->number++};
}

Source map_lines_next(Arena *arena, MapLines *lines) {
  Source map = next_line(arena, lines);
  Text text = text_create(arena);
  text_append(&text, map.text, map.length);
  bool is_open = !map_line_is_skipped(&map);
  while (is_open && lines->at < lines->source->length) {
    MapLines ahead = *lines;
    Source line = next_line(arena, &ahead);
    is_open = goes_on(&line);
    if (!is_open) break;
    text_string(&text, "\n");
    text_append(&text, line.text, line.length);
    *lines = ahead;
  }
  map.text = text.bytes;
  map.length = text.length;
  return map;
}
