/* Compares one pair of files in a child process. If the child crashes, takes too long or is killed,
 * its answers so far hold, the rest of the pair is unknown, and the next pair is compared. */
#include <sys/wait.h>

#include "cli/equiv/equiv_progress.h"
#include "core/base/process.h"

typedef struct EquivChild {
  EquivCommand *command;
  Arena *arena;
  const char *before, *after;
  bool is_too_long;
} EquivChild;

static int compare_in_child(void *state) {
  EquivChild *child = state;
  EquivCommand *command = child->command;
  equiv_progress_end(command, equiv_compare(command, child->arena, child->before, child->after));
  return 0;
}

/* False if the output cannot be written. */
static bool add_lost(EquivChild *child, const EquivTaken *taken, int state) {
  EquivCommand *command = child->command;
  const char *why =
      child->is_too_long        ? arena_printf(child->arena, "takes more than %s of processor time",
                                      counted((uint64_t)command->seconds, "second"))
      : WIFSIGNALED(state)      ? arena_printf(child->arena, "ended by signal %d", WTERMSIG(state))
      : WEXITSTATUS(state) == 0 ? "its answers could not be written"
                                : "ended before the comparison, because memory ran out";
  if (taken->answers > 0)
    why = arena_printf(child->arena, "%s, after %s", why, counted(taken->answers, "answer"));
  command->files[EQUIV_BEFORE] = child->before;
  command->files[EQUIV_AFTER] = child->after;
  command->module = command->module_count = 0; /* of the pair as a whole */
  command->tally.graphs += !taken->is_open;
  command->tally.lost++;
  command->tally.status = status_worse(command->tally.status, STATUS_UNDECIDED);
  session_warn("%s: unknown: %s", child->before, why);
  equiv_keep_result(command, child->arena, "values", "pair", STATUS_UNDECIDED, why);
  return equiv_print_nothing(command, child->arena, why);
}

/* False if the run ends with this pair. */
static bool take_outcome(EquivChild *child, int state) {
  EquivTaken taken;
  bool is_whole = equiv_progress_take(child->command, child->arena, &taken);
  if (!session_is_interrupted() && (!taken.has_ended || !is_whole))
    return add_lost(child, &taken, state);
  return taken.goes_on;
}

/* Where no child can be made, nothing ends a comparison that takes too long. */
static bool compare_here(
    EquivCommand *command, Arena *arena, const char *before, const char *after) {
  if (command->seconds > 0)
    session_warn("%s: no process could be started: --seconds has no effect", before);
  return equiv_compare(command, arena, before, after);
}

static bool takes_too_long(const EquivCommand *command, pid_t process) {
  return command->seconds > 0 && process_seconds(process) > (double)command->seconds;
}

static bool run_child(EquivChild *child) {
  int state = 0;
  pid_t process = process_start(
      &(ProcessStart){.body = compare_in_child, .state = child, .in = -1, .out = -1, .err = -1});
  if (process < 0) return compare_here(child->command, child->arena, child->before, child->after);
  while (!process_wait(process, 0.2, &state)) {
    child->is_too_long = takes_too_long(child->command, process);
    if (!child->is_too_long && !session_is_interrupted()) continue;
    state = process_kill(process);
    break;
  }
  bool goes_on = take_outcome(child, state);
  if (!session_is_interrupted()) return goes_on;
  child->command->tally.status = status_worse(child->command->tally.status, STATUS_UNDECIDED);
  return false;
}

bool equiv_compare_apart(
    EquivCommand *command, Arena *arena, const char *before, const char *after) {
  EquivProgress *progress = equiv_progress_create(command, arena);
  if (progress == nullptr) return compare_here(command, arena, before, after);
  command->progress = progress;
  bool goes_on = run_child(&(EquivChild){command, arena, before, after, false});
  command->progress = nullptr;
  equiv_progress_destroy(progress);
  return goes_on;
}
