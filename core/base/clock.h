/* The clocks. Only differences of two readings of the same clock are used. No verdict depends on a
 * time, except when a budget or a deadline ends a question. */
#ifndef CORE_BASE_CLOCK_H
#define CORE_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Seconds since an arbitrary start that is the same for all processes. Monotonic: changing the
 * system's date does not affect it. */
[[nodiscard]] double clock_wall(void);
/* Seconds of processor time of all threads of this process. */
[[nodiscard]] double clock_processor(void);
/* Nanoseconds of any clock of the system, such as that of another process or of a thread; -1 if it
 * cannot be read. */
[[nodiscard]] int64_t clock_nanoseconds(clockid_t clock);
/* The processor clock of the calling thread, which other threads can read too. False if there is
 * none. A browser has no such clock, so there it is the monotonic clock. */
[[nodiscard]] bool clock_of_thread(clockid_t *clock);
/* Whether a coarse clock, whose reading is no call of the system, has moved since the last call
 * with this `tick`; false at the first call, with 0. A thread's processor time moves no further
 * than that clock, so until then some milliseconds of it have passed at most. */
[[nodiscard]] bool clock_has_ticked(int64_t *tick);

#endif
