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

/* The name without the tail; nullptr if it has another end, or nothing before it. */
static const char *name_before(Arena *arena, const char *name, const char *tail) {
  size_t length = strlen(name), end = strlen(tail);
  if (length <= end || strcmp(name + length - end, tail) != 0) return nullptr;
  return arena_text(arena, name, length - end);
}

/* The names of which one file at least is there, sorted: a lost file is no pass. */
static bool read_names(Arena *arena, const char *path, EquivFilesNames *names, Error *error) {
  DIR *directory = opendir(path);
  if (directory == nullptr)
    return error_of_file(error, ERROR_ENVIRONMENT, path, "%s", strerror(errno));
  for (const struct dirent *entry = readdir(directory); entry != nullptr;
      entry = readdir(directory)) {
    const char *name = name_before(arena, entry->d_name, ".before.hlo");
    if (name == nullptr) name = name_before(arena, entry->d_name, ".after.hlo");
    if (name != nullptr) *ARENA_PUSH(arena, names) = name;
  }
  closedir(directory);
  if (names->count == 0) return error_of_file(error, ERROR_INPUT, path, "no file NAME.before.hlo");
  qsort(names->items, names->count, sizeof *names->items, compare_names);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < names->count; i++)
    if (kept == 0 || strcmp(names->items[kept - 1], names->items[i]) != 0)
      names->items[kept++] = names->items[i];
  names->count = kept;
  return true;
}

bool equiv_read_parameter(const char *option, const char *text, int64_t *parameter, int64_t *leaf) {
  if (operand_parse(text, parameter, leaf)) return true;
  return session_reject("%s needs N or N.LEAF, not '%s'", option, text);
}

/* Reads NAME.options, if it exists: `--more N` and nothing else. */
static bool read_options(EquivCommand *command, Arena *arena, const char *path, Error *error) {
  static const char more[] = "--more ";
  Source source;
  command->has_more = false;
  if (!command->reads || access(path, F_OK) != 0) return true;
  if (!file_check_regular(path, error) || !file_read(arena, path, file_limit, &source, error))
    return false;
  char *text = arena_printf(arena, "%.*s", (int)source.length, source.text);
  text[strcspn(text, "\r\n")] = 0;
  command->has_more =
      strncmp(text, more, sizeof more - 1) == 0 &&
      operand_parse(text + sizeof more - 1, &command->more_parameter, &command->more_leaf);
  return command->has_more ||
         error_of_file(error, ERROR_INPUT, path,
             "options of a pair are `--more N` or `--more N.LEAF`, not '%s'", text);
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
    error_clear(&error);
    progress_at(&progress, i, names.items[i]);
    const char *name = arena_printf(arena, "%s/%s", path, names.items[i]);
    const char *before = arena_printf(arena, "%s.before.hlo", name),
               *after = arena_printf(arena, "%s.after.hlo", name);
    if (!read_options(command, arena, arena_printf(arena, "%s.options", name), &error)) {
      command->files[EQUIV_BEFORE] = before;
      command->files[EQUIV_AFTER] = after;
      command->module = 0;
      command->tally.graphs++;
      equiv_fail_pair(command, arena, &error);
    } else if (!equiv_compare_apart(command, arena, before, after)) return false;
  }
  return true;
}
