/* The parts of the prover that only make it faster, or only say more: sampling, written
 * refutations, names of lemmas, and the search of a missing guard. */
#include "smt/rules/prove.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/file.h"
#include "core/base/test/test_arena.h"
#include "smt/rules/guard_search.h"
#include "smt/rules/lemmas.h"
#include "smt/rules/refutation.h"
#include "smt/rules/rule_sample.h"

static Rule parse_rule(const char *text) {
  RuleSet rules = {};
  Error error = {};
  Source source = {.name = "t", .text = text, .length = strlen(text), .first_line = 1};
  if (!rules_parse(arena, &source, &rules, &error)) fail_msg("%s: %s", text, error.message);
  return rules.items[0];
}

static RuleVerdict verdict_of(const Rule *rule, ProveOptions options) {
  RuleVerdict verdict;
  Error error = {};
  if (!prove_rule(arena, rule, &options, &verdict, &error)) fail_msg("%s", error.message);
  return verdict;
}

static const RuleSet *read_rules(const char *name) {
  Source source;
  RuleSet *rules = ARENA_NEW(arena, RuleSet, 1);
  Error error = {};
  const char *path = arena_printf(arena, AFFIRM_SOURCE_DIR "/corpus/rules/%s", name);
  if (!file_read(arena, path, (size_t)1 << 24, &source, &error) ||
      !rules_parse(arena, &source, rules, &error))
    fail_msg("%s: %s", path, error.message);
  return rules;
}

/* Sampling alone refutes nearly all false rules, and no true one. Each hit is a point of the guard
 * at which both sides agree. */
static void samples_refute_false_rules_alone(void **) {
  static const char *const files[] = {"false.rules", "false-held-out.rules", "true.rules"};
  for (size_t f = 0; f < 3; f++) {
    const RuleSet *rules = read_rules(files[f]);
    uint32_t refuted = 0, hits = 0;
    for (uint32_t i = 0; i < rules->count; i++) {
      Sample sample;
      rule_sample(&rules->items[i], 7, 3000, 16, &sample);
      refuted += sample.is_refuted;
      hits += sample.hit_count > 0;
      if (sample.is_refuted) assert_true(rule_is_refuted_by(&rules->items[i], &sample.refutation));
      for (uint32_t k = 0; k < sample.hit_count; k++) {
        assert_true(rule_guard_holds(&rules->items[i], &sample.hits[k]));
        assert_false(rule_is_refuted_by(&rules->items[i], &sample.hits[k]));
      }
    }
    print_message("%s: %u of %u refuted, %u with hits\n", files[f], refuted, rules->count, hits);
    if (f < 2) assert_true(refuted * 10 >= rules->count * 9);
    else assert_true(refuted == 0 && hits * 10 >= rules->count * 9);
  }
}

