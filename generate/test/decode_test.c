/* Decoding is total: random strings are valid modules, and a small edit of the bytes is a small
 * edit of the graph. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/map/test/random_map.h"
#include "generate/decoded_module.h"

/* AFFIRM_MANY: a million strings, which takes a minute. */
static size_t decode_rounds(size_t many) {
  return getenv("AFFIRM_MANY") != nullptr  ? many * 5
         : getenv("AFFIRM_FEW") != nullptr ? many / 50
                                           : many;
}

static size_t decode_draw(RandomMaps *random, uint8_t *bytes) {
  size_t size = (size_t)random_between(random, 0, 4 + 16 * 6);
  for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)random_next(random);
  return size;
}

static void random_strings_are_valid_modules(void **state) {
  (void)state;
  Arena *arena = arena_create();
  RandomMaps random = {.state = 11};
  for (size_t i = 0; i < decode_rounds(200000); i++) {
    ArenaMark mark = arena_mark(arena);
    uint8_t bytes[128];
    size_t size = decode_draw(&random, bytes);
    (void)decoded_module(arena, bytes, size);
    arena_rewind(arena, mark);
  }
  arena_destroy(arena);
}

static void the_empty_string_is_a_small_module(void **state) {
  (void)state;
  Arena *arena = arena_create();
  size_t length;
  const char *text = fuzz_decode_graph(arena, (const uint8_t *)"", 0, &length);
  assert_in_range(length, 1, 300);
  assert_non_null(strstr(text, "copy(%p0)"));
  arena_destroy(arena);
}

/* Changing a record does not change the lines of earlier records. */
static void an_edit_of_a_record_keeps_what_is_before_it(void **state) {
  (void)state;
  Arena *arena = arena_create();
  RandomMaps random = {.state = 12};
  for (int i = 0; i < 1000; i++) {
    ArenaMark mark = arena_mark(arena);
    uint8_t bytes[4 + 48];
    for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (uint8_t)random_next(&random);
    bytes[0] |= 1;
    size_t length, other_length, shorter_length;
    const char *text = fuzz_decode_graph(arena, bytes, sizeof bytes, &length);
    const char *shorter = fuzz_decode_graph(arena, bytes, sizeof bytes - 16, &shorter_length);
    bytes[4 + 32 + 3] ^= 1;
    const char *other = fuzz_decode_graph(arena, bytes, sizeof bytes, &other_length);
    const char *body = strstr(text, "ENTRY"), *other_body = strstr(other, "ENTRY"),
               *shorter_body = strstr(shorter, "ENTRY");
    size_t kept = (size_t)(strstr(shorter_body, "  ROOT") - shorter_body);
    assert_memory_equal(body, other_body, kept);
    assert_memory_equal(body, shorter_body, kept);
    arena_rewind(arena, mark);
  }
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_strings_are_valid_modules),
      cmocka_unit_test(the_empty_string_is_a_small_module),
      cmocka_unit_test(an_edit_of_a_record_keeps_what_is_before_it),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
