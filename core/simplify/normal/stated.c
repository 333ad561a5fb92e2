/* An order of operands by structure only, for opaque terms: expressions for which collecting a sum
 * would take a coefficient or a constant out of int64 although no value leaves it (d0 * 2^40 * 2^40
 * with d0 in [0, 0]).
 *
 * Keeps: sums, minima and maxima are flat chains; the operands of each +, *, min and max are
 * sorted, constants last; constant subexpressions are folded; the constant factors of a product are
 * joined and stand outside; there is no neutral operand. No value changes, and none leaves int64.
 * If the sum of the first summands of a chain would, a later summand stands first. Summands of a
 * chain that cannot be collected are one summand of it. A chain that has no such order, more than
 * most_operands operands or too many levels keeps its nesting. The recursion is as deep as the
 * expression, at most expr_max_depth. */
#include "core/simplify/engine.h"

#include "core/base/checked.h"
#include "core/map/bounds.h"

static constexpr uint32_t most_operands = 64;
static constexpr uint16_t most_levels = 64; /* of a chain that nests deeper than it did */

/* Two different expressions differ along one path downwards, because handles are shared. */
int stated_compare(const ExprPool *pool, Expr a, Expr b) {
  if (expr_same(a, b)) return 0;
  const ExprNode *x = expr_node(pool, a), *y = expr_node(pool, b);
  if (x->op != y->op) return x->op > y->op ? -1 : 1;
  if (x->op == EXPR_CONST) return order64(x->value, y->value);
  if (x->op == EXPR_VAR)
    return x->var_kind != y->var_kind ? order64(x->var_kind, y->var_kind)
                                      : order64(x->var_index, y->var_index);
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

/* ---- chains ---- */

/* A chain that is taken apart. */
typedef struct StatedChain {
  ExprOp op;
  uint32_t count; /* at most most_operands, constants not counted */
  bool has_constant;
  _BitInt(128) constant; /* of all constant operands together */
  Expr items[most_operands + 4];
} StatedChain;

static void chain_fold(StatedChain *chain, int64_t value) {
  if (chain->op == EXPR_ADD) chain->constant += value;
  else if (!chain->has_constant) chain->constant = value;
  else if (chain->op == EXPR_MIN) chain->constant = min64((int64_t)chain->constant, value);
  else chain->constant = max64((int64_t)chain->constant, value);
  chain->has_constant = true;
}

static void chain_sort(const ExprPool *pool, StatedChain *chain) {
  for (uint32_t i = 1; i < chain->count; i++) {
    Expr one = chain->items[i];
    uint32_t at = i;
    for (; at > 0 && stated_compare(pool, chain->items[at - 1], one) > 0; at--)
      chain->items[at] = chain->items[at - 1];
    chain->items[at] = one;
  }
}

/* False if there are too many operands. */
static bool chain_collect(const ExprPool *pool, Expr expr, StatedChain *chain) {
  const ExprNode *node = expr_node(pool, expr);
  for (; node->op == chain->op; node = expr_node(pool, expr)) {
    expr = node->left;
    if (!chain_collect(pool, node->right, chain)) return false;
  }
  if (node->op == EXPR_CONST) return chain_fold(chain, node->value), true;
  if (chain->count == most_operands) return false;
  chain->items[chain->count++] = expr;
  return true;
}

/* op(left, right); a null handle if one of them is null, or is too deep for that. */
static Expr chain_join(ExprPool *pool, ExprOp op, Expr left, Expr right, uint16_t deepest) {
  bool fits = left.at != 0 && expr_node(pool, left)->depth < deepest &&
              expr_node(pool, right)->depth < deepest;
  return fits ? expr_binary(pool, op, left, right) : (Expr){};
}

/* Whether item k is x * c with the same x as item i. */
static bool chain_is_like(
    const ExprPool *pool, const StatedChain *chain, uint32_t i, uint32_t k, int64_t *factor) {
  Expr x, other;
  (void)stated_factor(pool, chain->items[i], &x);
  *factor = stated_factor(pool, chain->items[k], &other);
  return expr_same(x, other);
}

/* The sum of the items x * c with the x of item i; a null handle if they can be collected, or leave
 * int64. */
static Expr chain_alike(
    StatedOrder *order, const StatedChain *chain, uint32_t i, uint16_t deepest) {
  ExprPool *pool = order->context->pool;
  Expr sum = chain->items[i];
  Interval ignored;
  int64_t factor;
  _BitInt(128) total = 0;
  for (uint32_t k = i; k < chain->count; k++) {
    if (!chain_is_like(pool, chain, i, k, &factor)) continue;
    if (k > i) sum = chain_join(pool, EXPR_ADD, sum, chain->items[k], deepest);
    total += factor;
  }
  bool is_collected = total >= INT64_MIN && total <= INT64_MAX;
  return !is_collected && sum.at != 0 && bounds_of(order->bounds, sum, &ignored) ? sum : (Expr){};
}

static _BitInt(128) magnitude_of(int64_t number) {
  return number < 0 ? -(_BitInt(128))number : number;
}

static bool chain_can_be_collected(const ExprPool *pool, const StatedChain *chain) {
  _BitInt(128) total = 0;
  Expr ignored;
  for (uint32_t i = 0; i < chain->count; i++)
    total += magnitude_of(stated_factor(pool, chain->items[i], &ignored));
  return total <= INT64_MAX;
}

/* Summands that cannot be collected are a sum of their own. So the others still can be, as this sum
 * becomes an opaque term alone. */
static void chain_nest(StatedOrder *order, StatedChain *chain, uint16_t deepest) {
  int64_t ignored;
  if (chain_can_be_collected(order->context->pool, chain)) return;
  for (uint32_t i = 0; i < chain->count; i++) {
    Expr sum = chain_alike(order, chain, i, deepest);
    if (sum.at == 0) continue;
    uint32_t kept = i + 1;
    for (uint32_t k = i + 1; k < chain->count; k++)
      if (!chain_is_like(order->context->pool, chain, i, k, &ignored))
        chain->items[kept++] = chain->items[k];
    chain->items[i] = sum;
    chain->count = kept;
  }
  chain_sort(order->context->pool, chain);
}

/* The constant becomes the last operand. A constant of a sum that leaves int64 becomes several, as
 * large as possible; false if these are too many. */
static bool chain_end(ExprPool *pool, StatedChain *chain) {
  static constexpr uint32_t capacity = sizeof chain->items / sizeof *chain->items;
  if (!chain->has_constant || (chain->op == EXPR_ADD && chain->constant == 0 && chain->count > 0))
    return true;
  for (bool is_whole = false; !is_whole;) {
    int64_t part = (int64_t)chain->constant;
    is_whole = part == chain->constant;
    if (!is_whole) part = chain->constant < 0 ? -INT64_MAX : INT64_MAX;
    if (chain->count == capacity) return false;
    chain->items[chain->count++] = expr_const(pool, part);
    chain->constant -= part;
  }
  return true;
}

/* Moves the first of the operands from `begin` on that keeps the sum in int64 to `begin`. */
static bool chain_place(StatedOrder *order, StatedChain *chain, uint32_t begin, Interval *total) {
  for (uint32_t i = begin; i < chain->count; i++) {
    Expr next = chain->items[i];
    Interval bounds;
    if (!bounds_of(order->bounds, next, &bounds) ||
        !bounds_apply(EXPR_ADD, *total, bounds, &bounds))
      continue;
    *total = bounds;
    for (; i > begin; i--) chain->items[i] = chain->items[i - 1];
    chain->items[begin] = next;
    return true;
  }
  return false;
}

static bool chain_fits(StatedOrder *order, StatedChain *chain) {
  Interval total = {};
  if (chain->op != EXPR_ADD) return true;
  for (uint32_t i = 0; i < chain->count; i++)
    if (!chain_place(order, chain, i, &total)) return false;
  return true;
}

/* op(left, right) as a chain. A null handle: the nesting is kept. Not inlined, as the
 * recursion has no room for the operands. */
[[gnu::noinline]] static Expr stated_chain(
    StatedOrder *order, ExprOp op, Expr left, Expr right, uint16_t deepest) {
  ExprPool *pool = order->context->pool;
  StatedChain chain;
  chain.op = op;
  chain.count = 0;
  chain.has_constant = false;
  chain.constant = 0;
  if (!chain_collect(pool, left, &chain) || !chain_collect(pool, right, &chain)) return (Expr){};
  chain_sort(pool, &chain);
  if (op == EXPR_ADD) chain_nest(order, &chain, deepest);
  if (!chain_end(pool, &chain) || !chain_fits(order, &chain)) return (Expr){};
  Expr result = chain.items[0];
  for (uint32_t i = 1; i < chain.count; i++)
    result = chain_join(pool, op, result, chain.items[i], deepest);
  return result;
}

/* ---- the whole ---- */

StatedOrder stated_order(MapContext *context, const Map *box) {
  return (StatedOrder){.context = context,
      .memo = memo_create(context->arena),
      .bounds = bounds_create(context, box)};
}

/* Whether op(left, right) is such a chain as it is. Then each sum of its first summands is one of
 * the given map. */
static bool is_chain_in_order(const ExprPool *pool, ExprOp op, Expr left, Expr right) {
  _BitInt(128) factors = 0;
  Expr next = right, ignored;
  int64_t number;
  bool is_first = false;
  if (expr_is_const(pool, right, &number) && number == 0) return false;
  while (!is_first) {
    Expr one = next;
    const ExprNode *node = expr_node(pool, left);
    is_first = node->op != op;
    next = is_first ? left : node->right;
    left = node->left;
    if (expr_node(pool, one)->op == op || expr_node(pool, next)->op <= EXPR_CONST ||
        stated_compare(pool, next, one) > 0)
      return false;
    factors += magnitude_of(stated_factor(pool, one, &ignored));
  }
  return op != EXPR_ADD || factors + magnitude_of(stated_factor(pool, next, &ignored)) <= INT64_MAX;
}

/* Not inlined, as the recursion has no room for what it needs. */
[[gnu::noinline]] static Expr stated_operator(
    StatedOrder *order, const ExprNode *node, Expr left, Expr right) {
  ExprPool *pool = order->context->pool;
  if (node->op == EXPR_MUL) return stated_product(pool, left, right, node->depth);
  bool is_chain = commutes(node->op) &&
                  (expr_node(pool, left)->op == node->op || expr_node(pool, right)->op == node->op);
  if (!is_chain) return stated_pair(pool, node->op, left, right);
  if (is_chain_in_order(pool, node->op, left, right))
    return expr_binary(pool, node->op, left, right);
  uint16_t deepest = order->is_deep || node->depth > most_levels ? node->depth : most_levels;
  Expr chain = stated_chain(order, node->op, left, right, deepest);
  return chain.at != 0 ? chain : stated_pair(pool, node->op, left, right);
}

static Expr stated_sort(StatedOrder *order, Expr expr) {
  const ExprNode node = *expr_node(order->context->pool, expr);
  uint32_t known;
  if (node.op == EXPR_CONST || node.op == EXPR_VAR) return expr;
  if (memo_find(&order->memo, expr, &known)) return (Expr){known};
  Expr left = stated_sort(order, node.left), right = stated_sort(order, node.right),
       result = stated_operator(order, &node, left, right);
  assert(expr_node(order->context->pool, result)->depth <=
         node.depth + (order->is_deep ? 0 : most_levels));
  memo_insert(&order->memo, expr, result.at);
  return result;
}

/* No level is added to an expression near the limit. */
Expr stated_sorted(StatedOrder *order, Expr expr) {
  const ExprPool *pool = order->context->pool;
  bool is_deep = expr_node(pool, expr)->depth + most_levels > expr_deepest(pool);
  if (is_deep != order->is_deep) order->memo = memo_create(order->context->arena);
  order->is_deep = is_deep;
  return stated_sort(order, expr);
}
