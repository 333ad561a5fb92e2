/* Hashes eight bytes at a time: names are long, and modules have many. */
#include "core/hlo/read/names.h"

#include <assert.h>
#include <string.h>

static uint64_t hash_name(uint32_t scope, const char *name, size_t length) {
  uint64_t hash = hash_mix(scope, length);
  for (; length >= 8; name += 8, length -= 8) {
    uint64_t word;
    memcpy(&word, name, 8);
    hash = hash_mix(hash, word);
  }
  uint64_t rest = 0;
  if (length > 0) memcpy(&rest, name, length);
  return hash_mix(hash, rest);
}

static const NameEntry *names_entry(
    const Names *names, uint64_t hash, uint32_t scope, const char *name, size_t length) {
  uint32_t at;
  for (TableProbe probe = table_probe(&names->table, hash);
      table_next(&names->table, &probe, &at);) {
    const NameEntry *entry = &names->items[at];
    if (entry->scope == scope && entry->length == length && memcmp(entry->name, name, length) == 0)
      return entry;
  }
  return nullptr;
}

void *names_find(const Names *names, uint32_t scope, const char *name, size_t length) {
  const NameEntry *entry = names_entry(names, hash_name(scope, name, length), scope, name, length);
  return entry == nullptr ? nullptr : entry->value;
}

bool names_add(
    Names *names, Arena *arena, uint32_t scope, const char *name, size_t length, void *value) {
  assert(value != nullptr && length < UINT32_MAX);
  uint64_t hash = hash_name(scope, name, length);
  if (names_entry(names, hash, scope, name, length) != nullptr) return false;
  table_add(&names->table, arena, hash, names->count);
  *ARENA_PUSH(arena, names) =
      (NameEntry){.name = name, .length = (uint32_t)length, .scope = scope, .value = value};
  return true;
}
