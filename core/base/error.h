/* Errors are values with two positions: in the input (file:line:column and a caret) and in our
 * code. The first error wins: setting an error that is already set has no effect. Every function
 * that can fail returns [[nodiscard]] bool and takes an Error last; false means that it is set. */
#ifndef CORE_BASE_ERROR_H
#define CORE_BASE_ERROR_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum ErrorKind : uint8_t {
  ERROR_NONE,
  ERROR_INPUT,       /* the text or graph is not valid */
  ERROR_OVERFLOW,    /* a value would leave int64 */
  ERROR_LIMIT,       /* valid, but beyond a stated limit (depth, size, budget) */
  ERROR_UNSUPPORTED, /* valid but not implemented; the message names it */
  ERROR_ENVIRONMENT, /* a file, a disk, or a library failed */
} ErrorKind;

/* A text that is being read. `name` is the name that errors print (a path, or "<stdin>").
 * `first_line` is the line number of text[0], for texts that are part of a larger file (1 for a
 * whole file). */
typedef struct Source {
  const char *name;
  const char *text;
  size_t length;
  uint32_t first_line;
} Source;

typedef struct Error {
  ErrorKind kind;
  char message[320];
  char name[320];    /* of the source; empty if the error has no position in an input. Of a longer
                      * path the end, after three dots: it has the name of the file */
  uint32_t line;     /* 1-based */
  uint32_t column;   /* 1-based, in bytes */
  uint32_t width;    /* bytes to underline, at least 1 */
  char excerpt[160]; /* the part of the line around the position */
  uint32_t caret;    /* 0-based offset of the position inside `excerpt` */
  const char *code_file;
  int code_line;
} Error;

/* Makes it `(Error){}` up to the bytes after the strings' ends: to zero all of them takes as long
 * as a small map. */
static inline void error_clear(Error *error) {
  error->kind = ERROR_NONE;
  error->message[0] = error->name[0] = error->excerpt[0] = 0;
  error->line = error->column = error->width = error->caret = 0;
  error->code_file = nullptr;
  error->code_line = 0;
}

static inline bool error_false(void) { return false; }
/* All return false, visibly to a static analyser too, so that a failing function ends in `return
 * error_...(...)`. */
#define error_set(error, kind, ...) \
  (error_set_from((error), (kind), __FILE__, __LINE__, __VA_ARGS__), error_false())
#define error_of_file(error, kind, name, ...) \
  (error_of_file_from((error), (kind), (name), __FILE__, __LINE__, __VA_ARGS__), error_false())
#define error_at(error, kind, source, offset, width, ...) \
  (error_at_from((error), (kind), (source), (offset), (width), __FILE__, __LINE__, __VA_ARGS__), \
      error_false())

[[gnu::format(printf, 5, 6)]] void error_set_from(
    Error *error, ErrorKind kind, const char *code_file, int code_line, const char *format, ...);
/* An error about a whole file: `NAME: error: ...`. */
[[gnu::format(printf, 6, 7)]] void error_of_file_from(Error *error, ErrorKind kind,
    const char *name, const char *code_file, int code_line, const char *format, ...);
/* Gives a set error the name of its source. */
void error_take_name(Error *error, const char *name);
/* `offset` is clamped to the source's length. */
[[gnu::format(printf, 8, 9)]] void error_at_from(Error *error, ErrorKind kind, const Source *source,
    size_t offset, size_t width, const char *code_file, int code_line, const char *format, ...);

/* The error with its column in the whole text: it was set in a piece that may begin inside a line,
 * with the right line number. Unchanged if the line is not in the text. */
[[nodiscard]] Error error_in_whole(const Source *whole, const Error *error);

/* Prints `map.txt:3:14: error: ...`, the line and a caret; ends with a newline. */
void error_print(const Error *error, FILE *stream);
/* error_print into `text`, cut to `capacity` bytes and NUL-terminated. */
void error_format(const Error *error, char *text, size_t capacity);

#endif
