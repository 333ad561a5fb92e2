/* The gate's parts and its table. */
#ifndef CLI_GATE_H
#define CLI_GATE_H

#include <time.h>

#include "cli/check/check.h"
#include "cli/paths.h"

typedef struct GateRow {
  const char *what;
  uint64_t passed, failed, open; /* open: unknown, undefined, not judged, not run */
  uint64_t unread;               /* files and modules that could not be read */
  double seconds;
  const char *note;
} GateRow;

typedef struct GateTable {
  uint32_t count, capacity;
  GateRow *items;
} GateTable;

typedef struct Gate {
  Arena *arena;
  Checker checker;
  GateTable table;
  const char *corpus;
  int64_t fuzz_seconds;
  int64_t exhaust_jobs; /* 0: no scopes */
  uint32_t told; /* results when the last row came: a part that has added none is one itself */
  Status status;
} Gate;

/* Files below the corpus whose name ends in `tail`, in a fixed order; seeds aside. */
[[nodiscard]] bool gate_find(const Gate *gate, const char *tail, PathList *paths, Error *error);
/* Runs each fuzz program that stands beside this one, on its seeds, with a fixed seed, for some
 * seconds. */
void gate_fuzz(Gate *gate);
/* Runs the scopes of the gate's tier, a row for all of them; what fails is explained. */
void gate_exhaust(Gate *gate);
void gate_row(Gate *gate, GateRow row);

#endif
