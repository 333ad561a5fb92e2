/* The claims about all sizes as rules: each claim has some, each rule is proved, and for a false
 * variant some rule is not. A rule with a division by an unknown in a guard is accompanied by a
 * rule that states that the divisor is at least 1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/test/length.h"
#include "smt/rules/prove.h"

#if __has_feature(address_sanitizer)
static constexpr uint32_t step = 31;
#else
static constexpr uint32_t step = 23;
#endif

static bool is_proved(Arena *arena, const char *statement) {
  const char *text = arena_printf(arena, "rule r\n  %s", statement);
  Source source = {.name = "statement", .text = text, .length = strlen(text), .first_line = 1};
  RuleSet rules = {};
  RuleFaults faults = {};
  RuleVerdict verdict;
  Error error = {};
  rules_parse_statements(arena, &source, &rules, &faults);
  if (rules.count != 1 || faults.count > 0) fail_msg("%s", statement);
  return prove_rule(arena, &rules.items[0], &(ProveOptions){}, &verdict, &error) &&
         verdict.answer == VERDICT_PROVED;
}

static void claims_are_rules_that_are_proved(void **state) {
  (void)state;
  Arena *arena = arena_create();
  for (uint32_t i = 0; i < smt_all_sizes_count(); i += test_length(1, 1, 5) * step) {
    ArenaMark mark = arena_mark(arena);
    SmtSizes claim;
    SmtStatements statements;
    bool stated = smt_all_sizes_statements(arena, i, false, &claim, &statements);
    for (uint32_t k = 0; k < statements.count; k++)
      if (!is_proved(arena, statements.items[k]))
        fail_msg("%s rank %u pattern %u: not proved: %s", claim.operation, claim.rank,
            claim.pattern, statements.items[k]);
    if (!stated || statements.count == 0)
      fail_msg("%s rank %u pattern %u: no rules", claim.operation, claim.rank, claim.pattern);
    arena_rewind(arena, mark);
  }
  arena_destroy(arena);
}

static void every_claim_is_stated_with_its_divisors(void **state) {
  (void)state;
  Arena *arena = arena_create();
  uint32_t divided = 0;
  for (uint32_t i = 0; i < smt_all_sizes_count(); i++) {
    ArenaMark mark = arena_mark(arena);
    SmtSizes claim;
    SmtStatements statements;
    assert_true(smt_all_sizes_statements(arena, i, false, &claim, &statements));
    bool divides = false, has_divisor = false;
    for (uint32_t k = 0; k < statements.count; k++) {
      const char *guards = strstr(statements.items[k], "when");
      divides |= guards != nullptr && strstr(guards, ") floordiv (k") != nullptr;
      has_divisor |= strncmp(statements.items[k], "1 in [1, k", strlen("1 in [1, k")) == 0 &&
                     strstr(statements.items[k], "floordiv") == nullptr;
    }
    if (divides && !has_divisor)
      fail_msg(
          "%s rank %u pattern %u: a divisor may be 0", claim.operation, claim.rank, claim.pattern);
    divided += divides;
    arena_rewind(arena, mark);
  }
  assert_true(divided > 10);
  arena_destroy(arena);
}

static void a_rule_of_a_wrong_twin_is_not_proved(void **state) {
  (void)state;
  Arena *arena = arena_create();
  uint32_t twins = 0;
  for (uint32_t i = 0; i < smt_all_sizes_count(); i += 2 * step) {
    ArenaMark mark = arena_mark(arena);
    SmtSizes claim;
    SmtStatements statements;
    assert_true(smt_all_sizes_statements(arena, i, true, &claim, &statements));
    bool all = true;
    for (uint32_t k = 0; k < statements.count && all; k++)
      all = is_proved(arena, statements.items[k]);
    if (all)
      fail_msg("%s rank %u pattern %u: a twin that is wrong by one is proved", claim.operation,
          claim.rank, claim.pattern);
    twins++;
    arena_rewind(arena, mark);
  }
  assert_true(twins > 3);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_claim_is_stated_with_its_divisors),
      cmocka_unit_test(claims_are_rules_that_are_proved),
      cmocka_unit_test(a_rule_of_a_wrong_twin_is_not_proved)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
