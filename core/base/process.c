/* The processor time is read from the process's clock, the memory from /proc. */
#include "core/base/process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

double process_seconds(pid_t process) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* The second number of statm: pages. */
uint64_t process_memory(pid_t process) {
  char path[48], text[128];
  snprintf(path, sizeof path, "/proc/%ld/statm", (long)process);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return 0;
  text[length] = 0;
  char *second;
  (void)strtoull(text, &second, 10);
  return strtoull(second, nullptr, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}
