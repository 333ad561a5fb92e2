/* Any input of any fuzz target made small, as bytes: the program itself is run on each candidate,
 * so nothing need be known of what it decodes them to. */
#ifndef CLI_REDUCE_REDUCE_PROGRAM_H
#define CLI_REDUCE_REDUCE_PROGRAM_H

#include "core/base/error.h"
#include "core/base/text.h"

typedef struct ProgramReduction {
  Arena *arena;
  const char *program; /* path of fuzz_NAME or replay_NAME */
  double seconds;
  uint32_t most_trials, trials;
  const char
      *kind; /* set: as fuzz_findings.h names it; nullptr when the program ends well on the input */
  const char *smallest; /* set */
  size_t length;        /* set */
  const char *log;      /* set: what the program prints on the smallest */
} ProgramReduction;

/* False with an error when the program cannot be run. */
[[nodiscard]] bool reduce_by_program(
    ProgramReduction *reduction, const Source *input, Error *error);

#endif
