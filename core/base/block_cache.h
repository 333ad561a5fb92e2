/* Caches large blocks of memory for later owners. The first write to a page of fresh memory
 * interrupts the program, and a program that creates many contexts would pay this price for each.
 * The list has a bounded size, and all threads of the process share it. The cache changes only the
 * time. */
#ifndef CORE_BASE_BLOCK_CACHE_H
#define CORE_BASE_BLOCK_CACHE_H

#include <stddef.h>

/* The list has less than its limit of written bytes. This is the limit until it is set. */
static constexpr size_t block_cache_usual = (size_t)4 << 20;

/* A block of exactly `bytes` bytes, with any content, and how many bytes at its start were written
 * before: 0 of a new block. nullptr: out of memory. GIVE: block_cache_free. */
[[nodiscard]] void *block_cache_alloc(size_t bytes, size_t *written);
/* `bytes` is the block's size, at least that of two pointers and a half. At most `written` of them
 * were written. */
void block_cache_free(void *block, size_t bytes, size_t written);
/* The written bytes in the list. */
[[nodiscard]] size_t block_cache_bytes(void);
/* Sets the limit and frees the blocks in the list. 0: no block is kept, for a program whose malloc
 * keeps what it has. Not while another thread uses arenas: then the call may have no effect. */
void block_cache_limit(size_t bytes);
/* Frees the blocks in the list. It also happens when the library is unloaded. */
void block_cache_trim(void);

#endif
