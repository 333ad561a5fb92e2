/* Child processes: start, end, and resource use. Every wait is bounded: it takes a number of
 * seconds, or follows a kill.
 *
 * A child leads its own process group, so that a kill reaches everything it started, and it dies
 * with the thread that started it. Only the starter may wait for it. */
#ifndef CORE_BASE_PROCESS_H
#define CORE_BASE_PROCESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What a child runs. A program is searched in PATH. If argv is null, the child calls `body` and
 * exits with its result, without exit handlers. */
typedef struct ProcessStart {
  char *const *argv;
  int (*body)(void *state);
  void *state;
  int in, out, err;   /* standard input, output and error; -1: those of the starter */
  uint64_t memory;    /* bytes of address space; 0: no limit */
  uint64_t file_size; /* bytes of each file written; 0: no limit */
  uint64_t processes; /* processes of the whole user; 0: no limit */
} ProcessStart;

/* Returns the child's pid, or -1 with errno set if no process could be made or the program could
 * not be executed. KEEP: the starter closes the three ends. `in` must be above the standard
 * descriptors, and so must the others if the starter made them. */
[[nodiscard]] pid_t process_start(const ProcessStart *start);

/* Returns true if the child has ended within `seconds`, from 0 to a day. `state` is then as from
 * waitpid, and the child and the rest of its group are gone. A child that somebody else has waited
 * for counts as ended, with state 127 << 8. */
[[nodiscard]] bool process_wait(pid_t child, double seconds, int *state);
/* Kills the child's group, waits for the child, and returns its state. Does nothing for a child <=
 * 0. */
int process_kill(pid_t child);

/* Processor seconds of all threads of a process, and bytes of its resident memory. 0 if they cannot
 * be read, for instance because the process has ended. */
[[nodiscard]] double process_seconds(pid_t process);
[[nodiscard]] uint64_t process_memory(pid_t process);

#endif
