/* No map becomes larger. If the rules' result is larger (size.h) than the given map in our order,
 * then for each result, and for the bounds and constraints together, the smaller of the two forms
 * is used.
 *
 * Our order of a given expression: sums, products, minima and maxima flattened, operands sorted by
 * structure, a positive summand first and constants last, constant summands and factors joined,
 * neutral ones left out. It does not depend on the stated order of operands, and does no other
 * simplification.
 *
 * Keeps: both forms of a part denote the same on the domain, so that any combination is the same
 * map. Simplifying the combination leads to the same two forms and to the same choice. The
 * recursion is as deep as the expressions, at most expr_max_depth. */
#include "core/simplify/normal/given.h"

#include <assert.h>
#include <stdlib.h>

#include "core/base/checked.h"
#include "core/map/bounds.h"
#include "core/simplify/engine.h"
#include "core/simplify/normal/size.h"

typedef struct Ordering {
  ExprPool *pool;
  Arena *arena;
  Memo memo;
  bool fits;
  bool sign_first; /* a factor -1 goes to the first operand, because the product without it can be
                    * 2^63 */
} Ordering;

typedef struct Operands {
  uint32_t count, capacity;
  Expr *items;
  int64_t factor;      /* of products: the product of the constants */
  _BitInt(128) addend; /* of sums: the sum of the constants, of at most 2^22 summands */
} Operands;

static Expr ordered(Ordering *ordering, Expr expr);

/* ---- our order ---- */

static Expr given_join(Ordering *ordering, ExprOp op, Expr left, Expr right) {
  uint16_t x = expr_node(ordering->pool, left)->depth, y = expr_node(ordering->pool, right)->depth;
  uint32_t deepest = expr_deepest(ordering->pool);
  if (x < deepest && y < deepest) return expr_binary(ordering->pool, op, left, right);
  ordering->fits = false;
  return left;
}

static void given_collect(Ordering *ordering, ExprOp op, Expr expr, Operands *operands) {
  const ExprNode node = *expr_node(ordering->pool, expr);
  if (node.op == op) {
    given_collect(ordering, op, node.left, operands);
    given_collect(ordering, op, node.right, operands);
  } else if (op == EXPR_MUL && node.op == EXPR_CONST) {
    if (!mul64(operands->factor, node.value, &operands->factor)) ordering->fits = false;
  } else if (op == EXPR_ADD && node.op == EXPR_CONST) {
    operands->addend += node.value;
  } else {
    *ARENA_PUSH(ordering->arena, operands) = expr;
  }
}

/* The operands of a chain, each in order; an operand that becomes such a chain is flattened into
 * it. */
static void given_take(Ordering *ordering, ExprOp op, Expr expr, Operands *operands) {
  const ExprNode node = *expr_node(ordering->pool, expr);
  if (node.op == op) {
    given_take(ordering, op, node.left, operands);
    given_take(ordering, op, node.right, operands);
  } else {
    given_collect(ordering, op, ordered(ordering, expr), operands);
  }
}

typedef struct GivenPlaced {
  const ExprPool *pool;
  Expr expr;
} GivenPlaced;

static int compare_placed(const void *a, const void *b) {
  const GivenPlaced *x = a, *y = b;
  return stated_compare(x->pool, x->expr, y->expr);
}

static void given_sort(Ordering *ordering, Operands *operands) {
  GivenPlaced *placed = ARENA_NEW(ordering->arena, GivenPlaced, operands->count);
  for (uint32_t i = 0; i < operands->count; i++)
    placed[i] = (GivenPlaced){ordering->pool, operands->items[i]};
  if (operands->count > 1) qsort(placed, operands->count, sizeof *placed, compare_placed);
  for (uint32_t i = 0; i < operands->count; i++) {
    assert(i == 0 || compare_placed(&placed[i - 1], &placed[i]) <= 0);
    operands->items[i] = placed[i].expr;
  }
}

