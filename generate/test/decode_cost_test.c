/* Bounds the cost of decoded graphs. Twelve operations in a row that multiply maps or variables
 * still have unions and maps of bounded size, so that an input costs milliseconds. Without the
 * decoder's limit such rows had 256 maps and took seconds and 480 MB. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/index/index.h"
#include "core/map/test/random_map.h"
#include "generate/decoded_module.h"
#include "generate/decoder.h"

enum : uint8_t {
#define FUZZ_OPERATION(name) WRITES_##name,
#include "generate/operations.def"
#undef FUZZ_OPERATION
};

typedef struct Cost {
  uint32_t maps, variables; /* of a union; of one map */
  size_t bytes;
} Cost;

static void weigh(const MapSet *set, Cost *most) {
  if (set->count > most->maps) most->maps = set->count;
  for (uint32_t i = 0; i < set->count; i++) {
    uint32_t variables = set->maps[i]->range_count + set->maps[i]->runtime_count;
    if (variables > most->variables) most->variables = variables;
  }
}

static void weigh_module(Indexer *indexer, const Module *module, Cost *most) {
  const Instruction *root = module->entry->root;
  MapSet set;
  Error error = {};
  for (uint32_t operand = 0; operand < root->operand_count; operand++)
    for (uint32_t output = 0; output < 2 * shape_leaf_count(root->shape); output++) {
      bool done = output % 2 == 0
                      ? index_output_to_input(indexer, root, output / 2, operand, 0, &set, &error)
                      : index_input_to_output(indexer, root, operand, 0, output / 2, &set, &error);
      assert_true(done);
      weigh(&set, most);
    }
}

/* A fusion over an array of rank 3; a third of the strings repeat one operation twelve times. */
static size_t draw_dear(RandomMaps *random, uint8_t *bytes) {
  static const uint8_t dear[] = {WRITES_dynamic_update_slice, WRITES_select_and_scatter,
      WRITES_reduce_window, WRITES_gather, WRITES_scatter, WRITES_dynamic_slice, WRITES_binary,
      WRITES_concatenate};
  size_t size = fuzz_header_bytes + fuzz_max_operations * fuzz_record_bytes;
  for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)random_next(random);
  bytes[0] &= 0xfe;
  bytes[2] |= 3;
  bool is_row = random_next(random) % 3 == 0;
  uint8_t same = dear[random_next(random) % sizeof dear];
  for (size_t at = fuzz_header_bytes; at < size; at += fuzz_record_bytes) {
    bytes[at] = is_row ? same : dear[random_next(random) % sizeof dear];
    bytes[at + 1] = 0; /* the newest value */
    for (size_t i = 2; i < 8; i += 2)
      bytes[at + i] =
          1 + bytes[at + i] % 2; /* the updated or sliced part is a little smaller than the whole */
  }
  return size;
}

static void rows_of_dear_operations_stay_small(void **state) {
  (void)state;
  MapContext *context = map_context_create();
  Error error = {};
  Simplifier *simplifier = simplifier_create(context, nullptr, &error);
  Indexer *indexer = indexer_create(context, simplifier, &error);
  Arena *arena = arena_create();
  RandomMaps random = {.state = 13};
  Cost most = {};
  for (size_t i = 0; i < 2000; i++) {
    MapMark maps = map_context_mark(context);
    ArenaMark texts = arena_mark(arena);
    uint8_t bytes[fuzz_header_bytes + fuzz_max_operations * fuzz_record_bytes];
    size_t size = draw_dear(&random, bytes);
    weigh_module(indexer, decoded_module(arena, bytes, size), &most);
    if (arena_bytes(context->arena) > most.bytes) most.bytes = arena_bytes(context->arena);
    indexer_reset(indexer);
    map_context_rewind(context, maps);
    arena_rewind(arena, texts);
  }
  printf("at most %u maps in a union, %u variables in a map, %zu KiB of maps\n", most.maps,
      most.variables, most.bytes >> 10);
  /* The lower bounds check that the strings are as expensive as intended. */
  assert_in_range(most.maps, 8, 64);
  assert_in_range(most.variables, 10, 24);
  assert_true(most.bytes < (size_t)8 << 20);
  arena_destroy(arena);
  indexer_destroy(indexer);
  simplifier_destroy(simplifier);
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_of_dear_operations_stay_small)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
