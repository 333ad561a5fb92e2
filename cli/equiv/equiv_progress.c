/* The counts are written into one of two places in turn, and then its number: the parent reads
 * whole counts, whenever the child ends. Rows beyond their count are not read. */
#include "cli/equiv/equiv_progress.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "cli/session_guard.h"

typedef struct EquivOutcome {
  EquivTally tally;
  JsonTotals totals;
  uint32_t rows; /* number of rows in the file */
  bool is_open;
} EquivOutcome;

typedef struct EquivShared {
  EquivOutcome outcomes[2];
  _Atomic uint32_t number; /* of outcomes so far: the last one is at its remainder by 2 */
  bool has_ended, goes_on;
} EquivShared;

struct EquivProgress {
  EquivShared *shared;
  FILE *rows;     /* nullptr: nobody wants rows */
  uint32_t first; /* number of the parent's rows, which the child does not write */
};

EquivProgress *equiv_progress_create(const EquivCommand *command, Arena *arena) {
  const Results *wanted = &command->results;
  EquivShared *shared =
      mmap(nullptr, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return nullptr;
  bool has_rows = wanted->junit != nullptr || wanted->sarif != nullptr || wanted->github;
  FILE *rows = has_rows ? tmpfile() : nullptr;
  if (has_rows && rows == nullptr) {
    (void)munmap(shared, sizeof *shared);
    return nullptr;
  }
  EquivProgress *progress = ARENA_NEW(arena, EquivProgress, 1);
  *progress = (EquivProgress){shared, rows, wanted->count};
  return progress;
}

void equiv_progress_destroy(EquivProgress *progress) {
  if (progress->rows != nullptr) fclose(progress->rows);
  (void)munmap(progress->shared, sizeof *progress->shared);
}

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

static bool is_output_written(const EquivProgress *progress) {
  return fflush(stdout) == 0 && ferror(stdout) == 0 &&
         (progress->rows == nullptr || (fflush(progress->rows) == 0 && !ferror(progress->rows)));
}

/* Without its output an answer does not count. */
static bool progress_keep(EquivCommand *command, bool is_open) {
  EquivProgress *progress = command->progress;
  EquivShared *shared = progress->shared;
  uint32_t number = shared->number, rows = number == 0 ? 0 : shared->outcomes[number % 2].rows;
  for (; progress->rows != nullptr && progress->first + rows < command->results.count; rows++)
    write_row(progress->rows, &command->results.items[progress->first + rows]);
  if (!is_output_written(progress)) return false;
  shared->outcomes[(number + 1) % 2] =
      (EquivOutcome){command->tally, json_totals_held(), rows, is_open};
  shared->number = number + 1;
  return true;
}

void equiv_progress_keep(EquivCommand *command, bool is_open) {
  if (command->progress != nullptr) (void)progress_keep(command, is_open);
}

void equiv_progress_end(EquivCommand *command, bool goes_on) {
  command->progress->shared->goes_on = goes_on;
  command->progress->shared->has_ended = progress_keep(command, false);
}

bool equiv_progress_take(EquivCommand *command, Arena *arena, EquivTaken *taken) {
  const EquivProgress *progress = command->progress;
  const EquivShared *shared = progress->shared;
  *taken = (EquivTaken){.has_ended = shared->has_ended, .goes_on = shared->goes_on};
  if (shared->number == 0) return true;
  const EquivOutcome *outcome = &shared->outcomes[shared->number % 2];
  taken->answers = outcome->tally.questions - command->tally.questions;
  taken->is_open = outcome->is_open;
  command->tally = outcome->tally;
  session_note(outcome->tally.status);
  json_totals_hold(&outcome->totals);
  if (progress->rows == nullptr) return true;
  if (fseek(progress->rows, 0, SEEK_SET) != 0) return false;
  for (uint32_t i = 0; i < outcome->rows; i++) {
    Result row;
    if (!read_row(progress->rows, arena, &row)) return false;
    results_add(&command->results, &row);
  }
  return true;
}
