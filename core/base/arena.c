/* The arena: a chain of chunks, each at least twice the size of the one before it up to a limit. A
 * rewind keeps small chunks after the mark for reuse and frees large ones.
 * A page of fresh memory interrupts the program when it is first written. Large chunks therefore
 * request their pages from the system some at a time, shortly before they are used. */
#include "core/base/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdckdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "core/base/block_cache.h"

/* The arena has `next` and `ready` of its current chunk; a chunk has them while it is not the
 * current one. */
typedef struct ArenaChunk {
  struct ArenaChunk *before;
  struct ArenaChunk *after;
  size_t capacity;
  size_t ready;  /* at most the capacity; the bytes before it need no request */
  size_t used;   /* at most `ready` */
  size_t mapped; /* the bytes before it were written by an earlier owner */
  alignas(16) unsigned char bytes[];
} Chunk;

static constexpr size_t first_chunk = (size_t)64 << 10;
static constexpr size_t largest_step = (size_t)8 << 20;
static constexpr size_t small_chunk = (size_t)512 << 10; /* up to here nothing is requested */
static constexpr size_t request_bytes = (size_t)32 << 10;

void arena_out_of_memory(size_t bytes) {
  if (bytes == 0) fputs("affirm: out of memory\n", stderr);
  else fprintf(stderr, "affirm: out of memory (%zu bytes wanted)\n", bytes);
  exit(3);
}

static Chunk *chunk_create(size_t capacity) {
  size_t bytes, written = 0;
  Chunk *chunk =
      ckd_add(&bytes, capacity, sizeof(Chunk)) ? nullptr : block_cache_alloc(bytes, &written);
  if (chunk == nullptr) arena_out_of_memory(capacity);
  size_t mapped = written > sizeof(Chunk) ? written - sizeof(Chunk) : 0;
  *chunk = (Chunk){
      .capacity = capacity, .ready = capacity <= small_chunk ? capacity : mapped, .mapped = mapped};
  return chunk;
}

static void chunk_free(Chunk *chunk) {
  block_cache_free(chunk, sizeof(Chunk) + chunk->capacity, sizeof(Chunk) + chunk->ready);
}

static size_t used_bytes(const Arena *arena) {
  return (size_t)(arena->next - arena->current->bytes);
}

/* Stores the position of the current chunk and goes on at `used` of another, or of the same one. */
static void enter_chunk(Arena *arena, Chunk *chunk, size_t used) {
  Chunk *left = arena->current;
  left->used = used_bytes(arena);
  left->ready = (size_t)(arena->ready - left->bytes);
  assert(used <= chunk->ready && chunk->ready <= chunk->capacity);
  arena->current = chunk;
  arena->next = chunk->bytes + used;
  arena->ready = chunk->bytes + chunk->ready;
}

Arena *arena_create(void) {
  Arena *arena = malloc(sizeof *arena);
  if (arena == nullptr) arena_out_of_memory(sizeof *arena);
  Chunk *first = chunk_create(first_chunk);
  *arena = (Arena){.next = first->bytes,
      .ready = first->bytes + first->ready,
      .current = first,
      .total = first_chunk};
  return arena;
}

static void free_after(Arena *arena, Chunk *chunk) {
  Chunk *next = chunk->after;
  chunk->after = nullptr;
  while (next != nullptr) {
    Chunk *after = next->after;
    arena->total -= next->capacity;
    chunk_free(next);
    next = after;
  }
}

void arena_destroy(Arena *arena) {
  if (arena == nullptr) return;
  Chunk *first = arena->current;
  first->ready = (size_t)(arena->ready - first->bytes);
  while (first->before != nullptr) first = first->before;
  free_after(arena, first);
  chunk_free(first);
  free(arena);
}

ArenaMark arena_mark(const Arena *arena) {
  return (ArenaMark){.chunk = arena->current, .used = used_bytes(arena)};
}

void arena_rewind(Arena *arena, ArenaMark mark) {
  Chunk *chunk = mark.chunk;
  if (chunk == arena->current) arena->next = chunk->bytes + mark.used;
  else enter_chunk(arena, chunk, mark.used);
  if (chunk->after == nullptr) return;
  if (chunk->after->capacity > largest_step) {
    free_after(arena, chunk);
    return;
  }
  free_after(arena, chunk->after);
}

static void next_chunk(Arena *arena, size_t bytes) {
  Chunk *chunk = arena->current->after;
  if (chunk != nullptr && chunk->capacity >= bytes) {
    enter_chunk(arena, chunk, 0);
    return;
  }
  free_after(arena, arena->current);
  size_t capacity = arena->current->capacity;
  capacity = capacity < largest_step ? 2 * capacity : largest_step;
  if (capacity < bytes) capacity = bytes;
  chunk = chunk_create(capacity);
  chunk->before = arena->current;
  arena->current->after = chunk;
  enter_chunk(arena, chunk, 0);
  arena->total += capacity;
}

