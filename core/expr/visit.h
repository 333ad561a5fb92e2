/* The one walk over the nodes of an expression, and the one fold. What is shared is entered once,
 * so the cost is the number of distinct nodes. Recursion is as deep as the expression, at most
 * expr_max_depth.
 * A memo belongs to one question: the caller makes it (memo_create), gives it for each root of that
 * question, and for no other. */
#ifndef CORE_EXPR_VISIT_H
#define CORE_EXPR_VISIT_H

#include "core/expr/memo.h"

/* Called with a node before what is inside it. The pool may grow meanwhile. */
typedef bool ExprTest(void *state, Expr expr, ExprNode node);
/* Whether the test holds of any node; it is asked of no further one then. Operators that `seen`
 * holds are not entered; a leaf is asked wherever it stands. */
[[nodiscard]] bool expr_any(
    const ExprPool *pool, Memo *seen, Expr expr, ExprTest *test, void *state);

/* Whether the expression, or one inside it, is `part`. The scratch arena is as it was then. */
[[nodiscard]] bool expr_contains(const ExprPool *pool, Arena *scratch, Expr expr, Expr part);
/* Whether a variable of one of the kinds stands in the expression: bit VAR_DIM of `kinds` is
 * 1 << VAR_DIM, and so on. */
static constexpr uint32_t expr_all_kinds = 1u << VAR_DIM | 1u << VAR_RANGE | 1u << VAR_RUNTIME;
[[nodiscard]] bool expr_has_kinds(const ExprPool *pool, Arena *scratch, Expr expr, uint32_t kinds);

/* Sets of[kind][index] for each variable that stands in the expression. */
void expr_mark_variables(
    const ExprPool *pool, Memo *seen, Expr expr, const ExprVariables *variables);

/* The value of a node from those of its operands, which are 0 of a leaf: an expression's handle,
 * the position of something larger in a list, a number. The pool may grow meanwhile. */
typedef uint32_t ExprFold(void *state, Expr expr, ExprNode node, uint32_t left, uint32_t right);
/* The value of the whole; `values` keeps that of each node for the next root. */
[[nodiscard]] uint32_t expr_fold(
    const ExprPool *pool, Memo *values, Expr expr, ExprFold *fold, void *state);

#endif
