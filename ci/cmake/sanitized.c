/* Linked into every program of a sanitized build. AddressSanitizer maps each large allocation anew, so the tables of 8.5 MB that Z3 fills for each
 * context cost 4,000 page faults (docs/decisions/0108-large-pages-in-sanitized-builds.md). */
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

const char *__asan_default_options(void);
void __sanitizer_malloc_hook(const volatile void *block, size_t size);
void __sanitizer_free_hook(const volatile void *block);

/* The ends of a program's variables without initial values, set by the linker. */
extern char __bss_start[], _end[];

/* Asks for large pages for these variables. Most are tables of the sanitizer that stay empty, and the search for leaks at the end of each program
 * reads them all. */
static void sanitized_large_variables(void) {
  static constexpr uintptr_t page = 4'096;
  uintptr_t start = ((uintptr_t)__bss_start + page - 1) & ~(page - 1), end = (uintptr_t)_end & ~(page - 1);
  if (start < end) madvise((void *)start, end - start, MADV_HUGEPAGE);
}

/* The first function here that a program calls. Freed memory is kept unused up to 16 MB; the default of 256 MB would keep thirty tables. */
const char *__asan_default_options(void) {
  sanitized_large_variables();
  return "quarantine_size_mb=16:max_uar_stack_size_log=16";
}

/* Maps a block and its shadow, an eighth of its size, at once: each page that is mapped when it is first
 * written costs a fault. Larger blocks may stay unused. */
static void sanitized_map(uintptr_t start, size_t size) {
  static constexpr uintptr_t shadow = 0x7fff8000, page = 4'096;
  uintptr_t first = ((start >> 3) + shadow) & ~(page - 1);
  uintptr_t last = ((start + size) >> 3) + shadow;
  madvise((void *)start, size, MADV_POPULATE_WRITE);
  madvise((void *)first, last - first, MADV_POPULATE_WRITE);
}

/* Asks for large pages. A refusal changes nothing. */
void __sanitizer_malloc_hook(const volatile void *block, size_t size) {
  static constexpr size_t large = (size_t)4 << 20, page = 4'096;
  if (size < large) return;
  uintptr_t start = ((uintptr_t)block + page - 1) & ~(uintptr_t)(page - 1);
  madvise((void *)start, size - page, MADV_HUGEPAGE);
  if (size < 4 * large) sanitized_map(start, size - page);
}

void __sanitizer_free_hook(const volatile void *) {}
