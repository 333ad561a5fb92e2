/* Open addressing with linear probing, at most half full. */
#include "core/expr/memo.h"

#include <assert.h>

Memo memo_create(Arena *arena) {
  static constexpr uint32_t slots = 32;
  return (Memo){.arena = arena,
      .keys = ARENA_NEW(arena, uint32_t, slots),
      .values = ARENA_NEW(arena, uint32_t, slots),
      .mask = slots - 1};
}

static uint32_t slot_of(const Memo *memo, uint32_t key) {
  uint32_t slot = key * UINT32_C(0x9e3779b1) & memo->mask;
  while (memo->keys[slot] != 0 && memo->keys[slot] != key) slot = (slot + 1) & memo->mask;
  return slot;
}

bool memo_find(const Memo *memo, Expr key, uint32_t *value) {
  uint32_t slot = slot_of(memo, key.at);
  if (memo->keys[slot] == 0) return false;
  *value = memo->values[slot];
  return true;
}

static void grow(Memo *memo) {
  Memo larger = *memo;
  larger.mask = 2 * memo->mask + 1;
  larger.keys = ARENA_NEW(memo->arena, uint32_t, larger.mask + 1);
  larger.values = ARENA_NEW(memo->arena, uint32_t, larger.mask + 1);
  for (uint32_t i = 0; i <= memo->mask; i++) {
    if (memo->keys[i] == 0) continue;
    uint32_t slot = slot_of(&larger, memo->keys[i]);
    larger.keys[slot] = memo->keys[i];
    larger.values[slot] = memo->values[i];
  }
  *memo = larger;
}

void memo_insert(Memo *memo, Expr key, uint32_t value) {
  assert(key.at != 0);
  if (2 * memo->count >= memo->mask) grow(memo);
  uint32_t slot = slot_of(memo, key.at);
  if (memo->keys[slot] == 0) memo->count++;
  memo->keys[slot] = key.at;
  memo->values[slot] = value;
}
