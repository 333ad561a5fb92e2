/* Runs a program with `--xla_dump_to` and `--xla_dump_hlo_pass_re` added to its XLA_FLAGS, and
 * judges its dumps while it runs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/watch/watch.h"
#include "core/base/process.h"

typedef struct WatchedProgram {
  pid_t child; /* 0: it has ended */
  int state;
} WatchedProgram;

static bool program_runs(void *state) {
  WatchedProgram *program = state;
  if (program->child > 0 && process_wait(program->child, 0, &program->state)) program->child = 0;
  return program->child > 0;
}

static bool set_flags(const char *directory) {
  char flags[8192];
  const char *given = getenv("XLA_FLAGS");
  int length = snprintf(flags, sizeof flags,
      "%s --xla_dump_to=%s --xla_dump_hlo_pass_re=.* --xla_dump_hlo_as_text",
      given == nullptr ? "" : given, directory);
  return length >= 0 && (size_t)length < sizeof flags && setenv("XLA_FLAGS", flags, 1) == 0;
}

Status watch_program(WatchCommand *command, const char *directory, char **arguments) {
  if (!set_flags(directory)) return session_usage("XLA_FLAGS: longer than 8192 bytes");
  WatchedProgram program = {
      .child = process_start(&(ProcessStart){.argv = arguments, .in = -1, .out = -1, .err = -1})};
  if (program.child < 0) return session_usage("%s: %s", arguments[0], strerror(errno));
  Status status = watch_directory(command, directory, program_runs, &program);
  if (program.child > 0) program.state = process_kill(program.child);
  command->program =
      WIFEXITED(program.state) ? WEXITSTATUS(program.state) : 128 + WTERMSIG(program.state);
  if (command->program != 0) session_warn("%s ended with %d", arguments[0], command->program);
  return status;
}
