/* Finished steps in a file, so that a run that was stopped goes on where it was: one record a line
 * (watch/record.h), filed under the question that was asked. A torn line and a line of another
 * program, other options or other texts are not used. */
#ifndef WATCH_KEPT_H
#define WATCH_KEPT_H

#include "core/base/error.h"
#include "core/base/table.h"
#include "watch/step.h"

typedef struct KeptLine {
  uint64_t key;
  const char *line;
  size_t length;
} KeptLine;

typedef struct KeptResults {
  int file; /* -1: none */
  Arena *arena;
  Table table;
  uint32_t count, capacity;
  KeptLine *items;
  uint64_t used, torn;
} KeptResults;

/* KEEP: the arena. The file is made where there is none. */
[[nodiscard]] bool kept_open(KeptResults *kept, Arena *arena, const char *path, Error *error);
/* The verdict of this question, with its texts in `arena`. */
[[nodiscard]] bool kept_find(KeptResults *kept, Arena *arena, uint64_t key, StepVerdict *verdict);
/* False where the line cannot be written, or not as a whole. A judge that ended without an answer
 * has no line: the step is judged again. */
[[nodiscard]] bool kept_add(const KeptResults *kept, uint64_t key, const StepVerdict *verdict);
void kept_close(KeptResults *kept);

#endif
