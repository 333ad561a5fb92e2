/* Raw expressions to rewritten sums. A region of + and * by a constant is walked once, without
 * recursion, into one sum. A part that occurs a second time becomes a sum of its own, so that
 * shared parts are not walked again. The recursion is as deep as divisions nest; very deep
 * expressions are converted bottom-up in slices. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/expr/memo.h"
#include "core/map/text.h"
#include "core/simplify/engine.h"

/* If a region of + and * contains no boundary of a slice, it is at least as high as the window, so
 * that few divisions nest. */
static constexpr uint16_t slice = 256, window = 8;

/* The converted raw expressions of this epoch, by handle: open addressing with linear probing, at
 * most half full. Handles of one map are close together, so they serve as their own hash. */
typedef struct SeenSlot {
  uint32_t epoch, at; /* of another epoch: free */
  NormalSum *sum;     /* nullptr: found inside a region, no sum of its own yet */
} SeenSlot;

static SeenSlot *find_seen(const Simplifier *simplifier, Expr expr) {
  uint32_t slot = expr.at & simplifier->seen_mask;
  while (simplifier->seen[slot].epoch == simplifier->epoch && simplifier->seen[slot].at != expr.at)
    slot = (slot + 1) & simplifier->seen_mask;
  return &simplifier->seen[slot];
}

static void grow_seen(Simplifier *simplifier) {
  SeenSlot *old = simplifier->seen;
  uint32_t count = old == nullptr ? 0 : simplifier->seen_mask + 1,
           capacity = count == 0 ? 64 : 2 * count;
  simplifier->seen = ARENA_NEW(simplifier->arena, SeenSlot, capacity);
  simplifier->seen_mask = capacity - 1;
  for (uint32_t i = 0; i < count; i++)
    if (old[i].epoch == simplifier->epoch) *find_seen(simplifier, (Expr){old[i].at}) = old[i];
}

static void begin_seen(Simplifier *simplifier) {
  if (simplifier->seen == nullptr) grow_seen(simplifier);
  if (simplifier->seen_epoch == simplifier->epoch) return;
  simplifier->seen_epoch = simplifier->epoch;
  simplifier->seen_count = 0;
}

static bool is_seen(const Simplifier *simplifier, Expr expr) {
  return find_seen(simplifier, expr)->epoch == simplifier->epoch;
}

static void mark_seen(Simplifier *simplifier, Expr expr, NormalSum *sum) {
  assert(expr.at != 0 && simplifier->seen_epoch == simplifier->epoch);
  SeenSlot *slot = find_seen(simplifier, expr);
  if (slot->epoch != simplifier->epoch && ++simplifier->seen_count > simplifier->seen_mask / 2) {
    grow_seen(simplifier);
    slot = find_seen(simplifier, expr);
  }
  assert(slot->epoch != simplifier->epoch || slot->sum == nullptr || slot->sum == sum);
  *slot = (SeenSlot){simplifier->epoch, expr.at, sum};
}

typedef struct ConvertScaled {
  Expr expr;
  int64_t scale;
} ConvertScaled;

typedef struct ConvertWalk {
  Simplifier *simplifier;
  ConvertScaled *items;
  uint32_t count, capacity;
  Gather gather;
} ConvertWalk;

static void convert_push(ConvertWalk *walk, Expr expr, int64_t scale) {
  if (walk->count == walk->capacity) {
    ConvertScaled *items =
        BUMP_NEW(&walk->simplifier->normal.temp, ConvertScaled, 2 * walk->capacity);
    memcpy(items, walk->items, walk->count * sizeof *items);
    walk->items = items;
    walk->capacity *= 2;
  }
  walk->items[walk->count++] = (ConvertScaled){expr, scale};
}

static NormalSum *convert_node(Simplifier *simplifier, Expr expr);
static NormalSum *convert_apart(Simplifier *simplifier, Expr expr, const ExprNode *node);
static NormalSum *convert_whole(Simplifier *simplifier, Expr expr);

