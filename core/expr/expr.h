/* Hash-consed integer expressions, as stated: no folding, no reordering; equal trees have equal
 * handles. A node's children have smaller handles than the node, so a loop over handles is a
 * bottom-up walk. Depth is at most expr_max_depth (readers reject deeper texts; expr_binary
 * asserts), so walks may recurse. */
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
    uint32_t tree_size; /* of an operator: nodes of its tree, with shared nodes counted at each
                         * occurrence; UINT32_MAX: that many or more */
  };
  union {
    int64_t value; /* of EXPR_CONST */
    struct {
      Expr left, right; /* of an operator */
    };
  };
} ExprNode;

static constexpr uint32_t expr_max_depth = 12000, expr_least_depth = 32;
/* Shared expressions can represent trees larger than any text. map_check rejects maps with more
 * nodes than this, so that evaluating and printing terminate. */
static constexpr uint32_t expr_max_tree = 1u << 22;

static constexpr uint32_t expr_first_variables = 8; /* of each kind, found without the table */

/* The owner of expressions. A pool belongs to one context and is not shared between threads. */
typedef struct ExprPool {
  ExprNode *nodes; /* [count]; nodes[0] is never a valid handle's node */
  uint32_t *table; /* open addressing, capacity table_mask + 1 */
  uint32_t count, capacity, table_mask;
  uint16_t deepest;
  uint32_t variables[3][expr_first_variables]; /* the last handle of each of the first variables of
                                                  a kind; a rewind may have removed it */
} ExprPool;

/* The pool allocates its own memory; expr_pool_destroy frees it. */
[[nodiscard]] ExprPool *expr_pool_create(void);
void expr_pool_destroy(ExprPool *pool);
/* The maximum depth of new expressions: expr_max_depth, or less if the thread that created the pool
 * has a small stack (core/base/stack.h). A thread with a smaller stack must not use the pool. */
[[nodiscard]] static inline uint32_t expr_deepest(const ExprPool *pool) { return pool->deepest; }
[[nodiscard]] static inline uint32_t expr_pool_mark(const ExprPool *pool) { return pool->count; }
/* Removes every expression made after the mark. */
void expr_pool_rewind(ExprPool *pool, uint32_t mark);

[[nodiscard]] Expr expr_const(ExprPool *pool, int64_t value);
[[nodiscard]] Expr expr_var(ExprPool *pool, VarKind kind, uint32_t index);
/* Applies an operator without folding. Asserts that the result's depth is at most expr_deepest and
 * that a constant divisor is > 0. */
[[nodiscard]] Expr expr_binary(ExprPool *pool, ExprOp op, Expr left, Expr right);

/* Valid until the next expression is made. */
[[nodiscard]] static inline const ExprNode *expr_node(const ExprPool *pool, Expr expr) {
  return &pool->nodes[expr.at];
}
[[nodiscard]] static inline bool expr_same(Expr a, Expr b) { return a.at == b.at; }
/* The number of nodes of the tree; UINT32_MAX if there are that many or more. */
[[nodiscard]] uint32_t expr_tree_size(const ExprPool *pool, Expr expr);
[[nodiscard]] bool expr_is_const(const ExprPool *pool, Expr expr, int64_t *value);
[[nodiscard]] const char *expr_op_text(ExprOp op);
/* The number of distinct nodes reachable from the roots. */
[[nodiscard]] uint32_t expr_count(
    const ExprPool *pool, Arena *scratch, uint32_t root_count, const Expr *roots);

/* Replaces variables: dims[i], ranges[i], runtimes[i] are the values of variable i of that kind. A
 * null array, or a handle 0, keeps the variable. Nothing is folded. `results` may alias
 * `expressions`. False with ERROR_LIMIT if a result is deeper than expr_deepest. */
typedef struct Substitution {
  const Expr *dims, *ranges, *runtimes;
} Substitution;
[[nodiscard]] bool expr_substitute(ExprPool *pool, Arena *scratch, const Substitution *by,
    uint32_t count, const Expr *expressions, Expr *results, Error *error);

/* A mark for each variable, of[kind][index]. A kind whose array is nullptr is not marked. */
typedef struct ExprVariables {
  bool *of[3];
} ExprVariables;

/* The engine's own evaluation, in int64. False on overflow and for a divisor <= 0. Values are
 * indexed by variable. */
typedef struct Point {
  const int64_t *dims, *ranges, *runtimes;
} Point;
[[nodiscard]] bool expr_evaluate(
    const ExprPool *pool, Expr expr, const Point *point, int64_t *value);

#endif
