/* affirm watch: what is counted by pass, and how it is said. */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include "cli/session.h"
#include "watch/dump.h"
#include "watch/step.h"

typedef struct WatchRow {
  const char *name; /* a pass, or a reason */
  uint64_t steps, counts[step_answer_count];
} WatchRow;

typedef struct WatchRows {
  uint32_t count, capacity;
  WatchRow *items;
} WatchRows;

typedef struct WatchCommand {
  bool json;
  int64_t elements;
  const char *laws;
  LawGrade grade;
  Arena *arena; /* of what stays until the end */
  WatchRows passes, reasons;
  WatchRow all;
  uint64_t read; /* steps that were judged at all */
  struct {
    uint32_t count, capacity;
    double *items;
  } seconds;
  const char *first_wrong; /* the first step that is different, in full */
  Status status;
} WatchCommand;

void watch_note(WatchCommand *command, const DumpFile *before, const DumpFile *after,
    const StepVerdict *verdict);
[[nodiscard]] bool watch_print_step(WatchCommand *command, const DumpFile *before,
    const DumpFile *after, const StepVerdict *verdict);
[[nodiscard]] bool watch_print_table(WatchCommand *command);
/* Runs a program with XLA's dumps switched on, into `folder`; its exit status, or 3. */
[[nodiscard]] int watch_run_program(const char *folder, char **arguments);

#endif
