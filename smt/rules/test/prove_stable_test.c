/* Verdicts must not depend on chance. They are the same for several seeds of the solver and with
 * the operands of + * min max exchanged. They are also the same for other numbers of the letters,
 * which order the unknowns and thereby every polynomial. The nightly tier (AFFIRM_NIGHTLY=1) runs
 * ten seeds and three renamings of every rule of the engine and the corpus; otherwise two seeds and
 * one renaming of some rules, and with AFFIRM_FEW of an eighth of these. Then come rules far larger
 * than those in use. */
#include "smt/rules/prove.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/file.h"
#include "core/base/test/test_arena.h"

typedef struct Renaming {
  uint32_t constants[rule_max_letters], exprs[rule_max_letters]; /* new numbers */
  bool turns_operands;
} Renaming;

static const RuleTerm *renamed(const RuleTerm *term, const Renaming *renaming) {
  RuleTerm *copy = ARENA_NEW(arena, RuleTerm, 1);
  *copy = *term;
  switch (term->kind) {
    case TERM_INTEGER: return term;
    case TERM_CONSTANT_LETTER: copy->letter = renaming->constants[term->letter]; return copy;
    case TERM_EXPR:
    case TERM_LO:
    case TERM_HI: copy->letter = renaming->exprs[term->letter]; return copy;
    case TERM_OPERATOR:
    case TERM_GCD: break;
  }
  bool commutes = term->kind == TERM_GCD || term->op == EXPR_ADD || term->op == EXPR_MUL ||
                  term->op == EXPR_MIN || term->op == EXPR_MAX;
  bool turns = commutes && renaming->turns_operands;
  copy->left = renamed(turns ? term->right : term->left, renaming);
  copy->right = renamed(turns ? term->left : term->right, renaming);
  return copy;
}

static Side renamed_side(const Side *side, const Renaming *renaming) {
  Side copy = *side;
  copy.expr = renamed(side->expr, renaming);
  if (!side->is_constraint) return copy;
  copy.lo = renamed(side->lo, renaming);
  copy.hi = renamed(side->hi, renaming);
  return copy;
}

/* Number 0 reverses the letters, 1 rotates them by one, 2 keeps them; all but the first also
 * exchange operands. */
static Rule rename_rule(const Rule *rule, uint32_t number) {
  Renaming renaming = {.turns_operands = number > 0};
  Rule copy = *rule;
  copy.constants = ARENA_NEW(arena, const char *, rule_max_letters);
  copy.exprs = ARENA_NEW(arena, const char *, rule_max_letters);
  for (uint32_t i = 0; i < rule->constant_count; i++) {
    uint32_t to = number == 0   ? rule->constant_count - 1 - i
                  : number == 1 ? (i + 1) % rule->constant_count
                                : i;
    renaming.constants[i] = to;
    copy.constants[to] = rule->constants[i];
  }
  for (uint32_t i = 0; i < rule->expr_count; i++) {
    uint32_t to = number == 0   ? rule->expr_count - 1 - i
                  : number == 1 ? (i + 1) % rule->expr_count
                                : i;
    renaming.exprs[i] = to;
    copy.exprs[to] = rule->exprs[i];
  }
  copy.left = renamed_side(&rule->left, &renaming);
  copy.right = renamed_side(&rule->right, &renaming);
  copy.guards = ARENA_NEW(arena, Guard, rule->guard_count + 1);
  for (uint32_t i = 0; i < rule->guard_count; i++)
    copy.guards[i] = (Guard){rule->guards[i].relation, renamed(rule->guards[i].left, &renaming),
        renamed(rule->guards[i].right, &renaming)};
  return copy;
}

static VerdictStatus answer_of(const Rule *rule, uint32_t seed) {
  ArenaMark mark = arena_mark(arena);
  RuleVerdict verdict;
  Error error = {};
  if (!prove_rule(arena, rule, &(ProveOptions){.seed = seed}, &verdict, &error))
    fail_msg("%s: %s", rule->name, error.message);
  VerdictStatus answer = verdict.answer;
  arena_rewind(arena, mark);
  return answer;
}

