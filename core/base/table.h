/* A hash table that maps hashes to indices into a list of the caller. The table stores no keys: the
 * caller computes each hash once, and compares each item that the table offers.
 *   for (TableProbe probe = table_probe(&table, hash); table_next(&table, &probe, &item);)
 *     if (same(&items[item], key)) return item;
 *   table_add(&table, arena, hash, item);
 * Open addressing with linear probing, at most half full. Keeps: items with the same hash are
 * offered in the order in which they were added; a table that is all zero is empty. */
#ifndef CORE_BASE_TABLE_H
#define CORE_BASE_TABLE_H

#include "core/base/arena.h"
#include "core/base/hash.h"

typedef struct TableSlot {
  uint32_t hash, item; /* item: its index plus one; 0: free */
} TableSlot;

typedef struct Table {
  TableSlot *slots; /* [mask + 1]; nullptr for an empty table */
  uint32_t count, mask;
} Table;

typedef struct TableProbe {
  uint32_t hash, at;
} TableProbe;

[[nodiscard]] static inline TableProbe table_probe(const Table *table, uint64_t hash) {
  uint32_t folded = (uint32_t)(hash ^ hash >> 32);
  return (TableProbe){.hash = folded, .at = folded & table->mask};
}

/* The next item with the hash; false after the last one. */
[[nodiscard]] static inline bool table_next(const Table *table, TableProbe *probe, uint32_t *item) {
  while (table->slots != nullptr && table->slots[probe->at].item != 0) {
    TableSlot slot = table->slots[probe->at];
    probe->at = (probe->at + 1) & table->mask;
    *item = slot.item - 1;
    if (slot.hash == probe->hash) return true;
  }
  return false;
}

/* item < UINT32_MAX. The slots grow in the arena; old slots are unused until the arena rewinds. */
void table_add(Table *table, Arena *arena, uint64_t hash, uint32_t item);

#endif
