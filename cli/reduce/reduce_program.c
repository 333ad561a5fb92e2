/* Candidates are written to a file in a scratch directory. A candidate shows the same finding if
 * the kind is the same and, for a crash without a report, the location too (named by
 * fuzz_findings.h). */
#include "cli/reduce/reduce_program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/fuzz/fuzz_findings.h"
#include "cli/session.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/command.h"
#include "reduce/reduce.h"
#include "reduce/shrink_child.h"

static constexpr size_t most_log = (size_t)1 << 24;
static constexpr double longest_run = 20; /* seconds */

typedef struct Trials {
  ProgramReduction *reduction;
  Reduction state;
  const char *directory, *input;
  double deadline;
  bool is_broken;
} Trials;

static bool write_input(const Trials *trials, const char *text, size_t length) {
  FILE *file = fopen(trials->input, "wb");
  bool written = file != nullptr && fwrite(text, 1, length, file) == length;
  return file != nullptr && fclose(file) == 0 && written;
}

static bool trials_run(const Trials *trials, ProgramResult *result) {
  Arena *arena = trials->reduction->arena;
  const char *program = trials->reduction->program;
  char *argv[] = {arena_text(arena, program, strlen(program)),
      arena_text(arena, trials->input, strlen(trials->input)), nullptr};
  program_run(arena,
      &(ProgramRun){.argv = argv,
          .wall_seconds = longest_run,
          .is_joined = true,
          .most_output = most_log,
          .stop = session_is_interrupted},
      result);
  return result->end != PROGRAM_NOT_STARTED;
}

/* Runs the program. Returns the finding, or nullptr; its output is stored in `log`. A run that
 * lasts too long is killed, and the signal is no finding. */
static const char *finding_of(Trials *trials, const char *text, size_t length, const char **log) {
  ProgramResult result;
  *log = "";
  trials->is_broken |= !write_input(trials, text, length) || !trials_run(trials, &result);
  if (trials->is_broken) return nullptr;
  trials->reduction->late += result.end == PROGRAM_LATE;
  if (result.end == PROGRAM_LATE || result.end == PROGRAM_STOPPED ||
      (result.end == PROGRAM_EXITED && result.code == 0))
    return nullptr;
  *log = result.output;
  const char *fault = finding_fault(trials->reduction->arena, result.output);
  FaultSignature signature;
  crash_signature(result.output, result.state, &signature);
  return fault != nullptr
             ? fault
             : arena_text(trials->reduction->arena, signature.text, strlen(signature.text));
}

static bool still_shows(void *state, const char *text, size_t length) {
  Trials *trials = state;
  Arena *arena = trials->reduction->arena;
  if (clock_wall() > trials->deadline || session_is_interrupted()) trials->state.most_trials = 0;
  ArenaMark mark = arena_mark(arena);
  const char *log, *seen = finding_of(trials, text, length, &log);
  bool same = seen != nullptr && strcmp(seen, trials->reduction->kind) == 0;
  if (trials->is_broken) trials->state.most_trials = 0;
  arena_rewind(arena, mark);
  return same;
}

static void reduce_program_reduce(Trials *trials, const Source *input) {
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
  reduction->is_cut = trials->state.is_cut;
  (void)finding_of(trials, reduction->smallest, reduction->length, &reduction->log);
}

bool reduce_by_program(ProgramReduction *reduction, const Source *input, Error *error) {
  char directory[512];
  file_scratch(sizeof directory, directory, "reduce");
  if (access(reduction->program, X_OK) != 0)
    return error_set(error, ERROR_ENVIRONMENT, "%s: %s", reduction->program, strerror(errno));
  if (mkdtemp(directory) == nullptr)
    return error_set(error, ERROR_ENVIRONMENT, "%s: %s", directory, strerror(errno));
  Trials trials = {.reduction = reduction,
      .directory = directory,
      .deadline = clock_wall() + reduction->seconds,
      .input = arena_printf(reduction->arena, "%s/input", directory)};
  reduce_program_reduce(&trials, input);
  unlink(trials.input);
  rmdir(directory);
  return !trials.is_broken || error_set(error, ERROR_ENVIRONMENT, "%s could not be run in %s",
                                  reduction->program, directory);
}
