/* Reads a file or standard input to its end: works on pipes too, so the size is never asked for.
 * Names scratch files. */
#include "core/base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool fail(Error *error, const char *path, const char *what) {
  error_set(error, ERROR_ENVIRONMENT, "%s", what);
  snprintf(error->name, sizeof error->name, "%s", path);
  return false;
}

static bool read_stream(
    Arena *arena, FILE *stream, const char *name, size_t limit, Source *source, Error *error) {
  size_t capacity = (size_t)64 << 10;
  char *text = arena_alloc(arena, capacity, 1);
  size_t length = 0;
  for (;;) {
    length += fread(text + length, 1, capacity - length - 1, stream);
    if (ferror(stream)) return fail(error, name, strerror(errno));
    if (length > limit) return fail(error, name, "the file is larger than what is read");
    if (feof(stream)) break;
    if (length + 1 < capacity) continue;
    text = arena_grow(arena, text, length, 2 * capacity, 1);
    capacity *= 2;
  }
  text[length] = 0;
  *source = (Source){.name = arena_text(arena, name, strlen(name)),
      .text = text,
      .length = length,
      .first_line = 1};
  return true;
}

bool file_read(Arena *arena, const char *path, size_t limit, Source *source, Error *error) {
  if (strcmp(path, "-") == 0) return read_stream(arena, stdin, "<stdin>", limit, source, error);
  FILE *stream = fopen(path, "rb");
  if (stream == nullptr) return fail(error, path, strerror(errno));
  struct stat status;
  bool is_directory = fstat(fileno(stream), &status) == 0 && S_ISDIR(status.st_mode);
  bool read = is_directory ? fail(error, path, "is a directory")
                           : read_stream(arena, stream, path, limit, source, error);
  fclose(stream);
  return read;
}

void file_scratch(size_t room, char path[], const char *name) {
  const char *folder = getenv("TMPDIR");
  snprintf(path, room, "%s/affirm-%s-XXXXXX", folder == nullptr || *folder == 0 ? P_tmpdir : folder,
      name);
}
