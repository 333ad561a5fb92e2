/* Equal trees share a handle, a rewind forgets exactly the newer expressions, and substitution
 * visits shared nodes once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/expr/expr.h"

static void equal_trees_share_a_handle(void **state) {
  (void)state;
  ExprPool *pool = expr_pool_create();
  Expr d0 = expr_var(pool, VAR_DIM, 0), s0 = expr_var(pool, VAR_RANGE, 0),
       two = expr_const(pool, 2);
  assert_true(expr_same(expr_binary(pool, EXPR_MUL, d0, two),
      expr_binary(pool, EXPR_MUL, expr_var(pool, VAR_DIM, 0), expr_const(pool, 2))));
  assert_false(expr_same(d0, s0));
  assert_false(expr_same(expr_binary(pool, EXPR_ADD, d0, s0), expr_binary(pool, EXPR_ADD, s0, d0)));
  assert_false(expr_same(expr_const(pool, INT64_MAX), expr_const(pool, -1)));
  expr_pool_destroy(pool);
}

static void nothing_is_folded(void **state) {
  (void)state;
  ExprPool *pool = expr_pool_create();
  Expr zero = expr_const(pool, 0), d0 = expr_var(pool, VAR_DIM, 0);
  Expr sum = expr_binary(pool, EXPR_ADD, d0, zero);
  assert_int_equal(expr_node(pool, sum)->op, EXPR_ADD);
  assert_true(expr_same(expr_node(pool, sum)->right, zero));
  expr_pool_destroy(pool);
}

/* The same expressions, made again after a rewind, get the same handles, even when the table has
 * grown. */
static void a_rewind_forgets_what_is_newer(void **state) {
  (void)state;
  ExprPool *pool = expr_pool_create();
  Expr d0 = expr_var(pool, VAR_DIM, 0);
  for (int round = 0; round < 3; round++) {
    uint32_t mark = expr_pool_mark(pool);
    Expr last = d0;
    for (int i = 0; i < 5000; i++) last = expr_binary(pool, EXPR_ADD, d0, expr_const(pool, i));
    assert_int_equal(last.at, mark + 2 * 5000 - 1);
    expr_pool_rewind(pool, mark);
    assert_int_equal(pool->count, mark);
    assert_true(expr_same(expr_var(pool, VAR_DIM, 0), d0));
  }
  expr_pool_destroy(pool);
}

/* x doubled 60 times: a tree of 2^60 leaves with 61 nodes. */
static void shared_nodes_are_visited_once(void **state) {
  (void)state;
  ExprPool *pool = expr_pool_create();
  Arena *arena = arena_create();
  Expr x = expr_var(pool, VAR_DIM, 0), y = expr_var(pool, VAR_RANGE, 3), image;
  for (int i = 0; i < 60; i++) x = expr_binary(pool, EXPR_ADD, x, x);
  assert_int_equal(expr_count(pool, arena, 1, &x), 61);
  Error error = {};
  assert_true(expr_substitute(pool, arena, &(Substitution){.dims = &y}, 1, &x, &image, &error));
  assert_int_equal(expr_count(pool, arena, 1, &image), 61);
  assert_int_equal(expr_tree_size(pool, image), UINT32_MAX);
  arena_destroy(arena);
  expr_pool_destroy(pool);
}

static void substitution_past_the_depth_is_rejected(void **state) {
  (void)state;
  ExprPool *pool = expr_pool_create();
  Arena *arena = arena_create();
  Expr one = expr_const(pool, 1), deep = expr_var(pool, VAR_DIM, 0), image;
  for (uint32_t i = 1; i < expr_max_depth; i++) deep = expr_binary(pool, EXPR_ADD, deep, one);
  Error error = {};
  assert_false(
      expr_substitute(pool, arena, &(Substitution){.dims = &deep}, 1, &deep, &image, &error));
  assert_int_equal(error.kind, ERROR_LIMIT);
  arena_destroy(arena);
  expr_pool_destroy(pool);
}

static void evaluation_reports_overflow_and_bad_divisors(void **state) {
  (void)state;
  ExprPool *pool = expr_pool_create();
  Expr d0 = expr_var(pool, VAR_DIM, 0), d1 = expr_var(pool, VAR_DIM, 1);
  int64_t values[] = {INT64_MAX, 0}, result;
  Point point = {.dims = values};
  assert_false(
      expr_evaluate(pool, expr_binary(pool, EXPR_ADD, d0, expr_const(pool, 1)), &point, &result));
  assert_false(expr_evaluate(pool, expr_binary(pool, EXPR_MOD, d0, d1), &point, &result));
  assert_true(expr_evaluate(pool, expr_binary(pool, EXPR_MAX, d0, d1), &point, &result));
  assert_true(result == INT64_MAX);
  expr_pool_destroy(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_trees_share_a_handle),
      cmocka_unit_test(nothing_is_folded),
      cmocka_unit_test(a_rewind_forgets_what_is_newer),
      cmocka_unit_test(shared_nodes_are_visited_once),
      cmocka_unit_test(substitution_past_the_depth_is_rejected),
      cmocka_unit_test(evaluation_reports_overflow_and_bad_divisors),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
