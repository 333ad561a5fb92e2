/* If a constraint contains (x + k) floordiv c or (x + k) mod c for a variable x, x is replaced by
 * quotient and remainder. x + k = c*q + r with 0 <= r < c is a bijection between the values of x
 * and the pairs (q, r) with lo + k <= c*q + r <= hi + k, so the number of points is the same. After
 * simplifying, periodic constraints on x depend only on r, and the new constraint is linear. All
 * variables become dimensions, because counting treats them alike.
 *
 * On an overflow or a limit the domain is returned without that split. */
#include "core/analysis/count_split.h"

#include <assert.h>

#include "core/base/checked.h"
#include "core/expr/memo.h"
#include "core/expr/visit.h"

static constexpr uint32_t most_splits = 64;

typedef struct CountSplit {
  uint32_t variable;
  int64_t shift, divisor;
} CountSplit;

/* ---- all variables as dimensions ---- */

static const Map *points_of(MapContext *context, const Map *map) {
  uint32_t counts[] = {map->dim_count, map->range_count, map->runtime_count};
  const Variable *variables[] = {map->dims, map->ranges, map->runtimes};
  Map *points =
      map_create(context, counts[0] + counts[1] + counts[2], 0, 0, 0, map->constraint_count);
  Expr *new[3];
  for (uint32_t kind = 0, at = 0; kind < 3; kind++) {
    new[kind] = ARENA_NEW(context->arena, Expr, counts[kind]);
    for (uint32_t i = 0; i < counts[kind]; i++, at++) {
      points->dims[at].bounds = variables[kind][i].bounds;
      new[kind][i] = expr_var(context->pool, VAR_DIM, at);
    }
  }
  Substitution by = {.dims = new[0], .ranges = new[1], .runtimes = new[2]};
  Error error = {};
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    points->constraints[i].in = map->constraints[i].in;
    [[maybe_unused]] bool fits = expr_substitute(context->pool, context->arena, &by, 1,
        &map->constraints[i].expr, &points->constraints[i].expr, &error);
    assert(fits); /* a variable replaces a variable, so the depth does not change */
  }
  return points;
}

/* On overflow returns the stated form, which has the same number of points. */
static const Map *count_split_simplified(Simplifier *simplifier, const Map *points) {
  static const SimplifyOptions keep = {.keep_points = true};
  const Map *simple;
  Error error = {};
  return simplify_map(simplifier, points, &keep, &simple, nullptr, &error) ? simple : points;
}

/* ---- one split ---- */

/* x, or x + k. */
static bool is_shifted_variable(const ExprPool *pool, Expr expr, CountSplit *split) {
  const ExprNode *node = expr_node(pool, expr);
  split->shift = 0;
  if (node->op == EXPR_ADD && expr_is_const(pool, node->right, &split->shift))
    node = expr_node(pool, node->left);
  if (node->op != EXPR_VAR) return false;
  assert(node->var_kind == VAR_DIM);
  split->variable = node->var_index;
  return true;
}

typedef struct SplitSearch {
  const ExprPool *pool;
  const Map *points;
  CountSplit *split;
} SplitSearch;

/* Few values in at most two periods are enumerated sooner than the remainders of a period. */
static bool is_worth_splitting(const SplitSearch *search) {
  static constexpr uint64_t few_values = 1024;
  Interval bounds = search->points->dims[search->split->variable].bounds;
  uint64_t width = (uint64_t)bounds.hi - (uint64_t)bounds.lo;
  return width >= few_values || width >= (uint64_t)search->split->divisor;
}

static bool is_split(void *state, Expr, ExprNode node) {
  const SplitSearch *search = state;
  return (node.op == EXPR_MOD || node.op == EXPR_FLOORDIV) &&
         expr_is_const(search->pool, node.right, &search->split->divisor) &&
         search->split->divisor > 1 &&
         is_shifted_variable(search->pool, node.left, search->split) && is_worth_splitting(search);
}

static bool is_mod(void *, Expr, ExprNode node) { return node.op == EXPR_MOD; }

/* Finds the first division of a variable in a constraint with a remainder. Bounds decide a
 * constraint with only quotients after few halvings. */
static bool find_any_split(MapContext *context, const Map *points, CountSplit *split) {
  ArenaMark mark = arena_mark(context->arena);
  bool found = false;
  for (uint32_t i = 0; i < points->constraint_count && !found; i++) {
    Memo of_mod = memo_create(context->arena), seen = memo_create(context->arena);
    SplitSearch search = {context->pool, points, split};
    Expr expr = points->constraints[i].expr;
    found = expr_any(context->pool, &of_mod, expr, is_mod, nullptr) &&
            expr_any(context->pool, &seen, expr, is_split, &search);
  }
  arena_rewind(context->arena, mark);
  return found;
}

static Expr count_split_plus(ExprPool *pool, Expr left, int64_t constant) {
  return constant == 0 ? left : expr_binary(pool, EXPR_ADD, left, expr_const(pool, constant));
}

/* q replaces x, and r becomes the last dimension. */
static bool split_one(
    MapContext *context, const Map *points, const CountSplit *split, const Map **result) {
  ExprPool *pool = context->pool;
  Interval x = points->dims[split->variable].bounds, shifted;
  int64_t c = split->divisor, back;
  if (x.lo > x.hi || !add64(x.lo, split->shift, &shifted.lo) ||
      !add64(x.hi, split->shift, &shifted.hi) || !sub64(0, split->shift, &back))
    return false;
  Map *made = map_create(context, points->dim_count + 1, 0, 0, 0, points->constraint_count + 1);
  map_take_variables(made, points, VAR_DIM);
  made->dims[split->variable].bounds =
      (Interval){floordiv64(shifted.lo, c), floordiv64(shifted.hi, c)};
  made->dims[points->dim_count].bounds = (Interval){0, c - 1};
  Expr q = expr_var(pool, VAR_DIM, split->variable), r = expr_var(pool, VAR_DIM, points->dim_count);
  Expr whole = expr_binary(pool, EXPR_ADD, expr_binary(pool, EXPR_MUL, q, expr_const(pool, c)), r);
  Expr *dims = ARENA_NEW(context->arena, Expr, points->dim_count);
  dims[split->variable] = count_split_plus(pool, whole, back);
  Error error = {};
  for (uint32_t i = 0; i < points->constraint_count; i++) {
    made->constraints[i].in = points->constraints[i].in;
    if (!expr_substitute(pool, context->arena, &(Substitution){.dims = dims}, 1,
            &points->constraints[i].expr, &made->constraints[i].expr, &error))
      return false;
  }
  made->constraints[points->constraint_count] = (Constraint){whole, shifted};
  *result = made;
  return map_check(context, made, &error);
}

const Map *count_split(Simplifier *simplifier, const Map *map) {
  MapContext *context = simplifier_context(simplifier);
  const Map *points = count_split_simplified(simplifier, points_of(context, map)), *split_points;
  assert(map->state == MAP_PLAIN);
  CountSplit split;
  for (uint32_t splits = 0; splits < most_splits && points->state == MAP_PLAIN; splits++) {
    if (!find_any_split(context, points, &split) ||
        !split_one(context, points, &split, &split_points))
      break;
    points = count_split_simplified(simplifier, split_points);
  }
  return points;
}
