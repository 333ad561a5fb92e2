/* Writes the first wrong step as two small modules, NAME.before.hlo and NAME.after.hlo, and prints
 * the command that replays them. Without a NAME they are written beside the step's texts, under
 * names that no scan takes for a step; a directory that cannot be written is then only a
 * warning. */
#include <string.h>

#include "cli/watch/watch.h"
#include "core/base/foreign.h"
#include "core/base/file.h"
#include "core/hlo/read/read.h"
#include "watch/smaller.h"

static constexpr double most_seconds = 20;

static bool read_module(Arena *arena, const char *path, const Module **module) {
  Source *source = ARENA_NEW(arena, Source, 1);
  Error error = {};
  return file_read(arena, path, file_limit, source, &error) &&
         hlo_read(arena, source, module, &error);
}

static bool write_side(const WatchCommand *command, Arena *arena, const char *name,
    const char *side, const char *text) {
  Error error = {};
  const char *path = arena_printf(arena, "%s.%s.hlo", name, side);
  const char *remark = arena_printf(
      arena, "// %s pass %s, %s\n%s", side, command->wrong[1].pass, command->wrong[1].path, text);
  bool is_written = file_write(path, remark, strlen(remark), &error);
  if (!is_written && command->output != nullptr) (void)session_fail(&error);
  else if (!is_written) session_warn("%s; --output NAME writes the small modules", error.message);
  return is_written;
}

/* NAME, or a name beside the texts of the step. */
static const char *small_name(const WatchCommand *command, Arena *arena) {
  const char *path = command->wrong[1].path, *slash = strrchr(path, '/');
  if (command->output != nullptr) return command->output;
  return arena_printf(arena, "%.*swrong", slash == nullptr ? 0 : (int)(slash + 1 - path), path);
}

void watch_reduce(WatchCommand *command) {
  const Module *modules[2];
  Smaller smaller;
  if (command->first_wrong == nullptr) return;
  Arena *arena = arena_create();
  const char *name = small_name(command, arena);
  bool is_found = read_module(arena, command->wrong[0].path, &modules[0]) &&
                  read_module(arena, command->wrong[1].path, &modules[1]) &&
                  smaller_find(arena, modules[0], modules[1], command->wrong_output,
                      &command->limits, most_seconds, &smaller);
  if (!is_found) session_warn("%s: not reduced", command->wrong[1].path);
  else if (!write_side(command, arena, name, "before", smaller.texts[0]) ||
           !write_side(command, arena, name, "after", smaller.texts[1])) {
    if (command->output != nullptr) command->status = STATUS_BAD;
  } else {
    Text text = text_create(command->arena);
    text_printf(&text, "%sreduced to %s in %s:\n  affirm equiv %s %s\n", command->first_wrong,
        counted(smaller.instructions, "instruction"), counted(smaller.trials, "trial"),
        shell_word(command->arena, arena_printf(command->arena, "%s.before.hlo", name)),
        shell_word(command->arena, arena_printf(command->arena, "%s.after.hlo", name)));
    command->first_wrong = text.bytes;
  }
  arena_destroy(arena);
}
