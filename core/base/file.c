/* Reads a file or standard input to its end. The size of a file is a first guess; pipes work too.
 * Writes files, and names scratch files. */
#define _GNU_SOURCE /* mkostemp */

#include "core/base/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/foreign.h"

static bool file_fail(Error *error, const char *path, const char *what) {
  return error_of_file(error, ERROR_ENVIRONMENT, path, "%s", what);
}

/* A device may have no end, so more than this is an error. */
static constexpr size_t device_limit = (size_t)1 << 20;

/* `expected` is the length, or 0 if it is not known; a file may grow while it is read. */
static bool read_stream(Arena *arena, FILE *stream, const char *name, size_t expected, size_t limit,
    Source *source, Error *error) {
  bool is_sized = expected > 0 && expected <= limit;
  size_t capacity = is_sized ? expected + 2 : (size_t)64 << 10;
  if (is_sized) arena_expect(arena, capacity);
  char *text = arena_alloc_unset(arena, capacity, 1);
  size_t length = 0;
  for (;;) {
    length += fread(text + length, 1, capacity - length - 1, stream);
    if (ferror(stream)) return file_fail(error, name, strerror(errno));
    if (length > limit) return file_fail(error, name, "the file is larger than what is read");
    if (feof(stream)) break;
    if (length + 1 < capacity) continue;
    text = arena_grow(arena, text, length, 2 * capacity, 1);
    capacity *= 2;
  }
  assert(length < capacity);
  /* fread returns at most the requested count.
   * NOLINTNEXTLINE(clang-analyzer-security.ArrayBound) */
  text[length] = 0;
  Text shown = text_create(arena);
  text_foreign(&shown, name);
  *source = (Source){.name = shown.bytes, .text = text, .length = length, .first_line = 1};
  return true;
}

bool file_read(Arena *arena, const char *path, size_t limit, Source *source, Error *error) {
  if (strcmp(path, "-") == 0) return read_stream(arena, stdin, "<stdin>", 0, limit, source, error);
  FILE *stream = fopen(path, "rb");
  if (stream == nullptr) return file_fail(error, path, strerror(errno));
  struct stat status;
  bool is_known = fstat(fileno(stream), &status) == 0;
  bool is_directory = is_known && S_ISDIR(status.st_mode);
  bool is_device = is_known && (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode));
  if (is_device && limit > device_limit) limit = device_limit;
  size_t expected = is_known && S_ISREG(status.st_mode) ? (size_t)status.st_size : 0;
  bool read = is_directory ? file_fail(error, path, "is a directory")
                           : read_stream(arena, stream, path, expected, limit, source, error);
  fclose(stream);
  return read;
}

bool file_check_regular(const char *path, Error *error) {
  struct stat status;
  if (stat(path, &status) != 0 || S_ISREG(status.st_mode)) return true;
  return error_of_file(error, ERROR_ENVIRONMENT, path,
      S_ISDIR(status.st_mode) ? "is a directory" : "is not a regular file");
}

bool file_append(int file, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t written = write(file, bytes, length);
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = ENOSPC;
    if (written <= 0) return false;
    bytes += written;
    length -= (size_t)written;
  }
  return true;
}

/* Writes and closes. On failure errno is that of the first fault. */
static bool write_and_close(int file, bool is_synced, const char *bytes, size_t length) {
  bool written = file_append(file, bytes, length) && (!is_synced || fsync(file) == 0);
  int why = errno;
  if (close(file) != 0 && written) written = false, why = errno;
  errno = why;
  return written;
}

/* Replaces a file and keeps its permissions. */
static bool file_replace(const char *path, mode_t mode, const char *bytes, size_t length) {
  char beside[4096];
  int capacity = snprintf(beside, sizeof beside, "%s.XXXXXX", path);
  if (capacity < 0 || (size_t)capacity >= sizeof beside) {
    errno = ENAMETOOLONG;
    return false;
  }
  int file = mkostemp(beside, O_CLOEXEC);
  if (file < 0) return false;
  bool is_done = write_and_close(file, true, bytes, length) && chmod(beside, mode) == 0 &&
                 rename(beside, path) == 0;
  int why = errno;
  if (!is_done) unlink(beside);
  errno = why;
  return is_done;
}

static bool write_directly(const char *path, const char *bytes, size_t length) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return file >= 0 && write_and_close(file, false, bytes, length);
}

static mode_t usual_mode(void) {
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

bool file_write(const char *path, const char *bytes, size_t length, Error *error) {
  struct stat status;
  bool is_there = lstat(path, &status) == 0;
  bool is_direct = is_there && !S_ISREG(status.st_mode);
  bool is_done = is_direct ? write_directly(path, bytes, length)
                           : file_replace(path, is_there ? status.st_mode & 07777 : usual_mode(),
                                 bytes, length);
  if (!is_done && !is_direct && is_there && (errno == EACCES || errno == EPERM))
    is_done = write_directly(path, bytes, length);
  return is_done || file_fail(error, path, strerror(errno));
}

void file_scratch(size_t capacity, char path[], const char *name) {
  const char *directory = getenv("TMPDIR");
  snprintf(path, capacity, "%s/affirm-%s-XXXXXX",
      directory == nullptr || *directory == 0 ? P_tmpdir : directory, name);
}

/* True if the text begins with two ASCII characters in UTF-16, in either byte order. */
static bool is_wide(const char *text, size_t length) {
  for (int zero = 0; zero < 2 && length >= 4; zero++)
    if (text[zero] == 0 && text[zero + 2] == 0 && text[1 - zero] != 0 && text[3 - zero] != 0)
      return true;
  return false;
}

/* The program that packed the bytes, by their first ones; nullptr: none. */
static const char *packer_of(const Source *source) {
  static const struct {
    const char *bytes, *name;
  } packers[] = {
      {"\x1F\x8B", "gzip"}, {"\x28\xB5\x2F\xFD", "zstd"}, {"\xFD\x37zXZ", "xz"}, {"BZh", "bzip2"}};
  for (size_t i = 0; i < sizeof packers / sizeof *packers; i++) {
    size_t length = strlen(packers[i].bytes);
    if (source->length >= length && memcmp(source->text, packers[i].bytes, length) == 0)
      return packers[i].name;
  }
  return nullptr;
}

bool file_check_encoding(const Source *source, Error *error) {
  static const struct {
    const char *bytes, *what;
  } marks[] = {
      {"\xEF\xBB\xBF", "the text begins with a byte order mark; save the file without one"},
      {"\xFF\xFE", "the text is UTF-16; save the file as UTF-8"},
      {"\xFE\xFF", "the text is UTF-16; save the file as UTF-8"}};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    size_t length = strlen(marks[i].bytes);
    if (source->length >= length && memcmp(source->text, marks[i].bytes, length) == 0)
      return error_at(error, ERROR_INPUT, source, 0, length, "%s", marks[i].what);
  }
  const char *packer = packer_of(source);
  if (packer != nullptr)
    return error_of_file(
        error, ERROR_INPUT, source->name, "is compressed by %s; unpack it first", packer);
  return !is_wide(source->text, source->length) ||
         error_at(error, ERROR_INPUT, source, 0, 2, "%s", marks[1].what);
}

bool file_read_text(Arena *arena, const char *path, size_t limit, Source *source, Error *error) {
  if (!file_read(arena, path, limit, source, error) || !file_check_encoding(source, error))
    return false;
  return strspn(source->text, " \t\r\n") != source->length ||
         error_of_file(error, ERROR_INPUT, source->name, "the text is empty");
}
