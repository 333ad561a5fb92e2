/* affirm equiv: what was asked, what is counted, and how a verdict is said. */
#ifndef CLI_EQUIV_H
#define CLI_EQUIV_H

#include "cli/report/results.h"
#include "cli/session.h"
#include "judge/graphs/equiv.h"
#include "judge/graphs/equiv_values.h"

typedef struct EquivTally {
  uint64_t asked, graphs, counts[verdict_reason_count], unread, accepted;
  uint64_t values[verdict_reason_count];
  uint64_t lost; /* pairs of graphs whose process ended before they were compared */
  Status status;
} EquivTally;

typedef struct EquivCommand {
  const char *more, *parameter, *directory;
  int64_t output, rlimit;
  const char *laws;
  LawGrade grade;
  bool json, has_more, reads;
  int64_t only_parameter, only_leaf, more_parameter, more_leaf;
  const char *files[2];          /* before and after; the same where one file holds both */
  uint32_t module, module_count; /* of the file, from 1 on */
  Judge *judge;
  Equiv equiv;
  EquivTally tally;
  Results results;
} EquivCommand;

/* A row of the result files: what an output, or a pair of output and parameter, has as result. */
void equiv_keep_result(EquivCommand *command, Arena *arena, const char *part, const char *name,
    Status status, const char *text);
/* The parameter, and its leaf where one is named (leaf >= 0). */
[[nodiscard]] bool equiv_is_named(int64_t parameter, int64_t leaf, EquivPair pair);
/* After reads more, and --more allows it. */
[[nodiscard]] bool equiv_is_accepted(const EquivCommand *command, const EquivVerdict *verdict);
void equiv_print_row(const EquivCommand *command, Text *text, const EquivVerdict *verdict);
void equiv_print_json(const EquivCommand *command, Text *text, const EquivVerdict *verdict);

/* Asks for the values of every output of two modules, and prints the results. */
[[nodiscard]] bool equiv_answer_values(
    EquivCommand *command, Arena *arena, const Module *before, const Module *after);

/* Compares all modules of the files; false ends the run. Errors are said and make the status
 * worse. */
[[nodiscard]] bool equiv_compare(
    EquivCommand *command, Arena *arena, const char *before, const char *after);
/* The same in a process of its own, so that a pair that takes all memory is unknown and no end. */
[[nodiscard]] bool equiv_compare_apart(
    EquivCommand *command, Arena *arena, const char *before, const char *after);
/* NAME.before.hlo with NAME.after.hlo for every NAME of the directory, in order; NAME.options may
 * hold
 * `--more N`. A directory without a pair is bad input. */
[[nodiscard]] bool equiv_compare_directory(EquivCommand *command, Arena *arena, const char *path);
/* `N` or `N.LEAF`; a fault is said. */
[[nodiscard]] bool equiv_read_parameter(
    const char *option, const char *text, int64_t *parameter, int64_t *leaf);

#endif
