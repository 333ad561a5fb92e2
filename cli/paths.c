/* Walks a directory recursively in the order of names, so that the list is the same on every
 * machine. Links are followed inside the directory. A directory that links back to one of its
 * ancestors is not entered again. Names that begin with a dot are skipped, and count as other
 * names. */
#include "cli/paths.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/file.h"
#include "core/base/text.h"

static int by_name(const FTSENT **a, const FTSENT **b) {
  return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool is_wanted(const PathSearch *search, const char *name) {
  for (uint32_t i = 0; i < search->tail_count; i++)
    if (string_ends_with(name, search->tails[i])) return true;
  return false;
}

static bool is_left_out(const PathSearch *search, const FTSENT *entry) {
  if (entry->fts_level == 0) return false;
  if (entry->fts_name[0] == '.') return true;
  return entry->fts_level == 1 && entry->fts_info == FTS_D && search->left_out != nullptr &&
         strcmp(entry->fts_name, search->left_out) == 0;
}

/* Whether a link leads out of the directory. Foreign files would otherwise be judged as if they
 * were in it. */
static bool is_outside(const PathSearch *search, const FTSENT *entry) {
  char root[PATH_MAX], real[PATH_MAX];
  if (entry->fts_level == 0) return false;
  if (realpath(search->directory, root) == nullptr || realpath(entry->fts_path, real) == nullptr)
    return true;
  size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
  return strncmp(real, root, length) != 0 || (real[length] != '/' && real[length] != 0);
}

static void add_outside(Arena *arena, PathSearch *search, const FTSENT *entry) {
  if (search->outside == nullptr) search->passed_over++;
  else *ARENA_PUSH(arena, search->outside) = arena_text(arena, entry->fts_path, entry->fts_pathlen);
}

static bool paths_visit(
    Arena *arena, PathSearch *search, FTS *walk, FTSENT *entry, PathList *paths, Error *error) {
  bool failed =
      entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS;
  if (failed)
    return error_of_file(
        error, ERROR_ENVIRONMENT, entry->fts_path, "%s", strerror(entry->fts_errno));
  if (is_left_out(search, entry)) {
    search->passed_over += entry->fts_name[0] == '.' && entry->fts_info != FTS_DP;
    if (entry->fts_info == FTS_D) fts_set(walk, entry, FTS_SKIP);
    return true;
  }
  if (entry->fts_info == FTS_D && is_outside(search, entry)) {
    fts_set(walk, entry, FTS_SKIP);
    add_outside(arena, search, entry);
    return true;
  }
  bool is_irregular = entry->fts_info == FTS_DEFAULT;
  if (entry->fts_info != FTS_F && entry->fts_info != FTS_SLNONE && !is_irregular) return true;
  if (!is_wanted(search, entry->fts_name)) {
    search->passed_over++;
    return true;
  }
  if (entry->fts_info == FTS_F && is_outside(search, entry)) {
    add_outside(arena, search, entry);
    return true;
  }
  if (is_irregular && search->irregular == nullptr && !file_check_regular(entry->fts_path, error))
    return false;
  if (is_irregular && search->irregular != nullptr) paths = search->irregular;
  *ARENA_PUSH(arena, paths) = arena_text(arena, entry->fts_path, entry->fts_pathlen);
  return true;
}

bool path_is_directory(const char *path) {
  struct stat state;
  return strcmp(path, "-") != 0 && stat(path, &state) == 0 && S_ISDIR(state.st_mode);
}

bool paths_find(Arena *arena, PathSearch *search, PathList *paths, Error *error) {
  char *roots[] = {arena_text(arena, search->directory, strlen(search->directory)), nullptr};
  FTS *walk = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
  if (walk == nullptr)
    return error_of_file(error, ERROR_ENVIRONMENT, search->directory, "%s", strerror(errno));
  bool found = true;
  for (FTSENT *entry; found && (entry = fts_read(walk)) != nullptr;)
    found = paths_visit(arena, search, walk, entry, paths, error);
  fts_close(walk);
  return found;
}
