/* The list of kept blocks. It never waits: a thread that finds the list in use asks malloc. With a
 * sanitizer that watches freed memory, nothing is kept. */
#include "core/base/kept.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/* The start of a block in the list. */
typedef struct KeptBlock {
  struct KeptBlock *next;
  size_t bytes, written;
} KeptBlock;

#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define KEPT_NOTHING
#endif
#endif

#ifdef KEPT_NOTHING
static constexpr size_t highest_limit = 0;
#else
static constexpr size_t highest_limit = SIZE_MAX;
#endif

static struct {
  atomic_flag in_use; /* a thread reads or changes the list */
  size_t limit, written;
  KeptBlock *first;
} kept = {.in_use = ATOMIC_FLAG_INIT, .limit = highest_limit < kept_usual ? 0 : kept_usual};

static bool kept_enter(void) {
  return !atomic_flag_test_and_set_explicit(&kept.in_use, memory_order_acquire);
}

static void kept_leave(void) { atomic_flag_clear_explicit(&kept.in_use, memory_order_release); }

/* Removes the newest block of the size. nullptr: there is none. */
static KeptBlock *kept_take(size_t bytes) {
  KeptBlock **at = &kept.first;
  while (*at != nullptr && (*at)->bytes != bytes) at = &(*at)->next;
  KeptBlock *block = *at;
  if (block == nullptr) return nullptr;
  *at = block->next;
  assert(block->written <= kept.written);
  kept.written -= block->written;
  return block;
}

void *kept_alloc(size_t bytes, size_t *written) {
  assert(bytes >= sizeof(KeptBlock));
  KeptBlock *block = nullptr;
  if (kept_enter()) {
    block = kept_take(bytes);
    kept_leave();
  }
  *written = block == nullptr ? 0 : block->written;
  return block == nullptr ? malloc(bytes) : block;
}

/* False if the list is full. */
static bool kept_put(KeptBlock *block) {
  if (block->written >= kept.limit - kept.written) return false;
  block->next = kept.first;
  kept.first = block;
  kept.written += block->written;
  assert(kept.written < kept.limit);
  return true;
}

void kept_free(void *block, size_t bytes, size_t written) {
  assert(bytes >= sizeof(KeptBlock) && written <= bytes);
  bool is_kept = false;
  if (kept_enter()) {
    *(KeptBlock *)block = (KeptBlock){.bytes = bytes, .written = written};
    is_kept = kept_put(block);
    kept_leave();
  }
  if (!is_kept) free(block);
}

size_t kept_bytes(void) {
  if (!kept_enter()) return 0;
  size_t written = kept.written;
  kept_leave();
  return written;
}

/* Takes the whole list. */
static KeptBlock *kept_empty(void) {
  KeptBlock *first = kept.first;
  kept.first = nullptr;
  kept.written = 0;
  return first;
}

static void kept_free_all(KeptBlock *block) {
  while (block != nullptr) {
    KeptBlock *next = block->next;
    free(block);
    block = next;
  }
}

/* A WebAssembly module runs its destructors after each call of the page, so it has none. */
#ifndef __wasm__
[[gnu::destructor]]
#endif
void kept_trim(void) {
  if (!kept_enter()) return;
  KeptBlock *blocks = kept_empty();
  kept_leave();
  kept_free_all(blocks);
}

void kept_limit(size_t bytes) {
  if (!kept_enter()) return;
  kept.limit = bytes < highest_limit ? bytes : highest_limit;
  KeptBlock *blocks = kept_empty();
  kept_leave();
  kept_free_all(blocks);
}
