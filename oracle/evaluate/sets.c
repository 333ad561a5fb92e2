/* Interning of bit sets by hash and comparison. */
#include "oracle/evaluate/sets.h"

#include <assert.h>
#include <string.h>

#include "core/base/hash.h"

void sets_create(Sets *sets, Arena *arena, int64_t universe) {
  assert(universe >= 0 && universe < UINT32_MAX);
  *sets = (Sets){.arena = arena, .universe = universe, .words = bits_words(universe)};
  sets->table_mask = 63;
  sets->table = ARENA_NEW(arena, uint32_t, sets->table_mask + 1);
  sets->bits = ARENA_NEW(arena, uint64_t, sets->words);
}

static uint64_t sets_hash_of(const Sets *sets, const uint64_t *bits) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < sets->words; i++) hash = hash_mix(hash, bits[i]);
  return hash;
}

static void sets_grow(Sets *sets) {
  sets->table_mask = 2 * sets->table_mask + 1;
  sets->table = ARENA_NEW(sets->arena, uint32_t, sets->table_mask + 1);
  for (uint32_t i = 0; i < sets->count; i++) {
    uint64_t at = sets_hash_of(sets, sets->items[i]) & sets->table_mask;
    while (sets->table[at] != 0) at = (at + 1) & sets->table_mask;
    sets->table[at] = i + 1;
  }
}

/* The number of elements if it is 0 or 1, otherwise -1; *element is the single element. */
static int few_set_elements(const Sets *sets, const uint64_t *bits, int64_t *element) {
  int found = 0;
  for (uint32_t i = 0; i < sets->words; i++) {
    if (bits[i] == 0) continue;
    if (found != 0 || (bits[i] & (bits[i] - 1)) != 0) return -1;
    found = 1;
    *element = (int64_t)i * 64 + __builtin_ctzll(bits[i]);
  }
  return found;
}

uint32_t sets_number(Sets *sets, const uint64_t *bits) {
  int64_t element = 0;
  int count = few_set_elements(sets, bits, &element);
  if (count == 0) return set_empty;
  if (count == 1) return (uint32_t)(1 + element);
  uint64_t at = sets_hash_of(sets, bits) & sets->table_mask;
  for (; sets->table[at] != 0; at = (at + 1) & sets->table_mask)
    if (memcmp(sets->items[sets->table[at] - 1], bits, sets->words * sizeof *bits) == 0)
      return (uint32_t)sets->universe + sets->table[at];
  uint64_t *copy = ARENA_NEW(sets->arena, uint64_t, sets->words);
  memcpy(copy, bits, sets->words * sizeof *bits);
  *ARENA_PUSH(sets->arena, sets) = copy;
  sets->table[at] = sets->count;
  uint32_t number = (uint32_t)sets->universe + sets->count;
  assert(number > sets->universe && sets->count <= sets->table_mask);
  if (2 * sets->count > sets->table_mask) sets_grow(sets);
  return number;
}

void sets_add(const Sets *sets, uint32_t set, uint64_t *bits) {
  if (set == set_empty) return;
  if (set <= sets->universe) {
    bits_set(bits, (int64_t)set - 1);
    return;
  }
  const uint64_t *from = sets->items[set - 1 - (uint32_t)sets->universe];
  assert(set - 1 - (uint32_t)sets->universe < sets->count);
  for (uint32_t i = 0; i < sets->words; i++) bits[i] |= from[i];
}
