/* For programs that judge many questions: freed memory stays in the process. Z3 frees its memory
 * after each query and allocates it again for the next one. Keeping it makes checking four times
 * as fast. */
#ifndef CORE_BASE_FREED_MEMORY_H
#define CORE_BASE_FREED_MEMORY_H

#include <malloc.h>

#include "core/base/block_cache.h"

/* At the start of a program, before other threads. */
static inline void freed_memory_keep(void) {
#ifdef M_TRIM_THRESHOLD
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 16 << 20);
#endif
  block_cache_limit(0);
}

#endif
