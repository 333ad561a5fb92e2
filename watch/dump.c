/* Reads file names, not contents: every entry whose name is that of a step counts as one. An entry
 * that is a directory, a pipe or a dangling link cannot be read later. Other directories nest at
 * most directory_max_depth deep; a deeper one, and a text that belongs to no step, is listed. */
#include "watch/dump.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static constexpr uint32_t directory_max_depth = 16;

static bool has_tail(const char *name, const char *tail) {
  size_t length = strlen(name), tail_length = strlen(tail);
  return length > tail_length && strcmp(name + length - tail_length, tail) == 0;
}

/* Returns the number that ends at `end`, and where its text starts; -1: no digits after a dot. */
static int64_t number_before(const char *name, const char *end, const char **start) {
  const char *at = end;
  while (at > name && at[-1] >= '0' && at[-1] <= '9') at--;
  if (at == end || at == name || at[-1] != '.' || end - at > 9) return -1;
  *start = at - 1;
  return strtoll(at, nullptr, 10);
}

static const char pass_mark[] = ".after_";

/* Where the pass of NAME.MMMM.PIPELINE.after_PASS.before_NEXT.txt begins: at the last mark, because
 * the module's name may contain one. */
static const char *pass_start(const char *name) {
  const char *start = nullptr;
  if (!has_tail(name, ".txt")) return nullptr;
  for (const char *at = strstr(name, pass_mark); at != nullptr; at = strstr(start, pass_mark))
    start = at + strlen(pass_mark);
  return start;
}

/* Parses NAME.MMMM.PIPELINE.after_PASS.before_NEXT.txt; the pipeline may contain dots. */
static bool parse_step(Arena *arena, const char *name, const char *directory, DumpFile *file) {
  const char *pass = pass_start(name), *start;
  if (pass == nullptr) return false;
  const char *after = pass - strlen(pass_mark);
  for (const char *dot = after - 1; dot > name; dot--) {
    if (*dot != '.') continue;
    int64_t number = number_before(name, dot, &start);
    if (number < 0) continue;
    const char *end = strstr(pass, ".before_");
    if (end == nullptr) end = name + strlen(name) - strlen(".txt");
    file->number = number;
    file->module = arena_printf(arena, "%s/%.*s", directory, (int)(start - name), name);
    file->pipeline = arena_text(arena, dot + 1, (size_t)(after - dot - 1));
    file->pass = arena_text(arena, pass, (size_t)(end - pass));
    return true;
  }
  return false;
}

/* Parses NAME.NUMBER.PASS.hlo or NAME.NUMBER.hlo. */
static bool parse_plain(Arena *arena, const char *name, const char *directory, DumpFile *file) {
  const char *start;
  if (!has_tail(name, ".hlo")) return false;
  const char *last = name + strlen(name) - strlen(".hlo");
  for (const char *end = last; end > name; end--) {
    if (end != last && *end != '.') continue;
    int64_t number = number_before(name, end, &start);
    if (number < 0) continue;
    file->number = number;
    file->module = arena_printf(arena, "%s/%.*s", directory, (int)(start - name), name);
    file->pass = end == last ? "step" : arena_text(arena, end + 1, (size_t)(last - end - 1));
    return true;
  }
  return false;
}

/* The name of a text after all passes ends so: `.cpu_after_optimizations.txt`. */
static const char final_tail[] = "after_optimizations.txt";

static bool parse_name(Arena *arena, const char *name, const char *directory, DumpFile *file) {
  static const char first[] = ".before_optimizations.txt";
  if (!has_tail(name, first))
    return parse_step(arena, name, directory, file) || parse_plain(arena, name, directory, file);
  file->number = -1;
  file->module =
      arena_printf(arena, "%s/%.*s", directory, (int)(strlen(name) - strlen(first)), name);
  return true;
}

/* A text without a number, other than the small modules that affirm watch writes. XLA writes other
 * files, NAME.KIND.txt, whose names may contain the mark of a pass. */
static bool is_unnumbered(const char *name) {
  const char *pass = pass_start(name);
  if (pass != nullptr)
    return strstr(pass, ".before_") != nullptr || strcmp(strchr(pass, '.'), ".txt") == 0;
  return has_tail(name, ".hlo") && strcmp(name, "wrong.before.hlo") != 0 &&
         strcmp(name, "wrong.after.hlo") != 0;
}

