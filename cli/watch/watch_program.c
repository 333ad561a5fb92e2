/* A program is run with `--xla_dump_to` and `--xla_dump_hlo_pass_re` added to its XLA_FLAGS; what
 * it wrote is judged when it has ended. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/watch/watch.h"

int watch_run_program(const char *folder, char **arguments) {
  char flags[8192];
  const char *given = getenv("XLA_FLAGS");
  int length = snprintf(flags, sizeof flags,
      "%s --xla_dump_to=%s --xla_dump_hlo_pass_re=.* --xla_dump_hlo_as_text",
      given == nullptr ? "" : given, folder);
  if (length < 0 || (size_t)length >= sizeof flags) return STATUS_BAD;
  pid_t child = fork();
  if (child < 0) return STATUS_BAD;
  if (child == 0) {
    if (setenv("XLA_FLAGS", flags, 1) == 0) execvp(arguments[0], arguments);
    fprintf(stderr, "affirm watch: %s: %s\n", arguments[0], strerror(errno));
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return STATUS_BAD;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
