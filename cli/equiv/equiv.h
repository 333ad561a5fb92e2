/* affirm equiv: its options, its counts, and how verdicts are printed. */
#ifndef CLI_EQUIV_H
#define CLI_EQUIV_H

#include "cli/report/json.h"
#include "cli/report/results.h"
#include "cli/session.h"
#include "judge/graphs/equiv.h"
#include "judge/graphs/equiv_values.h"

typedef struct EquivTally {
  uint64_t questions, graphs, counts[verdict_reason_count], unread, accepted;
  uint64_t values[verdict_reason_count];
  uint64_t lost; /* pairs that were not compared: unreadable, not alike, or their process ended */
  Status status;
} EquivTally;

typedef struct EquivProgress EquivProgress;

typedef struct EquivCommand {
  const char *more, *parameter, *directory;
  int64_t output, rlimit;
  int64_t seconds; /* of processor time, for one pair of files; 0: no limit */
  const char *laws;
  LawGrade grade;
  bool json, has_more, reads;
  uint32_t with_more, without_more; /* numbers of compared graphs with the parameter of --more */
  int64_t only_parameter, only_leaf, more_parameter, more_leaf;
  const char *files[2];          /* before and after; equal if one file holds both */
  uint32_t module, module_count; /* number of the module in the file, from 1 */
  Judge *judge;
  Equiv equiv;
  EquivTally tally;
  Results results;
  EquivProgress *progress; /* in a child process, and in its parent meanwhile; nullptr elsewhere */
} EquivCommand;

/* Adds a row to the result files: about an output, or about a pair of output and parameter. */
void equiv_keep_result(EquivCommand *command, Arena *arena, const char *part, const char *name,
    Status status, const char *text);
/* Whether the pair has this parameter, and this leaf of it if leaf >= 0. */
[[nodiscard]] bool equiv_is_named(int64_t parameter, int64_t leaf, EquivPair pair);
/* Whether `after` reads more and --more allows it. */
[[nodiscard]] bool equiv_is_accepted(const EquivCommand *command, const EquivVerdict *verdict);
void equiv_print_row(const EquivCommand *command, Text *text, const EquivVerdict *verdict);
/* Begins the object of an answer: the files, and the module if the files have several. */
[[nodiscard]] Json equiv_json(const EquivCommand *command, Text *text);
void equiv_print_json(const EquivCommand *command, Text *text, const EquivVerdict *verdict);

/* After each answer: a child process hands the counts and rows so far to its parent. `is_open`: the
 * pair of modules, which is counted, has further questions. */
void equiv_progress_keep(EquivCommand *command, bool is_open);

/* Compares the values of every output of two modules, and prints the results. */
[[nodiscard]] bool equiv_answer_values(
    EquivCommand *command, Arena *arena, const Module *before, const Module *after);

/* Compares all modules of the files; false ends the run. Errors are reported and worsen the
 * status. */
[[nodiscard]] bool equiv_compare(
    EquivCommand *command, Arena *arena, const char *before, const char *after);
/* With --json, an object for a pair of modules without anything to compare. Returns false if it is
 * not written. */
[[nodiscard]] bool equiv_print_nothing(const EquivCommand *command, Arena *arena, const char *why);
/* Reports why a pair of modules cannot be compared, counts it, adds a row for it to the result
 * files, and worsens the status. */
void equiv_fail_pair(EquivCommand *command, Arena *arena, const Error *error);
/* The same of a pair of modules that do not fit each other; the error gets the files' names. */
void equiv_reject_pair(EquivCommand *command, Arena *arena, Error *error);
/* The same as equiv_compare in a child process, so that a pair that exhausts the memory or takes
 * too long is unknown and does not end the run. */
[[nodiscard]] bool equiv_compare_apart(
    EquivCommand *command, Arena *arena, const char *before, const char *after);
/* Compares NAME.before.hlo with NAME.after.hlo for every NAME of the directory, in order;
 * NAME.options may contain `--more N`. A directory without a pair is bad input. */
[[nodiscard]] bool equiv_compare_directory(EquivCommand *command, Arena *arena, const char *path);
/* Parses `N` or `N.LEAF`; reports an error. */
[[nodiscard]] bool equiv_read_parameter(
    const char *option, const char *text, int64_t *parameter, int64_t *leaf);

#endif
