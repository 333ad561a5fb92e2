/* Walks over shared nodes. A node is copied before any callback, because a callback may grow the
 * pool. */
#include "core/expr/visit.h"

#include <assert.h>

static bool node_is_leaf(const ExprNode *node) {
  return node->op == EXPR_CONST || node->op == EXPR_VAR;
}

bool expr_any(const ExprPool *pool, Memo *seen, Expr expr, ExprTest *test, void *state) {
  assert(expr.at > 0 && expr.at < pool->count);
  const ExprNode node = *expr_node(pool, expr);
  uint32_t known;
  if (memo_is_worth(&node)) {
    if (memo_find(seen, expr, &known)) return false;
    memo_insert(seen, expr, 1);
  }
  if (test(state, expr, node)) return true;
  return !node_is_leaf(&node) && (expr_any(pool, seen, node.left, test, state) ||
                                     expr_any(pool, seen, node.right, test, state));
}

static bool any_once(const ExprPool *pool, Arena *scratch, Expr expr, ExprTest *test, void *state) {
  ArenaMark mark = arena_mark(scratch);
  Memo seen = memo_create(scratch);
  bool holds = expr_any(pool, &seen, expr, test, state);
  arena_rewind(scratch, mark);
  return holds;
}

static bool is_part(void *state, Expr expr, ExprNode) {
  return expr_same(expr, *(const Expr *)state);
}

/* A subexpression has a smaller handle than the expression. */
bool expr_contains(const ExprPool *pool, Arena *scratch, Expr expr, Expr part) {
  return part.at <= expr.at && any_once(pool, scratch, expr, is_part, &part);
}

static bool is_of_kinds(void *state, Expr, ExprNode node) {
  return node.op == EXPR_VAR && (*(const uint32_t *)state >> node.var_kind & 1) != 0;
}

bool expr_has_kinds(const ExprPool *pool, Arena *scratch, Expr expr, uint32_t kinds) {
  return any_once(pool, scratch, expr, is_of_kinds, &kinds);
}

static bool mark_variable(void *state, Expr, ExprNode node) {
  const ExprVariables *variables = *(const ExprVariables **)state;
  if (node.op == EXPR_VAR && variables->of[node.var_kind] != nullptr)
    variables->of[node.var_kind][node.var_index] = true;
  return false;
}

void expr_mark_variables(
    const ExprPool *pool, Memo *seen, Expr expr, const ExprVariables *variables) {
  (void)expr_any(pool, seen, expr, mark_variable, &variables);
}

uint32_t expr_fold(const ExprPool *pool, Memo *values, Expr expr, ExprFold *fold, void *state) {
  assert(expr.at > 0 && expr.at < pool->count);
  const ExprNode node = *expr_node(pool, expr);
  uint32_t value;
  if (node_is_leaf(&node)) return fold(state, expr, node, 0, 0);
  if (memo_find(values, expr, &value)) return value;
  uint32_t left = expr_fold(pool, values, node.left, fold, state),
           right = expr_fold(pool, values, node.right, fold, state);
  value = fold(state, expr, node, left, right);
  memo_insert(values, expr, value);
  return value;
}
