/* Readings of the system's clocks. The two clocks of the process itself can always be read. */
#include "core/base/clock.h"

#ifndef __wasi__
#include <pthread.h>
#endif

int64_t clock_nanoseconds(clockid_t clock) {
  struct timespec time;
  if (clock_gettime(clock, &time) != 0) return -1;
  return (int64_t)time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

double clock_wall(void) { return (double)clock_nanoseconds(CLOCK_MONOTONIC) * 1e-9; }

double clock_processor(void) { return (double)clock_nanoseconds(CLOCK_PROCESS_CPUTIME_ID) * 1e-9; }

bool clock_of_thread(clockid_t *clock) {
#ifdef __wasi__
  *clock = CLOCK_MONOTONIC;
  return true;
#else
  return pthread_getcpuclockid(pthread_self(), clock) == 0;
#endif
}

bool clock_has_ticked(int64_t *tick) {
#ifdef CLOCK_MONOTONIC_COARSE
  int64_t now = clock_nanoseconds(CLOCK_MONOTONIC_COARSE);
#else
  int64_t now = clock_nanoseconds(CLOCK_MONOTONIC);
#endif
  bool has_ticked = now < 0 || (*tick != 0 && now != *tick);
  *tick = now;
  return has_ticked;
}
