/* The walk over variables: what is shared is entered once. Recursion is as deep as the expression,
 * at most expr_max_depth. */
#include "core/simplify/each_variable.h"

void each_variable(const ExprPool *pool, Memo *seen, Expr expr, VariableVisit visit, void *data) {
  const ExprNode *node = expr_node(pool, expr);
  uint32_t known;
  if (node->op == EXPR_CONST) return;
  if (node->op == EXPR_VAR) {
    visit(data, node->var_kind, node->var_index);
    return;
  }
  if (memo_find(seen, expr, &known)) return;
  memo_insert(seen, expr, 1);
  each_variable(pool, seen, node->left, visit, data);
  each_variable(pool, seen, node->right, visit, data);
}
