/* A file that does not exist is no input. Below a directory each entry is compared, because another
 * name of its file says nothing about the path. Links are followed, as most commands do; names that
 * begin with a dot are passed over, as by all of them. What cannot be searched is left to the
 * command, which reports it. */
#include "cli/inputs.h"

#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/text.h"

bool input_name_is_usual(const char *name, int) {
  static const char *const ends[] = {".hlo", ".txt", ".maps", ".case", ".rules"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (string_ends_with(name, ends[i])) return true;
  return false;
}

bool input_name_is_rules(const char *name, int) { return string_ends_with(name, ".rules"); }

bool input_name_is_none(const char *, int) { return false; }

static bool is_same_inode(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether two files that do not exist have one name in one directory. */
static bool is_same_place(const char *a, const char *b) {
  const char *paths[] = {a, b}, *names[2];
  struct stat places[2];
  for (int i = 0; i < 2; i++) {
    const char *slash = strrchr(paths[i], '/');
    names[i] = slash == nullptr ? paths[i] : slash + 1;
    char place[PATH_MAX];
    snprintf(place, sizeof place, "%.*s", (int)(names[i] - paths[i]), paths[i]);
    if (stat(slash == nullptr ? "." : place, &places[i]) != 0) return strcmp(a, b) == 0;
  }
  return strcmp(names[0], names[1]) == 0 && is_same_inode(&places[0], &places[1]);
}

bool input_is_same_file(const char *a, const char *b) {
  struct stat first, second;
  bool is_first = stat(a, &first) == 0, is_second = stat(b, &second) == 0;
  if (!is_first || !is_second) return !is_first && !is_second && is_same_place(a, b);
  return S_ISREG(first.st_mode) && is_same_inode(&first, &second);
}

static bool directory_has(const char *directory, InputName *reads, const struct stat *file) {
  char root[PATH_MAX];
  snprintf(root, sizeof root, "%s", directory);
  char *roots[] = {root, nullptr};
  FTS *walk = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, nullptr);
  bool found = false;
  for (FTSENT *entry; walk != nullptr && !found && (entry = fts_read(walk)) != nullptr;) {
    bool is_hidden = entry->fts_level > 0 && entry->fts_name[0] == '.';
    if (is_hidden && entry->fts_info == FTS_D) fts_set(walk, entry, FTS_SKIP);
    found = !is_hidden && entry->fts_info == FTS_F && is_same_inode(entry->fts_statp, file) &&
            reads(entry->fts_name, entry->fts_level);
  }
  if (walk != nullptr) fts_close(walk);
  return found;
}

bool input_has(const char *input, InputName *reads, const char *path) {
  struct stat file, status;
  bool is_standard = strcmp(input, "-") == 0;
  if (stat(path, &file) != 0 || !S_ISREG(file.st_mode) ||
      (is_standard ? fstat(STDIN_FILENO, &status) : stat(input, &status)) != 0)
    return false;
  return S_ISDIR(status.st_mode) ? directory_has(input, reads, &file)
                                 : is_same_inode(&status, &file);
}