static void add_unjudged(Arena *arena, Dump *dump, const char *path, const char *why) {
  *ARENA_PUSH(arena, &dump->unjudged) = (DumpFile){
      .path = path, .module = path, .pass = "unknown", .number = INT64_MAX, .why_unjudged = why};
}

static bool read_directory(
    Arena *arena, const char *path, uint32_t depth, Dump *dump, Error *error) {
  DIR *directory = opendir(path);
  if (directory == nullptr)
    return error_of_file(error, ERROR_ENVIRONMENT, path, "%s", strerror(errno));
  bool is_read = true;
  for (const struct dirent *entry = readdir(directory); is_read && entry != nullptr;
      entry = readdir(directory)) {
    struct stat status;
    DumpFile file = {};
    if (entry->d_name[0] == '.') continue;
    file.path = arena_printf(arena, "%s/%s", path, entry->d_name);
    if (stat(file.path, &status) != 0 && lstat(file.path, &status) != 0) continue;
    if (parse_name(arena, entry->d_name, path, &file)) *ARENA_PUSH(arena, dump) = file;
    else if (S_ISDIR(status.st_mode) && depth == directory_max_depth)
      add_unjudged(arena, dump, file.path, "directories are nested too deep");
    else if (S_ISDIR(status.st_mode))
      is_read = read_directory(arena, file.path, depth + 1, dump, error);
    else if (has_tail(entry->d_name, final_tail)) *ARENA_PUSH(arena, &dump->finals) = file.path;
    else if (is_unnumbered(entry->d_name))
      add_unjudged(arena, dump, file.path, "its name has no number of at most 9 digits");
  }
  closedir(directory);
  return is_read;
}

static int compare_files(const void *a, const void *b) {
  const DumpFile *one = a, *other = b;
  int by_module = strcmp(one->module, other->module);
  if (by_module != 0) return by_module;
  if (one->number != other->number) return one->number < other->number ? -1 : 1;
  return strcmp(one->path, other->path);
}

/* The module with the longest name that the path continues: names and targets may contain dots. */
static const char *module_of_final(const Dump *dump, uint32_t count, const char *path) {
  const char *module = nullptr;
  size_t longest = 0;
  for (uint32_t i = 0; i < count; i++) {
    size_t length = strlen(dump->items[i].module);
    bool is_known = i > 0 && strcmp(dump->items[i - 1].module, dump->items[i].module) == 0;
    if (is_known || length <= longest || strncmp(path, dump->items[i].module, length) != 0 ||
        path[length] != '.')
      continue;
    module = dump->items[i].module;
    longest = length;
  }
  return module;
}

static void sort_files(uint32_t count, DumpFile files[]) {
  if (count > 0) qsort(files, count, sizeof *files, compare_files);
}

/* Each text after all passes is the last step of its module. The files are sorted. */
static void add_finals(Arena *arena, Dump *dump) {
  uint32_t count = dump->count;
  for (uint32_t i = 0; i < dump->finals.count; i++) {
    const char *path = dump->finals.items[i], *module = module_of_final(dump, count, path);
    if (module == nullptr) {
      add_unjudged(arena, dump, path, "no other text has the name of its module");
      continue;
    }
    *ARENA_PUSH(arena, dump) = (DumpFile){
        .path = path, .module = module, .pass = "after_optimizations", .number = INT64_MAX};
  }
}

bool dump_reads(const char *name) {
  DumpFile file = {};
  Arena *arena = arena_create();
  bool is_read = parse_name(arena, name, "", &file) || has_tail(name, final_tail);
  arena_destroy(arena);
  return is_read;
}

bool dump_read(Arena *arena, const char *path, Dump *dump, Error *error) {
  *dump = (Dump){};
  if (!read_directory(arena, path, 0, dump, error)) return false;
  sort_files(dump->count, dump->items);
  add_finals(arena, dump);
  sort_files(dump->count, dump->items);
  sort_files(dump->unjudged.count, dump->unjudged.items);
  uint32_t steps = 0;
  for (uint32_t i = 1; i < dump->count; i++) {
    DumpFile *file = &dump->items[i];
    if (strcmp(file[-1].module, file->module) != 0) continue;
    steps++;
    if (file[-1].number == file->number) file->is_repeated = file[-1].is_repeated = true;
  }
  return steps > 0 || error_of_file(error, ERROR_INPUT, path, "no module with a pass after it");
}
