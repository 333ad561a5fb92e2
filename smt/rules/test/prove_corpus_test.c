/* The corpus of rules: every true rule is proved for all values. Every false rule is refuted by
 * values that plain evaluation confirms, by sampling and by the solver's models alone. */
#include "smt/rules/prove.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "core/base/file.h"
#include "core/base/test/test_arena.h"
#include "smt/rules/rule_sample.h"

static void read_rules(const char *path, Source *source, RuleSet *rules) {
  Error error = {};
  if (!file_read(arena, path, (size_t)1 << 24, source, &error) ||
      !rules_parse(arena, source, rules, &error))
    fail_msg("%s:%u: %s", error.name, error.line, error.message);
}

static RuleVerdict verdict_of(const Source *source, const Rule *rule, bool skip_sampling) {
  RuleVerdict verdict;
  Error error = {};
  ProveOptions options = {.source = source, .skip_sampling = skip_sampling};
  if (!prove_rule(arena, rule, &options, &verdict, &error))
    fail_msg("%s: %s", rule->name, error.message);
  return verdict;
}

/* `units` of the solver suffice for all: a proof that is found late is a step that was lost. */
static void assert_all_proved(const char *path, uint32_t at_least, uint64_t units) {
  uint64_t used = 0;
  Source source;
  RuleSet rules = {};
  read_rules(path, &source, &rules);
  assert_true(rules.count >= at_least);
  for (uint32_t i = 0; i < rules.count; i++) {
    ArenaMark mark = arena_mark(arena);
    RuleVerdict verdict = verdict_of(&source, &rules.items[i], false);
    if (verdict.answer != VERDICT_PROVED) fail_msg("%s: %s", rules.items[i].name, verdict.text);
    assert_string_equal(verdict.scope, "all values");
    used += verdict.rlimit_used;
    arena_rewind(arena, mark);
  }
  assert_in_range(used, 1, units);
}

static void assert_refuted(const Source *source, const Rule *rule, bool skip_sampling) {
  RuleVerdict verdict = verdict_of(source, rule, skip_sampling);
  if (verdict.answer == VERDICT_PROVED) fail_msg("%s is false and was proved", rule->name);
  if (verdict.answer != VERDICT_REFUTED) fail_msg("%s: %s", rule->name, verdict.text);
  assert_true(rule_is_refuted_by(rule, &verdict.values));
}

static void assert_all_refuted(const char *path, uint32_t at_least) {
  Source source;
  RuleSet rules = {};
  read_rules(path, &source, &rules);
  assert_true(rules.count >= at_least);
  for (uint32_t i = 0; i < rules.count; i++) {
    ArenaMark mark = arena_mark(arena);
    assert_refuted(&source, &rules.items[i], false);
    assert_refuted(&source, &rules.items[i], true);
    arena_rewind(arena, mark);
  }
}

static void true_rules_are_proved(void **state) {
  (void)state;
  assert_all_proved(AFFIRM_SOURCE_DIR "/corpus/rules/true.rules", 120, 900'000);
  assert_all_proved(AFFIRM_SOURCE_DIR "/corpus/rules/true-hard.rules", 80, 6'000'000);
  assert_all_proved(AFFIRM_SOURCE_DIR "/corpus/rules/true-held-out.rules", 60, 1'100'000);
  assert_all_proved(AFFIRM_SOURCE_DIR "/corpus/rules/true-fresh.rules", 60, 1'100'000);
}

static void false_rules_are_refuted(void **state) {
  (void)state;
  assert_all_refuted(AFFIRM_SOURCE_DIR "/corpus/rules/false.rules", 40);
  assert_all_refuted(AFFIRM_SOURCE_DIR "/corpus/rules/false-held-out.rules", 20);
}

static void engine_rules_are_proved(void **state) {
  (void)state;
  RuleSet rules = {};
  Error error = {};
  if (!rules_engine(arena, &rules, &error)) fail_msg("%s", error.message);
  for (uint32_t i = 0; i < rules.count; i++) {
    RuleVerdict verdict = verdict_of(nullptr, &rules.items[i], false);
    if (verdict.answer != VERDICT_PROVED) fail_msg("%s: %s", rules.items[i].name, verdict.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(true_rules_are_proved, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(false_rules_are_refuted, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(engine_rules_are_proved, arena_begin, arena_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
