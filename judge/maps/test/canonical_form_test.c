/* Tests of the canonicity checks that no mutant of the engine covers: operands and constraints are
 * reordered, and every map of an answer is checked. */
#include "judge/maps/canonical_form.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/map/text.h"

static Judge *judge_alone(void) {
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){.without_oracle = true, .without_smt = true}, &error);
  if (judge == nullptr) fail_msg("%s", error.message);
  return judge;
}

static const Map *map_of(Judge *judge, const char *text) {
  const Map *map;
  Error error = {};
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  if (!map_parse(judge->context, &source, &map, &error)) fail_msg("%s: %s", text, error.message);
  return map;
}

static void require_exchanged(const Map *map, const Map *reordered, ExprPool *pool) {
  for (uint32_t i = 0; i < map->result_count; i++) {
    ExprNode before = *expr_node(pool, map->results[i]),
             after = *expr_node(pool, reordered->results[i]);
    bool commutes = before.op == EXPR_ADD || before.op == EXPR_MUL || before.op == EXPR_MIN ||
                    before.op == EXPR_MAX;
    assert_int_equal(before.op, after.op);
    assert_true(expr_same(after.left, commutes ? before.right : before.left) &&
                expr_same(after.right, commutes ? before.left : before.right));
  }
}

static void operands_and_constraints_are_exchanged(void **) {
  Judge *judge = judge_alone();
  const Map *map = map_of(judge,
      "(d0, d1) -> (d0 + d1, d0 * 3, min(d0, d1), max(d0, d1), d0 floordiv 2, d0 mod 3), domain: d0 in [0, 9], d1 in [0, 9], d0 + d1 in [0, 5], d0 mod 2 in [0, 0]");
  const Map *reordered = map_reordered(judge->context, map);
  require_exchanged(map, reordered, judge->context->pool);
  assert_int_equal(reordered->constraint_count, 2);
  assert_true(expr_same(reordered->constraints[0].expr, map->constraints[1].expr) &&
              reordered->constraints[1].in.hi == 5);
  judge_destroy(judge);
}

static void chains_are_nested_in_another_way(void **) {
  static const struct {
    const char *map, *regrouped;
  } rows[] = {{"d0 + 3 + d1", "3 + d1 + d0"}, {"min(min(d0, 7), d1)", "min(min(7, d1), d0)"},
      {"max(max(d0, d1 + 2 + d0), 4) mod 5", "max(max(2 + d0 + d1, 4), d0) mod 5"},
      {"max(min(d0, d1), 3)", "max(min(d0, d1), 3)"}, {"d0 + (d1 + 3)", "d0 + (d1 + 3)"},
      {"d0 + -9223372036854775807 + d1", "-9223372036854775807 + d1 + d0"},
      {"-9 + 9223372036854775807 + d0", "-9 + 9223372036854775807 + d0"}};
  Judge *judge = judge_alone();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static const char text[] = "(d0, d1) -> (%s), domain: d0 in [1, 9], d1 in [1, 9], %s in [2, 9]";
    const Map *pair[2];
    for (size_t k = 0; k < 2; k++) {
      const char *expr = k == 0 ? rows[i].map : rows[i].regrouped;
      pair[k] = map_of(judge, arena_printf(judge->context->arena, text, expr, expr));
    }
    const Map *made = map_regrouped(judge->context, pair[0]);
    assert_true(expr_same(made->results[0], pair[1]->results[0]));
    assert_true(expr_same(made->constraints[0].expr, pair[1]->constraints[0].expr));
    assert_true(made->constraints[0].in.lo == 2 && made->constraints[0].in.hi == 9);
  }
  judge_destroy(judge);
}

static void constant_factors_are_joined(void **) {
  Judge *judge = judge_alone();
  const Map *left = map_of(judge, "(d0) -> (1 + -(2 * d0)), domain: d0 in [0, 9]");
  const Map *right = map_of(judge, "(d0) -> (1 - d0 * 2), domain: d0 in [0, 9]");
  assert_false(expr_same(left->results[0], right->results[0]));
  assert_true(expr_same(map_joined(judge->context, left)->results[0], right->results[0]));
  assert_true(expr_same(map_joined(judge->context, right)->results[0], right->results[0]));
  judge_destroy(judge);
}

/* No map that is parsed leaves int64; this one does. */
static const Map *map_that_leaves(Judge *judge) {
  ExprPool *pool = judge->context->pool;
  const Map *map = map_of(judge, "(d0) -> (d0), domain: d0 in [2, 9]");
  map->results[0] = expr_binary(pool, EXPR_MUL, map->results[0], expr_const(pool, INT64_MAX));
  return map;
}

static void each_map_of_an_answer_counts(void **) {
  Judge *judge = judge_alone();
  const Map *maps[] = {map_of(judge, "(d0) -> (d0), domain: d0 in [0, 9]"), map_that_leaves(judge),
      map_of(judge, "(d0) -> (d0 mod 10), domain: d0 in [0, 9]")};
  static const VerdictStatus statuses[] = {VERDICT_PROVED, VERDICT_UNKNOWN, VERDICT_REFUTED};
  UnequalMaps unequal = {};
  for (uint32_t count = 1; count <= 3; count++) {
    MapSet answer = {.maps = maps, .count = count};
    assert_int_equal(answer_idempotence(judge->context, judge->simplifier, &answer, &unequal),
        statuses[count - 1]);
    if (count > 1) assert_true(unequal.before == maps[count - 1]);
  }
  judge_destroy(judge);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operands_and_constraints_are_exchanged),
      cmocka_unit_test(chains_are_nested_in_another_way),
      cmocka_unit_test(constant_factors_are_joined),
      cmocka_unit_test(each_map_of_an_answer_counts),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
