/* The walk over the nodes of an expression, and the fold. A shared node is entered once, so the
 * cost is the number of distinct nodes. The recursion is as deep as the expression, at most
 * expr_max_depth.
 *
 * A memo belongs to one question: the caller creates it (memo_create), passes it for each root of
 * that question, and for no other. */
#ifndef CORE_EXPR_VISIT_H
#define CORE_EXPR_VISIT_H

#include "core/expr/memo.h"

/* Called with a node before its operands. The callback may grow the pool. */
typedef bool ExprTest(void *state, Expr expr, ExprNode node);
/* True if the test returns true for any node; the walk then stops. Operators in `seen` are not
 * entered; the nodes of small trees are tested at every occurrence. */
[[nodiscard]] bool expr_any(
    const ExprPool *pool, Memo *seen, Expr expr, ExprTest *test, void *state);

/* True if the expression, or a subexpression, is `part`. Rewinds the scratch arena. */
[[nodiscard]] bool expr_contains(const ExprPool *pool, Arena *scratch, Expr expr, Expr part);
/* True if a variable of one of the kinds occurs in the expression. `kinds` is a mask with the bit 1
 * << VAR_DIM for VAR_DIM, and so on. */
static constexpr uint32_t expr_all_kinds = 1u << VAR_DIM | 1u << VAR_RANGE | 1u << VAR_RUNTIME;
[[nodiscard]] bool expr_has_kinds(const ExprPool *pool, Arena *scratch, Expr expr, uint32_t kinds);

/* Sets of[kind][index] for each variable that occurs in the expression. */
void expr_mark_variables(
    const ExprPool *pool, Memo *seen, Expr expr, const ExprVariables *variables);

/* Computes a node's value from those of its operands (0 for a leaf). A value is an expression's
 * handle, an index into a list, or a number. The callback may grow the pool. */
typedef uint32_t ExprFold(void *state, Expr expr, ExprNode node, uint32_t left, uint32_t right);
/* The value of the root; `values` keeps the values of all nodes for the next root. */
[[nodiscard]] uint32_t expr_fold(
    const ExprPool *pool, Memo *values, Expr expr, ExprFold *fold, void *state);

#endif
