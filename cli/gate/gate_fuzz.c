/* The fuzz part of the gate: each program fuzz_NAME beside affirm runs on corpus/seeds/NAME with
 * seed 1, in as many processes as the scopes. A program that a partial build lacks is open. Without
 * any program, as in an installation, the part is left out unless --fuzz asks for it. If one finds
 * something, its output is shown and the input is kept. All other inputs of the run are deleted. */
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/fuzz/fuzz_programs.h"
#include "cli/gate/gate.h"
#include "cli/session_guard.h"
#include "core/base/command.h"
#include "core/base/file.h"
#include "core/base/program.h"
#include "smt/solver/store_location.h"

/* Time for a program beyond twice its limit, to read its seeds and to end. */
static constexpr double seconds_to_end = 300;
static constexpr int64_t most_jobs = 16;

const char *gate_kept(Gate *gate) {
  if (gate->kept != nullptr) return gate->kept;
  const char *cache = store_location_cache(gate->arena);
  if (cache != nullptr) {
    gate->kept = arena_printf(gate->arena, "%s/affirm", cache);
    (void)mkdir(cache, 0700), (void)mkdir(gate->kept, 0700);
    const char *inside = arena_printf(gate->arena, "%s/findings", gate->kept);
    (void)mkdir(inside, 0700);
    if (access(inside, W_OK) == 0) return gate->kept;
  }
  char scratch[512];
  file_scratch(sizeof scratch, scratch, "kept");
  gate->is_kept_scratch = mkdtemp(scratch) != nullptr;
  gate->kept = gate->is_kept_scratch ? arena_printf(gate->arena, "%s", scratch) : ".";
  (void)mkdir(arena_printf(gate->arena, "%s/findings", gate->kept), 0700);
  return gate->kept;
}

void gate_drop_kept(const Gate *gate) {
  if (!gate->is_kept_scratch) return;
  (void)rmdir(arena_printf(gate->arena, "%s/findings", gate->kept));
  (void)rmdir(gate->kept);
}

/* The number after a word of the log. libFuzzer's log ends in "stat::number_of_executed_units:
 * 12345". */
static uint64_t number_after(const char *log, const char *word) {
  const char *count = strstr(log, word);
  return count == nullptr ? 0 : strtoull(count + strlen(word), nullptr, 10);
}

/* The program's report of its finding in the log: from the printed case on, else the last lines. */
static const char *finding_of(const char *log) {
  static constexpr size_t most_bytes = 2000;
  const char *found = strstr(log, "\n# fuzz_found_");
  size_t length = strlen(log);
  if (found != nullptr) return found + 1;
  return length > most_bytes ? log + length - most_bytes : log;
}

static void gate_fuzz_fail(Gate *gate, const char *what, const char *log) {
  static const char written[] = "Test unit written to ";
  const char *finding = finding_of(log);
  const char *end = strstr(finding, "\n==");
  size_t length = end == nullptr ? strlen(finding) : (size_t)(end + 1 - finding);
  const char *kept = strstr(log, written);
  size_t path = kept == nullptr ? 0 : strcspn(kept + strlen(written), "\n");
  Failure failure = {.stage = what,
      .count = 1,
      .size = counterexample_text_size(length),
      .text = arena_printf(gate->arena, "%.*s%s%.*s%s", (int)length, finding,
          path == 0 ? "" : "  kept in      ", (int)path, path == 0 ? "" : kept + strlen(written),
          path == 0 ? "" : "\n")};
  opcode_set_add_text(&failure.operations, finding, length);
  gate_fail(gate, &failure, nullptr);
}

/* One program, run by a thread of its own. */
typedef struct FuzzRun {
  Arena *arena; /* used by this thread only */
  const char *name;
  char directory[512]; /* scratch; empty: could not be created */
  char *argv[9];
  double seconds;
  bool has_thread;
  pthread_t thread;
  ProgramResult result;
} FuzzRun;

static void *fuzz_work(void *state) {
  FuzzRun *run = state;
  if (run->directory[0] != 0 && mkdir(run->argv[6], 0700) == 0)
    program_run(run->arena,
        &(ProgramRun){.argv = run->argv,
            .wall_seconds = run->seconds,
            .is_joined = true,
            .stop = session_must_end},
        &run->result);
  return nullptr;
}

/* libFuzzer compares elapsed whole seconds and ends after one second more than its limit. A limit
 * of 0 would mean none. */
static int64_t fuzz_time_limit(int64_t seconds) { return seconds > 1 ? seconds - 1 : seconds; }

