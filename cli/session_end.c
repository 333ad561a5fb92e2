/* The beginning and the end of a command: signals, and the exit status. */
#include <signal.h>
#include <stdatomic.h>

#include "cli/progress.h"
#include "cli/report/json.h"
#include "cli/report/results.h"
#include "cli/session.h"
#include "cli/session_guard.h"
#include "core/base/clock.h"

static constexpr int end_signals[] = {SIGINT, SIGTERM, SIGHUP};
static constexpr size_t end_signal_count = sizeof end_signals / sizeof *end_signals;
/* A later signal is a second request. GNU timeout sends one signal to the program and then the same
 * to its process group: this is one request. */
static constexpr int64_t one_request = 1'000'000'000; /* nanoseconds */
static _Atomic int64_t first_request;                 /* monotonic time; 0: none */

static void session_remember(int number) {
  int64_t now = clock_nanoseconds(CLOCK_MONOTONIC), none = 0;
  if (!atomic_compare_exchange_strong(&first_request, &none, now) && now - none >= one_request) {
    signal(number, SIG_DFL);
    raise(number);
  }
  session_interrupt();
  session_wake_guard();
}

/* A program of nohup ignores SIGHUP, and goes on. */
void session_catch_signals(void) {
  struct sigaction action = {.sa_handler = session_remember}, before;
  sigemptyset(&action.sa_mask);
  session_start_guard();
  for (size_t i = 0; i < end_signal_count; i++)
    if (end_signals[i] != SIGHUP ||
        (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN))
      sigaction(end_signals[i], &action, nullptr);
}

/* With --json the last line has the totals. */
static void print_totals(int status, bool is_interrupted) {
  Arena *arena = arena_create();
  Text text = text_create(arena);
  json_totals(&text, status, is_interrupted);
  if (text.length > 0) (void)session_print(text.bytes);
  arena_destroy(arena);
}

/* The interrupt is read once, so that the totals, the result files and the exit status agree. */
int session_end_with(Status status, int program) {
  bool is_interrupted = session_is_interrupted();
  progress_clear();
  if (is_interrupted) status = status_worse(status, STATUS_UNDECIDED);
  print_totals(program > (int)status ? program : (int)status, is_interrupted);
  bool is_whole = session_output_is_whole();
  if (!is_whole) status = STATUS_BAD;
  if (is_interrupted && is_whole) session_say_interrupted();
  bool is_programs = program > (int)status;
  int whole = is_programs ? program : (int)status;
  results_end(is_programs ? STATUS_BAD : status, whole);
  return whole;
}

int session_end(Status status) { return session_end_with(status, 0); }
