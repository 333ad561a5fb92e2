/* Ends the program within a second of Ctrl-C or SIGTERM, wherever it is at work. The work looks at
 * session_is_interrupted and ends by itself where it can. Where it cannot in time, a thread that
 * waits for nothing else says what was at hand, writes what is finished, and ends the program with
 * STATUS_UNDECIDED. Work that has said that it ends gets a few seconds more, so that on a busy
 * machine its result is not lost. */
#ifndef CLI_SESSION_GUARD_H
#define CLI_SESSION_GUARD_H

#include <stdint.h>

/* Once; without a thread the program ends as the work looks. */
void session_start_guard(void);
/* From a signal's handler. */
void session_wake_guard(void);

/* The work has seen the interrupt, and what is left of it is short. */
void session_say_ending(void);

/* What is at hand, for the message; a copy is kept, and nullptr takes it back. */
[[gnu::format(printf, 1, 2)]] void session_at(const char *format, ...);
/* The same with its number among all, from 0, for the line of progress. */
[[gnu::format(printf, 4, 5)]] void session_item(
    uint64_t done, uint64_t all, const char *unit, const char *format, ...);
/* On standard error: that the work was interrupted or out of time, and where. */
void session_say_interrupted(void);
/* `finish` writes what is finished so far. It runs in another thread while the work goes on, so
 * that it may read only what both lock. At most one; nullptr takes it back. */
void session_on_end(void (*finish)(void *state), void *state);

#endif
