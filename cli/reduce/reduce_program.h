/* Reduces any input of any fuzz target, as bytes. The program itself runs on each candidate, so the
 * meaning of the bytes need not be known. */
#ifndef CLI_REDUCE_REDUCE_PROGRAM_H
#define CLI_REDUCE_REDUCE_PROGRAM_H

#include "core/base/error.h"
#include "core/base/text.h"

typedef struct ProgramReduction {
  Arena *arena;
  const char *program; /* path of fuzz_NAME or replay_NAME */
  double seconds;
  uint32_t most_trials, trials;
  uint32_t late;    /* set: runs that lasted too long, which show nothing */
  bool is_cut;      /* set: the trials or the time ended it */
  const char *kind; /* set: named as in fuzz_findings.h; nullptr if the program accepts the input */
  const char *smallest; /* set */
  size_t length;        /* set */
  const char *log;      /* set: the program's output for the smallest input */
} ProgramReduction;

/* False with an error if the program cannot be run. */
[[nodiscard]] bool reduce_by_program(
    ProgramReduction *reduction, const Source *input, Error *error);

#endif
