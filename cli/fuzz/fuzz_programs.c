/* Programs are found by their names and by being executable regular files. */
#include "cli/fuzz/fuzz_programs.h"

#include <glob.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/text.h"

const char *fuzz_program_name(const char *path) { return strrchr(path, '/') + strlen("/fuzz_"); }

bool fuzz_program_is_one(const char *path) {
  const char *name = strrchr(path, '/') + 1;
  struct stat status;
  return access(path, X_OK) == 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
         strchr(name, '.') == nullptr && !string_ends_with(name, "_test");
}

void fuzz_programs_find(Arena *arena, const char *directory, FuzzPrograms *programs) {
  glob_t found = {};
  if (glob(arena_printf(arena, "%s/fuzz_*", directory), 0, nullptr, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; i++)
      if (fuzz_program_is_one(found.gl_pathv[i]))
        *ARENA_PUSH(arena, programs) =
            arena_text(arena, found.gl_pathv[i], strlen(found.gl_pathv[i]));
  globfree(&found);
}
