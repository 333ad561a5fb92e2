/* An order of operands by structure only, for opaque terms: expressions for which collecting a sum
 * would take a coefficient or a constant out of int64 although no value leaves it (d0 * 2^40 * 2^40
 * with d0 in [0, 0]).
 *
 * Keeps: the operands of each +, *, min and max are sorted, constants last; constant subexpressions
 * are folded; the constant factors of a product are joined and stand outside; there is no neutral
 * operand. No value changes, and no intermediate one becomes larger. The recursion is as deep as
 * the expression, at most expr_max_depth. */
#include "core/simplify/engine.h"

#include "core/base/checked.h"

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

static Expr stated_pair(ExprPool *pool, ExprOp op, Expr left, Expr right) {
  bool exchange = commutes(op) && stated_compare(pool, left, right) > 0;
  return folded(pool, op, exchange ? right : left, exchange ? left : right);
}

/* The constant of `x * c`, with x in `rest`; 1 if there is none. */
static int64_t stated_factor(const ExprPool *pool, Expr expr, Expr *rest) {
  const ExprNode *node = expr_node(pool, expr);
  int64_t factor;
  *rest = expr;
  if (node->op != EXPR_MUL || !expr_is_const(pool, node->right, &factor)) return 1;
  *rest = node->left;
  return factor;
}

/* (x * c) * d as x * (c * d). */
static bool stated_scaled(ExprPool *pool, Expr left, int64_t number, Expr *product) {
  Expr rest;
  int64_t factor = stated_factor(pool, left, &rest);
  if (expr_same(rest, left) || !mul64(factor, number, &factor)) return false;
  *product = stated_pair(pool, EXPR_MUL, rest, expr_const(pool, factor));
  return true;
}

/* (x * c) * (y * d) as (x * y) * (c * d), unless that is deeper, or x * y can be larger than the
 * product. That is so if c * d is 0, and for 2^63 if it is -1. */
static bool stated_joined(ExprPool *pool, Expr left, Expr right, uint16_t deepest, Expr *product) {
  Expr x, y;
  int64_t c = stated_factor(pool, left, &x), d = stated_factor(pool, right, &y), factor;
  if ((c == 1 && d == 1) || !mul64(c, d, &factor) || factor == 0 || factor == -1) return false;
  uint16_t deeper = expr_node(pool, x)->depth, other = expr_node(pool, y)->depth;
  if (other > deeper) deeper = other;
  if (deeper + 2 > deepest) return false;
  Expr joined = stated_pair(pool, EXPR_MUL, x, y);
  *product = stated_pair(pool, EXPR_MUL, joined, expr_const(pool, factor));
  return true;
}

/* The product of two sorted factors. */
static Expr stated_product(ExprPool *pool, Expr left, Expr right, uint16_t deepest) {
  int64_t number;
  Expr product;
  bool is_joined = expr_is_const(pool, right, &number) ? stated_scaled(pool, left, number, &product)
                   : expr_is_const(pool, left, &number)
                       ? stated_scaled(pool, right, number, &product)
                       : stated_joined(pool, left, right, deepest, &product);
  return is_joined ? product : stated_pair(pool, EXPR_MUL, left, right);
}

Expr stated_sorted(ExprPool *pool, Memo *memo, Expr expr) {
  const ExprNode node = *expr_node(pool, expr);
  uint32_t known;
  if (node.op == EXPR_CONST || node.op == EXPR_VAR) return expr;
  if (memo_find(memo, expr, &known)) return (Expr){known};
  Expr left = stated_sorted(pool, memo, node.left), right = stated_sorted(pool, memo, node.right);
  Expr result = node.op == EXPR_MUL ? stated_product(pool, left, right, node.depth)
                                    : stated_pair(pool, node.op, left, right);
  assert(expr_node(pool, result)->depth <= node.depth);
  memo_insert(memo, expr, result.at);
  return result;
}
