/* Errors with a position. A message that does not fit ends in three dots. The excerpt keeps at most
 * 120 bytes around the position, so that a line of megabytes prints short. Bytes that are not
 * printable ASCII print as '?', so that the caret is under the right column. */
#include "core/base/error.h"

#include <stdarg.h>
#include <string.h>

#include "core/base/foreign.h"

static constexpr size_t excerpt_before = 60;
static constexpr size_t excerpt_length = 120;
static constexpr char cut_mark[] = "...";

static bool error_begin(Error *error, ErrorKind kind, const char *code_file, int code_line,
    const char *format, va_list arguments) {
  if (error->kind != ERROR_NONE) return false;
  error->kind = kind;
  error->code_file = code_file;
  error->code_line = code_line;
  int length = vsnprintf(error->message, sizeof error->message, format, arguments);
  if ((size_t)length >= sizeof error->message)
    memcpy(error->message + sizeof error->message - sizeof cut_mark, cut_mark, sizeof cut_mark);
  return true;
}

void error_set_from(
    Error *error, ErrorKind kind, const char *code_file, int code_line, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  error_begin(error, kind, code_file, code_line, format, arguments);
  va_end(arguments);
}

void error_take_name(Error *error, const char *name) {
  static constexpr size_t most = sizeof error->name - 1, most_tail = most - (sizeof cut_mark - 1);
  size_t length = strlen(name);
  const char *tail = length <= most ? name : name + length - most_tail;
  while (tail != name && ((unsigned char)*tail & 0xc0) == 0x80) tail++; /* whole characters */
  snprintf(error->name, sizeof error->name, "%s%s", tail == name ? "" : cut_mark, tail);
}

void error_of_file_from(Error *error, ErrorKind kind, const char *name, const char *code_file,
    int code_line, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (error_begin(error, kind, code_file, code_line, format, arguments))
    error_take_name(error, name);
  va_end(arguments);
}

static void take_location(Error *error, const Source *source, size_t offset, size_t width) {
  if (offset > source->length) offset = source->length;
  size_t start = offset;
  uint32_t line = source->first_line == 0 ? 1 : source->first_line;
  while (start > 0 && source->text[start - 1] != '\n') start--;
  for (size_t i = 0; i < start; i++) line += source->text[i] == '\n';
  size_t from = offset - start > excerpt_before ? offset - excerpt_before : start;
  size_t end = from;
  while (end < source->length && source->text[end] != '\n' && end - from < excerpt_length) end++;
  for (size_t i = from; i < end; i++) {
    unsigned char byte = (unsigned char)source->text[i];
    error->excerpt[i - from] = byte == '\t' ? ' ' : byte < 32 || byte > 126 ? '?' : (char)byte;
  }
  error->excerpt[end - from] = 0;
  error->line = line;
  error->column = (uint32_t)(offset - start + 1);
  error->caret = (uint32_t)(offset - from);
  size_t capacity = end > offset ? end - offset : 1;
  error->width = (uint32_t)(width == 0 ? 1 : width > capacity ? capacity : width);
}

void error_at_from(Error *error, ErrorKind kind, const Source *source, size_t offset, size_t width,
    const char *code_file, int code_line, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  bool first = error_begin(error, kind, code_file, code_line, format, arguments);
  va_end(arguments);
  if (!first) return;
  error_take_name(error, source->name == nullptr ? "<input>" : source->name);
  take_location(error, source, offset, width);
}

Error error_in_whole(const Source *whole, const Error *error) {
  Error placed = {};
  const char *line = whole->text;
  for (uint32_t number = whole->first_line; number < error->line && line != nullptr; number++) {
    line = strchr(line, '\n');
    line = line == nullptr ? nullptr : line + 1;
  }
  const char *excerpt = line == nullptr ? nullptr : strstr(line, error->excerpt);
  if (excerpt == nullptr || memchr(line, '\n', (size_t)(excerpt - line)) != nullptr) return *error;
  (void)error_at(&placed, error->kind, whole, (size_t)(excerpt - whole->text) + error->caret,
      error->width, "%s", error->message);
  return placed;
}

/* Names and messages contain text of others, so they are escaped into one line. */
void error_format(const Error *error, char *text, size_t capacity) {
  char name[2 * sizeof error->name], message[2 * sizeof error->message];
  foreign_copy(sizeof name, name, error->name);
  foreign_copy(sizeof message, message, error->message);
  if (error->line == 0) {
    snprintf(text, capacity, "%s%serror: %s\n", name, name[0] == 0 ? "" : ": ", message);
    return;
  }
  char mark[160];
  size_t width = error->width < sizeof mark ? error->width : sizeof mark - 1;
  memset(mark, '~', width);
  mark[0] = '^';
  mark[width] = 0;
  snprintf(text, capacity, "%s:%u:%u: error: %s\n%5u | %s\n      | %*s%s\n", name, error->line,
      error->column, message, error->line, error->excerpt, (int)error->caret, "", mark);
}

void error_print(const Error *error, FILE *stream) {
  char text[2048];
  error_format(error, text, sizeof text);
  fputs(text, stream);
}