static bool is_linear(const Simplifier *simplifier, const ExprNode *node) {
  if (node->op == EXPR_ADD) return true;
  return node->op == EXPR_MUL && (expr_is_const(simplifier->context->pool, node->right, nullptr) ||
                                     expr_is_const(simplifier->context->pool, node->left, nullptr));
}

static bool walk_product(ConvertWalk *walk, const ExprNode *node, int64_t scale) {
  int64_t factor;
  bool right = expr_is_const(walk->simplifier->context->pool, node->right, &factor);
  if (!right && !expr_is_const(walk->simplifier->context->pool, node->left, &factor)) return false;
  if (!mul64(scale, factor, &scale)) return false;
  convert_push(walk, right ? node->left : node->right, scale);
  return true;
}

static bool walk_sum(ConvertWalk *walk, NormalSum *sum, int64_t scale) {
  if (sum == nullptr) return false;
  gather_sum(&walk->gather, scale, sum);
  return true;
}

static NormalSum *convert_variable(Simplifier *simplifier, const ExprNode *node, Expr expr) {
  NormalAtom *atom = simplifier->atoms[node->var_kind][node->var_index];
  atom->expr = expr;
  return rewrite_atom(simplifier, atom);
}

/* A variable, or the root of a subexpression outside the region of + and *. */
static bool walk_leaf(ConvertWalk *walk, const ExprNode *node, Expr expr, int64_t scale) {
  if (node->op != EXPR_VAR) return walk_sum(walk, convert_node(walk->simplifier, expr), scale);
  return walk_sum(walk, convert_variable(walk->simplifier, node, expr), scale);
}

/* Numbers count as the product in which they end, so that it does not matter how the factors of a
 * product are joined, nor where a factor 0 stands. */
static bool walk_one(ConvertWalk *walk, ConvertScaled one, bool is_root) {
  Simplifier *simplifier = walk->simplifier;
  const ExprNode node = *expr_node(simplifier->context->pool, one.expr);
  bool is_end = node.op == EXPR_CONST || !is_linear(simplifier, &node);
  if (is_end) simplifier_number(simplifier, one.scale);
  if (node.op == EXPR_CONST) {
    if (one.scale != 0) simplifier_number(simplifier, node.value);
    gather_constant(&walk->gather, one.scale, node.value);
    return true;
  }
  if (is_end) return walk_leaf(walk, &node, one.expr, one.scale);
  if (!is_root) {
    if (is_seen(simplifier, one.expr))
      return walk_sum(walk, convert_node(simplifier, one.expr), one.scale);
    mark_seen(simplifier, one.expr, nullptr);
  }
  if (node.op == EXPR_MUL) return walk_product(walk, &node, one.scale);
  convert_push(walk, node.right, one.scale);
  convert_push(walk, node.left, one.scale);
  return true;
}

static NormalSum *convert_linear(Simplifier *simplifier, Expr expr) {
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  ConvertWalk walk = {.simplifier = simplifier, .capacity = 16};
  walk.items = BUMP_NEW(&simplifier->normal.temp, ConvertScaled, walk.capacity);
  walk.gather = gather_create(&simplifier->normal, 8);
  bool fits = walk_one(&walk, (ConvertScaled){expr, 1}, true);
  while (fits && walk.count > 0) fits = walk_one(&walk, walk.items[--walk.count], false);
  NormalSum *sum = fits ? gather_finish(&walk.gather) : nullptr;
  bump_release(&simplifier->normal.temp, mark);
  return sum;
}

/* Collects the factors of a region of products, with its constants in `scale`. Walked without
 * recursion. */
static bool convert_factors(ConvertWalk *walk, SumList *factors, int64_t *scale) {
  Simplifier *simplifier = walk->simplifier;
  while (walk->count > 0) {
    Expr expr = walk->items[--walk->count].expr;
    const ExprNode node = *expr_node(simplifier->context->pool, expr);
    if (node.op == EXPR_CONST) {
      if (!mul64(*scale, node.value, scale)) return false;
    } else if (node.op == EXPR_MUL) {
      convert_push(walk, node.right, 1);
      convert_push(walk, node.left, 1);
    } else {
      NormalSum *factor = convert_whole(simplifier, expr);
      if (factor == nullptr) return false;
      sums_push(&simplifier->normal.temp, factors, factor);
    }
  }
  simplifier_number(simplifier, *scale);
  return true;
}

