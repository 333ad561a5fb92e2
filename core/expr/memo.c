/* Open addressing with linear probing, at most half full. */
#include "core/expr/memo.h"

#include <assert.h>

static constexpr uint32_t first_slots = 16;

static MemoSlot *find_slot(const Memo *memo, uint32_t key) {
  uint32_t slot = key * UINT32_C(0x9e3779b1) & memo->mask;
  while (memo->slots[slot].key != 0 && memo->slots[slot].key != key) slot = (slot + 1) & memo->mask;
  return &memo->slots[slot];
}

bool memo_find_slot(const Memo *memo, Expr key, uint32_t *value) {
  const MemoSlot *slot = find_slot(memo, key.at);
  assert(memo->count > 0 && memo->slots != nullptr);
  if (slot->key == 0) return false;
  *value = slot->value;
  return true;
}

static void memo_grow(Memo *memo) {
  Memo larger = *memo;
  uint32_t slots = memo->slots == nullptr ? 0 : memo->mask + 1;
  larger.mask = (slots == 0 ? first_slots : 2 * slots) - 1;
  larger.slots = ARENA_NEW(memo->arena, MemoSlot, larger.mask + 1);
  for (uint32_t i = 0; i < slots; i++)
    if (memo->slots[i].key != 0) *find_slot(&larger, memo->slots[i].key) = memo->slots[i];
  assert(2 * larger.count < larger.mask);
  *memo = larger;
}

void memo_insert(Memo *memo, Expr key, uint32_t value) {
  assert(key.at != 0);
  if (2 * memo->count >= memo->mask) memo_grow(memo);
  MemoSlot *slot = find_slot(memo, key.at);
  if (slot->key == 0) memo->count++;
  *slot = (MemoSlot){key.at, value};
}
