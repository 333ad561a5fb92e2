/* The location of the proof store, against its definition, for every combination of what the
 * variables of the environment may hold. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "smt/solver/store_location.h"
#include "smt/solver/test/scratch_store.h"

enum : uint32_t { place_count = 7, switch_count = 5 };

/* nullptr: not set. */
static const char *places[place_count];

static void set_or_unset(const char *name, const char *value) {
  if (value == nullptr) unsetenv(name);
  else setenv(name, value, 1);
}

/* Of a variable: an empty one counts as one that is not set. */
static const char *value_held(const char *value) {
  return value == nullptr || strcmp(value, "") == 0 ? nullptr : value;
}

static const char *cache_of(const char *cache, const char *home) {
  if (value_held(cache) != nullptr && cache[0] == '/') return cache;
  if (value_held(home) == nullptr || home[0] != '/') return nullptr;
  return arena_printf(arena, "%s/.cache", home);
}

static bool is_in_a_work_tree(const char *at) {
  char text[1024];
  bool is_one = false;
  snprintf(text, sizeof text, "%s", at);
  for (char *slash = text + strlen(text); slash != nullptr; slash = strrchr(text, '/')) {
    *slash = 0;
    is_one |= text[0] != 0 && access(arena_printf(arena, "%s/.git", text), F_OK) == 0;
  }
  return is_one;
}

static void caches_are_absolute_paths(void **) {
  for (uint32_t cache = 0; cache < place_count; cache++)
    for (uint32_t home = 0; home < place_count; home++) {
      set_or_unset("XDG_CACHE_HOME", places[cache]);
      set_or_unset("HOME", places[home]);
      const char *found = store_location_cache(arena),
                 *wanted = cache_of(places[cache], places[home]);
      assert_int_equal(found == nullptr, wanted == nullptr);
      if (found != nullptr) assert_string_equal(found, wanted);
    }
}

static void check_location(
    const char *named, const char *store, const char *ci, const char *cache) {
  StorePosition found = store_location(arena, named);
  const char *stated = named != nullptr ? named : value_held(store);
  bool is_ci = value_held(ci) != nullptr && strcmp(ci, "0") != 0 && strcmp(ci, "false") != 0;
  assert_int_equal(found.is_named, stated != nullptr);
  assert_true((found.path == nullptr) != (found.why == nullptr));
  if (stated != nullptr) assert_string_equal(found.path, stated);
  else if (is_ci) assert_string_equal(found.why, "CI is set");
  else if (cache == nullptr)
    assert_string_equal(found.why, "neither XDG_CACHE_HOME nor HOME names a directory");
  else if (is_in_a_work_tree(cache)) assert_non_null(strstr(found.why, " is a git work tree"));
  else assert_string_equal(found.path, arena_printf(arena, "%s/affirm/proofs.sqlite", cache));
}

static void locations_are_those_of_the_definition(void **) {
  static const char *const switches[switch_count] = {nullptr, "", "0", "false", "1"};
  for (uint32_t cache = 0; cache < place_count; cache++)
    for (uint32_t home = 0; home < place_count; home++)
      for (uint32_t ci = 0; ci < switch_count; ci++)
        for (uint32_t store = 0; store < 3; store++)
          for (uint32_t named = 0; named < 2; named++) {
            set_or_unset("XDG_CACHE_HOME", places[cache]);
            set_or_unset("HOME", places[home]);
            set_or_unset("CI", switches[ci]);
            set_or_unset("AFFIRM_STORE", store == 2 ? "there" : switches[store]);
            check_location(named == 0 ? nullptr : "here", store == 2 ? "there" : switches[store],
                switches[ci], cache_of(places[cache], places[home]));
          }
}

/* A directory of another user, and a store that is no file, are not used. */
static void stores_that_others_may_write_are_not_used(void **) {
  unsetenv("CI");
  unsetenv("AFFIRM_STORE");
  setenv("XDG_CACHE_HOME", directory, 1);
  char *inner = arena_printf(arena, "%s/affirm", directory),
       *file = arena_printf(arena, "%s/proofs.sqlite", inner);
  assert_int_equal(mkdir(inner, 0700), 0);
  assert_non_null(store_location(arena, nullptr).path);
  assert_int_equal(symlink("/dev/null", file), 0);
  assert_string_equal(store_location(arena, nullptr).why,
      arena_printf(arena, "%s is not a file of this user", file));
  unlink(file);
  assert_int_equal(mkdir(file, 0700), 0);
  assert_string_equal(store_location(arena, nullptr).why,
      arena_printf(arena, "%s is not a file of this user", file));
  rmdir(file);
  FILE *made = fopen(file, "w");
  assert_non_null(made);
  fclose(made);
  assert_non_null(store_location(arena, nullptr).path);
  unlink(file);
  rmdir(inner);
}

static int location_begin(void **state) {
  if (store_begin(state) != 0) return -1;
  char *tree = arena_printf(arena, "%s/tree", directory);
  const char *const made[place_count] = {nullptr, "", "relative", directory,
      arena_printf(arena, "%s/none/further", directory), tree,
      arena_printf(arena, "%s/below/it", tree)};
  memcpy(places, made, sizeof places);
  return mkdir(tree, 0700) + mkdir(arena_printf(arena, "%s/.git", tree), 0700);
}

static int location_end(void **state) {
  rmdir(arena_printf(arena, "%s/tree/.git", directory));
  rmdir(arena_printf(arena, "%s/tree", directory));
  return store_end(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(caches_are_absolute_paths),
      cmocka_unit_test(locations_are_those_of_the_definition),
      cmocka_unit_test(stores_that_others_may_write_are_not_used)};
  return cmocka_run_group_tests(tests, location_begin, location_end);
}
