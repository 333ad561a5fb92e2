/* The default store's nearest existing directory must belong to the user. Neither it nor a
 * directory above it may contain `.git`, so that the store of a pull request is never opened. */
#include "smt/solver/store_location.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *store_location_variable(const char *name) {
  const char *value = getenv(name);
  return value != nullptr && value[0] != 0 ? value : nullptr;
}

static bool is_set(const char *name) {
  const char *value = store_location_variable(name);
  return value != nullptr && strcmp(value, "0") != 0 && strcmp(value, "false") != 0;
}

/* A relative path in XDG_CACHE_HOME is invalid and ignored (XDG Base Directory Specification). */
const char *store_location_cache(Arena *arena) {
  const char *cache = store_location_variable("XDG_CACHE_HOME"),
             *home = store_location_variable("HOME");
  if (cache != nullptr && cache[0] == '/') return cache;
  return home != nullptr && home[0] == '/' ? arena_printf(arena, "%s/.cache", home) : nullptr;
}

/* Removes the last component; false at the root. */
static bool go_up(char *path) {
  char *slash = strrchr(path, '/');
  if (slash == nullptr || slash == path) return false;
  *slash = 0;
  return true;
}

/* The nearest directory above `path` that exists, without symbolic links. */
static char *nearest_directory(Arena *arena, const char *path) {
  char *directory = arena_text(arena, path, strlen(path));
  char *found = nullptr;
  while (found == nullptr && go_up(directory)) found = realpath(directory, nullptr);
  char *copy = found == nullptr ? nullptr : arena_text(arena, found, strlen(found));
  free(found);
  return copy;
}

static const char *why_not_there(Arena *arena, const char *path) {
  struct stat state;
  if (lstat(path, &state) == 0 && (!S_ISREG(state.st_mode) || state.st_uid != geteuid()))
    return arena_printf(arena, "%s is not a file of this user", path);
  char *directory = nearest_directory(arena, path);
  if (directory == nullptr) return "no directory above it exists";
  if (stat(directory, &state) == 0 && state.st_uid != geteuid())
    return arena_printf(arena, "%s belongs to another user", directory);
  do
    if (lstat(arena_printf(arena, "%s/.git", directory), &state) == 0)
      return arena_printf(arena, "%s is a git work tree", directory);
  while (go_up(directory));
  return nullptr;
}

StorePosition store_location(Arena *arena, const char *named) {
  if (named == nullptr) named = store_location_variable("AFFIRM_STORE");
  if (named != nullptr) return (StorePosition){.path = named, .is_named = true};
  if (is_set("CI")) return (StorePosition){.why = "CI is set"};
  const char *cache = store_location_cache(arena);
  if (cache == nullptr)
    return (StorePosition){.why = "neither XDG_CACHE_HOME nor HOME names a directory"};
  const char *path = arena_printf(arena, "%s/affirm/proofs.sqlite", cache);
  const char *why = why_not_there(arena, path);
  return why != nullptr ? (StorePosition){.why = why} : (StorePosition){.path = path};
}
