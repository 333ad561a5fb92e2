/* The list of cached blocks: which blocks are reused, the bounds of the list, and threads that
 * share it. With a sanitizer the list is empty, and the same calls only allocate and free. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/block_cache.h"

static constexpr size_t block_size = (size_t)64 << 10;

static int block_cache_begin(void **) {
  block_cache_limit(block_cache_usual);
  return 0;
}

#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
static constexpr bool keeps_blocks = false;
#else
static constexpr bool keeps_blocks = true;
#endif

/* True if blocks are kept at all. */
static bool list_is_used(void) {
  size_t written;
  void *block = block_cache_alloc(block_size, &written);
  block_cache_free(block, block_size, block_size);
  bool is_used = block_cache_bytes() > 0;
  block_cache_trim();
  assert_int_equal(block_cache_bytes(), 0);
  assert_int_equal(is_used, keeps_blocks);
  return is_used;
}

static void a_freed_block_is_taken_by_its_size(void **) {
  if (!list_is_used()) skip();
  size_t written;
  void *block = block_cache_alloc(block_size, &written);
  assert_non_null(block);
  assert_int_equal(written, 0);
  block_cache_free(block, block_size, 5000);
  assert_int_equal(block_cache_bytes(), 5000);
  void *other = block_cache_alloc(2 * block_size, &written);
  assert_int_equal(written, 0);
  assert_ptr_equal(block_cache_alloc(block_size, &written), block);
  assert_int_equal(written, 5000);
  assert_int_equal(block_cache_bytes(), 0);
  block_cache_free(block, block_size, block_size);
  block_cache_free(other, 2 * block_size, 0);
  assert_int_equal(block_cache_bytes(), block_size);
}

static void the_list_has_a_bound(void **) {
  static constexpr uint32_t count = 2 * block_cache_usual / block_size;
  void *blocks[count];
  size_t written;
  for (uint32_t i = 0; i < count; i++) {
    blocks[i] = block_cache_alloc(block_size, &written);
    assert_int_equal(written, 0);
  }
  for (uint32_t i = 0; i < count; i++) {
    block_cache_free(blocks[i], block_size, block_size);
    assert_true(block_cache_bytes() <= block_cache_usual);
  }
  void *large = block_cache_alloc(block_cache_usual + block_size, &written);
  block_cache_trim();
  block_cache_free(large, block_cache_usual + block_size, block_cache_usual + 1);
  assert_int_equal(block_cache_bytes(), 0);
}

static void a_limit_of_zero_keeps_nothing(void **) {
  size_t written;
  void *first = block_cache_alloc(block_size, &written),
       *second = block_cache_alloc(block_size, &written);
  block_cache_free(first, block_size, block_size);
  block_cache_limit(0);
  assert_int_equal(block_cache_bytes(), 0);
  block_cache_free(second, block_size, 0);
  second = block_cache_alloc(block_size, &written);
  assert_int_equal(written, 0);
  block_cache_free(second, block_size, block_size);
  assert_int_equal(block_cache_bytes(), 0);
}

/* What is beyond a chunk's written bytes was never requested, so that only the others count. */
static void chunks_of_a_destroyed_arena_are_taken_again(void **) {
  if (!list_is_used()) skip();
  Arena *first = arena_create();
  for (uint32_t i = 0; i < 300; i++) memset(ARENA_NEW(first, char, 5000), 1, 5000);
  size_t total = arena_bytes(first);
  arena_destroy(first);
  size_t written = block_cache_bytes();
  assert_in_range(written, 1500000, total);
  Arena *second = arena_create();
  assert_true(block_cache_bytes() < written);
  for (uint32_t i = 0; i < 300; i++) {
    const char *zeroed = ARENA_NEW(second, char, 5000);
    for (uint32_t byte = 0; byte < 5000; byte++) assert_int_equal(zeroed[byte], 0);
  }
  assert_int_equal(block_cache_bytes(), 0);
  arena_expect(second, 1000);
  arena_destroy(second);
  assert_int_equal(block_cache_bytes(), written);
}

static void *arenas_in_turn(void *) {
  for (uint32_t round = 0; round < 200; round++) {
    Arena *arena = arena_create();
    for (uint32_t i = 0; i < 40; i++) memset(ARENA_NEW(arena, char, 5000), 1, 5000);
    const char *zeroed = ARENA_NEW(arena, char, 5000);
    for (uint32_t byte = 0; byte < 5000; byte++)
      if (zeroed[byte] != 0) return arena;
    arena_destroy(arena);
  }
  return nullptr;
}

static void threads_share_the_list(void **) {
  pthread_t threads[4];
  void *wrong;
  for (uint32_t i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&threads[i], nullptr, arenas_in_turn, nullptr), 0);
  for (uint32_t i = 0; i < 4; i++) {
    assert_int_equal(pthread_join(threads[i], &wrong), 0);
    assert_null(wrong);
  }
  assert_true(block_cache_bytes() <= block_cache_usual);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(a_freed_block_is_taken_by_its_size, block_cache_begin),
      cmocka_unit_test_setup(the_list_has_a_bound, block_cache_begin),
      cmocka_unit_test_setup(a_limit_of_zero_keeps_nothing, block_cache_begin),
      cmocka_unit_test_setup(chunks_of_a_destroyed_arena_are_taken_again, block_cache_begin),
      cmocka_unit_test_setup(threads_share_the_list, block_cache_begin),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
