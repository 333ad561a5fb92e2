/* Creates and destroys an indexer, and manages its cache of called computations: a table with open
 * addressing, keyed by computation, direction and leaf. */
#include "core/index/indexer.h"

#include <assert.h>
#include <stdlib.h>

#include "core/base/hash.h"

Indexer *indexer_create(MapContext *context, Simplifier *simplifier, Error *) {
  Indexer *indexer = malloc(sizeof *indexer);
  if (indexer == nullptr) arena_out_of_memory(sizeof *indexer);
  *indexer = (Indexer){.context = context,
      .simplifier = simplifier,
      .memory = arena_create(),
      .scratch = arena_create(),
      .rewinds = context->rewinds};
  return indexer;
}

void indexer_destroy(Indexer *indexer) {
  if (indexer == nullptr) return;
  arena_destroy(indexer->memory);
  arena_destroy(indexer->scratch);
  free(indexer);
}

void indexer_reset(Indexer *indexer) {
  arena_destroy(indexer->memory);
  *indexer = (Indexer){.context = indexer->context,
      .simplifier = indexer->simplifier,
      .memory = arena_create(),
      .scratch = indexer->scratch,
      .rewinds = indexer->context->rewinds};
}

static uint32_t slot_of(
    const Indexer *indexer, const Computation *computation, Direction direction, uint32_t leaf) {
  uint64_t hash = hash_mix((uint64_t)(uintptr_t)computation, (uint64_t)leaf << 1 | direction);
  uint32_t mask = indexer->capacity - 1, slot = (uint32_t)hash & mask;
  for (;; slot = (slot + 1) & mask) {
    const RememberedSets *item = &indexer->items[slot];
    if (item->computation == nullptr) return slot;
    if (item->computation == computation && item->direction == direction && item->leaf == leaf)
      return slot;
  }
}

void remember_check(Indexer *indexer) {
  assert(indexer->depth == 0 || indexer->rewinds == indexer->context->rewinds);
  if (indexer->rewinds == indexer->context->rewinds) return;
  if (indexer->count > 0) indexer_reset(indexer);
  indexer->rewinds = indexer->context->rewinds;
}

MapSet *remember_find(
    const Indexer *indexer, const Computation *computation, Direction direction, uint32_t leaf) {
  if (indexer->capacity == 0) return nullptr;
  return indexer->items[slot_of(indexer, computation, direction, leaf)].sets;
}

static void remember_make_capacity(Indexer *indexer) {
  if (2 * indexer->count < indexer->capacity) return;
  Indexer old = *indexer;
  indexer->capacity = old.capacity == 0 ? 4 : 2 * old.capacity;
  indexer->items = ARENA_NEW(indexer->memory, RememberedSets, indexer->capacity);
  for (uint32_t i = 0; i < old.capacity; i++) {
    const RememberedSets *item = &old.items[i];
    if (item->computation != nullptr)
      indexer->items[slot_of(indexer, item->computation, item->direction, item->leaf)] = *item;
  }
}

void remember_add(Indexer *indexer, const Computation *computation, Direction direction,
    uint32_t leaf, MapSet *sets) {
  remember_make_capacity(indexer);
  RememberedSets *item = &indexer->items[slot_of(indexer, computation, direction, leaf)];
  assert(item->computation == nullptr);
  *item = (RememberedSets){computation, direction, leaf, sets};
  indexer->count++;
}
