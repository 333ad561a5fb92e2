/* The parts of the gate, and its table. */
#ifndef CLI_GATE_GATE_H
#define CLI_GATE_GATE_H

#include <time.h>

#include "cli/check/check.h"
#include "cli/engine_options.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "core/rules/rule.h"

typedef struct GateRow {
  const char *what;
  uint64_t passed, failed, open; /* open: unknown, undefined, not judged, not run */
  uint64_t known;                /* faults of a foreign engine that the baseline names; neither
                                    passed nor failed */
  uint64_t avoidable; /* over-approximations of a foreign engine where affirm's own map is exact;
                         they pass without --exact */
  uint64_t refused;   /* of the open ones: random inputs that a foreign engine refused or left
                         undefined */
  uint64_t unread;    /* files and modules that could not be read */
  bool is_sample;     /* of random inputs: open ones decide nothing if others passed */
  bool is_left_out;   /* not run, and nobody asked for it: the note says why */
  double seconds;
  const char *note;
} GateRow;

typedef struct GateTable {
  uint32_t count, capacity;
  GateRow *items;
} GateTable;

/* The current part, for the progress line. */
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
  const char *corpus;   /* nullptr: none */
  bool is_users_corpus; /* the user's own: .hlo, .txt, .maps and .case files, some kinds may lack */
  const char *laws;     /* a file of laws; nullptr: the project's own */
  const struct Laws *law_list; /* its contents */
  uint32_t law_count;
  const char *rules_file; /* a file of rules to prove; nullptr: the engine's */
  RuleSet rules;          /* its contents */
  const char *scope;      /* only this scope instead of the gate's tier; nullptr: all scopes */
  EngineSettings engine_settings;
  Engine *engine; /* the foreign engine to judge; nullptr: none */
  int64_t fuzz_seconds;
  bool is_fuzz_wanted;  /* --fuzz was given: without fuzz programs the gate is undecided */
  int64_t exhaust_jobs; /* 0: scopes do not run */
  bool fail_fast;       /* end soon after the first failure */
  bool wants_exact;     /* avoidable over-approximations of a foreign engine fail */
  bool is_kept_scratch; /* `kept` was created for this run */
  const char *baseline,
      *new_baseline; /* files of names of faults (docs/formats.md); nullptr: none */
  const char *kept;  /* the result of gate_kept; nullptr: not yet called */
  FailureList failures;
  uint32_t reported, reported_failures; /* results and failures at the previous row; a part that
                                           added no result gets one */
  Status status;
} Gate;

/* Finds files in the corpus whose names end in `tail`, in a fixed order, except seeds. */
[[nodiscard]] bool gate_find(
    const Gate *gate, const char *tail, PathList *paths, PathList *irregular, Error *error);
/* Compares the engine's answers with those recorded in the corpus. */
void gate_snapshot(Gate *gate);
/* False for a foreign engine, and for a user's corpus without a record. */
[[nodiscard]] bool gate_has_snapshot(Gate *gate);
/* Runs each fuzz program beside this one on its seeds, with a fixed seed, for some seconds. Without
 * such programs the part is open, or left out if --fuzz was not given. */
void gate_fuzz(Gate *gate);
/* Reads the laws of arithmetic, and checks each at its grade. */
[[nodiscard]] bool gate_laws_read(Gate *gate, Error *error);
void gate_laws(Gate *gate);
/* Runs those scopes of the gate's tier that have few cases, or the others; prints one row for all
 * of them. */
void gate_exhaust(Gate *gate, bool few);
/* The directory whose subdirectory `findings` keeps what random inputs find: affirm in the user's
 * cache directory, else a scratch directory. Created at the first call. */
[[nodiscard]] const char *gate_kept(Gate *gate);
/* Removes that directory if it is a scratch directory and has no finding. */
void gate_drop_kept(const Gate *gate);
/* Tests a foreign engine on random graphs, maps and pairs of maps for some seconds. Keeps its
 * findings. */
void gate_fuzz_engine(Gate *gate);
/* For a foreign engine: false if it does not offer what the scope needs, or if the scope judges
 * affirm alone. Else true. */
[[nodiscard]] bool gate_runs_scope(const Gate *gate, const Scope *scope);
/* Prints a row that names the parts and scopes that the foreign engine is not asked. */
void gate_name_unasked(Gate *gate);
/* --baseline: reads the names of known faults. False if they cannot be read: reported on standard
 * error. */
[[nodiscard]] bool gate_baseline_read(Gate *gate);
/* Adds the faults of a scope to those of the gate. */
void gate_baseline_add(Gate *gate, const char *scope, const EngineFaults *faults);
/* Lists new, known and vanished faults, and writes --new-baseline. False if that file cannot be
 * written. */
[[nodiscard]] bool gate_baseline_end(Gate *gate);
/* GIVE: an examiner of the scope's cases as the gate judges them; nullptr if there is no judge. */
[[nodiscard]] Examiner *gate_examiner(Gate *gate, const ScopePlan *plan, Text *report);
/* The failure's counterexample: its own text, or its case of the scope, judged again. */
[[nodiscard]] const char *gate_explain(Gate *gate, const Failure *failure);
/* True after an interrupt, and with --fail-fast after a failure. */
[[nodiscard]] bool gate_should_end(const Gate *gate);
void gate_row(Gate *gate, GateRow row);
/* True if a row so far counts something. */
[[nodiscard]] bool gate_has_judged(const Gate *gate);
/* Prints the text, which is for people: not with --json. */
void gate_say(Gate *gate, const char *text);
/* Keeps a failure, and prints it with --verbose, or with --json as an object. `name`: of the rule,
 * the law or the finding; nullptr: the part has one question. */
void gate_fail(Gate *gate, const Failure *failure, const char *name);
/* Prints an open question of the part. */
void gate_open(Gate *gate, const char *part, const char *name, const char *text);
/* Counts a question of the row, and reports it as a failure or an open question. */
void gate_note(Gate *gate, GateRow *row, Status status, const char *name, const char *text);
/* On a terminal: shows the progress of the part. `done` 0 restarts its count. */
void gate_at(GatePart *part, const char *unit, uint64_t done, uint64_t all, const char *what);

#endif
