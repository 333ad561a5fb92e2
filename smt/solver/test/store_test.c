/* The proof store. A stored entry is found by its whole key only; a store with another schema is
 * not opened; several processes write at once; a process that is killed while it writes loses no
 * stored entry and leaves no partial one. */
#include "smt/solver/test/scratch_store.h"
#include "smt/solver/store.h"

#include <grp.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "core/base/clock.h"
#include "smt/solver/store_location.h"

static constexpr int writes = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;

static bool store_test_find(Store *store, const char *key, StoreEntry *entry) {
  Error error = {};
  bool found;
  if (!store_find(store, arena, key, &found, entry, &error)) fail_msg("%s", error.message);
  return found;
}

static void entries_are_found_by_their_whole_key(void **state) {
  (void)state;
  Store *store = open_store();
  StoreEntry entry;
  store_put_file(store, "a long question", VERDICT_PROVED, "first");
  store_put_file(store, "a long question", VERDICT_PROVED, "second");
  store_put_file(store, "a long questio", VERDICT_REFUTED, "other");
  assert_true(store_test_find(store, "a long question", &entry));
  assert_string_equal(entry.detail, "second");
  assert_false(store_test_find(store, "a long question ", &entry));
  store_close(store);
  store = open_store();
  assert_true(store_test_find(store, "a long questio", &entry));
  assert_int_equal(entry.answer, VERDICT_REFUTED);
  store_close(store);
}

/* The directories above a store are made with it. */
static void a_store_in_new_directories_is_made(void **) {
  char *outer = arena_printf(arena, "%s/a", directory), *inner = arena_printf(arena, "%s/b", outer),
       *file = arena_printf(arena, "%s/proofs.sqlite", inner);
  Store *store;
  Error error = {};
  if (!store_open(file, nullptr, &store, &error)) fail_msg("%s", error.message);
  store_put_file(store, "key", VERDICT_PROVED, "kept");
  assert_false(store_is_read_only(store));
  store_close(store);
  assert_int_equal(access(file, F_OK), 0);
  static const char *const tails[] = {"", "-wal", "-shm"};
  for (size_t i = 0; i < 3; i++) (void)unlink(arena_printf(arena, "%s%s", file, tails[i]));
  assert_int_equal(rmdir(inner) + rmdir(outer), 0);
}

/* Stores entries until it is killed; writes the number of each stored entry to a pipe. */
static void write_for_ever(uint32_t writer, int pipe_end) {
  Store *store = open_store();
  for (uint32_t number = 0;; number++) {
    char key[64], detail[64];
    snprintf(key, sizeof key, "writer %u question %u", writer, number);
    snprintf(detail, sizeof detail, "answer %u of writer %u", number, writer);
    store_put_file(store, key, VERDICT_PROVED, detail);
    if (write(pipe_end, &number, sizeof number) != sizeof number) _exit(1);
  }
}

static void killed_writers_lose_nothing(void **state) {
  (void)state;
  static constexpr uint32_t writers = 3;
  pid_t children[writers];
  int pipes[writers][2];
  store_close(open_store());
  for (uint32_t i = 0; i < writers; i++) {
    assert_int_equal(pipe(pipes[i]), 0);
    children[i] = fork();
    if (children[i] == 0) write_for_ever(i, pipes[i][1]);
    close(pipes[i][1]);
  }
  static constexpr uint32_t first_ones = 3; /* of each writer, before the kill */
  for (uint32_t i = 0; i < writers; i++)
    for (uint32_t k = 0, number; k < first_ones; k++) {
      assert_int_equal(read(pipes[i][0], &number, sizeof number), sizeof number);
      assert_int_equal(number, k);
    }
  for (uint32_t i = 0; i < writers; i++) {
    kill(children[i], SIGKILL);
    waitpid(children[i], nullptr, 0);
  }
  Store *store = open_store();
  for (uint32_t i = 0; i < writers; i++) {
    uint32_t count = first_ones, number;
    while (read(pipes[i][0], &number, sizeof number) == sizeof number)
      assert_int_equal(number, count++);
    for (number = 0; number < count; number++) {
      char key[64], detail[64];
      StoreEntry entry;
      snprintf(key, sizeof key, "writer %u question %u", i, number);
      snprintf(detail, sizeof detail, "answer %u of writer %u", number, i);
      if (!store_test_find(store, key, &entry)) fail_msg("lost: %s", key);
      assert_string_equal(entry.detail, detail);
    }
    close(pipes[i][0]);
  }
  store_close(store);
}

static void a_file_that_is_no_store_is_an_error(void **state) {
  (void)state;
  FILE *file = fopen(path, "w");
  for (int i = 0; i < 1000; i++) fputs("this is no database. ", file);
  fclose(file);
  Store *store;
  Error error = {};
  assert_false(store_open(path, nullptr, &store, &error));
  assert_int_equal(error.kind, ERROR_ENVIRONMENT);
  assert_non_null(strstr(error.message, path));
  assert_null(store);
}

static void run_sql(const char *sql) {
  sqlite3 *database;
  assert_int_equal(sqlite3_open_v2(path, &database, writes, nullptr), SQLITE_OK);
  char *why = nullptr;
  if (sqlite3_exec(database, sql, nullptr, nullptr, &why) != SQLITE_OK) fail_msg("%s", why);
  sqlite3_close(database);
}

