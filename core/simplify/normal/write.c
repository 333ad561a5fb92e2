/* Writes sums as expressions: a left-deep chain of additions, summands in canonical order (in the
 * last stage with the first positive summand in front), coefficients on the right, the constant
 * last. A node memoizes its expression. The recursion is as deep as atoms nest, at most
 * normal_max_depth. */
#include <assert.h>

#include "core/simplify/engine.h"

static Expr no_expr(Simplifier *simplifier) {
  simplifier->has_failed = true;
  return (Expr){0};
}

static Expr operation_write(Simplifier *simplifier, ExprOp op, Expr left, Expr right) {
  ExprPool *pool = simplifier->context->pool;
  if (left.at == 0 || right.at == 0) return (Expr){0};
  if (expr_node(pool, left)->depth >= expr_deepest(pool) ||
      expr_node(pool, right)->depth >= expr_deepest(pool))
    return no_expr(simplifier);
  return expr_binary(pool, op, left, right);
}

static Expr number_out(Simplifier *simplifier, int64_t value) {
  simplifier_number(simplifier, value);
  return expr_const(simplifier->context->pool, value);
}

static Expr atom_out(Simplifier *simplifier, NormalAtom *atom) {
  ExprPool *pool = simplifier->context->pool;
  if (atom->op == EXPR_VAR)
    return atom->expr.at != 0 ? atom->expr : expr_var(pool, atom->var_kind, atom->var_index);
  if (atom->op == EXPR_ADD || atom->expr_stamp == simplifier->writing) return atom->expr;
  Expr expr = convert_out(simplifier, atom->arguments[0]);
  if (atom->count == 1)
    expr = operation_write(simplifier, atom->op, expr, number_out(simplifier, atom->divisor));
  for (uint32_t i = 1; i < atom->count; i++)
    expr = operation_write(simplifier, atom->op, expr, convert_out(simplifier, atom->arguments[i]));
  assert(expr.at == 0 || expr_node(pool, expr)->op == atom->op);
  atom->expr = expr;
  atom->expr_stamp = simplifier->writing;
  return expr;
}

static Expr summand_out(Simplifier *simplifier, const Summand *item) {
  Expr expr = atom_out(simplifier, item->atom);
  if (item->coefficient == 1) return expr;
  return operation_write(simplifier, EXPR_MUL, expr, number_out(simplifier, item->coefficient));
}

Expr convert_out(Simplifier *simplifier, NormalSum *sum) {
  if (sum->expr_stamp == simplifier->writing) return sum->expr;
  Expr expr = {0};
  uint32_t leader = simplifier->leads ? sum_leader(sum->items, sum->count) : 0;
  for (uint32_t i = 0; i < sum->count; i++) {
    Expr one = summand_out(simplifier, &sum->items[sum_turn(leader, i)]);
    expr = i == 0 ? one : operation_write(simplifier, EXPR_ADD, expr, one);
  }
  if (sum->count == 0) expr = number_out(simplifier, sum->constant);
  else if (sum->constant != 0)
    expr = operation_write(simplifier, EXPR_ADD, expr, number_out(simplifier, sum->constant));
  assert(simplifier->has_failed || expr.at != 0);
  assert(expr.at < simplifier->context->pool->count);
  sum->expr = expr;
  sum->expr_stamp = simplifier->writing;
  return expr;
}
