/* affirm watch: every pass of a compile, judged from the dumps that the compiler wrote. */
#include "cli/watch/watch.h"

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/base/file.h"

/* A file of a number that another one has too has no one before it. */
static bool is_step(const DumpFile *file) {
  return file->pass != nullptr && strcmp(file[-1].module, file->module) == 0;
}

static bool judge_step(WatchCommand *command, const DumpFile *file) {
  Arena *arena = arena_create();
  StepVerdict *verdict = ARENA_NEW(arena, StepVerdict, 1);
  ValuesLimits limits = {.elements = (uint64_t)command->elements, .grade = command->grade};
  if (file->is_repeated) {
    verdict->answer = STEP_UNREADABLE;
    snprintf(verdict->reason, sizeof verdict->reason, "%s: another file has number %lld",
        file->path, (long long)file->number);
  } else step_judge(arena, file[-1].path, file->path, &limits, verdict);
  if (verdict->answer == STEP_UNREADABLE) (void)session_usage("%s", verdict->reason);
  watch_note(command, file - 1, file, verdict);
  bool is_printed = watch_print_step(command, file - 1, file, verdict);
  arena_destroy(arena);
  return is_printed && !session_is_interrupted();
}

static Status watch_folder(WatchCommand *command, const char *path) {
  Dump dump;
  Error error = {};
  if (!dump_read(command->arena, path, &dump, &error)) return session_fail(&error);
  bool goes_on = true;
  for (uint32_t i = 1; goes_on && i < dump.count; i++)
    if (is_step(&dump.items[i])) goes_on = judge_step(command, &dump.items[i]);
  if (session_is_interrupted()) command->status = status_worse(command->status, STATUS_UNDECIDED);
  if (!watch_print_table(command)) return STATUS_BAD;
  return command->read == 0 ? STATUS_BAD : command->status;
}

/* Ends with the program's status or ours, whichever is worse. */
static Status watch_program(WatchCommand *command, char **arguments) {
  char folder[256];
  file_scratch(sizeof folder, folder, "watch");
  if (mkdtemp(folder) == nullptr) return session_usage("%s: no such folder can be made", folder);
  int ended = watch_run_program(folder, arguments);
  if (ended != 0) (void)session_usage("%s ended with %d", arguments[0], ended);
  Status status = watch_folder(command, folder);
  (void)session_usage("the dumps are in %s", folder);
  return ended == 0 ? status : status_worse(status, STATUS_BAD);
}

int cli_watch(int argc, char **argv) {
  WatchCommand command = {};
  int program = 1;
  while (program < argc && strcmp(argv[program], "--") != 0) program++;
  const Option options[] = {
      {"elements", OPTION_NUMBER, &command.elements,
          "N: how many elements are computed for one output before it is too large", nullptr},
      {"laws", OPTION_TEXT, &command.laws,
          "exact|ieee|fast|none: laws of arithmetic that may join terms; exact unless said",
          nullptr},
      {"json", OPTION_FLAG, &command.json, "one object a step, a line each", nullptr},
  };
  const Command table = {
      .usage = "watch FOLDER [OPTION]... | watch [OPTION]... -- PROGRAM ARGUMENT...",
      .about =
          "Does every pass of a compile keep the values? From the texts that the compiler wrote before and after each pass.",
      .notes =
          "FOLDER holds what --xla_dump_to=FOLDER --xla_dump_hlo_pass_re=.* makes XLA write, or files NAME.NUMBER.PASS.hlo in order of their numbers.\n"
          "With a program its XLA_FLAGS get these flags, and its dumps are judged when it has ended.",
      OPTION_TABLE(options)};
  int first, ended;
  if (!options_parse(&table, program, argv, &first, &ended)) return ended;
  if (!law_grade_named(command.laws == nullptr ? "exact" : command.laws, &command.grade))
    return session_end(session_usage("--laws wants exact, ieee, fast or none"));
  bool has_program = program + 1 < argc;
  if (has_program ? first != program : program < argc || program - first != 1)
    return session_end(session_usage("watch wants one folder, or -- and a program"));
  session_catch_signals();
  command.arena = arena_create();
  Status status = has_program ? watch_program(&command, argv + program + 1)
                              : watch_folder(&command, argv[first]);
  arena_destroy(command.arena);
  return session_end(status);
}
