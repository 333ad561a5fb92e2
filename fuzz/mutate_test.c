/* Whatever the mutator and the crossover make of graphs decodes to a valid module, fits its room, changes most graphs, and is the same for the same
 * seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/hlo/read.h"
#include "core/map/random_map.h"
#include "fuzz/decode.h"
#include "fuzz/mutate.h"

static constexpr size_t room = fuzz_header_bytes + fuzz_max_operations * fuzz_record_bytes;

static size_t draw(RandomMaps *random, uint8_t *bytes) {
  size_t size = (size_t)random_between(random, 0, room);
  for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)random_next(random);
  return size;
}

static void require_valid(Arena *arena, const uint8_t *bytes, size_t size) {
  ArenaMark mark = arena_mark(arena);
  size_t length;
  const char *text = fuzz_decode_graph(arena, bytes, size, &length);
  Source source = {.name = "fuzz", .text = text, .length = length, .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, &source, &module, &error)) fail_msg("%s in\n%s", error.message, text);
  arena_rewind(arena, mark);
}

static void mutants_are_valid(void **state) {
  (void)state;
  Arena *arena = arena_create();
  RandomMaps random = {.state = 31};
  uint32_t changed = 0, rounds = getenv("AFFIRM_FEW") != nullptr ? 400 : 20000;
  for (uint32_t i = 0; i < rounds; i++) {
    uint8_t bytes[room] = {}, again[room], before[room];
    size_t size = draw(&random, bytes);
    uint32_t seed = (uint32_t)random_next(&random);
    memcpy(again, bytes, sizeof again);
    memcpy(before, bytes, sizeof before);
    size_t mutated = fuzz_mutate_graph(bytes, size, room, seed);
    assert_true(mutated <= room);
    assert_int_equal(mutated, fuzz_mutate_graph(again, size, room, seed));
    assert_memory_equal(bytes, again, mutated);
    changed += mutated != size || memcmp(bytes, before, size) != 0;
    require_valid(arena, bytes, mutated);
  }
  assert_true(changed > rounds * 9 / 10);
  arena_destroy(arena);
}

static void crossings_are_valid(void **state) {
  (void)state;
  Arena *arena = arena_create();
  RandomMaps random = {.state = 32};
  uint32_t rounds = getenv("AFFIRM_FEW") != nullptr ? 400 : 20000;
  for (uint32_t i = 0; i < rounds; i++) {
    uint8_t first[room], second[room], out[room];
    size_t first_size = draw(&random, first), second_size = draw(&random, second);
    size_t size = fuzz_cross_graphs(first, first_size, second, second_size, out, (size_t)random_between(&random, 0, room), (uint32_t)random_next(&random));
    assert_true(size <= room);
    require_valid(arena, out, size);
  }
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(mutants_are_valid), cmocka_unit_test(crossings_are_valid)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
