/* Memory of one simplification: blocks that are allocated once and reused by every call, not
 * zeroed.
 *
 * Keeps: an allocation stays valid until the bump is released to an earlier mark. */
#ifndef CORE_SIMPLIFY_FACTS_BUMP_H
#define CORE_SIMPLIFY_FACTS_BUMP_H

#include "core/base/arena.h"

typedef struct BumpBlock {
  struct BumpBlock *after;
  size_t capacity;
  alignas(16) unsigned char bytes[];
} BumpBlock;

typedef struct Bump {
  Arena *arena;
  BumpBlock *first, *current;
  size_t used; /* bytes of the current block */
} Bump;

typedef struct BumpMark {
  BumpBlock *block;
  size_t used;
} BumpMark;

[[nodiscard]] Bump bump_create(Arena *arena);
/* The slow path: uses a further block. */
[[nodiscard]] void *bump_extend(Bump *bump, size_t bytes);

[[nodiscard]] static inline void *bump_alloc(Bump *bump, size_t bytes) {
  bytes = (bytes + 15) & ~(size_t)15;
  if (bytes > bump->current->capacity - bump->used) return bump_extend(bump, bytes);
  void *memory = bump->current->bytes + bump->used;
  bump->used += bytes;
  return memory;
}

[[nodiscard]] static inline BumpMark bump_mark(const Bump *bump) {
  return (BumpMark){bump->current, bump->used};
}
static inline void bump_release(Bump *bump, BumpMark mark) {
  bump->current = mark.block;
  bump->used = mark.used;
}
static inline void bump_reset(Bump *bump) {
  bump->current = bump->first;
  bump->used = 0;
}

#define BUMP_NEW(bump, type, count) ((type *)bump_alloc((bump), sizeof(type) * (size_t)(count)))

#endif
