/* Verdicts from the store: stored verdicts are returned, refutations are replayed, and affirm-check
 * checks each proof. No content of a foreign store can prove a false rule. */
#include "core/base/test/length.h"
#include "smt/solver/test/scratch_store.h"
#include "proof/store/prove_store.h"

#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/program.h"

static Rule rule_of(const char *text) {
  RuleSet rules = {};
  Error error = {};
  Source source = {.name = "t", .text = text, .length = strlen(text), .first_line = 1};
  if (!rules_parse(arena, &source, &rules, &error)) fail_msg("%s", error.message);
  return rules.items[0];
}

static RuleVerdict prove(Store *store, const Rule *rule, bool *from_store) {
  RuleVerdict verdict;
  StoreUse use;
  Error error = {};
  if (!prove_rule_stored(store, arena, rule, &(ProveOptions){}, &verdict, &use, &error))
    fail_msg("%s", error.message);
  *from_store = use.from_store;
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

/* Foreign entries: refutations that do not refute, and entries that do not parse, are ignored. */
static void wrong_entries_are_not_believed(void **state) {
  (void)state;
  static const char *const details[] = {
      "method x\nvalues 1 1 1 1\n", "method x\nvalues 1\n", "method x\n", "", "values 0 0 0 0\n"};
  Store *store = open_store();
  Rule rule = rule_of("rule a x mod c => x when 0 <= lo(x), hi(x) < c");
  for (size_t i = 0; i < sizeof details / sizeof details[0]; i++) {
    bool from_store;
    store_put_file(store, prove_store_key(arena, &rule), VERDICT_REFUTED, details[i]);
    assert_int_equal(prove(store, &rule, &from_store).answer, VERDICT_PROVED);
    assert_false(from_store);
    assert_true(prove(store, &rule, &from_store).answer == VERDICT_PROVED && from_store);
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
  const char *key = prove_store_key(arena, &rule);
  assert_non_null(strstr(key, arena_printf(arena, "\nprogram %016" PRIx64 "\n", program_hash())));
  assert_string_not_equal(key, prove_store_key(arena, &other));
  assert_string_not_equal(key, prove_store_key(arena, &scoped));
  assert_string_equal(key, prove_store_key(arena, &renamed));
}

/* A pull request could contain such a file: a proof of a false rule. */
static void a_forged_proof_of_a_false_rule_is_not_believed(void **state) {
  (void)state;
  static const char *const texts[] = {"rule a x mod c => x when c > 0, 0 <= lo(x), hi(x) <= c",
      "rule b x floordiv c => x scope: c in [1, 3]"};
  static const char *const details[] = {"method x\nscope all\n", "method x\nscope own\n"};
  Store *store = open_store();
  for (size_t i = 0; i < 2; i++) {
    Rule rule = rule_of(texts[i]);
    bool from_store;
    store_put_file(store, prove_store_key(arena, &rule), VERDICT_PROVED, details[i]);
    assert_int_equal(prove(store, &rule, &from_store).answer, VERDICT_REFUTED);
    assert_false(from_store);
  }
  store_close(store);
}

static void a_method_with_control_bytes_is_not_printed(void **state) {
  (void)state;
  Store *store = open_store();
  Rule rule = rule_of("rule a x mod c => x when 0 <= lo(x), hi(x) < c");
  bool from_store;
  store_put_file(
      store, prove_store_key(arena, &rule), VERDICT_PROVED, "method \033[2J\nscope all\n");
  assert_null(strchr(prove(store, &rule, &from_store).method, '\033'));
  assert_false(from_store);
  store_close(store);
}

/* A file size limit simulates a full disk: the verdict is kept and the error is reported. */
static void a_failed_write_costs_no_verdict(void **state) {
  (void)state;
  Store *store = open_store();
  pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){.rlim_cur = 512, .rlim_max = RLIM_INFINITY});
    Rule rule = rule_of("rule a x mod c => x when 0 <= lo(x), hi(x) < c");
    RuleVerdict verdict;
    StoreUse use;
    Error error = {};
    bool proved = prove_rule_stored(store, arena, &rule, &(ProveOptions){}, &verdict, &use, &error);
    _exit(proved && verdict.answer == VERDICT_PROVED && use.trouble.kind == ERROR_ENVIRONMENT ? 0
                                                                                              : 1);
  }
  int how;
  waitpid(child, &how, 0);
  assert_int_equal(how, 0);
  store_close(store);
}