static void judge_rule(
    const Rule *rule, VerdictStatus expected, uint32_t seeds, uint32_t renamings) {
  for (uint32_t seed = 1; seed <= seeds; seed++)
    if (answer_of(rule, 7919 * seed) != expected)
      fail_msg("%s: another verdict with seed %u", rule->name, 7919 * seed);
  for (uint32_t number = 0; number < renamings; number++) {
    Rule other = rename_rule(rule, number);
    if (answer_of(&other, 0) != expected)
      fail_msg("%s: another verdict with renaming %u", rule->name, number);
  }
}

static void judge_rules(const RuleSet *rules, VerdictStatus expected, uint32_t step) {
  bool is_nightly = getenv("AFFIRM_NIGHTLY") != nullptr;
  if (getenv("AFFIRM_FEW") != nullptr) step *= 8;
  for (uint32_t i = 0; i < rules->count; i += is_nightly ? 1 : step) {
    ArenaMark mark = arena_mark(arena);
    judge_rule(&rules->items[i], expected, is_nightly ? 10 : 2, is_nightly ? 3 : 1);
    arena_rewind(arena, mark);
  }
}

static void judge_file(const char *path, VerdictStatus expected, uint32_t step) {
  Source source;
  RuleSet rules = {};
  Error error = {};
  if (!file_read(arena, path, (size_t)1 << 24, &source, &error) ||
      !rules_parse(arena, &source, &rules, &error))
    fail_msg("%s", error.message);
  judge_rules(&rules, expected, step);
}

static void engine_verdicts_are_stable(void **state) {
  (void)state;
  RuleSet rules = {};
  Error error = {};
  if (!rules_engine(arena, &rules, &error)) fail_msg("%s", error.message);
  if (getenv("AFFIRM_FEW") != nullptr)
    print_message("skipped: seven of eight rules of the engine and the corpus\n");
  judge_rules(&rules, VERDICT_PROVED, 2);
}

static void corpus_verdicts_are_stable(void **state) {
  (void)state;
  judge_file(AFFIRM_SOURCE_DIR "/corpus/rules/true.rules", VERDICT_PROVED, 5);
  judge_file(AFFIRM_SOURCE_DIR "/corpus/rules/true-hard.rules", VERDICT_PROVED, 9);
  judge_file(AFFIRM_SOURCE_DIR "/corpus/rules/false.rules", VERDICT_REFUTED, 3);
}

static Rule parse_rule(const char *text) {
  RuleSet rules = {};
  Error error = {};
  Source source = {.name = "large", .text = text, .length = strlen(text), .first_line = 1};
  if (!rules_parse(arena, &source, &rules, &error)) fail_msg("%s", error.message);
  return rules.items[0];
}

/* Quotients twenty deep, a sum of twenty remainders, thirteen minima with their operands
 * exchanged. */
static void large_rules_are_proved(void **state) {
  (void)state;
  Text digits = text_create(arena), sums = text_create(arena), minima = text_create(arena);
  text_string(&digits, "rule digits ");
  for (int i = 0; i < 20; i++) text_printf(&digits, "(");
  text_string(&digits, "x");
  for (int i = 0; i < 20; i++) text_printf(&digits, " floordiv c%d)", i);
  text_string(&digits, " => x floordiv (c0");
  for (int i = 1; i < 20; i++) text_printf(&digits, "*c%d", i);
  text_string(&digits, ") when c0 > 0");
  for (int i = 1; i < 20; i++) text_printf(&digits, ", c%d > 0", i);
  assert_int_equal(answer_of(&(Rule[]){parse_rule(digits.bytes)}[0], 0), VERDICT_PROVED);

  text_string(&sums, "rule sums (x0 mod c");
  for (int i = 1; i < 20; i++) text_printf(&sums, " + x%d mod c", i);
  text_string(&sums, ") mod c => (x0");
  for (int i = 1; i < 20; i++) text_printf(&sums, " + x%d", i);
  text_string(&sums, ") mod c when c > 0");
  assert_int_equal(answer_of(&(Rule[]){parse_rule(sums.bytes)}[0], 0), VERDICT_PROVED);

  text_string(&minima, "rule minima x0");
  for (int i = 1; i < 14; i++) text_printf(&minima, " + min(x%d, x%d)", i, i - 1);
  text_string(&minima, " => x0");
  for (int i = 1; i < 14; i++) text_printf(&minima, " + min(x%d, x%d)", i - 1, i);
  assert_int_equal(answer_of(&(Rule[]){parse_rule(minima.bytes)}[0], 0), VERDICT_PROVED);
}

