/* Runs a program with `--xla_dump_to` and `--xla_dump_hlo_pass_re` added to its XLA_FLAGS, and
 * judges its dumps while it runs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/watch/watch.h"
#include "core/base/process.h"
#include "core/base/text.h"

typedef struct WatchedProgram {
  pid_t child; /* 0: it has ended */
  int state;
} WatchedProgram;

static bool program_runs(void *state) {
  WatchedProgram *program = state;
  if (program->child > 0 && process_wait(program->child, 0, &program->state)) program->child = 0;
  return program->child > 0;
}

/* A value with other characters than those of a plain path is in double quotes, as XLA reads
 * XLA_FLAGS: it splits them at blanks, and knows a backslash inside double quotes alone. */
static void text_flag_value(Text *text, const char *value) {
  static const char plain[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./,:=@%+";
  const bool is_plain = value[strspn(value, plain)] == 0;
  if (!is_plain) text_string(text, "\"");
  for (const char *at = value; *at != 0; at++)
    text_printf(text, "%s%c", *at == '"' || *at == '\\' ? "\\" : "", *at);
  if (!is_plain) text_string(text, "\"");
}

static Status set_flags(Arena *arena, const char *directory) {
  const char *given = getenv("XLA_FLAGS");
  if (given == nullptr) given = "";
  const char first = given[strspn(given, " \t\r\n")];
  if (first != 0 && first != '-')
    return session_usage("XLA_FLAGS names a file; watch can only add its flags to flags");
  Text flags = text_create(arena);
  text_printf(&flags, "%s --xla_dump_to=", given);
  text_flag_value(&flags, directory);
  text_string(&flags, " --xla_dump_hlo_pass_re=.* --xla_dump_hlo_as_text");
  return setenv("XLA_FLAGS", flags.bytes, 1) == 0 ? STATUS_PROVED
                                                  : session_usage("XLA_FLAGS: %s", strerror(errno));
}

Status watch_program(WatchCommand *command, const char *directory, char **arguments) {
  if (set_flags(command->arena, directory) != STATUS_PROVED) return STATUS_BAD;
  /* Standard output has JSON lines alone. */
  WatchedProgram program = {
      .child = process_start(&(ProcessStart){
          .argv = arguments, .in = -1, .out = command->json ? STDERR_FILENO : -1, .err = -1})};
  if (program.child < 0) return session_usage("%s: %s", arguments[0], strerror(errno));
  Status status = watch_directory(command, directory, program_runs, &program);
  if (program.child > 0) program.state = process_kill(program.child);
  command->program =
      WIFEXITED(program.state) ? WEXITSTATUS(program.state) : 128 + WTERMSIG(program.state);
  if (command->program != 0) session_warn("%s ended with %d", arguments[0], command->program);
  return status;
}
