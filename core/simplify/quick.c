/* A path without a normal form, for maps on which no rule can fire. The compiled rules decide what
 * can fire: at most `u => lo(u) when lo(u) == hi(u)` on a variable, and nothing on a sum of
 * variables. Sums of constants and sums with 0 count as their values. With other rules of a user's
 * own there is no such path.
 *
 * Keeps: the same result as the full path, handle by handle. */
#include "core/simplify/quick.h"

#include <assert.h>

#include "core/simplify/facts/fold.h"

static bool is_bound(const Formula *formula, CodeOp op) {
  return formula->count == 1 && formula->items[0].op == op && formula->items[0].letter == 0;
}

/* `u => lo(u) when lo(u) == hi(u)`. */
static bool replaces_points(const MatchPlan *plan) {
  const PlanTemplate *right = plan->right;
  assert(right != nullptr);
  return plan->root == PLAN_ANY_ATOM && plan->order == ORDER_NONE && plan->guard_count == 1 &&
         plan->guards[0].relation == REL_EQ && is_bound(&plan->guards[0].left, CODE_LO) &&
         is_bound(&plan->guards[0].right, CODE_HI) && right->count == 0 &&
         is_bound(&right->constant, CODE_LO);
}

/* True if a rule on sums could fire on a sum of only variables. */
static bool takes_variables(const PlanSet *set) {
  static constexpr uint16_t variable = 1u << EXPR_VAR;
  bool takes = ((set->sum_needs | set->cancel_needs) & variable) != 0;
  for (uint32_t i = 0; i < set->on_sums.count; i++) takes |= set->on_sums.items[i]->needs == 0;
  return takes;
}

void quick_prepare(Simplifier *simplifier) {
  const PlanList *on_variables = &simplifier->main.by_op[EXPR_VAR];
  assert(simplifier->point == nullptr);
  if (on_variables->count == 1 && replaces_points(on_variables->items[0]))
    simplifier->point = on_variables->items[0];
  simplifier->has_only_point = on_variables->count == (simplifier->point != nullptr) &&
                               simplifier->text.by_op[EXPR_VAR].count == 0 &&
                               !takes_variables(&simplifier->main) &&
                               !takes_variables(&simplifier->text);
}

bool simplifier_keeps_variables(const Simplifier *simplifier) { return simplifier->has_only_point; }

/* u for `0 + u` and `u + 0`; else the expression itself. */
static Expr quick_part(const ExprPool *pool, Expr expr) {
  const ExprNode *node = expr_node(pool, expr);
  int64_t added;
  if (node->op != EXPR_ADD) return expr;
  if (expr_is_const(pool, node->left, &added) && added == 0) return node->right;
  return expr_is_const(pool, node->right, &added) && added == 0 ? node->left : expr;
}

[[gnu::noinline]] static bool is_quick_sum(const ExprPool *pool, Expr expr) {
  int64_t ignored;
  const ExprNode *node = expr_node(pool, quick_part(pool, expr));
  return node->op == EXPR_VAR || fold_constant(pool, node, &ignored);
}

/* True for a variable, for a sum of constants, and for a sum of 0 and one of these. */
static bool is_quick(const ExprPool *pool, Expr expr) {
  ExprOp op = expr_node(pool, expr)->op;
  return op == EXPR_VAR || op == EXPR_CONST || is_quick_sum(pool, expr);
}

/* The variable or the constant that the sum is. */
[[gnu::noinline]] static Expr quick_sum(ExprPool *pool, Expr expr) {
  int64_t value;
  expr = quick_part(pool, expr);
  return fold_constant(pool, expr_node(pool, expr), &value) ? expr_const(pool, value) : expr;
}

static Expr quick_expr(const Simplifier *simplifier, bool keep_points, Expr expr) {
  ExprPool *pool = simplifier->context->pool;
  if (expr_node(pool, expr)->op > EXPR_VAR) expr = quick_sum(pool, expr);
  const ExprNode *node = expr_node(pool, expr);
  if (node->op == EXPR_CONST) return expr;
  assert(node->op == EXPR_VAR);
  Interval bounds = simplifier->bounds[node->var_kind][node->var_index];
  assert(bounds.lo <= bounds.hi);
  bool is_point = bounds.lo == bounds.hi && simplifier->point != nullptr && !keep_points;
  return is_point ? expr_const(pool, bounds.lo) : expr;
}

static bool are_quick(const Simplifier *simplifier, const Map *map) {
  for (uint32_t i = 0; i < map->result_count; i++)
    if (!is_quick(simplifier->context->pool, map->results[i])) return false;
  return true;
}

bool quick_map(Simplifier *simplifier, const Map *map, const SimplifyOptions *options,
    const Map **simplified) {
  if (simplifier->kept_count > 0 || !simplifier->has_only_point || !are_quick(simplifier, map))
    return false;
  bool keep_points = options != nullptr && options->keep_points;
  Map *to = map_create_unset(simplifier->context, map->dim_count, map->range_count,
      map->runtime_count, map->result_count, 0);
  to->sources = map->sources;
  simplifier_write_variables(simplifier, map, to);
  for (uint32_t i = 0; i < map->result_count; i++)
    to->results[i] = quick_expr(simplifier, keep_points, map->results[i]);
  *simplified = to;
  assert(map_is_checked(simplifier->context, to) && !map_has_empty_bounds(to));
  return true;
}