static void fuzz_start(Gate *gate, FuzzRun *run, const char *program) {
  *run = (FuzzRun){.arena = arena_create(),
      .name = fuzz_program_name(program),
      .seconds = 2 * (double)gate->fuzz_seconds + seconds_to_end,
      .result = {.end = PROGRAM_NOT_STARTED, .output = ""}};
  file_scratch(sizeof run->directory, run->directory, "gate");
  if (mkdtemp(run->directory) == nullptr) run->directory[0] = 0;
  char *argv[] = {arena_text(run->arena, program, strlen(program)), "-seed=1", "-verbosity=0",
      "-print_final_stats=1",
      arena_printf(
          run->arena, "-max_total_time=%lld", (long long)fuzz_time_limit(gate->fuzz_seconds)),
      arena_printf(run->arena, "-artifact_prefix=%s/findings/%s-", gate_kept(gate), run->name),
      arena_printf(run->arena, "%s/found", run->directory),
      arena_printf(
          run->arena, "%s/seeds/%s", gate->corpus == nullptr ? "." : gate->corpus, run->name),
      nullptr};
  static_assert(sizeof argv == sizeof run->argv);
  struct stat status;
  if (gate->corpus == nullptr || stat(argv[7], &status) != 0) argv[7] = nullptr;
  memcpy(run->argv, argv, sizeof argv);
  run->has_thread = pthread_create(&run->thread, nullptr, fuzz_work, run) == 0;
  if (!run->has_thread) (void)fuzz_work(run);
}

/* Whether an interrupt ended the program, which may have found something before. */
static bool was_interrupted(const ProgramResult *result) {
  static constexpr int run_interrupted = 72; /* libFuzzer's exit code after SIGINT or SIGTERM */
  if (result->end == PROGRAM_EXITED)
    return session_is_interrupted() && result->code == run_interrupted;
  return result->end == PROGRAM_STOPPED ||
         (result->end == PROGRAM_SIGNALED && session_is_interrupted() &&
             (result->code == SIGINT || result->code == SIGTERM));
}

static GateRow fuzz_row(Gate *gate, const FuzzRun *run) {
  const ProgramResult *result = &run->result;
  GateRow row = {.what = arena_printf(gate->arena, "fuzz %s", run->name),
      .seconds = result->seconds,
      .passed = number_after(result->output, "stat::number_of_executed_units:"),
      .note = run->argv[7] != nullptr ? "executions" : "executions, without saved seeds"};
  bool ended_well = result->end == PROGRAM_EXITED && result->code == 0;
  if (ended_well && row.passed > 0) return row;
  if (ended_well || was_interrupted(result) || result->end == PROGRAM_NOT_STARTED) {
    row.open = 1;
    row.note = run->directory[0] == 0               ? "no scratch directory"
               : result->end == PROGRAM_NOT_STARTED ? "did not start"
                                                    : "ended early";
    return row;
  }
  row.failed = 1;
  row.note = result->end == PROGRAM_LATE ? "did not end in time"
             : result->end == PROGRAM_SIGNALED
                 ? arena_printf(gate->arena, "signal %d", result->code)
                 : arena_printf(gate->arena, "exit code %d", result->code);
  gate_fuzz_fail(gate, row.what, result->output);
  return row;
}

static void remove_directory(Gate *gate, const char *directory) {
  PathList paths = {};
  Error error = {};
  Gate inside = {.arena = gate->arena, .corpus = directory};
  if (gate_find(&inside, "", &paths, nullptr, &error))
    for (uint32_t i = 0; i < paths.count; i++) unlink(paths.items[i]);
  rmdir(arena_printf(gate->arena, "%s/found", directory));
  rmdir(directory);
}

static void fuzz_end(Gate *gate, FuzzRun *run) {
  if (run->has_thread) pthread_join(run->thread, nullptr);
  gate_row(gate, fuzz_row(gate, run));
  if (run->directory[0] != 0) remove_directory(gate, run->directory);
  arena_destroy(run->arena);
}

/* Prints an open row for each fuzz program of the project that is not in the directory. */
static void name_missing(Gate *gate, const char *directory) {
  for (const char *name = AFFIRM_FUZZ_TARGETS; *name != 0; name += strcspn(name, " ")) {
    name += strspn(name, " ");
    const char *path =
        arena_printf(gate->arena, "%s/fuzz_%.*s", directory, (int)strcspn(name, " "), name);
    if (fuzz_program_is_one(path)) continue;
    gate_row(gate, (GateRow){.what = arena_printf(gate->arena, "fuzz %s", strrchr(path, '_') + 1),
                       .open = 1,
                       .note = "the program is not beside affirm: not fuzzed"});
  }
}

void gate_fuzz(Gate *gate) {
  char directory[PATH_MAX];
  FuzzPrograms found = {};
  if (program_directory(sizeof directory, directory))
    fuzz_programs_find(gate->arena, directory, &found);
  uint32_t jobs = gate->exhaust_jobs < 1           ? 1
                  : gate->exhaust_jobs > most_jobs ? most_jobs
                                                   : (uint32_t)gate->exhaust_jobs,
           at = 0;
  while (at < found.count && !gate_should_end(gate)) {
    FuzzRun runs[most_jobs];
    uint32_t started = 0;
    for (; at < found.count && started < jobs; at++)
      fuzz_start(gate, &runs[started++], found.items[at]);
    for (uint32_t i = 0; i < started; i++) fuzz_end(gate, &runs[i]);
  }
  if (at > 0 && !gate_should_end(gate)) name_missing(gate, directory);
  if (at == 0)
    gate_row(
        gate, (GateRow){.what = "fuzz",
                  .open = gate->is_fuzz_wanted,
                  .is_left_out = !gate->is_fuzz_wanted,
                  .note = gate->is_fuzz_wanted ? "no fuzz program beside affirm: nothing was fuzzed"
                                               : "not run: no fuzz program beside affirm"});
}
