/* Processes that an engine leaves after in sessions of their own, where no signal to its group
 * reaches them. */
#ifndef JUDGE_ORPHANS_H
#define JUDGE_ORPHANS_H

#include <stdint.h>
#include <sys/types.h>

/* An engine starts, and is seen to have ended, between these two. Once orphans_end was called they
 * do not return: what an engine did that this process ended is nobody's finding. */
void orphans_lock(void);
void orphans_unlock(void);
/* `child` is an engine's own process. From now on this process becomes the parent of what its
 * children leave after. */
void orphans_adopt(pid_t child);
/* Bytes that `child`, all that it started and what was left after hold together, pages that several
 * of them share counted in parts. 0 without /proc. */
[[nodiscard]] uint64_t orphans_memory(pid_t child);
/* Seconds for which the thread of `child` and of what it started that stood longest in line for a
 * processor did so. 0 where the kernel does not count them. */
[[nodiscard]] double orphans_waited(pid_t child);
/* After the engine `child` was reaped: kills and reaps what is left, until there is none. Children
 * in this process's own group and other engines stay. Without /proc nothing is done. */
void orphans_kill(pid_t child);
/* This process ends, and another of its threads may be at work: kills its engines and what they
 * left, where it has engines. */
void orphans_end(void);

#endif
