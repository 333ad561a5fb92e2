/* floordiv, ceildiv and mod have one meaning. Compared are the engine (core/base/checked.h), plain
 * evaluation of rules, and the constraint by which the prover defines a quotient for Z3. They agree
 * on all pairs of [-128, 127] x [1, 127], with one Z3 query for each pair. On a million random
 * int64 pairs the constraint is evaluated, not solved. judge/test/operators_test.c compares the
 * oracle's arithmetic with the engine's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/checked.h"
#include "core/base/test/length.h"
#include "smt/rules/rule_linear.h"
#include "smt/rules/rule_sample.h"

/* Z3 allocates much memory, and a build with sanitizers watches every allocation: there only each
 * ninth divisor is tested. */
#if __has_feature(address_sanitizer)
static constexpr int64_t divisor_step = 9;
#else
static constexpr int64_t divisor_step = 1;
#endif

static const ExprOp divisions[] = {EXPR_FLOORDIV, EXPR_CEILDIV, EXPR_MOD};

static int64_t engine_value(ExprOp op, int64_t x, int64_t c) {
  return op == EXPR_FLOORDIV  ? floordiv64(x, c)
         : op == EXPR_CEILDIV ? ceildiv64(x, c)
                              : mod64(x, c);
}

static Wide plain_value(ExprOp op, int64_t x, int64_t c) {
  RuleTerm left = {.kind = TERM_INTEGER, .value = x, .depth = 1},
           right = {.kind = TERM_INTEGER, .value = c, .depth = 1};
  RuleTerm term = {.kind = TERM_OPERATOR, .op = op, .left = &left, .right = &right, .depth = 2};
  Wide value, bad_value;
  const RuleTerm *bad;
  assert_true(term_value(&term, &(RuleValues){}, &value, &bad, &bad_value));
  return value;
}

static Rule parse_rule(Arena *arena, const char *text) {
  RuleSet rules = {};
  Error error = {};
  Source source = {.name = "t", .text = text, .length = strlen(text), .first_line = 1};
  assert_true(rules_parse(arena, &source, &rules, &error));
  return rules.items[0];
}

/* With x fixed the system has a solution, in which the three encoded terms have the engine's
 * values. */
static void assert_values(
    Linear *linear, RuleProof *proof, Poly x, const Poly *encoded, int64_t at, int64_t c) {
  linear_push(linear);
  linear_assert_fact(linear, &(Fact){.poly = poly_shift(proof->ring, x, -at), .is_equation = true});
  assert_int_equal(linear_check(linear), VERDICT_REFUTED);
  for (size_t i = 0; i < 3; i++) {
    Wide sum = poly_constant_term(encoded[i]);
    for (uint32_t t = 0; t < encoded[i].count; t++) {
      Wide value = 1;
      if (encoded[i].terms[t].monomial == 0) continue;
      assert_true(linear_value(linear, encoded[i].terms[t].monomial, &value));
      sum += encoded[i].terms[t].coefficient * value;
    }
    if (sum != engine_value(divisions[i], at, c))
      fail_msg("%lld %s %lld", (long long)at, expr_op_text(divisions[i]), (long long)c);
  }
  linear_pop(linear);
}

/* Any integer that satisfies the quotient's definition equals the quotient, so the value that was
 * found is unique. */
static void assert_unique(Linear *linear, const System *system, Poly other, uint32_t band) {
  PolyRing *ring = system->proof->ring;
  uint32_t quotient;
  assert_true(poly_is_atom(ring, system->bands.items[band].quotient, &quotient));
  linear_push(linear);
  for (uint32_t i = 0; i < system->facts.count; i++) {
    Fact fact = system->facts.items[i];
    fact.poly = poly_substitute(ring, fact.poly, quotient, other);
    linear_assert_fact(linear, &fact);
  }
  assert_true(
      linear_implies(linear, poly_subtract(ring, other, system->bands.items[band].quotient), true));
  linear_pop(linear);
}

