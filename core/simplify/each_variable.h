/* One walk over the variables of an expression. */
#ifndef CORE_SIMPLIFY_EACH_VARIABLE_H
#define CORE_SIMPLIFY_EACH_VARIABLE_H

#include "core/expr/memo.h"

typedef void (*VariableVisit)(void *data, VarKind kind, uint32_t index);

/* Calls `visit` for each variable of the expression, some more than once; of what `seen` has seen
 * already for none. */
void each_variable(const ExprPool *pool, Memo *seen, Expr expr, VariableVisit visit, void *data);

#endif
