/* affirm watch: what is counted by pass, and how it is said. */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include "cli/report/results.h"
#include "cli/session.h"
#include "core/base/table.h"
#include "watch/dump.h"
#include "watch/kept.h"
#include "watch/pool.h"

typedef struct WatchRow {
  const char *name; /* a pass, or a reason */
  uint64_t steps, counts[verdict_reason_count];
} WatchRow;

typedef struct WatchRows {
  uint32_t count, capacity;
  WatchRow *items;
} WatchRows;

/* A step that was found in the directory. */
typedef struct WatchStep {
  DumpFile before, after;
  uint64_t key;
  bool has_before; /* else the first text of its module stands for the missing one */
  bool is_started, is_judged;
  Arena *arena; /* of its verdict, until it is printed */
  StepVerdict *verdict;
} WatchStep;

typedef struct WatchCommand {
  bool json, both;
  int64_t elements, pairs, jobs, seconds, megabytes;
  const char *laws, *journal, *output;
  LawGrade grade;
  Results results;
  ValuesLimits limits;
  Arena *arena; /* of what stays until the end */
  WatchRows passes, reasons, judges;
  struct {
    uint32_t count, capacity;
    const char **items;
  } disagreements; /* of the judges, each in full */
  WatchRow all;
  uint64_t read; /* steps that were judged at all */
  struct {
    uint32_t count, capacity;
    double *items;
  } seconds_of;
  const char *first_wrong; /* the first step that is different, in full */
  DumpFile wrong[2];
  uint32_t wrong_output;
  Status status;
  int program; /* its exit status, as a shell has it */
  KeptResults kept;
  WorkerPool pool;
  Table known; /* steps by the path of the text after them */
  uint64_t last_sum;
  const char *last_path;
  double began;
  struct {
    uint32_t count, capacity, printed, started;
    WatchStep *items;
  } steps;
} WatchCommand;

/* Counts a verdict. */
void watch_note(WatchCommand *command, const DumpFile *before, const DumpFile *after,
    const StepVerdict *verdict);
[[nodiscard]] bool watch_print_step(WatchCommand *command, const DumpFile *before,
    const DumpFile *after, const StepVerdict *verdict);
[[nodiscard]] bool watch_print_table(WatchCommand *command);
/* On a terminal: how far it is, and how long it may take. */
void watch_print_progress(const WatchCommand *command, bool is_last);

/* Judges the steps of a directory; `is_growing` says whether files may still come. */
[[nodiscard]] Status watch_directory(
    WatchCommand *command, const char *path, bool (*is_growing)(void *state), void *state);
/* Runs a program with XLA's dumps switched on, and judges what it writes while it runs. Its own
 * exit status is kept apart. */
[[nodiscard]] Status watch_program(WatchCommand *command, const char *directory, char **arguments);
/* Writes the smallest two modules that show the first wrong step. */
void watch_reduce(WatchCommand *command);

#endif
