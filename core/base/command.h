/* The run of a whole program under a deadline: what it reads is given, what it prints comes back.
 */
#ifndef CORE_BASE_COMMAND_H
#define CORE_BASE_COMMAND_H

#include <stddef.h>

#include "core/base/arena.h"

/* A program, what it reads, and what it may cost. */
typedef struct ProgramRun {
  char *const *argv;
  const char *input; /* its standard input, [length]; nullptr: nothing */
  size_t length;
  double wall_seconds;      /* > 0, at most a day */
  double processor_seconds; /* of the program itself, without what it starts; 0: no limit */
  bool is_joined;           /* its standard error goes to its standard output */
  size_t most_output;       /* bytes of each stream that are kept, the first; 0: 16 MB */
  bool (*stop)(void);       /* asked some times a second; may be nullptr */
} ProgramRun;

typedef enum ProgramEnd : uint8_t {
  PROGRAM_EXITED,
  PROGRAM_SIGNALED,
  PROGRAM_LATE,        /* killed: its wall or processor seconds were over */
  PROGRAM_STOPPED,     /* killed: `stop` said so */
  PROGRAM_NOT_STARTED, /* no process, or no program of that name: `code` is errno */
} ProgramEnd;

typedef struct ProgramResult {
  ProgramEnd end;
  int code;  /* the exit status, or the signal */
  int state; /* as of waitpid; of a killed program too */
  /* NUL-terminated, in the arena. */
  const char *output, *errors;
  size_t output_length, error_length; /* what is kept */
  bool is_cut;                        /* a stream was longer than what is kept */
  double seconds;                     /* by the wall */
} ProgramResult;

/* Runs the program to its end and gives all of it back; what it started is gone then. The streams
 * are read while it runs, so that none of them fills up. */
void program_run(Arena *arena, const ProgramRun *run, ProgramResult *result);

#endif
