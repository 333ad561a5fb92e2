/* Blocks double in size up to a limit. A block after the mark is reused if it is large enough. */
#include "core/simplify/facts/bump.h"

#include <assert.h>

static constexpr size_t first_block = (size_t)32 << 10;
static constexpr size_t largest_block = (size_t)4 << 20;

static BumpBlock *create_block(Arena *arena, size_t capacity) {
  BumpBlock *block = arena_alloc_unset(arena, 1, sizeof *block + capacity);
  block->after = nullptr;
  block->capacity = capacity;
  return block;
}

Bump bump_create(Arena *arena) {
  BumpBlock *block = create_block(arena, first_block);
  return (Bump){.arena = arena, .first = block, .current = block};
}

void *bump_extend(Bump *bump, size_t bytes) {
  BumpBlock *block = bump->current;
  while (block->after != nullptr && block->after->capacity < bytes) block = block->after;
  if (block->after == nullptr) {
    size_t capacity = block->capacity < largest_block ? 2 * block->capacity : largest_block;
    block->after = create_block(bump->arena, capacity < bytes ? bytes : capacity);
  }
  assert(block->after->capacity >= bytes);
  bump->current = block->after;
  bump->used = bytes;
  return bump->current->bytes;
}
