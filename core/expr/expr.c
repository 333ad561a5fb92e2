/* The pool of hash-consed expressions: an array of nodes and an open-addressing table of handles
 * with linear probing.
 *
 * Keeps: nodes are numbered in the order of creation, and the table is as if they were inserted in
 * that order. Removing the newest node therefore breaks no other probe sequence. */
#include "core/expr/expr.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/stack.h"

static constexpr uint32_t first_capacity = 256;

static uint16_t deepest_here(void) {
  uint32_t levels = stack_levels();
  return (uint16_t)(levels > expr_max_depth     ? expr_max_depth
                    : levels < expr_least_depth ? expr_least_depth
                                                : levels);
}

ExprPool *expr_pool_create(void) {
  ExprPool *pool = malloc(sizeof *pool);
  if (pool == nullptr) arena_out_of_memory(sizeof *pool);
  *pool = (ExprPool){.count = 1,
      .capacity = first_capacity,
      .table_mask = 2 * first_capacity - 1,
      .deepest = deepest_here()};
  pool->nodes = calloc(pool->capacity, sizeof *pool->nodes);
  pool->table = calloc((size_t)pool->table_mask + 1, sizeof *pool->table);
  if (pool->nodes == nullptr || pool->table == nullptr)
    arena_out_of_memory(sizeof *pool->nodes * first_capacity);
  return pool;
}

void expr_pool_destroy(ExprPool *pool) {
  if (pool == nullptr) return;
  free(pool->nodes);
  free(pool->table);
  free(pool);
}

static uint64_t hash_node(const ExprNode *node) {
  uint64_t head = (uint64_t)node->op << 40 | (uint64_t)node->var_kind << 32 |
                  (node->op == EXPR_VAR ? node->var_index : 0);
  uint64_t body = node->op == EXPR_VAR     ? 0
                  : node->op == EXPR_CONST ? (uint64_t)node->value
                                           : (uint64_t)node->left.at << 32 | node->right.at;
  return hash_mix(head, body);
}

static bool equal_nodes(const ExprNode *a, const ExprNode *b) {
  if (a->op != b->op) return false;
  if (a->op == EXPR_CONST) return a->value == b->value;
  if (a->op == EXPR_VAR) return a->var_kind == b->var_kind && a->var_index == b->var_index;
  return expr_same(a->left, b->left) && expr_same(a->right, b->right);
}

/* The slot of the equal node, or the free slot for the node. */
static uint32_t find_slot(const ExprPool *pool, const ExprNode *node) {
  uint32_t slot = (uint32_t)hash_node(node) & pool->table_mask;
  while (pool->table[slot] != 0 && !equal_nodes(&pool->nodes[pool->table[slot]], node))
    slot = (slot + 1) & pool->table_mask;
  return slot;
}

/* Where a node that has no equal in the table belongs. */
static uint32_t free_slot(const ExprPool *pool, const ExprNode *node) {
  uint32_t slot = (uint32_t)hash_node(node) & pool->table_mask;
  while (pool->table[slot] != 0) slot = (slot + 1) & pool->table_mask;
  return slot;
}

static void expr_grow(ExprPool *pool) {
  if (pool->capacity > UINT32_MAX / 8) arena_out_of_memory(SIZE_MAX);
  pool->capacity *= 2;
  pool->table_mask = 2 * pool->capacity - 1;
  ExprNode *nodes = realloc(pool->nodes, pool->capacity * sizeof *nodes);
  free(pool->table);
  pool->table = calloc((size_t)pool->table_mask + 1, sizeof *pool->table);
  if (nodes == nullptr || pool->table == nullptr)
    arena_out_of_memory(pool->capacity * sizeof *nodes);
  pool->nodes = nodes;
  for (uint32_t at = 1; at < pool->count; at++) pool->table[free_slot(pool, &pool->nodes[at])] = at;
}

void expr_pool_rewind(ExprPool *pool, uint32_t mark) {
  assert(mark >= 1 && mark <= pool->count);
  while (pool->count > mark) {
    pool->table[find_slot(pool, &pool->nodes[pool->count - 1])] = 0;
    pool->count--;
  }
}

static Expr expr_intern(ExprPool *pool, ExprNode node) {
  uint32_t slot = find_slot(pool, &node);
  if (pool->table[slot] != 0) return (Expr){pool->table[slot]};
  if (pool->count == pool->capacity) {
    expr_grow(pool);
    slot = find_slot(pool, &node);
  }
  pool->nodes[pool->count] = node;
  pool->table[slot] = pool->count;
  return (Expr){pool->count++};
}

Expr expr_const(ExprPool *pool, int64_t value) {
  return expr_intern(pool, (ExprNode){.op = EXPR_CONST, .depth = 1, .value = value});
}

/* Maps are made of their first variables over and over, so these are found without the table. */
Expr expr_var(ExprPool *pool, VarKind kind, uint32_t index) {
  const ExprNode node = {.op = EXPR_VAR, .var_kind = kind, .var_index = index, .depth = 1};
  if (index >= expr_first_variables) return expr_intern(pool, node);
  uint32_t *known = &pool->variables[kind][index];
  if (*known >= pool->count || !equal_nodes(&pool->nodes[*known], &node))
    *known = expr_intern(pool, node).at;
  return (Expr){*known};
}

[[maybe_unused]] static bool is_division(ExprOp op) {
  return op == EXPR_FLOORDIV || op == EXPR_CEILDIV || op == EXPR_MOD;
}

Expr expr_binary(ExprPool *pool, ExprOp op, Expr left, Expr right) {
  assert(op != EXPR_CONST && op != EXPR_VAR);
  assert(left.at > 0 && left.at < pool->count && right.at > 0 && right.at < pool->count);
  const ExprNode *l = expr_node(pool, left), *r = expr_node(pool, right);
  assert(!is_division(op) || r->op != EXPR_CONST || r->value > 0);
  uint32_t depth = 1u + (l->depth > r->depth ? l->depth : r->depth);
  assert(depth <= expr_max_depth); /* the stack has room for a few levels more than expr_deepest */
  uint64_t size = (uint64_t)expr_tree_size(pool, left) + expr_tree_size(pool, right) + 1;
  return expr_intern(pool, (ExprNode){.op = op,
                               .depth = (uint16_t)depth,
                               .tree_size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size,
                               .left = left,
                               .right = right});
}

uint32_t expr_tree_size(const ExprPool *pool, Expr expr) {
  const ExprNode *node = expr_node(pool, expr);
  return node->op == EXPR_CONST || node->op == EXPR_VAR ? 1 : node->tree_size;
}

bool expr_is_const(const ExprPool *pool, Expr expr, int64_t *value) {
  const ExprNode *node = expr_node(pool, expr);
  if (node->op != EXPR_CONST) return false;
  if (value != nullptr) *value = node->value;
  return true;
}

const char *expr_op_text(ExprOp op) {
  switch (op) {
    case EXPR_CONST: return "const";
    case EXPR_VAR: return "var";
#define OPERATOR(id, text, precedence) \
  case EXPR_##id: return text;
#include "core/expr/ops.def"
#undef OPERATOR
  }
  return "";
}
