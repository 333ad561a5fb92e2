/* Candidates go to a file in a scratch folder. The same finding: the same kind, and for a crash
 * without a report the same place (fuzz_findings.h names both). */
#include "cli/reduce_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/fuzz/fuzz_findings.h"
#include "core/base/file.h"
#include "reduce/reduce.h"
#include "reduce/shrink_child.h"

extern char **environ;

static constexpr size_t most_log = (size_t)1 << 24;
static constexpr int longest_run = 20'000; /* milliseconds */

typedef struct Trials {
  ProgramReduction *reduction;
  Reduction state;
  const char *folder, *input, *log;
  double deadline;
  bool is_broken;
} Trials;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool write_input(const Trials *trials, const char *text, size_t length) {
  FILE *file = fopen(trials->input, "wb");
  bool written = file != nullptr && fwrite(text, 1, length, file) == length;
  return file != nullptr && fclose(file) == 0 && written;
}

/* Waits, and kills what takes too long. */
static int wait_for(pid_t child) {
  int state = 0;
  for (int waited = 0; waitpid(child, &state, WNOHANG) == 0; waited += waited < 20 ? 1 : 10) {
    if (waited > longest_run) kill(child, SIGKILL);
    nanosleep(&(struct timespec){.tv_nsec = waited < 20 ? 1'000'000 : 10'000'000}, nullptr);
  }
  return state;
}

static bool run(const Trials *trials, int *state) {
  char *argv[] = {arena_text(trials->reduction->arena, trials->reduction->program,
                      strlen(trials->reduction->program)),
      arena_text(trials->reduction->arena, trials->input, strlen(trials->input)), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(
      &actions, STDOUT_FILENO, trials->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child;
  int failed = posix_spawn(&child, argv[0], &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed == 0) *state = wait_for(child);
  return failed == 0;
}

/* What is seen, or nullptr; what was printed goes to `log`. */
static const char *finding_of(Trials *trials, const char *text, size_t length, const char **log) {
  Source printed;
  Error error = {};
  int state;
  *log = "";
  trials->is_broken |=
      !write_input(trials, text, length) || !run(trials, &state) ||
      !file_read(trials->reduction->arena, trials->log, most_log, &printed, &error);
  if (trials->is_broken || (WIFEXITED(state) && WEXITSTATUS(state) == 0)) return nullptr;
  *log = printed.text;
  const char *fault = finding_fault(trials->reduction->arena, printed.text);
  Sight sight;
  crash_sight(printed.text, state, &sight);
  return fault != nullptr ? fault
                          : arena_text(trials->reduction->arena, sight.text, strlen(sight.text));
}

static bool still_shows(void *state, const char *text, size_t length) {
  Trials *trials = state;
  Arena *arena = trials->reduction->arena;
  if (now() > trials->deadline) trials->state.most_trials = 0;
  ArenaMark mark = arena_mark(arena);
  const char *log, *seen = finding_of(trials, text, length, &log);
  bool same = seen != nullptr && strcmp(seen, trials->reduction->kind) == 0;
  if (trials->is_broken) trials->state.most_trials = 0;
  arena_rewind(arena, mark);
  return same;
}

static void reduce(Trials *trials, const Source *input) {
  ProgramReduction *reduction = trials->reduction;
  reduction->kind = finding_of(trials, input->text, input->length, &reduction->log);
  reduction->smallest = input->text;
  reduction->length = input->length;
  if (reduction->kind == nullptr) return;
  trials->state = (Reduction){
      .still_shows = still_shows, .state = trials, .most_trials = reduction->most_trials};
  if (!reduce_text(
          reduction->arena, &trials->state, input->text, &reduction->length, &reduction->smallest))
    return;
  reduction->trials = trials->state.trials;
  (void)finding_of(trials, reduction->smallest, reduction->length, &reduction->log);
}

bool reduce_by_program(ProgramReduction *reduction, const Source *input, Error *error) {
  char folder[512];
  file_scratch(sizeof folder, folder, "reduce");
  if (access(reduction->program, X_OK) != 0)
    return error_set(error, ERROR_ENVIRONMENT, "%s: %s", reduction->program, strerror(errno));
  if (mkdtemp(folder) == nullptr)
    return error_set(error, ERROR_ENVIRONMENT, "%s: %s", folder, strerror(errno));
  Trials trials = {.reduction = reduction,
      .folder = folder,
      .deadline = now() + reduction->seconds,
      .input = arena_printf(reduction->arena, "%s/input", folder),
      .log = arena_printf(reduction->arena, "%s/log", folder)};
  reduce(&trials, input);
  unlink(trials.input);
  unlink(trials.log);
  rmdir(folder);
  return !trials.is_broken || error_set(error, ERROR_ENVIRONMENT, "%s could not be run in %s",
                                  reduction->program, folder);
}
