/* Output that is not written is an error and never silent: every byte goes through session_print,
 * and session_end flushes. */
#include "cli/session.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static double end = 0; /* of the time that the work has; 0: none */

static void remember(int) { interrupted = 1; }

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void session_limit(uint64_t seconds) { end = seconds == 0 ? 0 : now() + (double)seconds; }

bool session_is_out_of_time(void) { return end != 0 && now() >= end; }

void session_catch_signals(void) {
  struct sigaction action = {.sa_handler = remember, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool session_is_interrupted(void) { return interrupted != 0 || session_is_out_of_time(); }

bool session_print(const char *text) { return fputs(text, stdout) != EOF && !ferror(stdout); }

Status session_fail(const Error *error) {
  error_print(error, stderr);
  return STATUS_BAD;
}

Status session_usage(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("affirm: ", stderr);
  vfprintf(stderr, format, arguments);
  fputs("\n", stderr);
  va_end(arguments);
  return STATUS_BAD;
}

int session_end(Status status) {
  errno = 0;
  if (fflush(stdout) != EOF && !ferror(stdout)) {
    if (session_is_interrupted() && status == STATUS_PROVED) return STATUS_UNDECIDED;
    return status;
  }
  fprintf(stderr, "affirm: the output could not be written%s%s\n", errno != 0 ? ": " : "",
      errno != 0 ? strerror(errno) : "");
  return STATUS_BAD;
}
