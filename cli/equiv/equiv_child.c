/* Compares one pair of files in a child process. Its counts return through shared memory, its rows
 * for result files through a file. If the child crashes, takes too long or is killed, the pair is
 * unknown and the next pair is compared. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "cli/equiv/equiv.h"
#include "cli/report/json.h"
#include "core/base/process.h"

typedef struct EquivOutcome {
  EquivTally tally;
  JsonTotals totals;
  bool goes_on, is_finished;
} EquivOutcome;

typedef struct EquivChild {
  EquivCommand *command;
  Arena *arena;
  const char *before, *after;
  EquivOutcome *outcome; /* shared */
  FILE *rows;
  bool is_too_long;
} EquivChild;

static void write_text(FILE *file, const char *text) {
  uint64_t length = text == nullptr ? 0 : strlen(text) + 1;
  (void)fwrite(&length, sizeof length, 1, file);
  (void)fwrite(text, 1, length, file);
}

static bool read_text(FILE *file, Arena *arena, const char **text) {
  uint64_t length;
  *text = nullptr;
  if (fread(&length, sizeof length, 1, file) != 1) return false;
  if (length == 0) return true;
  char *bytes = ARENA_NEW(arena, char, length);
  *text = bytes;
  return fread(bytes, 1, length, file) == length && bytes[length - 1] == 0;
}

static void write_row(FILE *file, const Result *row) {
  (void)fwrite(row, sizeof *row, 1, file);
  const char *const texts[] = {row->part, row->name, row->file, row->text};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) write_text(file, texts[i]);
}

static bool read_row(FILE *file, Arena *arena, Result *row) {
  return fread(row, sizeof *row, 1, file) == 1 && read_text(file, arena, &row->part) &&
         read_text(file, arena, &row->name) && read_text(file, arena, &row->file) &&
         read_text(file, arena, &row->text);
}

/* Runs in the child, which writes only the rows that it added to its parent's. */
static int compare_in_child(void *state) {
  EquivChild *child = state;
  EquivCommand *command = child->command;
  uint32_t rows = command->results.count;
  child->outcome->goes_on = equiv_compare(command, child->arena, child->before, child->after);
  for (uint32_t i = rows; child->rows != nullptr && i < command->results.count; i++)
    write_row(child->rows, &command->results.items[i]);
  bool is_written = child->rows == nullptr || fflush(child->rows) == 0;
  child->outcome->tally = command->tally;
  child->outcome->totals = json_totals_held();
  child->outcome->is_finished = fflush(stdout) == 0 && ferror(stdout) == 0 && is_written;
  return 0;
}

static bool print_lost(const EquivChild *child, const char *why) {
  if (!child->command->json) return true;
  Text text = text_create(child->arena);
  Json json = json_begin(&text);
  json_string(&json, "before", child->before);
  json_string(&json, "after", child->after);
  json_answer(&json, "answer", "unknown");
  json_string(&json, "reason", why);
  json_end(&json);
  return session_print(text.bytes);
}

/* False if the output cannot be written. */
static bool add_lost(EquivChild *child, int state) {
  EquivCommand *command = child->command;
  const char *why =
      child->is_too_long   ? arena_printf(child->arena, "takes more than %s of processor time",
                                 counted((uint64_t)command->seconds, "second"))
      : WIFSIGNALED(state) ? arena_printf(child->arena, "ended by signal %d", WTERMSIG(state))
                           : "ended before the comparison, because memory ran out";
  command->files[EQUIV_BEFORE] = child->before;
  command->files[EQUIV_AFTER] = child->after;
  command->module = 0;
  command->tally.graphs++;
  command->tally.lost++;
  command->tally.status = status_worse(command->tally.status, STATUS_UNDECIDED);
  session_warn("%s: unknown: %s", child->before, why);
  equiv_keep_result(command, child->arena, "values", "pair", STATUS_UNDECIDED, why);
  return print_lost(child, why);
}

/* False if the run ends with this pair. */
static bool take_outcome(EquivChild *child, int state) {
  EquivCommand *command = child->command;
  Result row;
  bool is_whole = child->rows == nullptr || fseek(child->rows, 0, SEEK_SET) == 0;
  if (!child->outcome->is_finished || !is_whole) return add_lost(child, state);
  command->tally = child->outcome->tally;
  json_totals_hold(&child->outcome->totals);
  while (child->rows != nullptr && read_row(child->rows, child->arena, &row))
    results_add(&command->results, &row);
  return child->outcome->goes_on;
}

/* Where no child can be made, nothing ends a comparison that takes too long. */
static bool compare_here(
    EquivCommand *command, Arena *arena, const char *before, const char *after) {
  if (command->seconds > 0)
    session_warn("%s: no process could be started: --seconds has no effect", before);
  return equiv_compare(command, arena, before, after);
}

static bool takes_too_long(const EquivCommand *command, pid_t process) {
  return command->seconds > 0 && process_seconds(process) > (double)command->seconds;
}

static bool run_child(EquivChild *child) {
  int state = 0;
  pid_t process = process_start(
      &(ProcessStart){.body = compare_in_child, .state = child, .in = -1, .out = -1, .err = -1});
  if (process < 0) return compare_here(child->command, child->arena, child->before, child->after);
  while (!process_wait(process, 0.2, &state)) {
    child->is_too_long = takes_too_long(child->command, process);
    if (child->is_too_long) return add_lost(child, process_kill(process));
    if (!session_is_interrupted()) continue;
    (void)process_kill(process);
    child->command->tally.status = status_worse(child->command->tally.status, STATUS_UNDECIDED);
    return false;
  }
  return take_outcome(child, state);
}

bool equiv_compare_apart(
    EquivCommand *command, Arena *arena, const char *before, const char *after) {
  EquivOutcome *outcome =
      mmap(nullptr, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (outcome == MAP_FAILED) return compare_here(command, arena, before, after);
  const Results *wanted = &command->results;
  bool has_rows = wanted->junit != nullptr || wanted->sarif != nullptr || wanted->github;
  FILE *rows = has_rows ? tmpfile() : nullptr;
  bool goes_on =
      has_rows && rows == nullptr
          ? compare_here(command, arena, before, after)
          : run_child(&(EquivChild){command, arena, before, after, outcome, rows, false});
  if (rows != nullptr) fclose(rows);
  (void)munmap(outcome, sizeof *outcome);
  return goes_on;
}
