/* affirm watch: its counts for each pass, and its output. */
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

/* A step found in the directory. */
typedef struct WatchStep {
  DumpFile before, after;
  uint64_t key;
  bool has_before; /* false: the text before is missing, and `before` is the text after */
  bool is_started, is_judged;
  Arena *arena; /* allocates its verdict, until that is printed */
  StepVerdict *verdict;
} WatchStep;

typedef struct WatchCommand {
  bool json, both;
  bool is_scratch; /* the directory was made for this run */
  int64_t elements, pairs, jobs, seconds, megabytes;
  const char *laws, *journal, *output;
  const char *root; /* the directory with the dumps */
  LawGrade grade;
  Results results;
  ValuesLimits limits;
  Arena *arena; /* lives until the end */
  WatchRows passes, reasons, judges;
  struct {
    uint32_t count, capacity;
    const char **items;
  } disagreements; /* between the judges, each in full */
  WatchRow all;
  uint64_t read; /* steps that were judged */
  struct {
    uint32_t count, capacity;
    double *items;
  } seconds_of;
  const char *first_wrong; /* the first step with different values, in full */
  DumpFile wrong[2];
  uint32_t wrong_output;
  Status status;
  int program; /* the program's exit status, as a shell reports it */
  KeptResults kept;
  WorkerPool pool;
  Table known; /* steps by the path of their text after */
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
/* On a terminal: shows the progress and the remaining time. */
void watch_print_progress(const WatchCommand *command, bool is_last);

/* Judges the steps of a directory; `is_growing` tells whether more files may be written. */
[[nodiscard]] Status watch_directory(
    WatchCommand *command, const char *path, bool (*is_growing)(void *state), void *state);
/* Runs a program with XLA's dumps enabled, and judges the dumps while it runs. Its exit status is
 * stored separately. */
[[nodiscard]] Status watch_program(WatchCommand *command, const char *directory, char **arguments);
/* Reduces the first wrong step, and writes its two modules. */
void watch_reduce(WatchCommand *command);

#endif
