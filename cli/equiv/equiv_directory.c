/* Compares the pairs NAME.before.hlo and NAME.after.hlo of a directory, each in a process of its
 * own. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/equiv/equiv.h"
#include "cli/progress.h"
#include "core/base/file.h"

typedef struct EquivFilesNames {
  uint32_t count, capacity;
  const char **items;
} EquivFilesNames;

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The file names without `.before.hlo`, sorted. */
static bool read_names(Arena *arena, const char *path, EquivFilesNames *names, Error *error) {
  static const char tail[] = ".before.hlo";
  DIR *directory = opendir(path);
  if (directory == nullptr)
    return error_of_file(error, ERROR_ENVIRONMENT, path, "%s", strerror(errno));
  for (const struct dirent *entry = readdir(directory); entry != nullptr;
      entry = readdir(directory)) {
    size_t length = strlen(entry->d_name);
    if (length < sizeof tail || strcmp(entry->d_name + length - (sizeof tail - 1), tail) != 0)
      continue;
    *ARENA_PUSH(arena, names) =
        arena_printf(arena, "%.*s", (int)(length - (sizeof tail - 1)), entry->d_name);
  }
  closedir(directory);
  if (names->count == 0) return error_of_file(error, ERROR_INPUT, path, "no file NAME.before.hlo");
  qsort(names->items, names->count, sizeof *names->items, compare_names);
  return true;
}

bool equiv_read_parameter(const char *option, const char *text, int64_t *parameter, int64_t *leaf) {
  if (operand_parse(text, parameter, leaf)) return true;
  (void)session_usage("%s needs N or N.LEAF, not '%s'", option, text);
  return false;
}

/* Reads NAME.options, if it exists: `--more N` and nothing else. */
static bool read_options(EquivCommand *command, Arena *arena, const char *path) {
  static const char more[] = "--more ";
  Source source;
  Error error = {};
  command->has_more = false;
  if (!command->reads) return true;
  if (access(path, F_OK) != 0) return true;
  if (!file_check_regular(path, &error) || !file_read(arena, path, file_limit, &source, &error)) {
    (void)session_fail(&error);
    return false;
  }
  char *text = arena_printf(arena, "%.*s", (int)source.length, source.text);
  text[strcspn(text, "\r\n")] = 0;
  if (strncmp(text, more, sizeof more - 1) != 0) {
    (void)session_usage("%s: options of a pair are `--more N`, not '%s'", path, text);
    return false;
  }
  command->has_more = true;
  return equiv_read_parameter(
      path, text + sizeof more - 1, &command->more_parameter, &command->more_leaf);
}

bool equiv_compare_directory(EquivCommand *command, Arena *arena, const char *path) {
  EquivFilesNames names = {};
  Error error = {};
  if (!read_names(arena, path, &names, &error)) {
    command->tally.status = status_worse(command->tally.status, session_fail(&error));
    return true;
  }
  Progress progress = progress_begin("pairs", names.count, true);
  for (uint32_t i = 0; i < names.count; i++) {
    progress_at(&progress, i, names.items[i]);
    const char *name = arena_printf(arena, "%s/%s", path, names.items[i]);
    if (!read_options(command, arena, arena_printf(arena, "%s.options", name))) {
      command->tally.status = status_worse(command->tally.status, STATUS_BAD);
      continue;
    }
    if (!equiv_compare_apart(command, arena, arena_printf(arena, "%s.before.hlo", name),
            arena_printf(arena, "%s.after.hlo", name)))
      return false;
  }
  return true;
}
