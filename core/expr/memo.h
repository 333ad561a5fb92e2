/* A table from expression handles to a 32-bit word, for one walk over shared expressions: each node
 * is visited once. Lives in an arena; sized by what is inserted, not by the pool. */
#ifndef CORE_EXPR_MEMO_H
#define CORE_EXPR_MEMO_H

#include "core/expr/expr.h"

typedef struct MemoSlot {
  uint32_t key, value; /* key: a handle, 0 is free */
} MemoSlot;

typedef struct Memo {
  Arena *arena;
  MemoSlot *slots; /* nullptr until something is inserted: most walks meet leaves alone */
  uint32_t count, mask;
} Memo;

[[nodiscard]] static inline Memo memo_create(Arena *arena) { return (Memo){.arena = arena}; }
/* memo_find where something was inserted. */
[[nodiscard]] bool memo_find_slot(const Memo *memo, Expr key, uint32_t *value);
[[nodiscard]] static inline bool memo_find(const Memo *memo, Expr key, uint32_t *value) {
  return memo->count > 0 && memo_find_slot(memo, key, value);
}
void memo_insert(Memo *memo, Expr key, uint32_t value);

#endif
