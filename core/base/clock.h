/* The clocks. Times are differences of two readings of one clock; no verdict depends on one, but
 * for what a budget or a deadline ends. */
#ifndef CORE_BASE_CLOCK_H
#define CORE_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Seconds since an arbitrary start that is the same for all processes. It never goes back, and a
 * change of the system's date does not move it. */
[[nodiscard]] double clock_wall(void);
/* Seconds of processor time of all threads of this process. */
[[nodiscard]] double clock_processor(void);
/* Nanoseconds of any clock of the system, such as that of another process or of a thread; -1 where
 * it cannot be read. */
[[nodiscard]] int64_t clock_nanoseconds(clockid_t clock);
/* The processor clock of the calling thread, which other threads can read too; false where there is
 * none. In a browser, which has no such clock, it is the clock on the wall. */
[[nodiscard]] bool clock_of_thread(clockid_t *clock);

#endif
