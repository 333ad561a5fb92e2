/* Processes that an engine leaves behind in sessions of their own, where signals to its group do
 * not reach them. */
#ifndef JUDGE_ENGINES_ORPHANS_H
#define JUDGE_ENGINES_ORPHANS_H

#include <stdint.h>
#include <sys/types.h>

/* An engine is started, and its end is handled, between these two calls. After orphans_end they do
 * not return, so that an engine ended by this process is not reported as a finding. */
void orphans_lock(void);
void orphans_unlock(void);
/* `child` is an engine's process. From now on this process adopts the orphans of its children. */
void orphans_adopt(pid_t child);
/* Bytes held together by `child`, all that it started, and its orphans; shared pages are counted in
 * proportion. 0 without /proc. */
[[nodiscard]] uint64_t orphans_memory(pid_t child);
/* The longest time in seconds that a thread of `child` or of its descendants waited for a
 * processor. 0 if the kernel does not count it. */
[[nodiscard]] double orphans_waited(pid_t child);
/* After the engine `child` was reaped: kills and reaps its orphans until there are none. Children
 * in this process's own group and other engines stay. Does nothing without /proc. */
void orphans_kill(pid_t child);
/* This process ends while another of its threads may be at work: kills its engines and their
 * orphans. */
void orphans_end(void);

#endif
