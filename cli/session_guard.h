/* Ends the program within a second of Ctrl-C, SIGTERM or SIGHUP, wherever it is. The work polls
 * session_is_interrupted and ends by itself if it can. If it does not in time, a guard thread
 * reports the current item, writes the finished results and the totals, and ends the program with
 * STATUS_UNDECIDED, or with the worst status that was noted. Work that has announced its end gets a
 * few more seconds, so that its result is not lost on a busy machine. */
#ifndef CLI_SESSION_GUARD_H
#define CLI_SESSION_GUARD_H

#include <stdint.h>

#include "judge/maps/judge.h"

/* Call once, before results are noted. Without a thread the program ends when the work polls. */
void session_start_guard(void);
/* Called from a signal handler. */
void session_wake_guard(void);

/* Announces that the work has seen the interrupt and will end soon. */
void session_say_ending(void);
/* Whether the work is interrupted. If so, announces its end: for loops, and for engines whose
 * answer is awaited. */
[[nodiscard]] bool session_must_end(void);
/* A result has this status. If the guard ends the program, the exit status is the worst one noted.
 */
void session_note(Status status);
/* The same; `whole` becomes the worse of both. */
void session_worsen(Status *whole, Status status);

/* Sets the current item for the message. The text is copied; nullptr clears it. */
[[gnu::format(printf, 1, 2)]] void session_at(const char *format, ...);
/* The same with its number, from 0, and the number of all, for the progress line. */
[[gnu::format(printf, 4, 5)]] void session_item(
    uint64_t done, uint64_t all, const char *unit, const char *format, ...);
/* Reports on standard error that the work was interrupted or out of time, and at which item. */
void session_say_interrupted(void);
/* `finish` writes what is finished, if the guard ends the program. It runs in another thread beside
 * the work, so both must lock what they share. The last one set runs first; at most four. `state`
 * must live until session_not_on_end. */
void session_on_end(void (*finish)(void *state), void *state);
void session_not_on_end(const void *state);

#endif