static bool is_added(const ExprPool *pool, Expr expr) {
  const ExprNode *node = expr_node(pool, expr);
  int64_t factor;
  return node->op != EXPR_CONST &&
         !(node->op == EXPR_MUL && expr_is_const(pool, node->right, &factor) && factor < 0);
}

/* Moves the first positive summand to the front. */
static void lead(const Ordering *ordering, Operands *operands) {
  uint32_t leader = 0;
  while (leader < operands->count && !is_added(ordering->pool, operands->items[leader])) leader++;
  if (leader == operands->count) return;
  Expr first = operands->items[leader];
  for (uint32_t i = leader; i > 0; i--) operands->items[i] = operands->items[i - 1];
  operands->items[0] = first;
}

static Expr chain(Ordering *ordering, ExprOp op, const Operands *operands) {
  assert(operands->count > 0);
  Expr expr = operands->items[0];
  for (uint32_t i = 1; i < operands->count; i++)
    expr = given_join(ordering, op, expr, operands->items[i]);
  return expr;
}

/* The sum of the constant summands; 0, and the order does not fit, if it leaves int64. */
static int64_t given_addend(Ordering *ordering, const Operands *operands) {
  if (operands->addend >= INT64_MIN && operands->addend <= INT64_MAX)
    return (int64_t)operands->addend;
  ordering->fits = false;
  return 0;
}

static Expr ordered_chain(Ordering *ordering, ExprOp op, Expr expr) {
  Operands operands = {.factor = 1};
  given_take(ordering, op, expr, &operands);
  int64_t addend = given_addend(ordering, &operands);
  if (operands.factor == 0) return expr_const(ordering->pool, 0);
  if (operands.count == 0)
    return expr_const(ordering->pool, op == EXPR_ADD ? addend : operands.factor);
  given_sort(ordering, &operands);
  if (op == EXPR_ADD) lead(ordering, &operands);
  if (ordering->sign_first && operands.factor == -1) {
    operands.items[0] =
        given_join(ordering, EXPR_MUL, operands.items[0], expr_const(ordering->pool, -1));
    operands.factor = 1;
  }
  Expr result = chain(ordering, op, &operands);
  if (operands.factor != 1)
    result = given_join(ordering, EXPR_MUL, result, expr_const(ordering->pool, operands.factor));
  return addend == 0 ? result
                     : given_join(ordering, EXPR_ADD, result, expr_const(ordering->pool, addend));
}

static Expr ordered(Ordering *ordering, Expr expr) {
  const ExprNode node = *expr_node(ordering->pool, expr);
  uint32_t known;
  if (node.op == EXPR_CONST || node.op == EXPR_VAR) return expr;
  if (memo_find(&ordering->memo, expr, &known)) return (Expr){known};
  bool is_division = node.op == EXPR_FLOORDIV || node.op == EXPR_CEILDIV || node.op == EXPR_MOD;
  Expr result = is_division
                    ? given_join(ordering, node.op, ordered(ordering, node.left), node.right)
                    : ordered_chain(ordering, node.op, expr);
  assert(result.at != 0);
  memo_insert(&ordering->memo, expr, result.at);
  return result;
}

/* Both ways to write a product's sign, and the bounds that they must respect. */
typedef struct Orders {
  Ordering plain, sign_first;
  StatedOrder stated;
} Orders;

/* False if the result is too deep or too large, or can leave int64. */
static bool try_order(Ordering *ordering, Bounds *bounds, Expr expr, Expr *result) {
  Interval ignored;
  ordering->fits = true;
  *result = ordered(ordering, expr);
  if (ordering->fits)
    return expr_tree_size(ordering->pool, *result) <= expr_max_tree &&
           bounds_of(bounds, *result, &ignored);
  ordering->memo = memo_create(ordering->arena);
  return false;
}

/* Orders each result and constraint independently of the rest of the map. If our order does not
 * fit, uses stated_sorted. */
