/* Grows a table. Each slot keeps its hash, so that no key is hashed again. */
#include "core/base/table.h"

#include <assert.h>

static void table_put(Table *table, TableSlot slot) {
  uint32_t at = slot.hash & table->mask;
  while (table->slots[at].item != 0) at = (at + 1) & table->mask;
  table->slots[at] = slot;
}

/* Copies the slots in their order, beginning after a free one, so that items with the same hash
 * keep theirs. */
static void table_grow(Table *table, Arena *arena) {
  static constexpr uint32_t first = 32;
  Table old = *table;
  table->mask = old.slots == nullptr ? first - 1 : 2 * old.mask + 1;
  table->slots = ARENA_NEW(arena, TableSlot, (size_t)table->mask + 1);
  if (old.slots == nullptr) return;
  uint32_t start = 0;
  while (old.slots[start].item != 0) start++;
  for (uint32_t i = 0; i <= old.mask; i++) {
    TableSlot slot = old.slots[(start + i) & old.mask];
    if (slot.item != 0) table_put(table, slot);
  }
}

void table_add(Table *table, Arena *arena, uint64_t hash, uint32_t item) {
  assert(item < UINT32_MAX && table->count < UINT32_MAX / 4);
  if (table->slots == nullptr || 2 * (table->count + 1) > table->mask) table_grow(table, arena);
  table->count++;
  table_put(table, (TableSlot){.hash = table_probe(table, hash).hash, .item = item + 1});
}
