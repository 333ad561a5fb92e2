/* An output that cannot be written is always an error: every byte goes through session_print, and
 * session_end flushes. */
#include "cli/session.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "cli/colour.h"
#include "cli/progress.h"
#include "cli/report/json.h"
#include "core/base/file.h"
#include "core/base/foreign.h"

static bool is_pipe_closed;
static int output_fault;   /* errno of the first failed write; later ones may have none */
static bool is_fault_said; /* completions end each command's part */

static bool keep_output_fault(void) {
  is_pipe_closed = is_pipe_closed || errno == EPIPE;
  if (output_fault == 0) output_fault = errno;
  return false;
}

uint64_t session_lines(const Source *source) {
  uint64_t lines = 0;
  for (size_t i = 0; i < source->length; i++) lines += source->text[i] == '\n';
  return lines;
}

/* Text may contain foreign parts: their control sequences are made harmless for a terminal. */
bool session_print(const char *text) {
  static ForeignLine line;
  if (isatty(STDOUT_FILENO) != 0) progress_clear();
  errno = 0;
  return (colour_write(stdout, &line, text) && !ferror(stdout)) || keep_output_fault();
}

void session_flush(void) {
  errno = 0;
  if (fflush(stdout) == EOF) (void)keep_output_fault();
}

bool session_print_command(const char *line) {
  errno = 0;
  return (fputs(line, stdout) != EOF && fflush(stdout) != EOF) || keep_output_fault();
}

[[gnu::format(printf, 1, 0)]] static void say(const char *format, va_list arguments) {
  Arena *arena = arena_create();
  char plain[2048];
  vsnprintf(plain, sizeof plain, format, arguments);
  Text text = text_create(arena);
  text_foreign(&text, plain);
  progress_clear();
  session_flush();
  colour_prefix(stderr);
  fprintf(stderr, "%s\n", text.bytes);
  arena_destroy(arena);
}

void session_warn(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
}

Status session_fail(const Error *error) {
  progress_clear();
  Arena *arena = arena_create();
  Text text = text_create(arena);
  json_error(&text, error);
  if (text.length > 0) (void)session_print(text.bytes);
  arena_destroy(arena);
  session_flush();
  colour_error(stderr, error);
  return STATUS_BAD;
}

bool session_write(const char *path, const char *bytes, size_t length) {
  Error error = {};
  bool is_written = file_write(path, bytes, length, &error);
  if (!is_written) (void)session_fail(&error);
  return is_written;
}

Status session_usage(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
  return STATUS_BAD;
}

bool session_output_is_whole(void) {
  errno = 0;
  if (fflush(stdout) != EOF && !ferror(stdout)) return true;
  if (errno == EPIPE || is_pipe_closed) return false; /* the reader closed the pipe */
  if (is_fault_said) return false;
  is_fault_said = true;
  int why = errno != 0 ? errno : output_fault;
  fprintf(stderr, "affirm: the output could not be written%s%s\n", why != 0 ? ": " : "",
      why != 0 ? strerror(why) : "");
  return false;
}
