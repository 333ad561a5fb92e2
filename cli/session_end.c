/* The beginning and the end of a command: signals, and the exit status. */
#include <signal.h>

#include "cli/progress.h"
#include "cli/report/json.h"
#include "cli/report/results.h"
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
