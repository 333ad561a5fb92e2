/* The gate's parts and its table. */
#ifndef CLI_GATE_GATE_H
#define CLI_GATE_GATE_H

#include <time.h>

#include "cli/check/check.h"
#include "cli/engine_options.h"
#include "cli/paths.h"
#include "cli/progress.h"

typedef struct GateRow {
  const char *what;
  uint64_t passed, failed, open; /* open: unknown, undefined, not judged, not run */
  uint64_t known;                /* faults of a foreign engine that the baseline names; no passes */
  uint64_t unread;               /* files and modules that could not be read */
  double seconds;
  const char *note;
} GateRow;

typedef struct GateTable {
  uint32_t count, capacity;
  GateRow *items;
} GateTable;

/* The part at hand, for the line on a terminal. */
typedef struct GatePart {
  const char *what;
  uint32_t number, all;
  Progress progress;
} GatePart;

typedef struct Gate {
  Arena *arena;
  GatePart part;
  Checker checker;
  GateTable table;
  const char *corpus; /* nullptr: none */
  bool
      is_own_corpus; /* of the user: any .hlo, .txt, .maps and .case files, not all kinds of them */
  const char *laws;  /* a file of them; nullptr: the project's own */
  const struct Laws *law_list; /* what it holds */
  uint32_t law_count;
  const char *scope; /* this one instead of the gate's tier; nullptr: all of it */
  EngineSettings engine_settings;
  Engine *engine; /* judged in the place of affirm's own; nullptr: none */
  int64_t fuzz_seconds;
  int64_t exhaust_jobs; /* 0: no scopes */
  bool fail_fast;       /* ends with the part of a stage in which something failed */
  const char *baseline,
      *new_baseline; /* files of names of faults (docs/formats.md); nullptr: none */
  const char *kept;  /* gate_kept; nullptr: not asked yet */
  FailureList failures;
  uint32_t told, told_failures; /* at the last row: a part that has added no result is one itself */
  Status status;
} Gate;

/* Files below the corpus whose name ends in `tail`, in a fixed order; seeds aside. */
[[nodiscard]] bool gate_find(const Gate *gate, const char *tail, PathList *paths, Error *error);
/* Runs each fuzz program that stands beside this one, on its seeds, with a fixed seed, for some
 * seconds. */
void gate_fuzz(Gate *gate);
/* Reads the laws of arithmetic, and checks them at their grades. */
[[nodiscard]] bool gate_laws_read(Gate *gate, Error *error);
void gate_laws(Gate *gate);
/* Runs those scopes of the gate's tier that have few cases, or the others; a row for all of them.
 */
void gate_exhaust(Gate *gate, bool few);
/* The directory whose `findings` keeps what random inputs find: affirm in the user's cache
 * directory, else a scratch directory. Made at the first call. */
[[nodiscard]] const char *gate_kept(Gate *gate);
/* Of a foreign engine: random graphs, maps and pairs of maps for some seconds. Findings are
 * kept. */
void gate_fuzz_engine(Gate *gate);
/* Where a foreign engine is judged: false for what it does not offer and for what is asked of
 * affirm alone. Else true. */
[[nodiscard]] bool gate_asks_scope(const Gate *gate, const Scope *scope);
/* A row that names the parts and scopes that are not asked of a foreign engine. */
void gate_name_unasked(Gate *gate);
/* --baseline: the names of known faults. False where they do not read: said on standard error. */
[[nodiscard]] bool gate_baseline_read(Gate *gate);
/* Faults of a scope join those of the gate. */
void gate_baseline_add(Gate *gate, const char *scope, const EngineFaults *faults);
/* Faults that are new, known, and vanished, and --new-baseline. False where that cannot be
 * written. */
[[nodiscard]] bool gate_baseline_end(Gate *gate);
/* The counterexample of the failure: its own text, or the case of the scope judged once more. */
[[nodiscard]] const char *gate_explain(Gate *gate, const Failure *failure);
/* Interrupted, or something failed and --fail-fast was given. */
[[nodiscard]] bool gate_should_end(const Gate *gate);
void gate_row(Gate *gate, GateRow row);
/* On a terminal: how far the part is. With `done` 0 its count begins. */
void gate_at(GatePart *part, const char *unit, uint64_t done, uint64_t all, const char *what);

#endif
