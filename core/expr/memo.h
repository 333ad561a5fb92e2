/* A table from expression handles to a 32-bit word, for one walk over shared expressions: each node
 * is visited once. Lives in an arena; sized by what is inserted, not by the pool. */
#ifndef CORE_EXPR_MEMO_H
#define CORE_EXPR_MEMO_H

#include "core/expr/expr.h"

typedef struct Memo {
  Arena *arena;
  uint32_t *keys; /* handles; 0 is free */
  uint32_t *values;
  uint32_t count, mask;
} Memo;

[[nodiscard]] Memo memo_create(Arena *arena);
[[nodiscard]] bool memo_find(const Memo *memo, Expr key, uint32_t *value);
void memo_insert(Memo *memo, Expr key, uint32_t value);

#endif
