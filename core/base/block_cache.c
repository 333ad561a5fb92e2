/* The list of cached blocks. No thread waits for the list: if another thread uses it, memory comes
 * from malloc. With a sanitizer that watches freed memory, nothing is cached. */
#include "core/base/block_cache.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/* The start of a block in the list. */
typedef struct CachedBlock {
  struct CachedBlock *next;
  size_t bytes, written;
} CachedBlock;

#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define BLOCK_CACHE_OFF
#endif
#endif

#ifdef BLOCK_CACHE_OFF
static constexpr size_t highest_limit = 0;
#else
static constexpr size_t highest_limit = SIZE_MAX;
#endif

static struct {
  atomic_flag in_use; /* a thread reads or changes the list */
  size_t limit, written;
  CachedBlock *first;
} block_cache = {
    .in_use = ATOMIC_FLAG_INIT, .limit = highest_limit < block_cache_usual ? 0 : block_cache_usual};

static bool block_cache_enter(void) {
  return !atomic_flag_test_and_set_explicit(&block_cache.in_use, memory_order_acquire);
}

static void block_cache_leave(void) {
  atomic_flag_clear_explicit(&block_cache.in_use, memory_order_release);
}

/* Removes the newest block of the size. nullptr: there is none. */
static CachedBlock *block_cache_take(size_t bytes) {
  CachedBlock **at = &block_cache.first;
  while (*at != nullptr && (*at)->bytes != bytes) at = &(*at)->next;
  CachedBlock *block = *at;
  if (block == nullptr) return nullptr;
  *at = block->next;
  assert(block->written <= block_cache.written);
  block_cache.written -= block->written;
  return block;
}

void *block_cache_alloc(size_t bytes, size_t *written) {
  assert(bytes >= sizeof(CachedBlock));
  CachedBlock *block = nullptr;
  if (block_cache_enter()) {
    block = block_cache_take(bytes);
    block_cache_leave();
  }
  *written = block == nullptr ? 0 : block->written;
  return block == nullptr ? malloc(bytes) : block;
}

/* False if the list is full. */
static bool block_cache_put(CachedBlock *block) {
  if (block->written >= block_cache.limit - block_cache.written) return false;
  block->next = block_cache.first;
  block_cache.first = block;
  block_cache.written += block->written;
  assert(block_cache.written < block_cache.limit);
  return true;
}

void block_cache_free(void *block, size_t bytes, size_t written) {
  assert(bytes >= sizeof(CachedBlock) && written <= bytes);
  bool is_kept = false;
  if (block_cache_enter()) {
    *(CachedBlock *)block = (CachedBlock){.bytes = bytes, .written = written};
    is_kept = block_cache_put(block);
    block_cache_leave();
  }
  if (!is_kept) free(block);
}

size_t block_cache_bytes(void) {
  if (!block_cache_enter()) return 0;
  size_t written = block_cache.written;
  block_cache_leave();
  return written;
}

/* Takes the whole list. */
static CachedBlock *block_cache_empty(void) {
  CachedBlock *first = block_cache.first;
  block_cache.first = nullptr;
  block_cache.written = 0;
  return first;
}

static void block_cache_free_all(CachedBlock *block) {
  while (block != nullptr) {
    CachedBlock *next = block->next;
    free(block);
    block = next;
  }
}

/* A WebAssembly module runs its destructors after each call of the page, so it has none. */
#ifndef __wasm__
[[gnu::destructor]]
#endif
void block_cache_trim(void) {
  if (!block_cache_enter()) return;
  CachedBlock *blocks = block_cache_empty();
  block_cache_leave();
  block_cache_free_all(blocks);
}

void block_cache_limit(size_t bytes) {
  if (!block_cache_enter()) return;
  block_cache.limit = bytes < highest_limit ? bytes : highest_limit;
  CachedBlock *blocks = block_cache_empty();
  block_cache_leave();
  block_cache_free_all(blocks);
}