/* x0 + x1*c0 + x2*c0*c1 + ..: the highest of eight digits in mixed bases. */
static void eight_digits_are_proved(void **state) {
  (void)state;
  Text text = text_create(arena);
  text_string(&text, "rule digits (x0");
  for (int i = 1; i < 8; i++) {
    text_printf(&text, " + x%d", i);
    for (int k = 0; k < i; k++) text_printf(&text, "*c%d", k);
  }
  text_string(&text, ") floordiv (c0*c1*c2*c3*c4*c5*c6) => x7 when c0 > 0");
  for (int i = 0; i < 7; i++)
    text_printf(&text, ", c%d > 0, 0 <= lo(x%d), hi(x%d) < c%d", i, i, i, i);
  Rule rule = parse_rule(text.bytes);
  assert_int_equal(answer_of(&rule, 0), VERDICT_PROVED);
}

/* Products of three facts, an unknown of either sign times a divisor, the sign of a digit, a sum of
 * three letters as a unit: proved with any seed, and with less than half of the budget. */
static void what_is_tried_last_proves(void **state) {
  (void)state;
  static const char *const texts[] = {
      "rule square (x mod c)*(x mod c) in [0, (c*c - 1)*(c - 1)] => 0 in [0, 0] when c > 0",
      "rule three (x mod a)*(y mod b)*(z mod c) in [0, a*b*c - 1] => 0 in [0, 0] "
      "when a > 0, b > 0, c > 0",
      "rule bound (a*u + y) mod c => (a mod c - c)*u + y - c*(((a mod c - c)*hi(u) + lo(y)) "
      "floordiv c) when c > 0, (c - a mod c)*(hi(u) - lo(u)) + hi(y) - lo(y) < c, "
      "((a mod c + c)*hi(u) + lo(y)) floordiv c == ((a mod c - c)*lo(u) + hi(y)) floordiv c",
      "rule digit ((x mod (a*b)) floordiv b)*(x mod b) in [0, (a - 1)*(b - 1)] => 0 in [0, 0] "
      "when a > 0, b > 0",
      "rule sum gcd((c + a + b)*a, (c + a + b)*b)*x => (c + a + b)*gcd(a, b)*x when c + a + b > 0",
      "rule above gcd((c + (b + 1))*a, (c + (b + 1))*(b + 1))*x => (c + (b + 1))*gcd(a, b + 1)*x "
      "when c + (b + 1) > 0",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Rule rule = parse_rule(texts[i]);
    for (uint32_t seed = 0; seed < 3; seed++) {
      RuleVerdict verdict;
      Error error = {};
      ProveOptions options = {.seed = seed, .rlimit = 5'000'000};
      if (!prove_rule(arena, &rule, &options, &verdict, &error)) fail_msg("%s", error.message);
      if (verdict.answer != VERDICT_PROVED) fail_msg("%s: %s", rule.name, verdict.text);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(engine_verdicts_are_stable, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(corpus_verdicts_are_stable, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(eight_digits_are_proved, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(large_rules_are_proved, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(what_is_tried_last_proves, arena_begin, arena_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
