/* Sizes by one top-down walk; in large trees a shared node is visited once. Sizes saturate. size(x
 * + y) = size(x) + size(y) + 1, and likewise for each operator. size(x * c) = size(x) + 2, but
 * size(x) for c in [-1, 1], and if x is a number or a product with a number, since the factors can
 * be joined. The recursion is as deep as the expression, at most expr_max_depth. */
#include "core/simplify/normal/size.h"

#include <assert.h>
#include <ctype.h>

static constexpr uint32_t large_tree = 1u << 10, most = 1u << 30;

typedef struct SizeWalk {
  MapContext *context;
  const ExprPool *pool;
  bool is_large;
  Memo memo;
} SizeWalk;

static uint64_t size_of(SizeWalk *walk, Expr expr);

static bool has_factor(const ExprPool *pool, const ExprNode *node) {
  return node->op == EXPR_MUL &&
         (expr_is_const(pool, node->left, nullptr) || expr_is_const(pool, node->right, nullptr));
}

static uint64_t size_of_scaled(SizeWalk *walk, Expr expr, int64_t factor) {
  const ExprNode *node = expr_node(walk->pool, expr);
  bool is_free =
      has_factor(walk->pool, node) || node->op == EXPR_CONST || (factor >= -1 && factor <= 1);
  return size_of(walk, expr) + (is_free ? 0 : 2);
}

static uint64_t size_of_operator(SizeWalk *walk, const ExprNode *node) {
  int64_t factor;
  if (node->op == EXPR_MUL && expr_is_const(walk->pool, node->right, &factor))
    return size_of_scaled(walk, node->left, factor);
  if (node->op == EXPR_MUL && expr_is_const(walk->pool, node->left, &factor))
    return size_of_scaled(walk, node->right, factor);
  return size_of(walk, node->left) + size_of(walk, node->right) + 1;
}

static uint64_t size_of(SizeWalk *walk, Expr expr) {
  const ExprNode node = *expr_node(walk->pool, expr);
  uint32_t known;
  if (node.op == EXPR_CONST || node.op == EXPR_VAR) return 1;
  if (walk->is_large && memo_find(&walk->memo, expr, &known)) return known;
  uint64_t size = size_of_operator(walk, &node);
  if (size > most) size = most;
  assert(size > 0);
  if (walk->is_large) memo_insert(&walk->memo, expr, (uint32_t)size);
  return size;
}

uint64_t size_of_expr(MapContext *context, Expr expr) {
  SizeWalk walk = {.context = context, .pool = context->pool};
  if (expr_tree_size(context->pool, expr) <= large_tree) return size_of(&walk, expr);
  ArenaMark mark = arena_mark(context->arena);
  walk.is_large = true;
  walk.memo = memo_create(context->arena);
  uint64_t size = size_of(&walk, expr);
  arena_rewind(context->arena, mark);
  return size;
}

uint64_t size_of_results(MapContext *context, const Map *map) {
  uint64_t size = 0;
  for (uint32_t i = 0; i < map->result_count; i++) size += size_of_expr(context, map->results[i]);
  return size;
}

uint64_t size_of_constraints(MapContext *context, const Map *map) {
  uint64_t size = 0;
  for (uint32_t i = 0; i < map->constraint_count; i++)
    size += size_of_expr(context, map->constraints[i].expr) + 3;
  return size;
}

/* ---- in text ---- */

static bool size_is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool is_operator(const char *text, const char *at) {
  return *at == '*' || *at == '+' || (*at == '-' && at[1] == ' ' && at > text && at[-1] == ' ');
}

uint64_t size_of_text(const char *text) {
  uint64_t size = 0;
  for (const char *at = text; *at != 0; at++)
    if (size_is_word(*at)) size += at == text || !size_is_word(at[-1]);
    else size += is_operator(text, at);
  return size;
}
