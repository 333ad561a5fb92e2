/* Shared by `affirm check` and the gate: judges files of any kind and adds the verdicts to one
 * tally. */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include "cli/check/check_memory.h"
#include "cli/failures.h"
#include "cli/modules.h"
#include "cli/paths.h"
#include "cli/report/results.h"
#include "judge/cases/case_run.h"
#include "judge/maps/same.h"

typedef struct CheckTally {
  uint64_t files, modules, bad_parts;     /* bad_parts: files or modules that could not be read */
  uint64_t answers[verdict_reason_count]; /* of operands */
  uint64_t by_opcode[opcode_count][verdict_reason_count];
  uint64_t cases[CASE_UNKNOWN + 1];
  uint64_t maps[verdict_reason_count];
  uint64_t unread_maps;
  uint64_t unexpected; /* differences from the text's declarations, with --exact */
  uint64_t avoidable;  /* over-approximations of a foreign engine where affirm's own maps are exact;
                          counted for the gate */
  uint64_t accepted,
      known;            /* over-approximations that --accept names; faults of the gate's baseline */
  uint64_t again;       /* operands whose question was judged before */
  uint64_t passed_over; /* files of a directory whose names no judge reads */
  uint64_t links;       /* links that lead out of a directory, which are not followed */
  uint64_t left_operands,
      left_files; /* left out by an early end: of the current module; files not begun */
  const char
      *left_in; /* the file in which it ended; the modules that follow there are left out too */
} CheckTally;

/* Instructions of one name that the text declares to be over-approximations. */
typedef struct OverApproximationName {
  const char *name;
  bool is_seen;         /* one of their maps is an over-approximation */
  uint64_t questions;   /* all that there are about them, also those that are not selected */
  uint64_t exact, open; /* answers */
} OverApproximationName;
typedef struct OverApproximationNames {
  uint32_t count, capacity;
  OverApproximationName *items;
} OverApproximationNames;

typedef struct Checker {
  Judge *judge;
  Selection selection;
  QuestionFilter filter;
  bool exact;          /* over-approximations must be declared in the text */
  Exactness exactness; /* for the gate: of over-approximations that the text does not declare */
  OverApproximationNames over_approximation; /* of the current text */
  bool json, quiet, table, is_broken;        /* is_broken: the output cannot be written */
  uint64_t rows_limit;                       /* exact rows are printed up to this many a module */
  CheckMemory *memory;                       /* nullptr: every question is judged anew */
  const char *judges; /* who judged the current question, if that was done before; else nullptr */
  CheckTally tally;
  Status status;
  const Source *source;  /* of the current file */
  const char *path;      /* of that file, unchanged; the source's name is for people */
  Results results;       /* for other tools */
  EngineFaults *faults;  /* of a foreign engine; nullptr: affirm's own engine is judged */
  KnownFaults accepted;  /* by --accept, or by the gate's baseline */
  FailureList *failures; /* nullptr: counterexamples are printed at once */
} Checker;

/* Judges one file: .case, HLO or a text of maps; name and first token decide which. */
void check_file(Checker *checker, const char *path);
/* Reports entries of a directory that are no regular files as files that cannot be read. */
void check_irregular(Checker *checker, const PathList *paths);

void check_cases(Checker *checker, Arena *arena, const Source *source);
void check_module_text(Checker *checker, Arena *arena, const Source *source);
void check_maps(Checker *checker, Arena *arena, const Source *source);

/* Reports a part that could not be read: as a result and as JSON. */
void check_unread(
    Checker *checker, const char *part, const char *name, uint32_t line, const char *why);

/* --exact: reads what the text declares, counts the questions about it, compares a judgement with
 * it, and reports declarations without an over-approximation. */
void check_read_expected(Arena *arena, const Source *source, OverApproximationNames *names);
void check_expected_module(Checker *checker, const Module *module);
void check_expected(Checker *checker, const Judgement *judgement, ModulePosition position);
/* Whether the text declares the instruction as an over-approximation. */
[[nodiscard]] bool check_is_declared(const Checker *checker, const Instruction *instruction);
/* `is_whole`: every module of the text was read. */
void check_expected_end(Checker *checker, bool is_whole);

/* Whether the run ended before the foreign engine's last answer. Such a question counts as left
 * out. */
[[nodiscard]] bool check_is_cut(const Checker *checker);
/* Adds a fault of the foreign engine to its group, with FILE:LINE of the row and the question as
 * witness. True if the fault is known or an accepted over-approximation, which is counted, is no
 * failure, and has its own row. */
[[nodiscard]] bool check_accepts(Checker *checker, const FaultName *name, uint64_t size,
    const char *question, const Result *row);

void check_note(Checker *checker, Status status);
/* Prints unless --quiet. */
void check_say(Checker *checker, const char *text);
/* Prints always. */
void check_print(Checker *checker, const char *text);
/* Reports a counterexample: adds it to `failures` if that list exists. Prints `row` if it does not,
 * if every row is printed, and as JSON. */
void check_fail(Checker *checker, const Failure *failure, const char *row);
/* Prints a line for each operation that was asked about. */
void check_print_table(Text *text, const CheckTally *tally);

#endif
