/* Memory that lives as long as one case: bump allocation, mark and rewind. Keeps: every block is
 * aligned to 16 bytes, and zeroed unless it comes from arena_alloc_unset; a rewind frees everything
 * allocated after its mark. When memory runs out, the program exits in arena_out_of_memory, so no
 * caller checks for a null pointer. */
#ifndef CORE_BASE_ARENA_H
#define CORE_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Only this file and arena.c use the fields. */
typedef struct Arena {
  unsigned char *next;  /* the place of the next block */
  unsigned char *ready; /* blocks up to here need nothing from the system */
  struct ArenaChunk *current;
  size_t total;
} Arena;

typedef struct ArenaMark {
  void *chunk;
  size_t used;
} ArenaMark;

/* GIVE: the caller destroys it. */
[[nodiscard]] Arena *arena_create(void);
void arena_destroy(Arena *arena);

[[nodiscard]] ArenaMark arena_mark(const Arena *arena);
/* Keeps chunks beyond the mark for reuse, up to a few MB, so that a fuzz iteration allocates
 * nothing. */
void arena_rewind(Arena *arena, ArenaMark mark);

/* `count` objects of `size` bytes, zeroed. If count * size overflows size_t, the program exits as
 * out of memory. */
[[nodiscard]] void *arena_alloc(Arena *arena, size_t count, size_t size);
/* The same without zeroing, for a large buffer whose bytes are written before they are read. The
 * system maps a page of the buffer when it is first written. */
[[nodiscard]] void *arena_alloc_unset(Arena *arena, size_t count, size_t size);
/* A larger copy of `items`: room for `capacity` objects, of which the first `count` are copied. */
[[nodiscard]] void *arena_grow(
    Arena *arena, const void *items, size_t count, size_t capacity, size_t size);
/* A copy of text[0..length) with a NUL after it. */
[[nodiscard]] char *arena_text(Arena *arena, const char *text, size_t length);
[[nodiscard, gnu::format(printf, 2, 3)]] char *arena_printf(Arena *arena, const char *format, ...);
/* arena_printf with a va_list. */
[[nodiscard, gnu::format(printf, 2, 0)]] char *arena_write(
    Arena *arena, const char *format, va_list arguments);

/* True if `item` points into memory that was allocated here and has not been freed by a rewind. */
[[nodiscard]] bool arena_holds(const Arena *arena, const void *item);
/* The caller is about to allocate and write about `bytes` bytes: requests their pages from the
 * system at once. Changes only the time. */
void arena_expect(Arena *arena, size_t bytes);
/* Bytes taken from the system so far, for limits and measurements. */
[[nodiscard]] size_t arena_bytes(const Arena *arena);

/* Prints the error and exits with status 3. `bytes` 0: the size is not known. */
[[noreturn]] void arena_out_of_memory(size_t bytes);

/* Makes at least `bytes` bytes ready after `next`. */
[[gnu::noinline]] void arena_make_ready(Arena *arena, size_t bytes);

/* A block of `bytes` bytes, a multiple of 16, with any content. */
[[nodiscard]] static inline void *arena_take(Arena *arena, size_t bytes) {
  if ((size_t)(arena->ready - arena->next) < bytes) arena_make_ready(arena, bytes);
  unsigned char *block = arena->next;
  arena->next += bytes;
  return block;
}

/* The caller is about to write about `bytes` bytes: requests their lines from memory at once.
 * Changes only the time. */
static inline void arena_fetch(const Arena *arena, size_t bytes) {
  static constexpr size_t line = 64;
  for (size_t at = 0; at < bytes; at += line) __builtin_prefetch(arena->next + at, 1);
}

/* arena_alloc, without a call for a few objects whose number the compiler knows. */
[[nodiscard, gnu::always_inline]] static inline void *arena_new(
    Arena *arena, size_t count, size_t size) {
  static constexpr size_t few = 64;
  if (!__builtin_constant_p(count) || count > few || count * size > few)
    return arena_alloc(arena, count, size);
  size_t bytes = (count * size + 15) & ~(size_t)15;
  return __builtin_memset(arena_take(arena, bytes), 0, bytes);
}

#define ARENA_NEW(arena, type, count) ((type *)arena_new((arena), (size_t)(count), sizeof(type)))

/* Appends to a list `items` of `count` objects inside a struct with fields count, capacity,
 * items. */
#define ARENA_PUSH(arena, list) \
  (((list)->count == (list)->capacity \
           ? (void)((list)->capacity = (list)->capacity ? 2 * (list)->capacity : 8, \
                 (list)->items = arena_grow((arena), (list)->items, (list)->count, \
                     (list)->capacity, sizeof *(list)->items)) \
           : (void)0), \
      &(list)->items[(list)->count++])

#endif
