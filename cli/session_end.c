/* The beginning and the end of a command: signals, and the exit status. */
#include <signal.h>

#include "cli/progress.h"
#include "cli/report/json.h"
#include "cli/session.h"
#include "cli/session_guard.h"

static void session_remember(int) {
  session_interrupt();
  session_wake_guard();
}

void session_catch_signals(void) {
  struct sigaction action = {.sa_handler = session_remember, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  session_start_guard();
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
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
  if (!session_output_is_whole()) return STATUS_BAD;
  if (!session_is_interrupted()) return status;
  session_say_interrupted();
  return status_worse(status, STATUS_UNDECIDED);
}