/* A counterexample becomes small: no value is far from zero that need not be. */
static void counterexamples_shrink(void **) {
  static const struct {
    const char *rule;
    int64_t x, lo, hi, c; /* of the counterexample that is given */
    int64_t most;         /* of all absolute values together */
  } rows[] = {
      {"rule r x mod c => x when c > 0", 900, 900, 900, 7, 4},
      {"rule r x mod c => x when 0 <= lo(x), c > 0", 900, 30, 950, 7, 3},
      {"rule r x mod c => x when hi(x) < c, c > 0", -900, -950, -30, 7, 4},
      {"rule r x floordiv c => 0 when lo(x) >= c, c > 0", 900, 850, 950, 70, 4},
      {"rule r x + c => x + c + 1", 500, 500, 500, 600, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Rule rule = parse_rule(rows[i].rule);
    RuleValues values = {};
    values.exprs[0] = rows[i].x;
    values.lo[0] = rows[i].lo;
    values.hi[0] = rows[i].hi;
    values.constants[0] = rows[i].c;
    if (!rule_is_refuted_by(&rule, &values)) fail_msg("%s is not refuted", rows[i].rule);
    rule_shrink(&rule, &values);
    assert_true(rule_is_refuted_by(&rule, &values));
    int64_t sum = 0;
    const int64_t all[] = {values.exprs[0], values.lo[0], values.hi[0], values.constants[0]};
    for (size_t k = 0; k < 4; k++) sum += all[k] < 0 ? -all[k] : all[k];
    if (sum > rows[i].most)
      fail_msg("%s: x=%d lo=%d hi=%d c=%d", rows[i].rule, (int)all[0], (int)all[1], (int)all[2],
          (int)all[3]);
  }
}

/* Each obligation is a part: the divisors, then the sides. What is written is what was used: the
 * instances are true of all integers. */
static void refutations_are_written_part_by_part(void **) {
  static const struct {
    const char *rule;
    uint32_t sides; /* the parts that are no divisors */
    bool has_instances;
  } rows[] = {
      {"rule r (c*x + y) floordiv c => x + y floordiv c when c > 0", 1, true},
      {"rule r x mod c => x when 0 <= lo(x), hi(x) < c", 1, true},
      {"rule r (x mod (a*b)) floordiv a => (x floordiv a) mod b when a > 0, b > 0", 1, true},
      {"rule r x + c in [a, b] => x in [a - c, b - c]", 4, false},
      {"rule r c*x in [a, b] => x in [a ceildiv c, b floordiv c] when c > 0", 4, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Rule rule = parse_rule(rows[i].rule);
    RuleVerdict verdict = verdict_of(&rule, (ProveOptions){.want_refutation = true});
    assert_int_equal(verdict.answer, VERDICT_PROVED);
    assert_non_null(verdict.refutation);
    uint32_t divisors = 0, instances = 0;
    for (uint32_t p = 0; p < verdict.refutation->count; p++) {
      const RefutationPart *part = &verdict.refutation->items[p];
      divisors += part->divisor.count > 0;
      instances += part->count;
      for (uint32_t k = 0; k < part->count; k++)
        assert_true(lemma_holds_on_random(verdict.refutation->proof, &part->items[k], 1, 200));
    }
    if (verdict.refutation->count - divisors != rows[i].sides ||
        (instances > 0) != rows[i].has_instances)
      fail_msg("%s: %u parts, %u of divisors, %u instances", rows[i].rule,
          verdict.refutation->count, divisors, instances);
  }
  Rule rule = parse_rule("rule r x => x");
  assert_null(verdict_of(&rule, (ProveOptions){}).refutation);
}

static void lemmas_have_names(void **) {
  for (uint8_t i = 0; i < 3; i++)
    for (uint8_t k = 0; k < i; k++)
      assert_string_not_equal(lemma_name((LemmaKind)i), lemma_name((LemmaKind)k));
}

/* With what is found the rule is proved, and it holds at these values: it is not too strong. */
static void a_missing_guard_is_found(void **) {
  static const struct {
    const char *rule;
    int64_t x, first,
        second; /* constants in their order: a point at which the found guard must hold */
  } rows[] = {
      {"rule r (a*x + y) floordiv a => x + y floordiv a", 5, 1, 0},
      {"rule r (x floordiv a) floordiv b => x floordiv (a*b) when a > 0", 5, 1, 1},
      {"rule r (x mod b) mod a => x mod a when a > 0, b > 0", 7, 4, 2},
      {"rule r x mod a => x when 0 <= lo(x)", 3, 4, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Rule rule = parse_rule(rows[i].rule);
    RuleVerdict verdict = verdict_of(&rule, (ProveOptions){});
    assert_int_equal(verdict.answer, VERDICT_REFUTED);
    GuardSearch search;
    memset(&search, 0x5a, sizeof search); /* what was there before does not count */
    guard_search(arena, &rule, &verdict.values, &(ProveOptions){.rlimit = 10'000'000}, &search);
    if (search.count == 0) fail_msg("%s: nothing found", rows[i].rule);
    assert_in_range(search.proofs, 1, 100'000);
    Rule guarded = rule;
    guarded.guards =
        arena_grow(arena, rule.guards, rule.guard_count, rule.guard_count + 2, sizeof *rule.guards);
    for (uint32_t k = 0; k < search.count; k++)
      guarded.guards[guarded.guard_count++] = search.guards[k];
    assert_int_equal(verdict_of(&guarded, (ProveOptions){}).answer, VERDICT_PROVED);
    RuleValues values = {};
    values.exprs[0] = values.lo[0] = values.hi[0] = rows[i].x;
    values.constants[0] = rows[i].first;
    values.constants[1] = rows[i].second;
    if (!rule_guard_holds(&guarded, &values)) fail_msg("%s: the guard is too strong", rows[i].rule);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(samples_refute_false_rules_alone, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(counterexamples_shrink, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(refutations_are_written_part_by_part, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(lemmas_have_names, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(a_missing_guard_is_found, arena_begin, arena_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