static NormalSum *convert_product(Simplifier *simplifier, Expr expr) {
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  ConvertWalk walk = {.simplifier = simplifier, .capacity = 16};
  walk.items = BUMP_NEW(&simplifier->normal.temp, ConvertScaled, walk.capacity);
  SumList factors = {};
  int64_t scale = 1;
  convert_push(&walk, expr, 1);
  NormalSum *sum = convert_factors(&walk, &factors, &scale)
                       ? rewrite_product(simplifier, scale, factors.items, factors.count)
                       : nullptr;
  bump_release(&simplifier->normal.temp, mark);
  return sum;
}

/* Arguments of nested minima (or maxima), as stated. */
typedef struct ConvertArguments {
  ExprOp op;
  uint32_t count, nodes; /* nodes: minima that were flattened */
  uint32_t most_nodes;
  Memo *visited; /* nullptr: shared nodes count at every occurrence */
  Expr items[combined_max];
} ConvertArguments;

static bool is_visited(ConvertArguments *arguments, Expr expr) {
  uint32_t ignored;
  if (arguments->visited == nullptr) return false;
  if (memo_find(arguments->visited, expr, &ignored)) return true;
  memo_insert(arguments->visited, expr, 1);
  return false;
}

/* False if there are more arguments than fit, or too many nodes. Walked without recursion. */
static bool collect_arguments(
    ConvertWalk *walk, const ExprNode *root, ConvertArguments *arguments) {
  convert_push(walk, root->right, 1);
  convert_push(walk, root->left, 1);
  while (walk->count > 0) {
    Expr expr = walk->items[--walk->count].expr;
    const ExprNode node = *expr_node(walk->simplifier->context->pool, expr);
    if (is_visited(arguments, expr)) continue;
    if (node.op == arguments->op) {
      if (++arguments->nodes > arguments->most_nodes) return false;
      convert_push(walk, node.right, 1);
      convert_push(walk, node.left, 1);
    } else {
      if (arguments->count == combined_max) return false;
      arguments->items[arguments->count++] = expr;
    }
  }
  return true;
}

/* Collects each repeated argument once. */
static bool collect_distinct(ConvertWalk *walk, const ExprNode *root, ConvertArguments *arguments) {
  static constexpr uint32_t most_nodes = 1u << 10;
  Arena *arena = walk->simplifier->context->arena;
  ArenaMark mark = arena_mark(arena);
  Memo visited = memo_create(arena);
  walk->count = 0;
  arguments->count = arguments->nodes = 0;
  arguments->most_nodes = most_nodes;
  arguments->visited = &visited;
  bool fits = collect_arguments(walk, root, arguments);
  arena_rewind(arena, mark);
  return fits;
}

/* All arguments if there are few enough, else the two sides of the root. The choice does not depend
 * on their order. */
static void find_arguments(
    Simplifier *simplifier, const ExprNode *root, ConvertArguments *arguments) {
  ConvertWalk walk = {.simplifier = simplifier, .capacity = 16};
  walk.items = BUMP_NEW(&simplifier->normal.temp, ConvertScaled, walk.capacity);
  *arguments = (ConvertArguments){.op = root->op, .most_nodes = combined_max};
  if (collect_arguments(&walk, root, arguments) || collect_distinct(&walk, root, arguments)) return;
  assert(root->op == EXPR_MIN || root->op == EXPR_MAX);
  arguments->items[0] = root->left;
  arguments->items[1] = root->right;
  arguments->count = 2;
}

