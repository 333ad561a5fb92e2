/* The engine's evaluation of one expression at one point, in int64. The cost is the size of the
 * tree. The recursion is as deep as the expression, at most expr_max_depth. */
#include "core/base/checked.h"
#include "core/expr/expr.h"

static int64_t variable_value(const ExprNode *node, const Point *point) {
  switch (node->var_kind) {
    case VAR_DIM: return point->dims[node->var_index];
    case VAR_RANGE: return point->ranges[node->var_index];
    case VAR_RUNTIME: return point->runtimes[node->var_index];
  }
  return 0;
}

static bool apply(ExprOp op, int64_t left, int64_t right, int64_t *value) {
  switch (op) {
    case EXPR_ADD: return add64(left, right, value);
    case EXPR_MUL: return mul64(left, right, value);
    case EXPR_FLOORDIV:
      if (right > 0) *value = floordiv64(left, right);
      return right > 0;
    case EXPR_CEILDIV:
      if (right > 0) *value = ceildiv64(left, right);
      return right > 0;
    case EXPR_MOD:
      if (right > 0) *value = mod64(left, right);
      return right > 0;
    case EXPR_MIN: *value = min64(left, right); return true;
    case EXPR_MAX: *value = max64(left, right); return true;
    case EXPR_CONST:
    case EXPR_VAR: return false;
  }
  return false;
}

bool expr_evaluate(const ExprPool *pool, Expr expr, const Point *point, int64_t *value) {
  const ExprNode *node = expr_node(pool, expr);
  if (node->op == EXPR_CONST) {
    *value = node->value;
    return true;
  }
  if (node->op == EXPR_VAR) {
    *value = variable_value(node, point);
    return true;
  }
  int64_t left, right;
  return expr_evaluate(pool, node->left, point, &left) &&
         expr_evaluate(pool, node->right, point, &right) && apply(node->op, left, right, value);
}
