/* Whether the work should end: a signal was noted, or its time is over. */
#include <signal.h>

#include "cli/session.h"
#include "core/base/clock.h"

static volatile sig_atomic_t interrupted;
static double end = 0; /* deadline of the work; 0: none */

void session_interrupt(void) { interrupted = 1; }

void session_limit(uint64_t seconds) { end = seconds == 0 ? 0 : clock_wall() + (double)seconds; }

bool session_is_out_of_time(void) { return end != 0 && clock_wall() >= end; }

bool session_is_interrupted(void) { return interrupted != 0 || session_is_out_of_time(); }
