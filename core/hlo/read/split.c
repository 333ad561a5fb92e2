/* Splits a text of several modules at lines that begin with `// -----` and at lines that begin with
 * HloModule. A part of only blanks and comments is dropped; a text without any other part is an
 * error. */
#include <assert.h>
#include <string.h>

#include "core/hlo/read/read.h"

typedef struct PartList {
  uint32_t count;
  uint32_t capacity;
  Source *items;
} PartList;

typedef struct Splitter {
  Arena *arena;
  const Source *source;
  PartList parts;
  size_t start;     /* of the current part */
  uint32_t line;    /* of `start` */
  bool has_content; /* since `start`: anything but blanks and comments */
} Splitter;

static uint32_t lines_in(const char *text, size_t length) {
  uint32_t lines = 0;
  for (const char *end = text + length;
      (text = memchr(text, '\n', (size_t)(end - text))) != nullptr; text++)
    lines++;
  return lines;
}

static void split_cut(Splitter *splitter, size_t end) {
  const Source *source = splitter->source;
  assert(splitter->start <= end && end <= source->length);
  size_t length = end - splitter->start;
  if (splitter->has_content) {
    *ARENA_PUSH(splitter->arena, &splitter->parts) = (Source){.name = source->name,
        .text = source->text + splitter->start,
        .length = length,
        .first_line = splitter->line};
  }
  splitter->line += lines_in(source->text + splitter->start, length);
  splitter->start = end;
  splitter->has_content = false;
}

static bool starts_with(const Source *source, size_t at, const char *text) {
  size_t length = strlen(text);
  return source->length - at >= length && memcmp(source->text + at, text, length) == 0;
}

/* As in XLA, a carriage return ends a line comment. */
static size_t line_end(const Source *source, size_t at) {
  while (at < source->length && source->text[at] != '\n' && source->text[at] != '\r') at++;
  return at;
}

/* The position after the comment or string that starts at `at`; an unclosed one reaches to the
 * end. */
static size_t after_quoted(const Source *source, size_t at) {
  char quote = source->text[at];
  for (size_t i = at + 1; i < source->length; i++) {
    if (source->text[i] == '\\') i++;
    else if (source->text[i] == quote) return i + 1;
  }
  return source->length;
}

static size_t after_comment(const Source *source, size_t at) {
  for (size_t i = at + 2; i + 1 < source->length; i++) {
    if (source->text[i] == '*' && source->text[i + 1] == '/') return i + 2;
  }
  return source->length;
}

/* A computation may have a name that only begins so. */
static bool starts_module(const Source *source, size_t at) {
  static const char word[] = "HloModule", after[] = {' ', '\t', '\r', '\n', '/'};
  size_t end = at + strlen(word);
  return starts_with(source, at, word) && end < source->length &&
         memchr(after, source->text[end], sizeof after) != nullptr;
}

/* Walks one token, or one character of it. `at_line_start`: only blanks precede it on its line. */
static size_t walk_one(Splitter *splitter, size_t at, bool at_line_start) {
  const Source *source = splitter->source;
  if (starts_with(source, at, "//")) {
    size_t end = line_end(source, at);
    if (at_line_start && starts_with(source, at, "// -----")) split_cut(splitter, end);
    return end;
  }
  if (starts_with(source, at, "/*")) return after_comment(source, at);
  if (at_line_start && splitter->has_content && starts_module(source, at)) {
    size_t line = at;
    while (line > splitter->start && source->text[line - 1] != '\n') line--;
    split_cut(splitter, line);
  }
  splitter->has_content = true;
  char first = source->text[at];
  return first == '"' || first == '\'' ? after_quoted(source, at) : at + 1;
}

/* Skips characters that begin no line, comment or string. */
static size_t after_plain(const Source *source, size_t at) {
  static const bool stops[256] = {['\n'] = true, ['"'] = true, ['\''] = true, ['/'] = true};
  while (at < source->length && !stops[(unsigned char)source->text[at]]) at++;
  return at;
}

bool hlo_split(Arena *arena, const Source *source, uint32_t *count, Source **parts, Error *error) {
  Splitter splitter = {
      .arena = arena, .source = source, .line = source->first_line == 0 ? 1 : source->first_line};
  bool at_line_start = true;
  for (size_t at = 0; at < source->length;) {
    char character = source->text[at];
    if (character == '\n') at_line_start = true;
    if (character == ' ' || character == '\t' || character == '\r' || character == '\n') {
      at++;
      continue;
    }
    size_t after = walk_one(&splitter, at, at_line_start);
    assert(after > at && after <= source->length);
    at = splitter.has_content ? after_plain(source, after) : after;
    at_line_start = false;
  }
  split_cut(&splitter, source->length);
  *count = splitter.parts.count;
  *parts = splitter.parts.items;
  if (*count > 0) return true;
  return error_at(error, ERROR_INPUT, source, source->length, 1, "the text has no module");
}
