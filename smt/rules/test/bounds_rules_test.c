/* The bounds analysis: what core/map/bounds.c computes for each operator is a rule in
 * corpus/rules/bounds.rules, proved for all values. bounds_apply returns exactly the interval in
 * the rule's text, so the code that runs is the rule that is proved. */
#include "core/map/bounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/file.h"
#include "smt/rules/prove.h"
#include "smt/rules/rule_sample.h"

typedef struct BoundsRulesClaims {
  Arena *arena;
  Source source;
  RuleSet rules;
} BoundsRulesClaims;

static int bounds_rules_begin(void **state) {
  BoundsRulesClaims *claims = calloc(1, sizeof *claims);
  claims->arena = arena_create();
  Error error = {};
  if (!file_read(claims->arena, AFFIRM_SOURCE_DIR "/corpus/rules/bounds.rules", (size_t)1 << 20,
          &claims->source, &error) ||
      !rules_parse(claims->arena, &claims->source, &claims->rules, &error))
    fail_msg("%s", error.message);
  *state = claims;
  return 0;
}

static int bounds_rules_end(void **state) {
  BoundsRulesClaims *claims = *state;
  arena_destroy(claims->arena);
  free(claims);
  return 0;
}

static const Rule *claim(const BoundsRulesClaims *claims, const char *name) {
  for (uint32_t i = 0; i < claims->rules.count; i++)
    if (strcmp(claims->rules.items[i].name, name) == 0) return &claims->rules.items[i];
  fail_msg("no rule %s", name);
  return nullptr;
}

static void claims_are_proved(void **state) {
  BoundsRulesClaims *claims = *state;
  for (uint32_t i = 0; i < claims->rules.count; i++) {
    RuleVerdict verdict;
    Error error = {};
    if (!prove_rule(claims->arena, &claims->rules.items[i],
            &(ProveOptions){.source = &claims->source}, &verdict, &error))
      fail_msg("%s", error.message);
    if (verdict.answer != VERDICT_PROVED)
      fail_msg("%s: %s", claims->rules.items[i].name, verdict.text);
  }
}