static NormalSum *convert_combined(Simplifier *simplifier, const ExprNode *node) {
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  ConvertArguments *arguments = BUMP_NEW(&simplifier->normal.temp, ConvertArguments, 1);
  find_arguments(simplifier, node, arguments);
  NormalSum **sums = BUMP_NEW(&simplifier->normal.temp, NormalSum *, arguments->count);
  bool fits = true;
  for (uint32_t i = 0; fits && i < arguments->count; i++) {
    sums[i] = convert_whole(simplifier, arguments->items[i]);
    fits = sums[i] != nullptr;
  }
  NormalSum *sum = fits ? rewrite_combined(simplifier, node->op, sums, arguments->count) : nullptr;
  bump_release(&simplifier->normal.temp, mark);
  return sum;
}

static NormalSum *convert_operator(Simplifier *simplifier, Expr expr, const ExprNode *node) {
  if (node->op == EXPR_MUL) return convert_product(simplifier, expr);
  if (node->op != EXPR_FLOORDIV && node->op != EXPR_CEILDIV && node->op != EXPR_MOD)
    return convert_combined(simplifier, node);
  NormalSum *argument = convert_whole(simplifier, node->left);
  int64_t divisor;
  bool known = expr_is_const(simplifier->context->pool, node->right, &divisor) && divisor > 0;
  if (known) simplifier_number(simplifier, divisor);
  return argument != nullptr && known ? rewrite_division(simplifier, node->op, argument, divisor)
                                      : nullptr;
}

static NormalSum *convert_scaled(
    Simplifier *simplifier, Expr expr, int64_t scale, NormalSum *other) {
  NormalSum *sum = convert_node(simplifier, expr);
  if (sum == nullptr) return nullptr;
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  Gather gather = gather_create(&simplifier->normal, sum->count + 8);
  gather_sum(&gather, scale, sum);
  if (other != nullptr) gather_sum(&gather, 1, other);
  sum = gather_finish(&gather);
  bump_release(&simplifier->normal.temp, mark);
  return sum;
}

/* An expression as an opaque term, sorted by stated_sorted. Rejects trees of more than 2^16
 * nodes. */
static NormalSum *stated_sum(Simplifier *simplifier, Expr expr) {
  static constexpr uint32_t largest_tree = 1u << 16;
  (void)simplifier_overflows(simplifier);
  MapContext *context = simplifier->context;
  if (expr_tree_size(context->pool, expr) > largest_tree) {
    simplifier->has_failed = true;
    return nullptr;
  }
  const Map box = simplifier_box(simplifier);
  StatedOrder order = stated_order(context, &box);
  expr = stated_sorted(&order, expr);
  Text text = text_create(context->arena);
  expr_print(&text, context, nullptr, expr, MAP_STYLE_LINE);
  NormalSum *sum = sum_atom(
      atom_stated(&simplifier->normal, expr, text.bytes, expr_tree_size(context->pool, expr)));
  return simplifier->rules_off ? sum : rewrite_atom(simplifier, sum->items[0].atom);
}

/* A region whose coefficients leave int64, although no value does: converts its two parts
 * separately. If that fails too, the expression becomes an opaque term. */
static NormalSum *convert_apart(Simplifier *simplifier, Expr expr, const ExprNode *node) {
  static constexpr uint16_t deepest = 64;
  NormalSum *sum = nullptr;
  int64_t scale;
  if (node->depth <= deepest && node->op == EXPR_ADD) {
    NormalSum *left = convert_node(simplifier, node->left);
    if (left != nullptr) sum = convert_scaled(simplifier, node->right, 1, left);
  } else if (node->depth <= deepest && node->op == EXPR_MUL) {
    bool right = expr_is_const(simplifier->context->pool, node->right, &scale);
    if (right || expr_is_const(simplifier->context->pool, node->left, &scale))
      sum = convert_scaled(simplifier, right ? node->left : node->right, scale, nullptr);
  }
  return sum != nullptr || simplifier->has_failed ? sum : stated_sum(simplifier, expr);
}

/* The sum of a node, with rewritten atoms; memoized. Rules on sums are applied only to the whole
 * sum, so that the result does not depend on which parts are shared. */
