/* Substitution of variables and counting of nodes: walks that visit each shared node once. The
 * recursion is as deep as the expression, at most expr_max_depth. */

#include "core/expr/memo.h"

typedef struct SubstituteWalk {
  ExprPool *pool;
  const Substitution *by;
  Memo memo;
  Error *error;
} SubstituteWalk;

static Expr replacement(const SubstituteWalk *walk, const ExprNode *variable, Expr itself) {
  const Expr *of_kind = variable->var_kind == VAR_DIM     ? walk->by->dims
                        : variable->var_kind == VAR_RANGE ? walk->by->ranges
                                                          : walk->by->runtimes;
  if (of_kind == nullptr || of_kind[variable->var_index].at == 0) return itself;
  return of_kind[variable->var_index];
}

static bool substitute(SubstituteWalk *walk, Expr expr, Expr *result);

static bool substitute_operator(SubstituteWalk *walk, ExprNode node, Expr expr, Expr *result) {
  Expr left, right;
  if (!substitute(walk, node.left, &left) || !substitute(walk, node.right, &right)) return false;
  uint32_t depth_left = expr_node(walk->pool, left)->depth,
           depth_right = expr_node(walk->pool, right)->depth;
  if (depth_left >= expr_deepest(walk->pool) || depth_right >= expr_deepest(walk->pool))
    return error_set(walk->error, ERROR_LIMIT, "an expression is nested deeper than %u",
        expr_deepest(walk->pool));
  *result = expr_same(left, node.left) && expr_same(right, node.right)
                ? expr
                : expr_binary(walk->pool, node.op, left, right);
  return true;
}

static bool substitute(SubstituteWalk *walk, Expr expr, Expr *result) {
  const ExprNode node = *expr_node(walk->pool, expr);
  if (node.op == EXPR_CONST) {
    *result = expr;
    return true;
  }
  if (node.op == EXPR_VAR) {
    *result = replacement(walk, &node, expr);
    return true;
  }
  if (!memo_is_worth(&node)) return substitute_operator(walk, node, expr, result);
  uint32_t known;
  if (memo_find(&walk->memo, expr, &known)) {
    *result = (Expr){known};
    return true;
  }
  if (!substitute_operator(walk, node, expr, result)) return false;
  memo_insert(&walk->memo, expr, result->at);
  return true;
}

bool expr_substitute(ExprPool *pool, Arena *scratch, const Substitution *by, uint32_t count,
    const Expr *expressions, Expr *results, Error *error) {
  SubstituteWalk walk = {.pool = pool, .by = by, .memo = memo_create(scratch), .error = error};
  for (uint32_t i = 0; i < count; i++)
    if (!substitute(&walk, expressions[i], &results[i])) return false;
  return true;
}

static void count_from(const ExprPool *pool, Memo *seen, Expr expr) {
  uint32_t known;
  if (memo_find(seen, expr, &known)) return;
  memo_insert(seen, expr, 1);
  const ExprNode *node = expr_node(pool, expr);
  if (node->op == EXPR_CONST || node->op == EXPR_VAR) return;
  count_from(pool, seen, node->left);
  count_from(pool, seen, node->right);
}

uint32_t expr_count(const ExprPool *pool, Arena *scratch, uint32_t root_count, const Expr *roots) {
  Memo seen = memo_create(scratch);
  for (uint32_t i = 0; i < root_count; i++) count_from(pool, &seen, roots[i]);
  return seen.count;
}
