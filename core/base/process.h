/* Child processes: how one is started, how it ends, and what it uses. No wait is without an end:
 * each takes a number of seconds, or follows a kill.
 * A child leads a process group of its own, so that a kill takes all that it started, and it dies
 * with the thread that started it. Nobody but the starter may wait for it. */
#ifndef CORE_BASE_PROCESS_H
#define CORE_BASE_PROCESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What a child becomes. The program is looked for as a shell does; without argv the child calls
 * `body` and exits with what it returns, without exit handlers. */
typedef struct ProcessStart {
  char *const *argv;
  int (*body)(void *state);
  void *state;
  int in, out, err;   /* its standard ends; -1: those of the starter */
  uint64_t memory;    /* bytes of address space; 0: no limit */
  uint64_t file_size; /* bytes of each file that it writes; 0: no limit */
  uint64_t processes; /* of the user, whom the child shares; 0: no limit */
} ProcessStart;

/* The number of the child, or -1 with errno set where no process could be made or the program could
 * not be executed. KEEP: the three ends stay the starter's to close. `in` must be above the
 * standard ones, and so must the others where they are of the starter's own making. */
[[nodiscard]] pid_t process_start(const ProcessStart *start);

/* True when the child has ended within `seconds`, which may be 0 and are at most a day. `state` is
 * then what waitpid gives, and the child is gone with what was left of its group. A child that
 * somebody else has waited for has ended, with state 127 << 8. */
[[nodiscard]] bool process_wait(pid_t child, double seconds, int *state);
/* Kills the child's group, waits for the child, and gives its state. Nothing for a child <= 0. */
int process_kill(pid_t child);

/* Of any process, and 0 where it cannot be read, as of one that is gone: seconds of processor time
 * of all its threads, and bytes of memory that is resident. */
[[nodiscard]] double process_seconds(pid_t process);
[[nodiscard]] uint64_t process_memory(pid_t process);

#endif