/* Stores each entry of a true rule under the key of each false rule: none proves it. */
static void an_entry_of_another_rule_proves_nothing(void **state) {
  (void)state;
  static const char *const proved[] = {"rule a (c*x + y) floordiv c => x + y floordiv c when c > 0",
      "rule a (x floordiv a) floordiv b => x floordiv (a*b) when a > 0, b > 0",
      "rule a x mod c => x when 0 <= lo(x), hi(x) < c",
      "rule a (x + c) mod c => x mod c scope: c in [1, 64]",
      "rule a x in [a, b] => x in [a, hi(x)] when hi(x) <= b"};
  static const char *const wrong[] = {"rule a (c*x + y) floordiv c => x + y floordiv c when c > -1",
      "rule a (x floordiv a) floordiv b => x floordiv (a*b) when a > 0, b >= 0",
      "rule a x mod c => x when c > 0, 0 <= lo(x), hi(x) <= c",
      "rule a (x + c) mod c => x mod c scope: c in [0, 64]",
      "rule a x in [a, b] => x in [a, hi(x)] when lo(x) <= b"};
  Store *store = open_store();
  bool from_store;
  for (size_t i = 0; i < 5; i++) {
    Rule rule = rule_of(proved[i]);
    StoreEntry entry;
    assert_int_equal(prove(store, &rule, &from_store).answer, VERDICT_PROVED);
    assert_true(prove(store, &rule, &from_store).answer == VERDICT_PROVED && from_store);
    bool found;
    Error error = {};
    assert_true(store_find(store, arena, prove_store_key(arena, &rule), &found, &entry, &error));
    assert_true(found);
    for (size_t k = 0; k < 5; k++) {
      Rule other = rule_of(wrong[k]);
      store_put_file(store, prove_store_key(arena, &other), VERDICT_PROVED, entry.detail);
      assert_int_equal(prove(store, &other, &from_store).answer, VERDICT_REFUTED);
      assert_false(from_store);
    }
  }
  store_close(store);
}

/* Changes one byte of an entry: the entry is rejected, or is still a valid proof. */
static void a_changed_byte_proves_nothing_else(void **state) {
  (void)state;
  Store *store = open_store();
  Rule rule = rule_of("rule a (c*x + y) floordiv c => x + y floordiv c when c > 0");
  bool from_store, found;
  StoreEntry entry;
  Error error = {};
  assert_int_equal(prove(store, &rule, &from_store).answer, VERDICT_PROVED);
  const char *key = prove_store_key(arena, &rule);
  assert_true(store_find(store, arena, key, &found, &entry, &error) && found);
  size_t length = strlen(entry.detail);
  uint32_t rejected = 0, changed = 0, step = test_length(7, 7, 71);
  for (size_t at = (size_t)(strstr(entry.detail, "certificate") - entry.detail) + 12; at < length;
      at += step, changed++) {
    char *copy = arena_text(arena, entry.detail, length);
    copy[at] = copy[at] == '1' ? '2' : copy[at] == ' ' ? '-' : '1';
    store_put_file(store, key, VERDICT_PROVED, copy);
    RuleVerdict verdict = prove(store, &rule, &from_store);
    assert_int_equal(verdict.answer, VERDICT_PROVED);
    assert_string_equal(verdict.scope, "all values");
    rejected += !from_store;
  }
  assert_true(changed > 280 / step && rejected > changed * 3 / 4);
  store_close(store);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(verdicts_come_back_from_the_store, store_begin, store_end),
      cmocka_unit_test_setup_teardown(wrong_entries_are_not_believed, store_begin, store_end),
      cmocka_unit_test_setup_teardown(keys_name_everything_that_matters, store_begin, store_end),
      cmocka_unit_test_setup_teardown(
          a_forged_proof_of_a_false_rule_is_not_believed, store_begin, store_end),
      cmocka_unit_test_setup_teardown(
          a_method_with_control_bytes_is_not_printed, store_begin, store_end),
      cmocka_unit_test_setup_teardown(a_failed_write_costs_no_verdict, store_begin, store_end),
      cmocka_unit_test_setup_teardown(
          an_entry_of_another_rule_proves_nothing, store_begin, store_end),
      cmocka_unit_test_setup_teardown(a_changed_byte_proves_nothing_else, store_begin, store_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