static NormalSum *convert_node(Simplifier *simplifier, Expr expr) {
  const SeenSlot *seen = find_seen(simplifier, expr);
  if (seen->epoch == simplifier->epoch && seen->sum != nullptr) return seen->sum;
  const ExprNode node = *expr_node(simplifier->context->pool, expr);
  bool simple = node.op == EXPR_CONST || node.op == EXPR_VAR || is_linear(simplifier, &node);
  if (simplifier->depth >= expr_deepest(simplifier->context->pool) / 2) {
    simplifier->has_failed = true;
    return nullptr;
  }
  simplifier->depth++;
  NormalSum *sum =
      simple ? convert_linear(simplifier, expr) : convert_operator(simplifier, expr, &node);
  if (sum == nullptr && !simplifier->has_failed) sum = convert_apart(simplifier, expr, &node);
  simplifier->depth--;
  assert(sum == nullptr || summands_are_canonical(sum->items, sum->count));
  if (sum != nullptr) mark_seen(simplifier, expr, sum);
  return sum;
}

static NormalSum *convert_whole(Simplifier *simplifier, Expr expr) {
  NormalSum *sum = convert_node(simplifier, expr);
  return sum == nullptr ? nullptr : rewrite_finished(simplifier, sum);
}

static int compare_depth(const void *a, const void *b) {
  const ConvertScaled *x = a, *y = b;
  return (x->scale > y->scale) - (x->scale < y->scale);
}

/* Converts the nodes whose depth is at or just above a multiple of the slice, in order of depth. */
static bool convert_slices(Simplifier *simplifier, Expr root) {
  ExprPool *pool = simplifier->context->pool;
  ConvertWalk reached = {.simplifier = simplifier, .capacity = 256}, deep = reached;
  reached.items = BUMP_NEW(&simplifier->normal.temp, ConvertScaled, reached.capacity);
  deep.items = BUMP_NEW(&simplifier->normal.temp, ConvertScaled, deep.capacity);
  uint32_t *visited = BUMP_NEW(&simplifier->normal.temp, uint32_t, pool->count);
  memset(visited, 0, pool->count * sizeof *visited);
  convert_push(&reached, root, 0);
  while (reached.count > 0) {
    Expr expr = reached.items[--reached.count].expr;
    const ExprNode *node = expr_node(pool, expr);
    if (node->depth < slice || visited[expr.at] != 0) continue;
    visited[expr.at] = 1;
    if (node->depth % slice < window && !is_linear(simplifier, node))
      convert_push(&deep, expr, node->depth);
    convert_push(&reached, node->left, 0);
    convert_push(&reached, node->right, 0);
  }
  qsort(deep.items, deep.count, sizeof *deep.items, compare_depth);
  for (uint32_t i = 0; i < deep.count; i++)
    if (convert_node(simplifier, deep.items[i].expr) == nullptr) return false;
  return true;
}

NormalSum *convert_in(Simplifier *simplifier, Expr expr) {
  const ExprNode *root = expr_node(simplifier->context->pool, expr);
  if (root->op == EXPR_VAR) {
    NormalSum *sum = convert_variable(simplifier, root, expr);
    return sum == nullptr ? nullptr : rewrite_finished(simplifier, sum);
  }
  begin_seen(simplifier);
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  bool fits = expr_node(simplifier->context->pool, expr)->depth <= 2 * slice ||
              convert_slices(simplifier, expr);
  bump_release(&simplifier->normal.temp, mark);
  assert(simplifier->depth < expr_max_depth);
  return fits ? convert_whole(simplifier, expr) : nullptr;
}

NormalSum *convert_bounded(Simplifier *simplifier, Expr expr) {
  Interval ignored;
  NormalSum *sum = convert_in(simplifier, expr);
  if (sum == nullptr || facts_sum(simplifier, sum, &ignored)) return sum;
  sum = stated_sum(simplifier, expr);
  return sum != nullptr && facts_sum(simplifier, sum, &ignored) ? sum : nullptr;
}
