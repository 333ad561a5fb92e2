/* LD_PRELOAD: the AFFIRM_FAIL_AT-th allocation of the process returns null, and every one after it
 * where AFFIRM_FAIL_ON is set. affirm asks the C library for memory through __libc_malloc and its
 * like, for all libraries in it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_long count;
static long fail_at = -1, goes_on;
static void *(*real_malloc)(size_t), *(*real_calloc)(size_t, size_t),
    *(*real_realloc)(void *, size_t), *(*real_memalign)(size_t, size_t);

static void find(void) {
  if (real_malloc != NULL) return;
  real_malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "__libc_malloc");
  real_calloc = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "__libc_calloc");
  real_realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "__libc_realloc");
  real_memalign = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "__libc_memalign");
  const char *at = getenv("AFFIRM_FAIL_AT");
  fail_at = at == NULL ? -1 : atol(at);
  goes_on = getenv("AFFIRM_FAIL_ON") != NULL;
}

static int fails(void) {
  find();
  long number = atomic_fetch_add(&count, 1) + 1;
  if (fail_at < 0 || (number != fail_at && !(goes_on && number > fail_at))) return 0;
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
