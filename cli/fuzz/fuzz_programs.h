/* The fuzz programs that are installed beside affirm: fuzz_NAME. */
#ifndef CLI_FUZZ_PROGRAMS_H
#define CLI_FUZZ_PROGRAMS_H

#include "core/base/arena.h"

typedef struct FuzzPrograms {
  uint32_t count, capacity;
  const char **items; /* their paths, in the order of names */
} FuzzPrograms;

/* Whether the path fuzz_NAME is a program that fuzzes. Test programs, named fuzz_NAME_test, and
 * other files of a program, whose names contain a dot, are not. */
[[nodiscard]] bool fuzz_program_is_one(const char *path);
/* Appends the programs in the directory. */
void fuzz_programs_find(Arena *arena, const char *directory, FuzzPrograms *programs);
/* The NAME in a path. */
[[nodiscard]] const char *fuzz_program_name(const char *path);

#endif
