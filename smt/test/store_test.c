/* The proof store: what is put is found, by its whole key only; a refutation from the store is
 * replayed; several processes write at once; a process that is killed while it writes loses nothing
 * that was put and leaves nothing half. */
#include "smt/rules/prove_store.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/file.h"

static Arena *arena;
static char folder[512];
static char path[544];

static int begin(void **state) {
  (void)state;
  arena = arena_create();
  file_scratch(sizeof folder, folder, "store");
  if (mkdtemp(folder) == nullptr) return -1;
  snprintf(path, sizeof path, "%s/proofs.sqlite", folder);
  return 0;
}

static int end(void **state) {
  (void)state;
  static const char *const tails[] = {"", "-wal", "-shm"};
  for (size_t i = 0; i < 3; i++) {
    char file[560];
    snprintf(file, sizeof file, "%s%s", path, tails[i]);
    unlink(file);
  }
  rmdir(folder);
  arena_destroy(arena);
  return 0;
}

static Store *open_store(void) {
  Store *store;
  Error error = {};
  if (!store_open(path, &store, &error)) fail_msg("%s", error.message);
  return store;
}

static void put(Store *store, const char *key, SmtAnswer answer, const char *detail) {
  Error error = {};
  if (!store_put(store, key, &(StoreEntry){.answer = answer, .detail = detail}, &error))
    fail_msg("%s", error.message);
}

static bool find(Store *store, const char *key, StoreEntry *entry) {
  Error error = {};
  bool found;
  if (!store_find(store, arena, key, &found, entry, &error)) fail_msg("%s", error.message);
  return found;
}

static void entries_are_found_by_their_whole_key(void **state) {
  (void)state;
  Store *store = open_store();
  StoreEntry entry;
  put(store, "a long question", SMT_PROVED, "first");
  put(store, "a long question", SMT_PROVED, "second");
  put(store, "a long questio", SMT_REFUTED, "other");
  assert_true(find(store, "a long question", &entry));
  assert_string_equal(entry.detail, "second");
  assert_false(find(store, "a long question ", &entry));
  store_close(store);
  store = open_store();
  assert_true(find(store, "a long questio", &entry));
  assert_int_equal(entry.answer, SMT_REFUTED);
  store_close(store);
}

static Rule rule_of(const char *text) {
  RuleSet rules = {};
  Error error = {};
  Source source = {.name = "t", .text = text, .length = strlen(text), .first_line = 1};
  if (!rules_parse(arena, &source, &rules, &error)) fail_msg("%s", error.message);
  return rules.items[0];
}

static RuleVerdict prove(Store *store, const Rule *rule, bool *from_store) {
  RuleVerdict verdict;
  Error error = {};
  if (!prove_rule_stored(store, arena, rule, &(ProveOptions){}, &verdict, from_store, &error))
    fail_msg("%s", error.message);
  return verdict;
}

static void verdicts_come_back_from_the_store(void **state) {
  (void)state;
  static const char *const texts[] = {
      "rule a (c*x + y) floordiv c => x + y floordiv c when c > 0",
      "rule b x mod c => x when 0 <= lo(x), hi(x) <= c, c > 0",
      "rule c (x floordiv a) floordiv b => x floordiv (a*b) when a > 0, b > 0",
      "rule d (c*x + y) floordiv c => x + y floordiv c scope: c in [1, 64]",
      "rule e (c*x + y) floordiv c => x + y floordiv c",
  };
  Store *store = open_store();
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    Rule rule = rule_of(texts[i]);
    bool from_store;
    RuleVerdict first = prove(store, &rule, &from_store);
    assert_false(from_store);
    RuleVerdict second = prove(store, &rule, &from_store);
    assert_true(from_store);
    Text left = text_create(arena), right = text_create(arena);
    rule_verdict_print(&left, &rule, &first);
    rule_verdict_print(&right, &rule, &second);
    assert_string_equal(left.bytes, right.bytes);
    assert_string_equal(
        first.note == nullptr ? "" : first.note, second.note == nullptr ? "" : second.note);
  }
  store_close(store);
}

/* Entries that somebody else wrote: a refutation that does not refute, and ones that do not read,
 * are not believed. */
