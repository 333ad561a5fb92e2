/* Hash-consed integer expressions, raw as stated: no folding, no reordering; equal trees have equal
 * handles. A node's children have smaller handles than the node itself, so a loop over handles is a
 * walk bottom-up. Depth is at most expr_max_depth (readers reject deeper texts; expr_binary
 * asserts), so walkers may recurse. */
#ifndef CORE_EXPR_EXPR_H
#define CORE_EXPR_EXPR_H

#include "core/base/arena.h"
#include "core/base/error.h"

typedef struct Expr {
  uint32_t at;
} Expr;

typedef enum ExprOp : uint8_t {
  EXPR_CONST,
  EXPR_VAR,
#define OPERATOR(id, text, precedence) EXPR_##id,
#include "core/expr/ops.def"
#undef OPERATOR
} ExprOp;

typedef enum VarKind : uint8_t { VAR_DIM, VAR_RANGE, VAR_RUNTIME } VarKind;

typedef struct ExprNode {
  ExprOp op;
  VarKind var_kind; /* of EXPR_VAR */
  uint16_t depth;   /* 1 for leaves */
  union {
    uint32_t var_index; /* of EXPR_VAR, within its kind */
    uint32_t tree_size; /* of an operator: nodes of its tree, shared ones counted each time;
                           UINT32_MAX stands for more */
  };
  union {
    int64_t value; /* of EXPR_CONST */
    struct {
      Expr left, right; /* of an operator */
    };
  };
} ExprNode;

static constexpr uint32_t expr_max_depth = 12000, expr_least_depth = 32;
/* Shared expressions can stand for trees that no text holds. Maps past this many nodes are rejected
 * (map_check), so that evaluating and printing end. */
static constexpr uint32_t expr_max_tree = 1u << 22;

/* Where expressions live. One pool is one context: not shared between threads. */
typedef struct ExprPool {
  ExprNode *nodes; /* [count]; nodes[0] is never a valid handle's node */
  uint32_t *table; /* open addressing, capacity table_mask + 1 */
  uint32_t count, capacity, table_mask;
  uint16_t deepest;
} ExprPool;

/* The pool's memory is its own; destroy gives it back. */
[[nodiscard]] ExprPool *expr_pool_create(void);
void expr_pool_destroy(ExprPool *pool);
/* The depth of expressions that are made: expr_max_depth, or less where the stack of the thread
 * that made the pool is small (core/base/stack.h). A thread with a smaller one must not use the
 * pool. */
[[nodiscard]] static inline uint32_t expr_deepest(const ExprPool *pool) { return pool->deepest; }
[[nodiscard]] static inline uint32_t expr_pool_mark(const ExprPool *pool) { return pool->count; }
/* Forgets every expression made after the mark. */
void expr_pool_rewind(ExprPool *pool, uint32_t mark);

[[nodiscard]] Expr expr_const(ExprPool *pool, int64_t value);
[[nodiscard]] Expr expr_var(ExprPool *pool, VarKind kind, uint32_t index);
/* An operator applied as stated. Asserts the depth, at most expr_deepest; a divisor that is a
 * constant must be > 0 (asserted). */
[[nodiscard]] Expr expr_binary(ExprPool *pool, ExprOp op, Expr left, Expr right);

/* Valid until the next expression is made. */
[[nodiscard]] static inline const ExprNode *expr_node(const ExprPool *pool, Expr expr) {
  return &pool->nodes[expr.at];
}
[[nodiscard]] static inline bool expr_same(Expr a, Expr b) { return a.at == b.at; }
/* Nodes of the tree; at most UINT32_MAX. */
[[nodiscard]] uint32_t expr_tree_size(const ExprPool *pool, Expr expr);
[[nodiscard]] bool expr_is_const(const ExprPool *pool, Expr expr, int64_t *value);
[[nodiscard]] const char *expr_op_text(ExprOp op);
/* Number of distinct nodes reachable from the roots. */
[[nodiscard]] uint32_t expr_count(
    const ExprPool *pool, Arena *scratch, uint32_t root_count, const Expr *roots);

/* Replaces variables: dims[i], ranges[i], runtimes[i] stand for variable i of that kind (a null
 * array, or a handle 0, leaves the variable as it is). Raw: nothing is folded. `results` may be
 * `expressions`. False when a result is deeper than expr_max_depth. */
typedef struct Substitution {
  const Expr *dims, *ranges, *runtimes;
} Substitution;
[[nodiscard]] bool expr_substitute(ExprPool *pool, Arena *scratch, const Substitution *by,
    uint32_t count, const Expr *expressions, Expr *results, Error *error);

/* A mark for each variable, of[kind][index]. A kind whose array is nullptr is left out. */
typedef struct ExprVariables {
  bool *of[3];
} ExprVariables;

/* The engine's own evaluation, in int64. False on overflow, and on a divisor <= 0. Values are
 * indexed by variable. */
typedef struct Point {
  const int64_t *dims, *ranges, *runtimes;
} Point;
[[nodiscard]] bool expr_evaluate(
    const ExprPool *pool, Expr expr, const Point *point, int64_t *value);

#endif
