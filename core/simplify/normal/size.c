/* Sizes by one top-down walk; in large trees a shared node is visited once. Sizes saturate. A size
 * is that of the expression in our order (given.h), which is not built for it: size(x + y) =
 * size(x)
 * + size(y) + 1, and likewise for each operator, but constant summands of a sum count once,
 * constant factors of a product too, and summands 0, factors 1 and the sign of a factor do not
 * count. So a size does not depend on how constants are spread over the operands. The recursion is
 * as deep as the expression, at most expr_max_depth. */
#include "core/simplify/normal/size.h"

#include <assert.h>
#include <ctype.h>

#include "core/base/checked.h"

static constexpr uint32_t large_tree = 1u << 10, most = 1u << 30;

/* An expression as `rest * factor + addend`, where at most one of the factor and the addend is
 * written. Of a number the rest is empty, and the addend is its value. */
typedef struct Sized {
  uint64_t rest;          /* 0: a number */
  int64_t factor, addend; /* clamped to int64 */
} Sized;

typedef struct SizeWalk {
  MapContext *context;
  const ExprPool *pool;
  bool is_large;
  Memo memo;
  uint32_t count, capacity;
  Sized *items; /* of large trees, by what the memo says */
} SizeWalk;

static Sized sized(SizeWalk *walk, Expr expr);

static Sized sized_number(int64_t value) { return (Sized){.factor = 1, .addend = value}; }

static uint64_t size_limited(uint64_t size) { return size < most ? size : most; }

static uint64_t size_in_all(Sized part) {
  if (part.rest == 0) return 1;
  bool is_scaled = part.factor < -1 || part.factor > 1;
  return size_limited(part.rest + (is_scaled ? 2 : 0) + (part.addend != 0 ? 2 : 0));
}

static int64_t add_clamped(int64_t a, int64_t b) {
  int64_t sum;
  return add64(a, b, &sum) ? sum : a < 0 ? INT64_MIN : INT64_MAX;
}

static int64_t mul_clamped(int64_t a, int64_t b) {
  int64_t product;
  return mul64(a, b, &product) ? product : (a < 0) != (b < 0) ? INT64_MIN : INT64_MAX;
}

/* The size without the constant summand. */
static uint64_t size_of_summand(Sized part) {
  uint64_t addend = part.rest != 0 && part.addend != 0 ? 2 : 0;
  return part.rest == 0 ? 0 : size_in_all(part) - addend;
}

static Sized sized_sum(Sized x, Sized y) {
  int64_t addend = add_clamped(x.addend, y.addend);
  if (x.rest == 0 || y.rest == 0) {
    Sized sum = x.rest == 0 ? y : x;
    if (addend != 0 && sum.rest != 0) sum = (Sized){size_of_summand(sum), 1, addend};
    sum.addend = addend;
    return sum;
  }
  return (Sized){size_limited(size_of_summand(x) + size_of_summand(y) + 1), 1, addend};
}

/* A sum with a constant summand is one factor. */
static Sized sized_factor(Sized part) {
  if (part.rest == 0) return (Sized){.factor = part.addend};
  return part.addend == 0 ? part : (Sized){size_in_all(part), 1, 0};
}

static Sized sized_product(Sized x, Sized y) {
  if (x.rest == 0 && x.addend == 1) return y;
  if (y.rest == 0 && y.addend == 1) return x;
  Sized a = sized_factor(x), b = sized_factor(y);
  int64_t factor = mul_clamped(a.factor, b.factor);
  if (factor == 0 || (a.rest == 0 && b.rest == 0)) return sized_number(factor);
  bool both = a.rest != 0 && b.rest != 0;
  return (Sized){size_limited(a.rest + b.rest + (both ? 1 : 0)), factor, 0};
}

static Sized sized_operator(SizeWalk *walk, const ExprNode *node) {
  Sized x = sized(walk, node->left), y = sized(walk, node->right);
  if (node->op == EXPR_ADD) return sized_sum(x, y);
  if (node->op == EXPR_MUL) return sized_product(x, y);
  return (Sized){size_limited(size_in_all(x) + size_in_all(y) + 1), 1, 0};
}

static uint32_t size_remember(SizeWalk *walk, Sized part) {
  *ARENA_PUSH(walk->context->arena, walk) = part;
  return walk->count - 1;
}

static Sized sized(SizeWalk *walk, Expr expr) {
  const ExprNode node = *expr_node(walk->pool, expr);
  uint32_t known;
  if (node.op == EXPR_CONST) return sized_number(node.value);
  if (node.op == EXPR_VAR) return (Sized){1, 1, 0};
  if (walk->is_large && memo_find(&walk->memo, expr, &known)) return walk->items[known];
  Sized part = sized_operator(walk, &node);
  assert(part.factor != 0 && size_in_all(part) > 0);
  if (walk->is_large) memo_insert(&walk->memo, expr, size_remember(walk, part));
  return part;
}

uint64_t size_of_expr(MapContext *context, Expr expr) {
  SizeWalk walk = {.context = context, .pool = context->pool};
  if (expr_tree_size(context->pool, expr) <= large_tree) return size_in_all(sized(&walk, expr));
  ArenaMark mark = arena_mark(context->arena);
  walk.is_large = true;
  walk.memo = memo_create(context->arena);
  uint64_t size = size_in_all(sized(&walk, expr));
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
