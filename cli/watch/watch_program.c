/* A program is run with `--xla_dump_to` and `--xla_dump_hlo_pass_re` added to its XLA_FLAGS; what
 * it wrote is judged when it has ended. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/session.h"
#include "cli/watch/watch.h"
#include "core/base/process.h"

int watch_run_program(const char *folder, char **arguments) {
  char flags[8192];
  const char *given = getenv("XLA_FLAGS");
  int length = snprintf(flags, sizeof flags,
      "%s --xla_dump_to=%s --xla_dump_hlo_pass_re=.* --xla_dump_hlo_as_text",
      given == nullptr ? "" : given, folder);
  if (length < 0 || (size_t)length >= sizeof flags) return STATUS_BAD;
  if (setenv("XLA_FLAGS", flags, 1) != 0) return STATUS_BAD;
  pid_t child = process_start(&(ProcessStart){.argv = arguments, .in = -1, .out = -1, .err = -1});
  if (child < 0) {
    fprintf(stderr, "affirm watch: %s: %s\n", arguments[0], strerror(errno));
    return 127;
  }
  int state = 0;
  while (!process_wait(child, 0.2, &state))
    if (session_is_interrupted()) {
      state = process_kill(child);
      break;
    }
  return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}
