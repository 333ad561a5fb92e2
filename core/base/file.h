/* Reading a whole file into an arena, writing one, and where scratch files go. */
#ifndef CORE_BASE_FILE_H
#define CORE_BASE_FILE_H

#include "core/base/arena.h"
#include "core/base/error.h"

/* "-" reads standard input, named "<stdin>". The name in the source is the path as text_foreign
 * shows it. A directory, an unreadable file and one past `limit`
 * bytes are errors that name the path. The text has a NUL after it that `length` does not
 * count. */
[[nodiscard]] bool file_read(
    Arena *arena, const char *path, size_t limit, Source *source, Error *error);

/* A text that begins with a byte order mark or is UTF-16 is an error that says so. */
[[nodiscard]] bool file_check_encoding(const Source *source, Error *error);
/* The same for a text that a person wrote: such an encoding and a text of white space alone are
 * errors. */
[[nodiscard]] bool file_read_text(
    Arena *arena, const char *path, size_t limit, Source *source, Error *error);

/* Replaces the file as a whole: whoever reads it, and a machine that stops, finds the old bytes or
 * the new ones. What is no regular file, such as a pipe or a link, is written
 * directly, and so is a file in a directory that nothing can be added to. */
[[nodiscard]] bool file_write(const char *path, const char *bytes, size_t length, Error *error);

/* Writes all bytes to an open file, and goes on after an interrupt and after a part. False: errno
 * says why, and a part may be there. */
[[nodiscard]] bool file_append(int file, const char *bytes, size_t length);

/* A template for mkdtemp or mkstemp in $TMPDIR, else where the system keeps such files:
 * DIRECTORY/affirm-NAME-XXXXXX. One that does not fit `room` is cut, and is then rejected by both.
 */
void file_scratch(size_t capacity, char path[], const char *name);

#endif
