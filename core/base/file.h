/* Reading a whole file into an arena, and where scratch files go. */
#ifndef CORE_BASE_FILE_H
#define CORE_BASE_FILE_H

#include "core/base/arena.h"
#include "core/base/error.h"

/* "-" reads standard input, named "<stdin>". A directory, an unreadable file and one past `limit`
 * bytes are errors that name the path. The text has a NUL behind it that `length` does not
 * count. */
[[nodiscard]] bool file_read(
    Arena *arena, const char *path, size_t limit, Source *source, Error *error);

/* A template for mkdtemp or mkstemp in $TMPDIR, else where the system keeps such files:
 * FOLDER/affirm-NAME-XXXXXX. One that does not fit `room` is cut, and is then refused by both. */
void file_scratch(size_t room, char path[], const char *name);

#endif
