/* A file of finished steps, so that an interrupted run can resume: one record per line
 * (watch/record.h), found by the key of its question. Torn lines, and lines of another program,
 * other options or other texts, are ignored. */
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
  int file; /* -1: no file */
  Arena *arena;
  Table table;
  uint32_t count, capacity;
  KeptLine *items;
  uint64_t used, torn;
} KeptResults;

/* KEEP: the arena. Creates the file if it does not exist. Rejects a file of something else. */
[[nodiscard]] bool kept_open(KeptResults *kept, Arena *arena, const char *path, Error *error);
/* Returns the kept verdict for the key; its texts are in `arena`. */
[[nodiscard]] bool kept_find(KeptResults *kept, Arena *arena, uint64_t key, StepVerdict *verdict);
/* Returns false if the line cannot be written completely. Two kinds of steps are not written, so
 * that they are judged again: a lost one (the judge ended without a verdict), and one with a text
 * that cannot be parsed, whose reason names the file as this run does. */
[[nodiscard]] bool kept_add(const KeptResults *kept, uint64_t key, const StepVerdict *verdict);
void kept_close(KeptResults *kept);

#endif