/* The divisor is a number here, so that the encoding is linear, as always in Z3. */
static void judge_divisor(Arena *arena, int64_t c) {
  ArenaMark mark = arena_mark(arena);
  long long by = c;
  Rule rule = parse_rule(
      arena, arena_printf(arena,
                 "rule r x floordiv %lld + max(x ceildiv %lld, x mod %lld) + y => x", by, by, by));
  RuleProof *proof = proof_create(arena, &rule);
  System *system = system_create(proof);
  const RuleTerm *divided = rule.left.expr->left;
  const Poly encoded[] = {system_term(system, divided->left),
      system_term(system, divided->right->left), system_term(system, divided->right->right)};
  Linear linear = linear_open(proof, 1'000'000'000, 0);
  linear_begin(&linear);
  for (uint32_t i = 0; i < system->refutation.count; i++)
    linear_assert_clause(&linear, &system->refutation.items[i]);
  for (int64_t at = -128; at <= 127; at++)
    assert_values(&linear, proof, system_term(system, rule.right.expr), encoded, at, c);
  for (uint32_t i = 0; i < system->bands.count; i++)
    assert_unique(&linear, system, system_term(system, rule.left.expr->right), i);
  assert_int_equal(system->bands.count, c == 1 ? 0 : 2);
  linear_close(&linear);
  arena_rewind(arena, mark);
}

static void z3_agrees_on_every_small_pair(void **state) {
  (void)state;
  Arena *arena = arena_create();
  for (int64_t c = 1; c <= 127; c += divisor_step * test_length(1, 1, 3)) judge_divisor(arena, c);
  arena_destroy(arena);
}

static void engine_and_plain_evaluation_agree(void **state) {
  (void)state;
  Dice dice = {5};
  for (size_t i = 0; i < 3; i++)
    for (int64_t x = -128; x <= 127; x++)
      for (int64_t c = 1; c <= 127; c++)
        assert_true(plain_value(divisions[i], x, c) == engine_value(divisions[i], x, c));
  for (int i = 0; i < (int)test_length(1'000'000, 1'000'000, 100'000); i++) {
    int64_t x = dice_range(&dice, INT64_MIN, INT64_MAX),
            c = dice_range(&dice, 1, i % 2 == 0 ? INT64_MAX : 1000);
    if (i % 16 == 0) x = i % 32 == 0 ? INT64_MIN : INT64_MAX;
    for (size_t k = 0; k < 3; k++)
      if (plain_value(divisions[k], x, c) != engine_value(divisions[k], x, c))
        fail_msg("%s differs", expr_op_text(divisions[k]));
  }
}

/* 0 <= x - c*q <= c - 1 holds for the engine's quotient and not for its neighbours: the definition
 * admits exactly one quotient. */
static void the_definition_admits_one_quotient(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Rule rule = parse_rule(arena, "rule r x floordiv c => x when c > 0");
  RuleProof *proof = proof_create(arena, &rule);
  System *system = system_create(proof);
  system_state_guards(system);
  uint32_t before = system->refutation.count;
  Poly quotient = system_term(system, rule.left.expr);
  assert_int_equal(system->refutation.count, before + 1);
  const Branch *band = &system->refutation.items[before].branches[1];
  uint32_t atom;
  assert_true(poly_is_atom(proof->ring, quotient, &atom));
  Wide *values = ARENA_NEW(arena, Wide, proof->count);
  Dice dice = {6};
  for (int i = 0; i < (int)test_length(1'000'000, 1'000'000, 100'000); i++) {
    int64_t x = dice_range(&dice, INT64_MIN, INT64_MAX),
            c = dice_range(&dice, 1, i % 2 == 0 ? INT64_MAX : 1000);
    values[proof_letter(proof, UNKNOWN_EXPR, 0)] = x;
    values[proof_letter(proof, UNKNOWN_CONSTANT, 0)] = c;
    for (int move = -1; move <= 1; move++) {
      values[atom] = (Wide)floordiv64(x, c) + move;
      Wide low, high;
      assert_true(poly_evaluate(proof->ring, band->items[0].poly, values, &low) &&
                  poly_evaluate(proof->ring, band->items[1].poly, values, &high));
      if ((low >= 0 && high >= 0) != (move == 0))
        fail_msg("x = %lld, c = %lld", (long long)x, (long long)c);
    }
  }
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(z3_agrees_on_every_small_pair),
      cmocka_unit_test(engine_and_plain_evaluation_agree),
      cmocka_unit_test(the_definition_admits_one_quotient),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
