/* LD_PRELOAD: affirm's AFFIRM_FAIL_AT-th write to a regular file fails as AFFIRM_FAIL_HOW states:
 * ENOSPC and EIO from then on, SHORT and EINTR once. The file AFFIRM_FAIL_MARK is created when a
 * write fails. Child programs are left alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long count;

static void mark(void) {
  const char *path = getenv("AFFIRM_FAIL_MARK");
  int file = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file >= 0) close(file);
}

/* 0: succeeds; 1: fails with errno; 2: writes only a part. */
static int fate(int file) {
  const char *at = getenv("AFFIRM_FAIL_AT"), *how = getenv("AFFIRM_FAIL_HOW");
  struct stat state;
  if (at == NULL || how == NULL || strcmp(program_invocation_short_name, "affirm") != 0 ||
      fstat(file, &state) != 0 || !S_ISREG(state.st_mode))
    return 0;
  char *end;
  long number = atomic_fetch_add(&count, 1) + 1, wanted = strtol(at, &end, 10);
  if (end == at || *end != 0) abort();
  int is_once = strcmp(how, "SHORT") == 0 || strcmp(how, "EINTR") == 0;
  if (number < wanted || (is_once && number > wanted)) return 0;
  mark();
  if (strcmp(how, "SHORT") == 0) return 2;
  errno = strcmp(how, "EINTR") == 0 ? EINTR : strcmp(how, "EIO") == 0 ? EIO : ENOSPC;
  return 1;
}

ssize_t write(int file, const void *bytes, size_t length) {
  static ssize_t (*real)(int, const void *, size_t);
  if (real == NULL) real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  int what = fate(file);
  return what == 1 ? -1 : real(file, bytes, what == 2 && length > 1 ? length / 2 : length);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off_t at) {
  static ssize_t (*real)(int, const void *, size_t, off_t);
  if (real == NULL)
    real = (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite64");
  int what = fate(file);
  return what == 1 ? -1 : real(file, bytes, what == 2 && length > 1 ? length / 2 : length, at);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t at) {
  return pwrite64(file, bytes, length, at);
}
