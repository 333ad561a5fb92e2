/* A child process runs items until it dies or all are done; a counter in shared memory tells the
 * parent its progress. Keeps: every item either ran once to its end, or died. */
#include "examples/folds-mlir/isolate.h"

#include <assert.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void limit_memory(void) {
  struct rlimit limit = {.rlim_cur = (rlim_t)2 << 30, .rlim_max = (rlim_t)2 << 30};
  struct rlimit no_core = {};
  if (setrlimit(RLIMIT_CORE, &no_core) != 0) _exit(3);
#if !defined(__has_feature) || !__has_feature(address_sanitizer)
  if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(3);
#else
  (void)limit;
#endif
}

[[noreturn]] static void child(
    volatile uint32_t *next, uint32_t count, unsigned seconds, IsolatedItem *item, void *job) {
  limit_memory();
  for (uint32_t i = *next; i < count; i++) {
    alarm(seconds);
    item(job, i);
    fflush(stdout);
    *next = i + 1;
  }
  _exit(0);
}

int64_t isolate(
    uint32_t count, unsigned seconds, IsolatedItem *item, IsolatedDeath *death, void *job) {
  volatile uint32_t *next =
      mmap(nullptr, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (next == MAP_FAILED) return -1;
  int64_t dead = 0;
  while (*next < count) {
    int status = 0;
    fflush(nullptr);
    pid_t process = fork();
    if (process == 0) child(next, count, seconds, item, job);
    if (process < 0 || waitpid(process, &status, 0) != process) return -1;
    if (*next == count) break;
    assert(*next < count);
    death(job, *next, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    *next += 1;
    dead++;
  }
  munmap((void *)next, sizeof *next);
  return dead;
}