/* Foreign triggers, views and tables: a trigger on INSERT could run for ever. */
static void a_store_with_another_schema_is_rejected(void **state) {
  (void)state;
  static const char *const changes[] = {
      "CREATE TRIGGER t AFTER INSERT ON proofs BEGIN DELETE FROM proofs; END",
      "DROP TABLE proofs; CREATE VIEW proofs AS SELECT 'k' AS key, 0 AS answer, '' AS detail",
      "CREATE TABLE more (x)", "CREATE INDEX i ON proofs (answer)",
      "DROP TABLE proofs; CREATE TABLE proofs (key TEXT PRIMARY KEY, answer INTEGER, detail TEXT)"};
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    store_close(open_store());
    run_sql(changes[i]);
    Store *store;
    Error error = {};
    assert_false(store_open(path, nullptr, &store, &error));
    assert_int_equal(error.kind, ERROR_ENVIRONMENT);
    unlink(path);
  }
}

static bool always(void) { return true; }

static void a_locked_store_does_not_hold_up_an_interrupt(void **state) {
  (void)state;
  store_close(open_store());
  Store *store;
  Error error = {};
  sqlite3 *other;
  assert_int_equal(sqlite3_open_v2(path, &other, writes, nullptr), SQLITE_OK);
  assert_int_equal(sqlite3_exec(other, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  double before = clock_wall();
  if (store_open(path, always, &store, &error)) {
    assert_false(
        store_put(store, "k", &(StoreEntry){.answer = VERDICT_PROVED, .detail = ""}, &error));
    store_close(store);
  }
  assert_true(clock_wall() - before < 2);
  sqlite3_close(other);
}

/* Opens the store as a user who may only read it. */
static void a_store_that_can_only_be_read_is_read(void **state) {
  (void)state;
  Store *store = open_store();
  store_put_file(store, "key", VERDICT_PROVED, "kept");
  store_close(store);
  assert_int_equal(chmod(path, 0444) + chmod(directory, 0555), 0);
  pid_t child = fork();
  if (child == 0) {
    bool is_other =
        geteuid() != 0 || (setgroups(0, nullptr) == 0 && setgid(65534) == 0 && setuid(65534) == 0);
    Error error = {};
    StoreEntry entry;
    bool found = false;
    bool opened = is_other && store_open(path, nullptr, &store, &error) &&
                  store_find(store, arena, "key", &found, &entry, &error);
    bool rejected = opened && store_is_read_only(store) && !store_put(store, "k", &entry, &error);
    _exit(rejected && found && strcmp(entry.detail, "kept") == 0 ? 0 : 1);
  }
  int how;
  waitpid(child, &how, 0);
  chmod(directory, 0755);
  assert_int_equal(how, 0);
}

static const char *store_path(const char *ci, const char *cache, const char *home) {
  if (ci == nullptr) unsetenv("CI");
  else setenv("CI", ci, 1);
  if (cache == nullptr) unsetenv("XDG_CACHE_HOME");
  else setenv("XDG_CACHE_HOME", cache, 1);
  if (home == nullptr) unsetenv("HOME");
  else setenv("HOME", home, 1);
  return store_location(arena, nullptr).path;
}

static void the_usual_store_is_the_users_own_and_in_no_work_tree(void **state) {
  (void)state;
  unsetenv("AFFIRM_STORE");
  const char *home = arena_printf(arena, "%s/.cache/affirm/proofs.sqlite", directory);
  const char *cache = arena_printf(arena, "%s/affirm/proofs.sqlite", directory);
  assert_string_equal(store_path(nullptr, nullptr, directory), home);
  assert_string_equal(store_path("false", directory, "/nobody"), cache);
  assert_string_equal(store_path(nullptr, "relative", directory), home);
  assert_null(store_path("true", nullptr, directory));
  assert_null(store_path(nullptr, nullptr, nullptr));
  assert_null(store_path(nullptr, nullptr, "relative"));
  assert_string_equal(store_location(arena, "here").path, "here");
  char *git = arena_printf(arena, "%s/.git", directory),
       *inner = arena_printf(arena, "%s/in", directory);
  assert_int_equal(mkdir(git, 0700) + mkdir(inner, 0700), 0);
  assert_null(store_path(nullptr, nullptr, inner));
  assert_non_null(store_location(arena, nullptr).why);
  setenv("AFFIRM_STORE", "named", 1);
  assert_string_equal(store_path("true", nullptr, directory), "named");
  unsetenv("AFFIRM_STORE");
  rmdir(git);
  rmdir(inner);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(entries_are_found_by_their_whole_key, store_begin, store_end),
      cmocka_unit_test_setup_teardown(a_store_in_new_directories_is_made, store_begin, store_end),
      cmocka_unit_test_setup_teardown(killed_writers_lose_nothing, store_begin, store_end),
      cmocka_unit_test_setup_teardown(a_file_that_is_no_store_is_an_error, store_begin, store_end),
      cmocka_unit_test_setup_teardown(
          a_store_with_another_schema_is_rejected, store_begin, store_end),
      cmocka_unit_test_setup_teardown(
          a_locked_store_does_not_hold_up_an_interrupt, store_begin, store_end),
      cmocka_unit_test_setup_teardown(
          a_store_that_can_only_be_read_is_read, store_begin, store_end),
      cmocka_unit_test_setup_teardown(
          the_usual_store_is_the_users_own_and_in_no_work_tree, store_begin, store_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
