/* Interval bounds, bottom-up over shared nodes. For each operator the transfer function computes
 * the exact image of the box of its operands' intervals: products by their four corners, divisions
 * by a constant at both ends (they are monotonic), mod by its period unless both ends lie in one
 * period. The recursion is as deep as the expression, at most expr_max_depth. */
#include "core/map/bounds.h"

#include <assert.h>

#include "core/base/checked.h"
#include "core/expr/memo.h"

struct Bounds {
  const MapContext *context;
  const Map *box;
  Memo memo; /* handle -> position in `items`, or no_bounds */
  uint32_t count, capacity;
  Interval *items;
};

static constexpr uint32_t no_bounds = UINT32_MAX;

static bool bounds_product(Interval left, Interval right, Interval *bounds) {
  int64_t a, b, c, d;
  if (!mul64(left.lo, right.lo, &a) || !mul64(left.lo, right.hi, &b) ||
      !mul64(left.hi, right.lo, &c) || !mul64(left.hi, right.hi, &d))
    return false;
  *bounds = (Interval){min64(min64(a, b), min64(c, d)), max64(max64(a, b), max64(c, d))};
  assert(bounds->lo <= bounds->hi);
  return true;
}

static Interval bounds_mod(Interval x, int64_t c) {
  if (floordiv64(x.lo, c) != floordiv64(x.hi, c)) return (Interval){0, c - 1};
  assert(mod64(x.lo, c) <= mod64(x.hi, c));
  return (Interval){mod64(x.lo, c), mod64(x.hi, c)};
}

static bool bounds_division(ExprOp op, Interval x, Interval divisor, Interval *bounds) {
  if (divisor.lo != divisor.hi || divisor.lo <= 0) return false;
  int64_t c = divisor.lo;
  assert(x.lo <= x.hi);
  if (op == EXPR_MOD) *bounds = bounds_mod(x, c);
  else if (op == EXPR_FLOORDIV) *bounds = (Interval){floordiv64(x.lo, c), floordiv64(x.hi, c)};
  else *bounds = (Interval){ceildiv64(x.lo, c), ceildiv64(x.hi, c)};
  return true;
}

bool bounds_apply(ExprOp op, Interval left, Interval right, Interval *bounds) {
  assert(left.lo <= left.hi && right.lo <= right.hi);
  switch (op) {
    case EXPR_ADD:
      return add64(left.lo, right.lo, &bounds->lo) && add64(left.hi, right.hi, &bounds->hi);
    case EXPR_MUL: return bounds_product(left, right, bounds);
    case EXPR_FLOORDIV:
    case EXPR_CEILDIV:
    case EXPR_MOD: return bounds_division(op, left, right, bounds);
    case EXPR_MIN:
      *bounds = (Interval){min64(left.lo, right.lo), min64(left.hi, right.hi)};
      return true;
    case EXPR_MAX:
      *bounds = (Interval){max64(left.lo, right.lo), max64(left.hi, right.hi)};
      return true;
    case EXPR_CONST:
    case EXPR_VAR: return false;
  }
  return false;
}

static bool variable_bounds(const Map *box, const ExprNode *node, Interval *bounds) {
  const Variable *variables = node->var_kind == VAR_DIM     ? box->dims
                              : node->var_kind == VAR_RANGE ? box->ranges
                                                            : box->runtimes;
  *bounds = variables[node->var_index].bounds;
  return bounds->lo <= bounds->hi;
}

static bool bounds_remember(Bounds *bounds, Expr expr, bool fits, Interval value) {
  assert(!fits || value.lo <= value.hi);
  memo_insert(&bounds->memo, expr, fits ? bounds->count : no_bounds);
  if (fits) *ARENA_PUSH(bounds->context->arena, bounds) = value;
  return fits;
}

static bool bounds_of_operator(Bounds *bounds, const ExprNode *node, Interval *result) {
  Interval left = {}, right = {};
  return bounds_of(bounds, node->left, &left) && bounds_of(bounds, node->right, &right) &&
         bounds_apply(node->op, left, right, result);
}

bool bounds_of(Bounds *bounds, Expr expr, Interval *result) {
  const ExprNode node = *expr_node(bounds->context->pool, expr);
  if (node.op == EXPR_VAR) return variable_bounds(bounds->box, &node, result);
  if (node.op == EXPR_CONST) {
    *result = (Interval){node.value, node.value};
    return true;
  }
  if (!memo_is_worth(&node)) return bounds_of_operator(bounds, &node, result);
  uint32_t at;
  if (memo_find(&bounds->memo, expr, &at)) {
    assert(at == no_bounds || at < bounds->count);
    if (at != no_bounds) *result = bounds->items[at];
    return at != no_bounds;
  }
  bool fits = bounds_of_operator(bounds, &node, result);
  return bounds_remember(bounds, expr, fits, fits ? *result : (Interval){0, 0});
}

Bounds *bounds_create(const MapContext *context, const Map *box) {
  Bounds *bounds = ARENA_NEW(context->arena, Bounds, 1);
  *bounds = (Bounds){.context = context, .box = box, .memo = memo_create(context->arena)};
  return bounds;
}

bool expr_bounds(const MapContext *context, const Map *box, Expr expr, Interval *bounds) {
  ArenaMark mark = arena_mark(context->arena);
  bool fits = bounds_of(bounds_create(context, box), expr, bounds);
  arena_rewind(context->arena, mark);
  return fits;
}
