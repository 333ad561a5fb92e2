/* What `affirm check` and the gate share: files of any kind judged into one tally. */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include "cli/check/check_memory.h"
#include "cli/failures.h"
#include "cli/modules.h"
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
  uint64_t unexpected; /* of --exact */
  uint64_t accepted,
      known;            /* over-approximations that --accept names; faults of the gate's baseline */
  uint64_t again;       /* operands whose question had been judged before */
  uint64_t passed_over; /* files of a directory with names that say nothing to check */
  uint64_t left_operands,
      left_files; /* that the run ended before: of the module at hand; not begun */
  const char
      *left_in; /* the file in which it ended; what stands after the module there is left out too */
} CheckTally;

/* An instruction that a text says may be over-approximation. */
typedef struct OverApproximationName {
  const char *name;
  bool is_seen;
} OverApproximationName;
typedef struct OverApproximationNames {
  uint32_t count, capacity;
  OverApproximationName *items;
} OverApproximationNames;

typedef struct Checker {
  Judge *judge;
  Selection selection;
  QuestionFilter filter;
  bool exact; /* what is an over-approximation must be named in the text */
  OverApproximationNames over_approximation; /* of the text at hand */
  bool json, quiet, table, is_broken;        /* is_broken: the output cannot be written */
  uint64_t rows_limit; /* rows that are exact are printed up to this many a module */
  CheckMemory *memory; /* nullptr: every question is judged anew */
  const char *judges;  /* of the question at hand, where it had been judged before; else nullptr */
  CheckTally tally;
  Status status;
  const Source *source;  /* of the file at hand */
  const char *path;      /* of that file, as it is; the source's name is for people */
  Results results;       /* for other tools */
  EngineFaults *faults;  /* of a foreign engine; nullptr: affirm's own is judged */
  KnownFaults accepted;  /* of that engine; or the gate's baseline */
  FailureList *failures; /* nullptr: a counterexample is printed where it is found */
} Checker;

/* Judges one file: .case, HLO or a text of maps; name and first token decide which. */
void check_file(Checker *checker, const char *path);

void check_cases(Checker *checker, Arena *arena, const Source *source);
void check_module_text(Checker *checker, Arena *arena, const Source *source);
void check_maps(Checker *checker, Arena *arena, const Source *source);

/* What could not be read, as a result and as JSON. */
void check_unread(
    Checker *checker, const char *part, const char *name, uint32_t line, const char *why);

/* --exact: what the text says of itself, whether the answer fits it, and whether all that it says
 * was seen. */
void check_read_expected(Arena *arena, const Source *source, OverApproximationNames *names);
void check_expected(Checker *checker, const Judgement *judgement);
void check_expected_end(Checker *checker);

/* A fault of the foreign engine joins its group, with FILE:LINE and what it was asked as witness.
 * True where it is an over-approximation that is accepted, which is counted and is no fault. */
[[nodiscard]] bool check_accepts(
    Checker *checker, const FaultName *name, uint64_t size, uint32_t line, const char *asked);

void check_note(Checker *checker, Status status);
/* Prints unless --quiet. */
void check_say(Checker *checker, const char *text);
/* Prints always. */
void check_tell(Checker *checker, const char *text);
/* A counterexample: kept among the failures where there are some. `row` is what is printed where
 * there are none, where every row is printed, and as JSON. */
void check_fail(Checker *checker, const Failure *failure, const char *row);
/* A line for each operation that was asked about. */
void check_print_table(Text *text, const CheckTally *tally);

#endif