/* The bytes from `ready` on are about to be written. Systems without such requests reject them, and
 * the pages come one by one as they are written. */
static void request_pages(
    [[maybe_unused]] const unsigned char *ready, [[maybe_unused]] size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  static constexpr uintptr_t page = 4096;
  uintptr_t first = (uintptr_t)ready & ~(page - 1), end = ((uintptr_t)ready + bytes) & ~(page - 1);
  if (first < end) (void)madvise((void *)first, end - first, MADV_POPULATE_WRITE);
#endif
}

static size_t bytes_left(const Arena *arena) {
  return arena->current->capacity - used_bytes(arena);
}

/* Large blocks are often larger than what is written to them, so their pages are not requested. */
void arena_make_ready(Arena *arena, size_t bytes) {
  if (bytes_left(arena) < bytes) next_chunk(arena, bytes);
  if ((size_t)(arena->ready - arena->next) >= bytes) return;
  const unsigned char *end = arena->current->bytes + arena->current->capacity;
  size_t left = (size_t)(end - arena->ready);
  size_t more = left < request_bytes ? left : request_bytes;
  if ((size_t)(arena->ready + more - arena->next) >= bytes) {
    request_pages(arena->ready, more);
    arena->ready += more;
  } else {
    arena->ready = arena->next + bytes;
  }
  assert(arena->ready <= end && (size_t)(arena->ready - arena->next) >= bytes);
}

/* Most blocks are a few words. For those a call of memset, which the compiler also makes of a loop,
 * costs more than writing the words, some of them twice. */
[[gnu::always_inline]] static inline void *clear(unsigned char *block, size_t bytes) {
  static constexpr size_t word = 16, few = 4 * word;
  assert(bytes % word == 0);
  if (bytes == 0 || bytes > few) return memset(block, 0, bytes);
  unsigned char *last = block + bytes - word;
  memset(block, 0, word);
  memset(last, 0, word);
  if (bytes <= 2 * word) return block;
  memset(block + word, 0, word);
  memset(last - word, 0, word);
  return block;
}

[[gnu::always_inline]] static inline size_t block_bytes(size_t count, size_t size) {
  size_t bytes;
  if (ckd_mul(&bytes, count, size) || ckd_add(&bytes, bytes, (size_t)15))
    arena_out_of_memory(SIZE_MAX);
  return bytes & ~(size_t)15;
}

void arena_expect(Arena *arena, size_t bytes) {
  bytes = block_bytes(bytes, 1);
  if (bytes_left(arena) < bytes) next_chunk(arena, bytes);
  if (used_bytes(arena) >= arena->current->mapped) request_pages(arena->next, bytes);
  if ((size_t)(arena->ready - arena->next) < bytes) arena->ready = arena->next + bytes;
}

[[gnu::noinline]] static void *alloc_more(Arena *arena, size_t bytes) {
  arena_make_ready(arena, bytes);
  return clear(arena_take(arena, bytes), bytes);
}

void *arena_alloc(Arena *arena, size_t count, size_t size) {
  size_t bytes = block_bytes(count, size);
  if ((size_t)(arena->ready - arena->next) < bytes) return alloc_more(arena, bytes);
  return clear(arena_take(arena, bytes), bytes);
}

void *arena_alloc_unset(Arena *arena, size_t count, size_t size) {
  return arena_take(arena, block_bytes(count, size));
}

void *arena_grow(Arena *arena, const void *items, size_t count, size_t capacity, size_t size) {
  assert(count <= capacity);
  size_t bytes = block_bytes(capacity, size), used = count * size;
  unsigned char *larger = arena_take(arena, bytes);
  if (used == 0) return clear(larger, bytes);
  memcpy(larger, items, used);
  memset(larger + used, 0, bytes - used);
  return larger;
}

char *arena_text(Arena *arena, const char *text, size_t length) {
  char *copy = arena_alloc(arena, length + 1, 1);
  if (length > 0) memcpy(copy, text, length);
  return copy;
}

char *arena_write(Arena *arena, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(nullptr, 0, format, arguments);
  size_t capacity = length < 0 ? 1 : (size_t)length + 1;
  char *text = arena_alloc(arena, capacity, 1);
  if (length > 0) vsnprintf(text, capacity, format, again);
  va_end(again);
  return text;
}

char *arena_printf(Arena *arena, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = arena_write(arena, format, arguments);
  va_end(arguments);
  return text;
}

bool arena_holds(const Arena *arena, const void *item) {
  const Chunk *chunk = arena->current;
  if ((uintptr_t)item - (uintptr_t)chunk->bytes < used_bytes(arena)) return true;
  while ((chunk = chunk->before) != nullptr)
    if ((uintptr_t)item - (uintptr_t)chunk->bytes < chunk->used) return true;
  return false;
}

size_t arena_bytes(const Arena *arena) { return arena->total; }