static void wrong_entries_are_not_believed(void **state) {
  (void)state;
  static const char *const details[] = {
      "method x\nvalues 1 1 1 1\n", "method x\nvalues 1\n", "method x\n", "", "values 0 0 0 0\n"};
  Store *store = open_store();
  Rule rule = rule_of("rule a x mod c => x when 0 <= lo(x), hi(x) < c");
  for (size_t i = 0; i < sizeof details / sizeof details[0]; i++) {
    bool from_store;
    put(store, prove_store_key(arena, &rule, &(ProveOptions){}), SMT_REFUTED, details[i]);
    assert_int_equal(prove(store, &rule, &from_store).answer, SMT_PROVED);
    assert_false(from_store);
    assert_true(prove(store, &rule, &from_store).answer == SMT_PROVED && from_store);
  }
  store_close(store);
}

static void keys_name_everything_that_matters(void **state) {
  (void)state;
  Rule rule = rule_of("rule a x mod c => x when 0 <= lo(x), hi(x) < c");
  Rule other = rule_of("rule a x mod c => x when 0 <= lo(x), hi(x) <= c");
  Rule renamed = rule_of(
      "rule b x mod c => x when 0 <= lo(x), hi(x) < c order: weight near-miss: c > 0 example: (d0) -> (d0)");
  Rule scoped = rule_of("rule a x mod c => x when 0 <= lo(x), hi(x) < c scope: c in [1, 2]");
  const ProveOptions plain = {}, seeded = {.seed = 3}, limited = {.rlimit = 5};
  const char *key = prove_store_key(arena, &rule, &plain);
  assert_string_not_equal(key, prove_store_key(arena, &other, &plain));
  assert_string_not_equal(key, prove_store_key(arena, &scoped, &plain));
  assert_string_not_equal(key, prove_store_key(arena, &rule, &seeded));
  assert_string_not_equal(key, prove_store_key(arena, &rule, &limited));
  assert_string_equal(key, prove_store_key(arena, &renamed, &plain));
  assert_non_null(strstr(key, prove_encoder_version));
}

/* Puts entries until it is killed; tells through a pipe each number that was put. */
static void write_for_ever(uint32_t writer, int told) {
  Store *store = open_store();
  for (uint32_t number = 0;; number++) {
    char key[64], detail[64];
    snprintf(key, sizeof key, "writer %u question %u", writer, number);
    snprintf(detail, sizeof detail, "answer %u of writer %u", number, writer);
    put(store, key, SMT_PROVED, detail);
    if (write(told, &number, sizeof number) != sizeof number) _exit(1);
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
  nanosleep(&(struct timespec){.tv_nsec = 400'000'000}, nullptr);
  for (uint32_t i = 0; i < writers; i++) {
    kill(children[i], SIGKILL);
    waitpid(children[i], nullptr, 0);
  }
  Store *store = open_store();
  uint32_t total = 0;
  for (uint32_t i = 0; i < writers; i++) {
    uint32_t number;
    while (read(pipes[i][0], &number, sizeof number) == sizeof number) {
      char key[64], detail[64];
      StoreEntry entry;
      snprintf(key, sizeof key, "writer %u question %u", i, number);
      snprintf(detail, sizeof detail, "answer %u of writer %u", number, i);
      if (!find(store, key, &entry)) fail_msg("lost: %s", key);
      assert_string_equal(entry.detail, detail);
      total++;
    }
    close(pipes[i][0]);
  }
  store_close(store);
  assert_true(total > writers);
}

static void a_file_that_is_no_store_is_an_error(void **state) {
  (void)state;
  FILE *file = fopen(path, "w");
  for (int i = 0; i < 1000; i++) fputs("this is no database. ", file);
  fclose(file);
  Store *store;
  Error error = {};
  assert_false(store_open(path, &store, &error));
  assert_int_equal(error.kind, ERROR_ENVIRONMENT);
  assert_null(store);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(entries_are_found_by_their_whole_key, begin, end),
      cmocka_unit_test_setup_teardown(verdicts_come_back_from_the_store, begin, end),
      cmocka_unit_test_setup_teardown(wrong_entries_are_not_believed, begin, end),
      cmocka_unit_test_setup_teardown(keys_name_everything_that_matters, begin, end),
      cmocka_unit_test_setup_teardown(killed_writers_lose_nothing, begin, end),
      cmocka_unit_test_setup_teardown(a_file_that_is_no_store_is_an_error, begin, end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
