/* An order of operands by structure only, for opaque terms: expressions for which collecting a sum
 * would take a coefficient or a constant out of int64 although no value leaves it (d0 * 2^40 * 2^40
 * with d0 in [0, 0]).
 *
 * Keeps: the operands of each +, *, min and max are sorted, constants last; constant subexpressions
 * are folded; there is no neutral operand. No value changes, and no intermediate one. The recursion
 * is as deep as the expression, at most expr_max_depth. */
#include "core/simplify/engine.h"

static int compare_integers(int64_t a, int64_t b) { return (a > b) - (a < b); }

/* Two different expressions differ along one path downwards, because handles are shared. */
int stated_compare(const ExprPool *pool, Expr a, Expr b) {
  if (expr_same(a, b)) return 0;
  const ExprNode *x = expr_node(pool, a), *y = expr_node(pool, b);
  if (x->op != y->op) return x->op > y->op ? -1 : 1;
  if (x->op == EXPR_CONST) return compare_integers(x->value, y->value);
  if (x->op == EXPR_VAR)
    return x->var_kind != y->var_kind ? compare_integers(x->var_kind, y->var_kind)
                                      : compare_integers(x->var_index, y->var_index);
  return expr_same(x->left, y->left) ? stated_compare(pool, x->right, y->right)
                                     : stated_compare(pool, x->left, y->left);
}

static bool commutes(ExprOp op) {
  return op == EXPR_ADD || op == EXPR_MUL || op == EXPR_MIN || op == EXPR_MAX;
}

/* Folds two numbers if the value fits, and removes a neutral right operand. Numbers are on the
 * right. */
static Expr folded(ExprPool *pool, ExprOp op, Expr left, Expr right) {
  int64_t number, value;
  assert(!commutes(op) || stated_compare(pool, left, right) <= 0);
  Expr expr = expr_binary(pool, op, left, right);
  if (!expr_is_const(pool, right, &number)) return expr;
  if (expr_is_const(pool, left, nullptr) && expr_evaluate(pool, expr, &(Point){}, &value))
    return expr_const(pool, value);
  bool is_left = (op == EXPR_ADD && number == 0) ||
                 ((op == EXPR_MUL || op == EXPR_FLOORDIV || op == EXPR_CEILDIV) && number == 1);
  return is_left ? left : expr;
}

Expr stated_sorted(ExprPool *pool, Memo *memo, Expr expr) {
  const ExprNode node = *expr_node(pool, expr);
  uint32_t known;
  if (node.op == EXPR_CONST || node.op == EXPR_VAR) return expr;
  if (memo_find(memo, expr, &known)) return (Expr){known};
  Expr left = stated_sorted(pool, memo, node.left), right = stated_sorted(pool, memo, node.right);
  bool exchange = commutes(node.op) && stated_compare(pool, left, right) > 0;
  Expr result = folded(pool, node.op, exchange ? right : left, exchange ? left : right);
  assert(expr_node(pool, result)->depth <= node.depth);
  memo_insert(memo, expr, result.at);
  return result;
}
