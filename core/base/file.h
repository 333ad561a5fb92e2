/* Reads a whole file into an arena, writes a file, and names scratch files. */
#ifndef CORE_BASE_FILE_H
#define CORE_BASE_FILE_H

#include "core/base/arena.h"
#include "core/base/error.h"

/* "-" reads standard input, named "<stdin>". The name in the source is the path as text_foreign
 * prints it. A directory, an unreadable file and one of more than `limit` bytes (for a device at
 * most 1 MB) are errors that name the path. A NUL follows the text; `length` does not count it. */
[[nodiscard]] bool file_read(
    Arena *arena, const char *path, size_t limit, Source *source, Error *error);

/* An entry of a directory must be a regular file: reading a pipe would wait for its writer. Rejects
 * everything else with the path. A path that does not exist passes, and reading it is an error. */
[[nodiscard]] bool file_check_regular(const char *path, Error *error);

/* A text that begins with a byte order mark, is UTF-16 or is compressed is an error, and the
 * message says so. */
[[nodiscard]] bool file_check_encoding(const Source *source, Error *error);
/* file_read for a text that a person wrote: also rejects those encodings and a text of only white
 * space. */
[[nodiscard]] bool file_read_text(
    Arena *arena, const char *path, size_t limit, Source *source, Error *error);

/* Replaces the file atomically: a concurrent reader, or a machine that crashes, sees either the old
 * or the new bytes. Anything but a regular file, such as a pipe or a link, is written directly, and
 * so is a file in a directory where no file can be created. */
[[nodiscard]] bool file_write(const char *path, const char *bytes, size_t length, Error *error);

/* Writes all bytes to an open file; continues after an interrupt and after a partial write. On
 * failure returns false with errno set; a part may have been written. */
[[nodiscard]] bool file_append(int file, const char *bytes, size_t length);

/* A template for mkdtemp or mkstemp: DIRECTORY/affirm-NAME-XXXXXX, in $TMPDIR or else the system's
 * directory for such files. A template that does not fit `capacity` is cut; mkdtemp and mkstemp
 * then reject it. */
void file_scratch(size_t capacity, char path[], const char *name);

#endif