/* The rule for this operator over these intervals. */
static const Rule *claim_of(const BoundsRulesClaims *claims, ExprOp op, Interval x, Interval y) {
  switch (op) {
    case EXPR_ADD: return claim(claims, "bounds-add");
    case EXPR_MUL: return claim(claims, "bounds-mul");
    case EXPR_FLOORDIV: return claim(claims, "bounds-floordiv");
    case EXPR_CEILDIV: return claim(claims, "bounds-ceildiv");
    case EXPR_MOD:
      return claim(claims, wide_floor(x.lo, y.lo) == wide_floor(x.hi, y.lo)
                               ? "bounds-mod-one-period"
                               : "bounds-mod-several-periods");
    case EXPR_MIN: return claim(claims, "bounds-min");
    case EXPR_MAX: return claim(claims, "bounds-max");
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  fail_msg("an operator without a claim");
  return nullptr;
}

static bool is_division(ExprOp op) {
  return op == EXPR_FLOORDIV || op == EXPR_CEILDIV || op == EXPR_MOD;
}

/* A number far outside int64 if the value is too large to compute. */
static Wide end_of(const RuleTerm *term, const RuleValues *values) {
  Wide value, bad_value;
  const RuleTerm *bad;
  if (term_value(term, values, &value, &bad, &bad_value)) return value;
  assert_null(bad);
  return (Wide)1 << 100;
}

static bool bounds_rules_fits(Wide value) { return value >= INT64_MIN && value <= INT64_MAX; }

/* bounds_apply and the rule's text give the same interval, or both are outside int64. */
static void assert_same_interval(
    const BoundsRulesClaims *claims, ExprOp op, Interval x, Interval y) {
  const Rule *rule = claim_of(claims, op, x, y);
  RuleValues values = {
      .exprs = {x.lo, y.lo}, .lo = {x.lo, y.lo}, .hi = {x.hi, y.hi}, .constants = {y.lo}};
  assert_true(rule_guard_holds(rule, &values));
  Wide lo = end_of(rule->left.lo, &values), hi = end_of(rule->left.hi, &values);
  Interval bounds;
  bool has_bounds = bounds_apply(op, x, y, &bounds);
  if (!has_bounds && bounds_rules_fits(lo) && bounds_rules_fits(hi) && op != EXPR_MUL)
    fail_msg("%s: rejected for nothing", rule->name);
  if (!has_bounds) return;
  if (bounds.lo != lo || bounds.hi != hi)
    fail_msg("%s: another interval for [%lld, %lld]", rule->name, (long long)x.lo, (long long)x.hi);
}

static void every_operator_of_the_table_is_claimed(void **state) {
  const BoundsRulesClaims *claims = *state;
  static const ExprOp ops[] = {
#define OPERATOR(id, text, precedence) EXPR_##id,
#include "core/expr/ops.def"
#undef OPERATOR
  };
  for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
    assert_non_null(claim_of(claims, ops[i], (Interval){0, 1}, (Interval){1, 1}));
}

static void small_intervals_are_what_is_proved(void **state) {
  const BoundsRulesClaims *claims = *state;
  for (uint8_t op = EXPR_ADD; op <= EXPR_MAX; op++)
    for (int64_t a = -7; a <= 7; a++)
      for (int64_t b = a; b <= 7; b++)
        for (int64_t c = is_division((ExprOp)op) ? 1 : -4; c <= 6; c++)
          for (int64_t d = c; d <= (is_division((ExprOp)op) ? c : 6); d++)
            assert_same_interval(claims, (ExprOp)op, (Interval){a, b}, (Interval){c, d});
}

static int64_t any(Dice *dice) {
  switch (dice_next(dice) % 4) {
    case 0: return dice_range(dice, -20, 20);
    case 1: return dice_range(dice, INT64_MIN, INT64_MAX);
    case 2: return INT64_MAX - dice_range(dice, 0, 3);
    default: return INT64_MIN + dice_range(dice, 0, 3);
  }
}

static Interval interval(Dice *dice) {
  int64_t a = any(dice), b = any(dice);
  return a <= b ? (Interval){a, b} : (Interval){b, a};
}

static void large_intervals_are_what_is_proved(void **state) {
  const BoundsRulesClaims *claims = *state;
  Dice dice = {17};
  for (int i = 0; i < 200'000; i++) {
    ExprOp op = (ExprOp)(EXPR_ADD + dice_next(&dice) % (EXPR_MAX - EXPR_ADD + 1));
    Interval x = interval(&dice), y = interval(&dice);
    if (is_division(op)) y.lo = y.hi = y.hi > 0 ? y.hi : 1 + (int64_t)(dice_next(&dice) % 9);
    assert_same_interval(claims, op, x, y);
  }
}

static int64_t value_at(ExprOp op, int64_t x, int64_t y) {
  RuleTerm left = {.kind = TERM_INTEGER, .value = x, .depth = 1},
           right = {.kind = TERM_INTEGER, .value = y, .depth = 1};
  RuleTerm term = {.kind = TERM_OPERATOR, .op = op, .left = &left, .right = &right, .depth = 2};
  return (int64_t)end_of(&term, &(RuleValues){});
}

static void bounds_contain_every_value(void **state) {
  (void)state;
  for (uint8_t op = EXPR_ADD; op <= EXPR_MAX; op++)
    for (int64_t a = -7; a <= 7; a++)
      for (int64_t b = a; b <= 7; b++)
        for (int64_t c = is_division((ExprOp)op) ? 1 : -3; c <= 5; c++)
          for (int64_t d = c; d <= (is_division((ExprOp)op) ? c : 5); d++) {
            Interval bounds;
            assert_true(bounds_apply((ExprOp)op, (Interval){a, b}, (Interval){c, d}, &bounds));
            for (int64_t x = a; x <= b; x++)
              for (int64_t y = c; y <= d; y++) {
                int64_t value = value_at((ExprOp)op, x, y);
                if (value < bounds.lo || value > bounds.hi)
                  fail_msg("%s: %lld is outside", expr_op_text((ExprOp)op), (long long)value);
              }
          }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(claims_are_proved),
      cmocka_unit_test(every_operator_of_the_table_is_claimed),
      cmocka_unit_test(small_intervals_are_what_is_proved),
      cmocka_unit_test(large_intervals_are_what_is_proved),
      cmocka_unit_test(bounds_contain_every_value),
  };
  return cmocka_run_group_tests(tests, bounds_rules_begin, bounds_rules_end);
}
