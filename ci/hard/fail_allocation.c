/* LD_PRELOAD: an allocation of the process returns null. affirm and all libraries in it allocate
 * memory through __libc_malloc and its variants.
 * AFFIRM_FAIL_AT=n: the n-th allocation fails; AFFIRM_FAIL_SCRATCH/met is created then.
 * AFFIRM_FAIL_MOST=m: of the first m allocations, those whose number AFFIRM_FAIL_STEP divides fail
 * in one run. At each of them the process forks. It fails in the child and succeeds in the parent,
 * which continues after the child has ended, so that one number costs a fork and the work after the
 * failure.
 * A child that ends with status 2 or 3 and output on standard error is counted. Every other number
 * is written to AFFIRM_FAIL_SCRATCH/again, because a child has only one thread and its end proves
 * nothing. An allocation within pthread_create is written there without a fork: the child would
 * wait for a lock that the new thread holds.
 * AFFIRM_FAIL_SCRATCH/counts: the number of allocations of the run, of failed ones, and of those to
 * repeat. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { child_seconds = 2 };

static atomic_long count, failed, unclear;
static long fail_at = -1, most, step = 1;
static pid_t owner;              /* the process whose allocations fail in its children */
static __thread int is_creating; /* inside pthread_create */
static char directory[3000];
static void *(*real_malloc)(size_t), *(*real_calloc)(size_t, size_t),
    *(*real_realloc)(void *, size_t), *(*real_memalign)(size_t, size_t);

static long number_of(const char *name, long otherwise) {
  const char *text = getenv(name);
  if (text == NULL) return otherwise;
  char *end;
  long number = strtol(text, &end, 10);
  if (end == text || *end != 0) abort();
  return number;
}

static void failing_begin(void) {
  if (real_malloc != NULL) return;
  real_malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "__libc_malloc");
  real_calloc = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "__libc_calloc");
  real_realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "__libc_realloc");
  real_memalign = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "__libc_memalign");
  fail_at = number_of("AFFIRM_FAIL_AT", -1);
  most = number_of("AFFIRM_FAIL_MOST", 0);
  step = number_of("AFFIRM_FAIL_STEP", 1);
  const char *scratch = getenv("AFFIRM_FAIL_SCRATCH");
  if (scratch == NULL) return;
  snprintf(directory, sizeof directory, "%s", scratch);
  if (most == 0) return;
  owner = getpid();
  unsetenv("AFFIRM_FAIL_MOST"); /* child programs are left alone */
}

static int open_scratch(const char *name, int flags) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
}

static void note(const char *name, long a, long b, long c) {
  char line[100];
  int file = open_scratch(name, O_APPEND),
      length = snprintf(line, sizeof line, "%ld %ld %ld\n", a, b, c);
  if (file < 0 || write(file, line, (size_t)length) != length) _exit(99);
  close(file);
}

static void leave_to_a_whole_run(long n, int status, long length) {
  atomic_fetch_add(&unclear, 1);
  note("again", n, status, length);
}

/* 1 in the child. */
static int is_child(long n) {
  int before = errno, state = 0, out = open_scratch("child.out", O_TRUNC),
      err = open_scratch("child.err", O_TRUNC);
  struct stat written;
  if (out < 0 || err < 0) _exit(99);
  pid_t child = fork();
  if (child == 0) {
    owner = 0;
    if (dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0) _exit(99);
    alarm(child_seconds);
    return 1;
  }
  if (child < 0 || waitpid(child, &state, 0) != child || fstat(err, &written) != 0) _exit(99);
  close(out), close(err);
  int status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
  atomic_fetch_add(&failed, 1);
  if ((status != 2 && status != 3) || written.st_size == 0)
    leave_to_a_whole_run(n, status, (long)written.st_size);
  errno = before;
  return 0;
}

static int fails_in_child(long n) {
  if (!is_creating) return is_child(n);
  atomic_fetch_add(&failed, 1);
  leave_to_a_whole_run(n, -1, 0);
  return 0;
}

static int fails(void) {
  failing_begin();
  long n = atomic_fetch_add(&count, 1) + 1;
  int is_tried = n <= most && step > 0 && n % step == 0 && owner != 0 && owner == getpid();
  int is_failing = n == fail_at || (is_tried && fails_in_child(n));
  if (n == fail_at && directory[0] != 0) note("met", n, 0, 0);
  if (is_failing) errno = ENOMEM;
  return is_failing;
}

void *__libc_malloc(size_t size) { return fails() ? NULL : real_malloc(size); }
void *__libc_calloc(size_t n, size_t size) { return fails() ? NULL : real_calloc(n, size); }
void *__libc_realloc(void *block, size_t size) {
  return fails() ? NULL : real_realloc(block, size);
}
void *__libc_memalign(size_t alignment, size_t size) {
  return fails() ? NULL : real_memalign(alignment, size);
}

int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *state) {
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
      (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
          RTLD_NEXT, "pthread_create");
  is_creating = 1;
  int failure = create(thread, attributes, body, state);
  is_creating = 0;
  return failure;
}

__attribute__((destructor)) static void end(void) {
  if (owner != 0 && owner == getpid()) note("counts", count, failed, unclear);
}
