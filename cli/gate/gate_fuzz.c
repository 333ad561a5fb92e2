/* The fuzz part of the gate: each program fuzz_NAME beside the affirm program runs on
 * corpus/seeds/NAME with seed 1. What it prints is shown when it finds something, and the input is
 * kept; its other inputs of this run are thrown away. */
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/gate/gate.h"
#include "core/base/command.h"
#include "core/base/file.h"

/* Inputs that show a fault are kept here, in the working directory. */
static const char findings[] = ".affirm";
/* What a program may take beyond twice its time, to read its seeds and to end. */
static constexpr double seconds_to_end = 300;

static bool own_directory(char *directory, size_t capacity) {
  ssize_t length = readlink("/proc/self/exe", directory, capacity - 1);
  if (length <= 0) return false;
  directory[length] = 0;
  char *slash = strrchr(directory, '/');
  if (slash == nullptr) return false;
  *slash = 0;
  return true;
}

/* The number after a word of the log: libFuzzer ends in "stat::number_of_executed_units:
 * 12345". */
static uint64_t number_after(const char *log, const char *word) {
  const char *count = strstr(log, word);
  return count == nullptr ? 0 : strtoull(count + strlen(word), nullptr, 10);
}

/* Of the log, what the program says of its finding: from the case that it prints on, else the last
 * lines. */
static const char *finding_of(const char *log) {
  static constexpr size_t most_bytes = 2000;
  const char *found = strstr(log, "\n# fuzz_found_");
  size_t length = strlen(log);
  if (found != nullptr) return found + 1;
  return length > most_bytes ? log + length - most_bytes : log;
}

static void fail(Gate *gate, const char *what, const char *log) {
  const char *finding = finding_of(log);
  const char *end = strstr(finding, "\n==");
  size_t length = end == nullptr ? strlen(finding) : (size_t)(end + 1 - finding);
  Failure failure = {.stage = what,
      .count = 1,
      .size = counterexample_text_size(length),
      .text = arena_text(gate->arena, finding, length)};
  opcode_set_add_text(&failure.operations, finding, length);
  check_fail(&gate->checker, &failure, failure.text);
}

static GateRow fuzz_one(Gate *gate, const char *program, const char *name, const char *directory) {
  char *argv[] = {arena_text(gate->arena, program, strlen(program)), "-seed=1", "-verbosity=0",
      "-print_final_stats=1",
      arena_printf(gate->arena, "-max_total_time=%lld", (long long)gate->fuzz_seconds),
      arena_printf(gate->arena, "-artifact_prefix=%s/%s-", findings, name),
      arena_printf(gate->arena, "%s/found", directory),
      arena_printf(gate->arena, "%s/seeds/%s", gate->corpus == nullptr ? "." : gate->corpus, name),
      nullptr};
  struct stat status;
  bool has_seeds = gate->corpus != nullptr && stat(argv[7], &status) == 0;
  if (!has_seeds) argv[7] = nullptr;
  bool is_made = mkdir(findings, 0755) == 0;
  ProgramResult result = {.end = PROGRAM_NOT_STARTED, .output = ""};
  if (mkdir(argv[6], 0700) == 0)
    program_run(gate->arena,
        &(ProgramRun){.argv = argv,
            .wall_seconds = 2 * (double)gate->fuzz_seconds + seconds_to_end,
            .is_joined = true,
            .stop = session_is_interrupted},
        &result);
  if (is_made) (void)rmdir(findings); /* stays where something was found */
  GateRow row = {.what = arena_printf(gate->arena, "fuzz %s", name),
      .seconds = result.seconds,
      .passed = number_after(result.output, "stat::number_of_executed_units:"),
      .note = has_seeds ? "executions" : "executions, without saved seeds"};
  bool ended_well = result.end == PROGRAM_EXITED && result.code == 0;
  if (ended_well && row.passed > 0) return row;
  if (ended_well || session_is_interrupted() || result.end == PROGRAM_NOT_STARTED) {
    row.open = 1;
    row.note = result.end == PROGRAM_NOT_STARTED ? "did not start" : "ended early";
    return row;
  }
  row.failed = 1;
  row.note = result.end == PROGRAM_LATE ? "did not end in time"
             : result.end == PROGRAM_SIGNALED
                 ? arena_printf(gate->arena, "signal %d", result.code)
                 : arena_printf(gate->arena, "exit code %d", result.code);
  fail(gate, row.what, result.output);
  return row;
}

static void remove_directory(Gate *gate, const char *directory) {
  PathList paths = {};
  Error error = {};
  Gate inside = {.arena = gate->arena, .corpus = directory};
  if (gate_find(&inside, "", &paths, &error))
    for (uint32_t i = 0; i < paths.count; i++) unlink(paths.items[i]);
  rmdir(arena_printf(gate->arena, "%s/found", directory));
  rmdir(directory);
}

static void fuzz_in_scratch(Gate *gate, const char *program) {
  const char *slash = strrchr(program, '/');
  const char *name = slash + strlen("/fuzz_");
  char directory[512];
  file_scratch(sizeof directory, directory, "gate");
  if (mkdtemp(directory) == nullptr) {
    gate_row(gate, (GateRow){.what = name, .open = 1, .note = "no scratch directory"});
    return;
  }
  gate_row(gate, fuzz_one(gate, program, name, directory));
  remove_directory(gate, directory);
}

/* A test program of the directory fuzz is named fuzz_NAME_test, a file that belongs to a program
 * has a dot. */
static bool is_fuzz_program(const char *path) {
  const char *name = strrchr(path, '/') + 1;
  size_t length = strlen(name);
  bool is_test = length > 5 && strcmp(name + length - 5, "_test") == 0;
  struct stat status;
  return access(path, X_OK) == 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
         strchr(name, '.') == nullptr && !is_test;
}

void gate_fuzz(Gate *gate) {
  char directory[PATH_MAX];
  glob_t found = {};
  bool any = own_directory(directory, sizeof directory) &&
             glob(arena_printf(gate->arena, "%s/fuzz_*", directory), 0, nullptr, &found) == 0;
  uint64_t count = 0;
  for (size_t i = 0; any && i < found.gl_pathc && !gate_should_end(gate); i++) {
    if (!is_fuzz_program(found.gl_pathv[i])) continue;
    fuzz_in_scratch(gate, found.gl_pathv[i]);
    count++;
  }
  globfree(&found);
  if (count == 0)
    gate_row(gate, (GateRow){.what = "fuzz",
                       .open = 1,
                       .note = "no fuzz program beside affirm: nothing was fuzzed"});
}
