/* LD_PRELOAD: the AFFIRM_FAIL_AT-th allocation of the process returns null. affirm asks the C
 * library for memory through __libc_malloc and its like, for all libraries in it.
 * With AFFIRM_FAIL_EACH the process, its libraries loaded, forks a child for each n past the
 * allocations of loading up to that number, and then AFFIRM_FAIL_MORE at random up to
 * AFFIRM_FAIL_MOST. Each child goes on into main with the n-th allocation failing; how it ended is
 * compared with the first child, in which none fails. AFFIRM_FAIL_SCRATCH: a directory for what
 * they print. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_long count;
static long fail_at = -1;
static void *(*real_malloc)(size_t), *(*real_calloc)(size_t, size_t),
    *(*real_realloc)(void *, size_t), *(*real_memalign)(size_t, size_t);

static void find_malloc(void) {
  if (real_malloc != NULL) return;
  real_malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "__libc_malloc");
  real_calloc = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "__libc_calloc");
  real_realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "__libc_realloc");
  real_memalign = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "__libc_memalign");
  const char *at = getenv("AFFIRM_FAIL_AT");
  fail_at = at == NULL ? -1 : atol(at);
}

static int fails(void) {
  find_malloc();
  if (atomic_fetch_add(&count, 1) + 1 != fail_at) return 0;
  errno = ENOMEM;
  return 1;
}

void *__libc_malloc(size_t size) { return fails() ? NULL : real_malloc(size); }
void *__libc_calloc(size_t n, size_t size) { return fails() ? NULL : real_calloc(n, size); }
void *__libc_realloc(void *block, size_t size) {
  return fails() ? NULL : real_realloc(block, size);
}
void *__libc_memalign(size_t alignment, size_t size) {
  return fails() ? NULL : real_memalign(alignment, size);
}

/* ---- a child for each n ---- */

static long number_of(const char *name) {
  const char *text = getenv(name);
  return text == NULL ? 0 : atol(text);
}

static void redirect(const char *directory, const char *name, int end) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || dup2(file, end) < 0) _exit(99);
  close(file);
}

static int is_same(const char *directory) {
  char command[9000];
  snprintf(command, sizeof command, "cmp -s %s/out %s/right", directory, directory);
  unsetenv("LD_PRELOAD");
  return system(command) == 0;
}

/* 1 in the child that goes on; else what waitpid gave. */
static int is_child(const char *directory, const char *out, long n, int *state) {
  pid_t child = fork();
  if (child == 0) {
    redirect(directory, out, STDOUT_FILENO);
    redirect(directory, "err", STDERR_FILENO);
    fail_at = n;
    alarm(120);
    return 1;
  }
  if (child < 0 || waitpid(child, state, 0) != child) _exit(99);
  return 0;
}

__attribute__((constructor)) static void serve(void) {
  long each = number_of("AFFIRM_FAIL_EACH"), more = number_of("AFFIRM_FAIL_MORE"),
       most = number_of("AFFIRM_FAIL_MOST"), before = count;
  const char *directory = getenv("AFFIRM_FAIL_SCRATCH");
  if (each == 0 || directory == NULL) return;
  find_malloc();
  int right, state;
  if (is_child(directory, "right", -1, &right)) return;
  long total = 0, rejected = 0, same = 0, faults = 0;
  srandom((unsigned)number_of("AFFIRM_FAIL_SEED"));
  for (long i = before + 1; i <= each + more; i++) {
    long n = i <= each ? i : each + 1 + random() % (most - each);
    if (is_child(directory, "out", n, &state)) return;
    int status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    total++;
    if (state == right && (status > 1 || is_same(directory))) same++;
    else if (state != right && (status == 2 || status == 3)) rejected++;
    else {
      faults++;
      printf("FAULT: allocation %ld: status %d, not %d with the same output, 2 or 3\n", n, status,
          WEXITSTATUS(right));
    }
  }
  printf("counts %ld %ld %ld %ld %ld\n", before, total, rejected, same, faults);
  fflush(stdout);
  _exit(0);
}
