/* A path without a normal form, for maps on which no rule can fire. The compiled rules decide what
 * can fire: at most `u => lo(u) when lo(u) == hi(u)` on a variable, and nothing on a sum of
 * variables. With other rules of a user's own there is no such path.
 *
 * Keeps: the same result as the full path, handle by handle. */
#include "core/simplify/quick.h"

#include <assert.h>

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

/* The result for a variable or a constant; a null handle for any other expression. */
static Expr quick_expr(const Simplifier *simplifier, bool keep_points, Expr expr) {
  ExprPool *pool = simplifier->context->pool;
  const ExprNode *node = expr_node(pool, expr);
  if (node->op == EXPR_CONST) return expr;
  if (node->op != EXPR_VAR) return (Expr){0};
  Interval bounds = simplifier->bounds[node->var_kind][node->var_index];
  assert(bounds.lo <= bounds.hi);
  bool is_point = bounds.lo == bounds.hi && simplifier->point != nullptr && !keep_points;
  return is_point ? expr_const(pool, bounds.lo) : expr;
}

static bool are_quick(const Simplifier *simplifier, const Map *map) {
  for (uint32_t i = 0; i < map->result_count; i++) {
    ExprOp op = expr_node(simplifier->context->pool, map->results[i])->op;
    if (op != EXPR_VAR && op != EXPR_CONST) return false;
  }
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
