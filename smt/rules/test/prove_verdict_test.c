/* Printed verdicts, one row per rule. Counterexamples are small, scopes are stated, vacuous guards
 * are errors, a divisor that can be <= 0 is refuted with the missing guard, and overflow is a
 * note. */
#include "smt/rules/prove.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/test_arena.h"
#include "smt/rules/rule_sample.h"

static Rule parse_rule(const char *text, Source *source) {
  RuleSet rules = {};
  Error error = {};
  *source = (Source){.name = "t", .text = text, .length = strlen(text), .first_line = 1};
  if (!rules_parse(arena, source, &rules, &error)) fail_msg("%s: %s", text, error.message);
  return rules.items[0];
}

static RuleVerdict verdict_of(const Rule *rule, ProveOptions options) {
  RuleVerdict verdict;
  Error error = {};
  if (!prove_rule(arena, rule, &options, &verdict, &error)) fail_msg("%s", error.message);
  return verdict;
}

static const char *prove_verdict_printed(const char *text, ProveOptions options) {
  Source source;
  Rule rule = parse_rule(text, &source);
  RuleVerdict verdict = verdict_of(&rule, options);
  Text line = text_create(arena);
  rule_verdict_print(&line, &rule, &verdict);
  return line.bytes;
}

typedef struct ProveVerdictRow {
  const char *rule, *line;
} ProveVerdictRow;

