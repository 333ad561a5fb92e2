/* Files below a directory, for every command that takes one. */
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
  const char *left_out; /* directories of this name directly below `directory` are not entered; may
                           be null */
  uint32_t tail_count;
  const char *const *tails; /* a file is found when its name ends in one of them */
  uint64_t passed_over;     /* out: files with other names */
} PathSearch;

[[nodiscard]] bool path_is_directory(const char *path);
/* Adds what is found, recursively, directory by directory in the order of names. What cannot be
 * read is an error that names it. */
[[nodiscard]] bool paths_find(Arena *arena, PathSearch *search, PathList *paths, Error *error);

#endif
