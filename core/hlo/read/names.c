/* Open addressing with linear probing; the table doubles when it is three quarters full. */
#include "core/hlo/read/names.h"

#include <assert.h>
#include <string.h>

#include "core/base/hash.h"

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

static NameEntry *find_slot(const Names *names, uint32_t scope, const char *name, size_t length) {
  assert(names->capacity > names->count);
  uint32_t mask = names->capacity - 1;
  assert((names->capacity & mask) == 0);
  uint32_t at = (uint32_t)hash_name(scope, name, length) & mask;
  for (;; at = (at + 1) & mask) {
    NameEntry *entry = &names->entries[at];
    if (entry->name == nullptr) return entry;
    if (entry->scope == scope && entry->length == length && memcmp(entry->name, name, length) == 0)
      return entry;
  }
}

void *names_find(const Names *names, uint32_t scope, const char *name, size_t length) {
  return names->capacity == 0 ? nullptr : find_slot(names, scope, name, length)->value;
}

static void names_grow(Names *names, Arena *arena) {
  assert(names->capacity <= UINT32_MAX / 2);
  Names larger = {
      .count = names->count, .capacity = names->capacity == 0 ? 64 : 2 * names->capacity};
  larger.entries = ARENA_NEW(arena, NameEntry, larger.capacity);
  for (uint32_t i = 0; i < names->capacity; i++) {
    const NameEntry *entry = &names->entries[i];
    if (entry->name != nullptr)
      *find_slot(&larger, entry->scope, entry->name, entry->length) = *entry;
  }
  *names = larger;
}

bool names_add(
    Names *names, Arena *arena, uint32_t scope, const char *name, size_t length, void *value) {
  assert(value != nullptr && length < UINT32_MAX);
  if (4 * (names->count + 1) > 3 * names->capacity) names_grow(names, arena);
  NameEntry *slot = find_slot(names, scope, name, length);
  if (slot->name != nullptr) return false;
  *slot = (NameEntry){.name = name, .length = (uint32_t)length, .scope = scope, .value = value};
  names->count++;
  return true;
}
