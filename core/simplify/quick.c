/* A path without a normal form, for maps on which no rule can fire. The compiled rules decide what
 * can fire: at most `u => lo(u) when lo(u) == hi(u)` on a variable, nothing on a sum of variables
 * and constants, and on a division of a variable only what its bounds and divisor permit. Constants
 * of a sum are added up. With other rules of a user's own there is no such path.
 *
 * Keeps: the same result as the full path, handle by handle. */
#include "core/simplify/quick.h"

#include <assert.h>

#include "core/simplify/facts/fold.h"
#include "core/simplify/match/filter.h"

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

/* True if a rule on sums could fire on a single atom `u op c`, where u is a variable. */
static bool takes_division(const Simplifier *simplifier, const PlanSet *set, ExprOp op) {
  bool takes = set->on_cancel[op].count > 0 && simplifier->has_users_rules;
  for (uint32_t i = 0; i < set->on_sums.count; i++) {
    const MatchPlan *plan = set->on_sums.items[i];
    takes |= (plan->needs & ~(1u << op)) == 0 && plan->filter.picks <= 1 &&
             plan->filter.kind != FILTER_CONSTANT && plan->order != ORDER_TURNS;
  }
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
  for (ExprOp op = EXPR_FLOORDIV; op <= EXPR_MOD; op++)
    if (simplifier->text.by_op[op].count == 0 &&
        !takes_division(simplifier, &simplifier->main, op) &&
        !takes_division(simplifier, &simplifier->text, op))
      simplifier->lone |= (uint16_t)(1u << op);
}

bool simplifier_keeps_variables(const Simplifier *simplifier) { return simplifier->has_only_point; }

static bool is_replaced(const Simplifier *simplifier, bool keep_points, Interval bounds) {
  assert(bounds.lo <= bounds.hi);
  return bounds.lo == bounds.hi && simplifier->point != nullptr && !keep_points;
}

/* A variable plus a constant. False if the numbers may need the closure. */
static bool quick_shift(
    Simplifier *simplifier, bool keep_points, const Shift *shift, Expr *result) {
  ExprPool *pool = simplifier->context->pool;
  const ExprNode *variable = expr_node(pool, shift->variable);
  Interval bounds = simplifier->bounds[variable->var_kind][variable->var_index];
  uint64_t numbers = simplifier->numbers | shift->numbers | simplifier_magnitude(shift->added);
  if (numbers >> shift_bits != 0) return false;
  simplifier->numbers = numbers;
  if (is_replaced(simplifier, keep_points, bounds))
    *result = expr_const(pool, bounds.lo + shift->added);
  else if (shift->added == 0) *result = shift->variable;
  else *result = expr_binary(pool, EXPR_ADD, shift->variable, expr_const(pool, shift->added));
  return true;
}

/* True for a division of a variable on which no rule fires. */
static bool is_quick_division(Simplifier *simplifier, Expr expr, ExprOp op) {
  const ExprNode *variable;
  int64_t divisor;
  if (!fold_division(simplifier->context->pool, expr, &variable, &divisor)) return false;
  uint64_t numbers = simplifier->numbers | simplifier_magnitude(divisor);
  Interval bounds = simplifier->bounds[variable->var_kind][variable->var_index];
  if (numbers >> shift_bits != 0 || filter_variable(simplifier, op, bounds, divisor)) return false;
  simplifier->numbers = numbers;
  return true;
}

[[gnu::noinline]] static bool quick_sum(
    Simplifier *simplifier, bool keep_points, Expr expr, Expr *result) {
  Shift shift;
  ExprOp op = expr_node(simplifier->context->pool, expr)->op;
  if ((simplifier->lone >> op & 1) != 0) {
    *result = expr;
    return is_quick_division(simplifier, expr, op);
  }
  if (!fold_shift(simplifier->context->pool, expr, &shift)) return false;
  if (shift.variable.at != 0) return quick_shift(simplifier, keep_points, &shift, result);
  *result = expr_const(simplifier->context->pool, shift.added);
  return true;
}

static bool quick_expr(Simplifier *simplifier, bool keep_points, Expr expr, Expr *result) {
  ExprPool *pool = simplifier->context->pool;
  const ExprNode *node = expr_node(pool, expr);
  if (node->op > EXPR_VAR) return quick_sum(simplifier, keep_points, expr, result);
  *result = expr;
  if (node->op == EXPR_CONST) return true;
  Interval bounds = simplifier->bounds[node->var_kind][node->var_index];
  if (is_replaced(simplifier, keep_points, bounds)) *result = expr_const(pool, bounds.lo);
  return true;
}

bool quick_map(Simplifier *simplifier, const Map *map, const SimplifyOptions *options,
    const Map **simplified) {
  if (simplifier->kept_count > 0 || !simplifier->has_only_point) return false;
  bool keep_points = options != nullptr && options->keep_points;
  ArenaMark mark = arena_mark(simplifier->context->arena);
  Map *to = map_create_unset(simplifier->context, map->dim_count, map->range_count,
      map->runtime_count, map->result_count, 0);
  for (uint32_t i = 0; i < map->result_count; i++) {
    if (quick_expr(simplifier, keep_points, map->results[i], &to->results[i])) continue;
    arena_rewind(simplifier->context->arena, mark);
    return false;
  }
  to->sources = map->sources;
  simplifier_write_variables(simplifier, map, to);
  *simplified = to;
  assert(map_is_checked(simplifier->context, to) && !map_has_empty_bounds(to));
  return true;
}
