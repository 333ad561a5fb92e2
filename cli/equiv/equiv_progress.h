/* What a child process has compared so far. It returns to the parent through shared memory and a
 * file, after each answer, so that a child that is ended loses no answer that it has printed. */
#ifndef CLI_EQUIV_PROGRESS_H
#define CLI_EQUIV_PROGRESS_H

#include "cli/equiv/equiv.h"

/* Creates the record, with a file for rows if result files are wanted; nullptr if the system has no
 * memory or file for it. Before the child is started. */
[[nodiscard]] EquivProgress *equiv_progress_create(const EquivCommand *command, Arena *arena);
void equiv_progress_destroy(EquivProgress *progress);

/* In the child: the comparison has ended. The output that is written counts. */
void equiv_progress_end(EquivCommand *command, bool goes_on);

typedef struct EquivTaken {
  uint64_t answers;
  bool is_open; /* it was within a pair of modules that `graphs` counts */
  bool has_ended, goes_on;
} EquivTaken;
/* In the parent, after the child's end: takes its counts and rows, and sets whether the comparison
 * had ended and whether the run goes on. False if a row cannot be read again. */
[[nodiscard]] bool equiv_progress_take(EquivCommand *command, Arena *arena, EquivTaken *taken);

#endif
