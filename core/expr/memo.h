/* A table from expression handles to 32-bit words, for one walk over shared expressions: each node
 * is visited once. It lives in an arena; its size depends on the entries, not on the pool. */
#ifndef CORE_EXPR_MEMO_H
#define CORE_EXPR_MEMO_H

#include "core/expr/expr.h"

typedef struct MemoSlot {
  uint32_t key, value; /* key: a handle; 0: free */
} MemoSlot;

typedef struct Memo {
  Arena *arena;
  MemoSlot *slots; /* nullptr until the first insertion, because most walks meet only leaves */
  uint32_t count, mask;
} Memo;

/* Walking a smaller tree again costs less than an entry. */
[[nodiscard]] static inline bool memo_is_worth(const ExprNode *node) {
  static constexpr uint32_t least_remembered = 8;
  return node->op != EXPR_CONST && node->op != EXPR_VAR && node->tree_size >= least_remembered;
}

[[nodiscard]] static inline Memo memo_create(Arena *arena) { return (Memo){.arena = arena}; }
/* memo_find for a memo that is not empty. */
[[nodiscard]] bool memo_find_slot(const Memo *memo, Expr key, uint32_t *value);
[[nodiscard]] static inline bool memo_find(const Memo *memo, Expr key, uint32_t *value) {
  return memo->count > 0 && memo_find_slot(memo, key, value);
}
void memo_insert(Memo *memo, Expr key, uint32_t value);

#endif
