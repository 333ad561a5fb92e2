/* Runs a whole program under a deadline: passes it an input and returns its output. */
#ifndef CORE_BASE_COMMAND_H
#define CORE_BASE_COMMAND_H

#include <stddef.h>

#include "core/base/arena.h"

/* A program, its input, and its limits. */
typedef struct ProgramRun {
  char *const *argv;
  const char *input; /* standard input, [length]; nullptr: empty */
  size_t length;
  double wall_seconds;      /* > 0, at most a day */
  double processor_seconds; /* of the program itself, without its children; 0: no limit */
  bool is_joined;           /* standard error goes to standard output */
  size_t most_output;       /* bytes kept of each stream, from its start; 0: 16 MB */
  bool (*stop)(void);       /* called several times a second; may be nullptr */
} ProgramRun;

typedef enum ProgramEnd : uint8_t {
  PROGRAM_EXITED,
  PROGRAM_SIGNALED,
  PROGRAM_LATE,        /* killed: its wall or processor seconds were used up */
  PROGRAM_STOPPED,     /* killed: `stop` returned true */
  PROGRAM_NOT_STARTED, /* no process could be made, or no such program: `code` is errno */
} ProgramEnd;

typedef struct ProgramResult {
  ProgramEnd end;
  int code;  /* the exit status, or the signal */
  int state; /* as from waitpid; also of a killed program */
  /* NUL-terminated, in the arena. */
  const char *output, *errors;
  size_t output_length, error_length; /* bytes that are kept */
  bool is_cut;                        /* a stream was longer than the limit */
  double seconds;                     /* wall time */
} ProgramResult;

/* Runs the program until it ends and fills `result`; its process group is gone then. Reads the
 * streams while the program runs, so that none of them fills up. */
void program_run(Arena *arena, const ProgramRun *run, ProgramResult *result);

#endif