static Expr order_root(Orders *orders, Expr expr) {
  Expr result;
  if (try_order(&orders->plain, orders->stated.bounds, expr, &result) ||
      try_order(&orders->sign_first, orders->stated.bounds, expr, &result))
    return result;
  return stated_sorted(&orders->stated, expr);
}

const Map *map_in_order(MapContext *context, const Map *map) {
  if (map->state != MAP_PLAIN) return map;
  Arena *arena = context->arena;
  Orders orders = {.plain = {.pool = context->pool, .arena = arena, .memo = memo_create(arena)},
      .stated = stated_order(context, map)};
  orders.sign_first = (Ordering){
      .pool = context->pool, .arena = arena, .memo = memo_create(arena), .sign_first = true};
  Map *copy = map_copy_variables(context->arena, map, map->result_count, map->constraint_count);
  for (uint32_t i = 0; i < map->result_count; i++)
    copy->results[i] = order_root(&orders, map->results[i]);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    copy->constraints[i] =
        (Constraint){order_root(&orders, map->constraints[i].expr), map->constraints[i].in};
  assert(map_is_checked(context, copy) || !map_is_checked(context, map));
  return copy;
}

/* ---- the smaller parts ---- */

static uint64_t size_of_map(MapContext *context, const Map *map) {
  return size_of_results(context, map) + size_of_constraints(context, map);
}

/* A leaf has the minimum size. */
static bool is_leaf(const MapContext *context, Expr expr) {
  ExprOp op = expr_node(context->pool, expr)->op;
  return op == EXPR_VAR || op == EXPR_CONST;
}

/* True if the constraints of `simplified` are some of those of `given`, in their order. */
static bool constraints_remain(const Map *given, const Map *simplified) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < simplified->constraint_count; i++, at++) {
    Expr expr = simplified->constraints[i].expr;
    while (at < given->constraint_count && !expr_same(given->constraints[at].expr, expr)) at++;
    if (at == given->constraint_count) return false;
  }
  return true;
}

bool given_is_no_smaller(MapContext *context, const Map *given, const Map *simplified) {
  if (simplified->state != MAP_PLAIN || given->state != MAP_PLAIN) return true;
  uint64_t before = 0, after = 0;
  for (uint32_t i = 0; i < given->result_count; i++) {
    if (expr_same(given->results[i], simplified->results[i]) ||
        is_leaf(context, simplified->results[i]))
      continue;
    before += size_of_expr(context, given->results[i]);
    after += size_of_expr(context, simplified->results[i]);
  }
  if (after <= before && constraints_remain(given, simplified)) return true;
  return after + size_of_constraints(context, simplified) <=
         before + size_of_constraints(context, given);
}

/* The results of `simplified` where they are no larger, else those in our order, with the domain of
 * `domain`. nullptr if that can leave int64. */
static const Map *smaller_results(
    MapContext *context, const Map *in_order, const Map *simplified, const Map *domain) {
  Map *map = ARENA_NEW(context->arena, Map, 1);
  *map = *domain;
  map->results = ARENA_NEW(context->arena, Expr, map->result_count);
  for (uint32_t i = 0; i < map->result_count; i++) {
    bool smaller =
        size_of_expr(context, in_order->results[i]) < size_of_expr(context, simplified->results[i]);
    map->results[i] = smaller ? in_order->results[i] : simplified->results[i];
  }
  map->sources = in_order->sources;
  Error ignored = {};
  return map_check(context, map, &ignored) ? map : nullptr;
}

const Map *given_smaller(MapContext *context, const Map *given, const Map *simplified) {
  const Map *in_order = map_in_order(context, given);
  if (size_of_map(context, simplified) <= size_of_map(context, in_order)) return nullptr;
  bool is_domain_smaller =
      size_of_constraints(context, in_order) < size_of_constraints(context, simplified);
  const Map *smaller =
      smaller_results(context, in_order, simplified, is_domain_smaller ? in_order : simplified);
  return smaller == nullptr && is_domain_smaller
             ? smaller_results(context, in_order, simplified, simplified)
             : smaller;
}