static void verdicts_print_as_stated(void **state) {
  (void)state;
  static const ProveVerdictRow rows[] = {
      {"rule r (c*x + y) floordiv c => x + y floordiv c when c > 0", "r PROVED (all values)"},
      {"rule r (c*x + y) floordiv c => x + y floordiv c",
          "r REFUTED at x=0, y=0, c=0: divisor c = 0; missing guard: c > 0"},
      {"rule r x mod c => x when 0 <= lo(x), hi(x) <= c, c > 0",
          "r REFUTED at x=1, lo(x)=0, hi(x)=1, c=1: left 0, right 1"},
      {"rule r x + c + k => x + c + k + x mod (c - k) - x mod (c - k)",
          "r REFUTED at x=0, c=0, k=0: divisor c - k = 0; missing guard: c - k > 0"},
      {"rule r x => x mod 0", "r REFUTED at x=0: divisor 0 = 0"},
      {"rule r c*x in [a, b] => x in [a floordiv c, b floordiv c] when c > 0",
          "r REFUTED at x=0, c=2, a=1, b=0: left holds not: 0 in [1, 0], right holds: 0 in [0, 0]"},
      {"rule r (c*x + y) floordiv c => x + y floordiv c scope: c in [1, 64]",
          "r PROVED (scope: c in [1, 64])"},
      {"rule r (c*x + y) floordiv c => x + y floordiv c when c > 0 scope: c in [1, 64]",
          "r PROVED (all values)"},
      {"rule r (c*x + y) floordiv c => x + y floordiv c scope: c in [0, 64]",
          "r REFUTED at x=0, y=0, c=0: divisor c = 0; missing guard: c > 0"},
      {"rule r (x*x*x - x) mod c => 0 when c mod 6 == 0 scope: c in [1, 6]",
          "r PROVED (scope: c in [1, 6])"},
      {"rule r (x*x) floordiv c => x when c == 1000003, lo(x) >= 0, hi(x) <= 1000003",
          "r REFUTED at x=1, lo(x)=0, hi(x)=1, c=1000003: left 0, right 1"},
      {"rule r x floordiv 1000003 => 0 when lo(x) >= 0, hi(x) <= 1000003",
          "r REFUTED at x=1000003, lo(x)=0, hi(x)=1000003: left 1, right 0"},
      {"rule r x + c => x + c - 1 when c*c == 1000002000001",
          "r REFUTED at x=0, c=1000001: left 1000001, right 1000000"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    assert_string_equal(prove_verdict_printed(rows[i].rule, (ProveOptions){}), rows[i].line);
}

/* The left side holds at some values: of the last rule, at k = 1766319049 and a = 226153980 only.
 * Its lower end, less the expression, does not fit. */
static void a_statement_that_does_not_fit_proves_nothing(void **) {
#define LARGE "4611686018427387904*206158430208"
  static const char *const rules[] = {
      "rule r x + c + " LARGE " in [-" LARGE ", c + " LARGE "] => 1 in [0, 0] when hi(x) + c <= -1",
      "rule r x + c + 2*m + " LARGE " in [-" LARGE ", c + 2*m + " LARGE
      "] => 1 in [0, 0] when hi(x) + c + 2*m <= -1, (2*m + 1) floordiv 5 >= 3",
      "rule r x + c + k + a + 2*m + " LARGE " in [-" LARGE ", c + k + a + 2*m + " LARGE
      " - (k*k - 61*a*a - 1)*(k*k - 61*a*a - 1)] => 1 in [0, 0] when lo(x) >= 0, a >= 1,"
      " hi(x) + c + 2*m + k + a <= -1, (2*m + 1) floordiv 5 >= 3",
  };
#undef LARGE
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
    assert_string_equal(prove_verdict_printed(rules[i], (ProveOptions){.only_proof = true}),
        "r UNKNOWN (left gives the lower end of right: a coefficient past 2^100, or a product of "
        "more than 24 unknowns)");
}

static void small_budgets_are_unknown_and_say_why(void **state) {
  (void)state;
  assert_string_equal(
      prove_verdict_printed("rule r c*x in [a, b] => x in [a ceildiv c, b floordiv c] when c > 0",
          (ProveOptions){.rlimit = 10}),
      "r UNKNOWN (left gives the lower end of right: out of the solver's budget)");
}

static void vacuous_guards_are_errors_with_a_location(void **state) {
  (void)state;
  static const char *const texts[] = {
      "# a line\nrule r x + c => x + c when c > 5, c < 5",
      "# a line\nrule r x => x when lo(x) > hi(x)",
      "# a line\nrule r x + c => x + c when c mod 4 == 1, c mod 2 == 0",
      "# a line\nrule r x + c + k => x + c + k when c*k == 1, c > 1",
      "# a line\nrule r x + c => x + c when c > 100 scope: c in [1, 64]",
      "# a line\nrule r x + c => x + c when c mod 0 == c mod 0",
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    Source source;
    Rule rule = parse_rule(texts[i], &source);
    RuleVerdict verdict;
    Error error = {};
    if (prove_rule(arena, &rule, &(ProveOptions){.source = &source}, &verdict, &error))
      fail_msg("%s: %s", texts[i], verdict.text);
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_int_equal(error.line, 2);
    assert_non_null(strstr(error.message, "can never hold"));
  }
}

static void overflow_of_the_right_side_is_noted(void **state) {
  (void)state;
  Source source;
  Rule rule =
      parse_rule("rule r (x floordiv a) floordiv b => x floordiv (a*b) when a > 0, b > 0", &source);
  RuleVerdict verdict = verdict_of(&rule, (ProveOptions){});
  assert_int_equal(verdict.answer, VERDICT_PROVED);
  assert_true(verdict.has_overflow);
  assert_true(side_fits_int64(&rule.left, &verdict.overflow) &&
              !side_fits_int64(&rule.right, &verdict.overflow));
  assert_true(rule_guard_holds(&rule, &verdict.overflow));
  Text values = text_create(arena);
  text_string(&values, "the right side leaves int64 where the left does not, at ");
  rule_values_print(&values, &rule, &verdict.overflow);
  assert_string_equal(verdict.note, values.bytes);
  rule = parse_rule("rule r x mod c => x when 0 <= lo(x), hi(x) < c", &source);
  verdict = verdict_of(&rule, (ProveOptions){});
  assert_false(verdict.has_overflow);
  assert_null(verdict.note);
}

/* Constants are fixed one by one: 64 choices, none skipped by sampling. */
static void case_splits_cover_their_scope(void **state) {
  (void)state;
  Source source;
  Rule rule = parse_rule(
      "rule r ((x*c) mod 97)*((x*c) mod 97 - 96) => ((x*c) mod 97)*((x*c) mod 97 - 96) + (c floordiv 65)*(c floordiv 65 - 2) scope: c in [1, 64]",
      &source);
  RuleVerdict verdict = verdict_of(&rule, (ProveOptions){});
  if (verdict.answer != VERDICT_PROVED) fail_msg("%s", verdict.text);
  rule = parse_rule(
      "rule r (x*c) mod 97 => (x*c) mod 97 + (c floordiv 64) scope: c in [1, 64]", &source);
  verdict = verdict_of(&rule, (ProveOptions){});
  assert_int_equal(verdict.answer, VERDICT_REFUTED);
  assert_int_equal(verdict.values.constants[0], 64);
}

/* A caller may state two ranges of one letter, which the parser rejects. The scope of this rule is
 * c = 5, where it is true; outside of it, values that refute the rule are no counterexample. */
static void values_outside_of_a_scope_refute_nothing(void **state) {
  (void)state;
  Source source;
  Rule rule = parse_rule("rule r (x*x*x*x*x - x) mod c => 0 scope: c in [5, 5]", &source);
  ScopeRange ranges[] = {{.letter = 0, .lo = 5, .hi = 5}, {.letter = 0, .lo = 4, .hi = 6}};
  rule.scopes = ranges;
  rule.scope_count = 2;
  RuleVerdict verdict = verdict_of(&rule, (ProveOptions){.rlimit = 1});
  assert_int_equal(verdict.answer, VERDICT_UNKNOWN);
}

static void negatives_replace_guard_or_side(void **state) {
  (void)state;
  Source source;
  Rule rule = parse_rule(
      "rule r x mod c => x when 0 <= lo(x), hi(x) < c near-miss: 0 <= lo(x), hi(x) <= c, c > 0",
      &source);
  Rule near = rule_negative(&rule);
  assert_int_equal(verdict_of(&rule, (ProveOptions){}).answer, VERDICT_PROVED);
  assert_int_equal(verdict_of(&near, (ProveOptions){}).answer, VERDICT_REFUTED);
  rule = parse_rule(
      "rule r x + c in [a, b] => x in [a - c, b - c] near-miss: x in [a - c, b - c + 1]", &source);
  near = rule_negative(&rule);
  assert_int_equal(verdict_of(&rule, (ProveOptions){}).answer, VERDICT_PROVED);
  assert_int_equal(verdict_of(&near, (ProveOptions){}).answer, VERDICT_REFUTED);
}

static void proofs_come_with_obligations_and_reasons(void **state) {
  (void)state;
  Source source;
  Rule rule = parse_rule(
      "rule r (x mod (a*b)) floordiv a => (x floordiv a) mod b when a > 0, b > 0", &source);
  RuleVerdict verdict =
      verdict_of(&rule, (ProveOptions){.want_obligations = true, .want_explanation = true});
  assert_int_equal(verdict.answer, VERDICT_PROVED);
  assert_true(verdict.obligation_count >= 2);
  assert_non_null(strstr(verdict.obligations[0], "divisor a*b >= 1"));
  assert_non_null(strstr(verdict.explanation, "quotient of a quotient"));
  assert_true(verdict.rlimit_used > 0);
}

/* An overflowing coefficient in a system with names has no effect on the system without names. */
static void an_overflow_beside_ends_nothing(void **state) {
  (void)state;
  Source source;
  Rule rule = parse_rule("rule r\n  (c*(x + x)) mod m in [0, 0] => (2*x) mod m in [0, 0]\n"
                         "  when c > 1, m > 1, gcd(c, m) == 1",
      &source);
  assert_int_equal(verdict_of(&rule, (ProveOptions){}).answer, VERDICT_PROVED);
}

/* rule_sample overwrites its result: guard_search once read a count from uninitialised memory. */
static void a_sample_begins_with_nothing(void **state) {
  (void)state;
  Source source;
  Rule rule = parse_rule("rule r x mod c => x when c > 0, 0 <= lo(x), hi(x) < c", &source);
  Sample sample;
  memset(&sample, 1, sizeof sample);
  rule_sample(&rule, 1, 0, 20, &sample);
  assert_false(sample.is_refuted);
  assert_int_equal(sample.hit_count, 0);
  assert_int_equal(sample.tries, 0);
  memset(&sample, 1, sizeof sample);
  rule_sample(&rule, 1, 200, 20, &sample);
  assert_false(sample.is_refuted);
  assert_in_range(sample.hit_count, 1, sample_max_hits);
  for (uint32_t i = 0; i < sample.hit_count; i++)
    assert_true(rule_guard_holds(&rule, &sample.hits[i]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(verdicts_print_as_stated, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(an_overflow_beside_ends_nothing, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(
          a_statement_that_does_not_fit_proves_nothing, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(a_sample_begins_with_nothing, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(
          small_budgets_are_unknown_and_say_why, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(
          vacuous_guards_are_errors_with_a_location, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(overflow_of_the_right_side_is_noted, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(case_splits_cover_their_scope, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(
          values_outside_of_a_scope_refute_nothing, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(negatives_replace_guard_or_side, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(
          proofs_come_with_obligations_and_reasons, arena_begin, arena_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
