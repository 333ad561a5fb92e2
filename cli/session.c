/* An output that cannot be written is always an error: every byte goes through session_print, and
 * session_end flushes. */
#include "cli/session.h"

#include "core/base/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "cli/colour.h"
#include "cli/progress.h"
#include "cli/report/json.h"
#include "cli/session_guard.h"
#include "core/base/foreign.h"

static volatile sig_atomic_t interrupted;
static bool is_pipe_closed;
static int output_fault; /* errno of the last failed write */
static double end = 0; /* deadline of the work; 0: none */

void session_limit(uint64_t seconds) { end = seconds == 0 ? 0 : clock_wall() + (double)seconds; }

bool session_is_out_of_time(void) { return end != 0 && clock_wall() >= end; }

static void session_remember(int) {
  interrupted = 1;
  session_wake_guard();
}

void session_catch_signals(void) {
  struct sigaction action = {.sa_handler = session_remember, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  session_start_guard();
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool session_is_interrupted(void) { return interrupted != 0 || session_is_out_of_time(); }

uint64_t session_lines(const Source *source) {
  uint64_t lines = 0;
  for (size_t i = 0; i < source->length; i++) lines += source->text[i] == '\n';
  return lines;
}

/* Text may contain foreign parts: their control sequences are made harmless for a terminal. */
bool session_print(const char *text) {
  static ForeignLine line;
  errno = 0;
  if (isatty(STDOUT_FILENO) != 0) progress_clear();
  if (colour_write(stdout, &line, text) && !ferror(stdout)) return true;
  is_pipe_closed = is_pipe_closed || errno == EPIPE;
  if (errno != 0) output_fault = errno;
  return false;
}

void session_flush(void) {
  errno = 0;
  if (fflush(stdout) != EOF) return;
  is_pipe_closed = is_pipe_closed || errno == EPIPE;
  if (errno != 0) output_fault = errno;
}

bool session_print_command(const char *line) {
  return fputs(line, stdout) != EOF && fflush(stdout) != EOF;
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
  session_flush();
  colour_error(stderr, error);
  return STATUS_BAD;
}

Status session_usage(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
  return STATUS_BAD;
}

/* With --json the last line has the totals. */
static void print_totals(Status status) {
  Arena *arena = arena_create();
  Text text = text_create(arena);
  bool is_interrupted = session_is_interrupted();
  json_totals(
      &text, is_interrupted ? status_worse(status, STATUS_UNDECIDED) : status, is_interrupted);
  if (text.length > 0) (void)session_print(text.bytes);
  arena_destroy(arena);
}

int session_end(Status status) {
  progress_clear();
  print_totals(status);
  errno = 0;
  if (fflush(stdout) != EOF && !ferror(stdout)) {
    if (!session_is_interrupted()) return status;
    session_say_interrupted();
    return status_worse(status, STATUS_UNDECIDED);
  }
  if (errno == EPIPE || is_pipe_closed) return STATUS_BAD; /* the reader closed the pipe */
  int why = errno != 0 ? errno : output_fault;
  fprintf(stderr, "affirm: the output could not be written%s%s\n", why != 0 ? ": " : "",
      why != 0 ? strerror(why) : "");
  return STATUS_BAD;
}
