/* affirm watch: judges every pass of a compilation from the compiler's dumps. */
#include "cli/watch/watch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/base/clock.h"
#include "core/base/file.h"

static Status run_program(WatchCommand *command, char **arguments) {
  char directory[256];
  file_scratch(sizeof directory, directory, "watch");
  if (mkdtemp(directory) == nullptr)
    return session_usage("%s: the directory cannot be created", directory);
  Status status = watch_program(command, directory, arguments);
  /* A program that does not start, or dumps nothing, leaves an empty directory. */
  if (rmdir(directory) != 0) session_warn("the dumps are in %s", directory);
  return status;
}

static Status watch_command_run(WatchCommand *command, const char *directory, char **arguments) {
  Error error = {};
  int64_t processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (command->jobs == 0)
    command->jobs = processors < 1 ? 1 : processors > pool_most_jobs ? pool_most_jobs : processors;
  if (command->megabytes == 0) command->megabytes = 1536 / command->jobs;
  command->limits = (ValuesLimits){.elements = (uint64_t)command->elements,
      .grade = command->grade,
      .one_judge = !command->both,
      .steps = (uint64_t)command->pairs};
  command->pool = (WorkerPool){.jobs = (uint32_t)command->jobs,
      .seconds = (double)command->seconds,
      .memory = (uint64_t)command->megabytes << 20};
  command->kept.file = -1;
  command->began = clock_wall();
  if (command->journal != nullptr &&
      !kept_open(&command->kept, command->arena, command->journal, &error))
    return session_fail(&error);
  results_begin(&command->results);
  Status status = directory == nullptr ? run_program(command, arguments)
                                       : watch_directory(command, directory, nullptr, nullptr);
  pool_stop(&command->pool);
  kept_close(&command->kept);
  return results_write(&command->results, status);
}

static bool is_dump(const char *name, int) { return dump_reads(name); }

int cli_watch(int argc, char **argv) {
  WatchCommand command = {.seconds = 20, .elements = 8'000, .pairs = 12'000};
  int program = 1;
  while (program < argc && strcmp(argv[program], "--") != 0) program++;
  const Option options[] = {
      {"elements", OPTION_COUNT, &command.elements,
          "N: maximum number of elements that one comparison evaluates; a larger one is undecided (8000). With "
          "200000, a fifth of the undecided steps of XLA's own tests are decided, in three times "
          "the time.",
          nullptr},
      {"pairs", OPTION_COUNT, &command.pairs,
          "N: maximum number of pairs of operations in a proof about one output (12000)", nullptr},
      LAWS_OPTION(command.laws),
      {"both", OPTION_FLAG, &command.both,
          "ask both judges about every output; by default the second is asked only if the first does not decide",
          nullptr},
      {"jobs", OPTION_COUNT, &command.jobs,
          "N: steps judged at the same time (default: one per processor)", nullptr},
      {"seconds", OPTION_COUNT, &command.seconds,
          "N: limit of processor seconds of one step; beyond it the step is unknown (20)", nullptr},
      {"memory", OPTION_COUNT, &command.megabytes,
          "N: memory limit of one step in MB; beyond it the step is unknown (1536 divided by the jobs)",
          nullptr},
      {"journal", OPTION_UPDATE, &command.journal,
          "FILE: record finished steps; recorded steps are not judged again", nullptr},
      {"output", OPTION_PAIR, &command.output,
          "NAME: write the first wrong step, reduced, as NAME.before.hlo and NAME.after.hlo (default: wrong.*, in the directory of the step)",
          nullptr},
      {"json", OPTION_FLAG, &command.json, "print one JSON object per step and line", nullptr},
      RESULT_OPTIONS(command.results),
  };
  const Command table = {
      .usage = "watch DIRECTORY [OPTION]... | watch [OPTION]... -- PROGRAM ARGUMENT...",
      .about =
          "Checks that each pass of a compile preserves the values. It compares the modules that the compiler dumped before and after the pass.",
      .notes =
          "DIRECTORY contains the dumps that XLA writes with --xla_dump_to=DIRECTORY --xla_dump_hlo_pass_re=.*, or files NAME.NUMBER.PASS.hlo, which are ordered by number; names that begin with a dot are passed over. The text after all passes (NAME.cpu_after_optimizations.txt) is the last step.\n"
          "As in equiv, a promise about indices (unique_indices, indices_are_sorted) that only the later text makes is unknown, unless its indices are shown to keep it, and the backend_config of an operation other than custom-call is ignored.\n"
          "For a program, affirm adds these flags to XLA_FLAGS and judges the dumps while the program runs. A step with a text that cannot be read is `not read`, and so is a text that belongs to no step: the exit status is then 2 if another step was read, else 3. "
          "With --json the standard output of the program goes to standard error. The exit status is the larger of affirm's and the program's. The status of a program that a signal ended is 128 plus the number of the signal.",
      OPTION_TABLE(options),
      .reads = is_dump,
      .program = program + 1 < argc ? argv + program + 1 : nullptr};
  int first, ended;
  if (!options_parse(&table, program, argv, &first, &ended)) return ended;
  if (!law_grade_named(command.laws == nullptr ? "exact" : command.laws, &command.grade))
    return session_end(
        session_usage("--laws is one of exact ieee fast none, not '%s'", command.laws));
  if (!option_fits("jobs", command.jobs, pool_most_jobs)) return session_end(STATUS_BAD);
  bool has_program = program + 1 < argc;
  if (has_program ? first != program : program < argc || program - first != 1)
    return session_end(session_usage("watch needs one directory, or -- and a program"));
  session_catch_signals();
  command.arena = arena_create();
  Status status = watch_command_run(
      &command, has_program ? nullptr : argv[first], has_program ? argv + program + 1 : nullptr);
  arena_destroy(command.arena);
  return session_end_with(status, command.program);
}
