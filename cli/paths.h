/* Finds files below a directory, for every command that accepts one. */
#ifndef CLI_PATHS_H
#define CLI_PATHS_H

#include "core/base/arena.h"
#include "core/base/error.h"

typedef struct PathList {
  uint32_t count, capacity;
  const char **items;
} PathList;

typedef struct PathSearch {
  const char *directory;
  const char *left_out; /* subdirectories with this name directly below `directory` are skipped; may
                           be nullptr */
  uint32_t tail_count;
  const char *const *tails; /* a file is found if its name ends in one of these */
  uint64_t passed_over;     /* out: number of files with other names, and of files and
                               directories whose names begin with a dot */
  PathList *irregular;      /* pipes, sockets and devices with such a name, which reading could wait
                               for, are added here; nullptr: the first one is an error */
  PathList *outside;        /* links to a directory, or to a file of such a name, that lead out of
                               `directory` and are not followed, are added here; nullptr: they count
                               as files with other names */
} PathSearch;

[[nodiscard]] bool path_is_directory(const char *path);
/* Adds all matching files, recursively, in the order of names. If something cannot be read, the
 * error names it. */
[[nodiscard]] bool paths_find(Arena *arena, PathSearch *search, PathList *paths, Error *error);

#endif
