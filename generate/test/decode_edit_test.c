/* Measures that small edits of the bytes are small edits of the graph. One bit of a random graph of
 * six operations is flipped, and the edit distance between the lists of instructions (opcode and
 * shape, no names) is counted. Half of the edits change at most one instruction, nine tenths at
 * most four. A string cut by one record loses that record's instructions and none before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/map/test/random_map.h"
#include "generate/decoded_module.h"

static constexpr size_t operations = 6, most_instructions = 256, edits = 2000;

typedef struct Signatures {
  uint32_t count;
  const char *items[most_instructions];
} Signatures;

/* The instructions of the body, which is the entry if bit 1 of the header is set. */
static void signatures_of(Arena *arena, const uint8_t *bytes, size_t size, Signatures *signatures) {
  const Module *module = decoded_module(arena, bytes, size);
  signatures->count = 0;
  for (uint32_t c = 0; c < module->computation_count; c++)
    for (uint32_t i = 0; i < module->computations[c]->instruction_count &&
                         strcmp(module->computations[c]->name, "body") == 0;
        i++) {
      const Instruction *instruction = module->computations[c]->instructions[i];
      Text shape = text_create(arena);
      shape_print(&shape, instruction->shape);
      assert_true(signatures->count < most_instructions);
      signatures->items[signatures->count++] =
          arena_printf(arena, "%s %s", opcode_name(instruction->opcode), shape.bytes);
    }
}

static uint32_t smallest(uint32_t a, uint32_t b, uint32_t c) {
  return a < b ? (a < c ? a : c) : b < c ? b : c;
}

/* The edit distance: inserted, removed or replaced instructions. */
static uint32_t distance(const Signatures *a, const Signatures *b) {
  uint32_t row[most_instructions + 1];
  for (uint32_t k = 0; k <= b->count; k++) row[k] = k;
  for (uint32_t i = 1; i <= a->count; i++) {
    uint32_t corner = row[0];
    row[0] = i;
    for (uint32_t k = 1; k <= b->count; k++) {
      uint32_t above = row[k];
      row[k] = smallest(
          above + 1, row[k - 1] + 1, corner + (strcmp(a->items[i - 1], b->items[k - 1]) != 0));
      corner = above;
    }
  }
  return row[b->count];
}

static int by_size(const void *a, const void *b) {
  return (int)*(const uint32_t *)a - (int)*(const uint32_t *)b;
}

static void one_bit_is_a_small_edit(void **state) {
  (void)state;
  Arena *arena = arena_create();
  RandomMaps random = {.state = 21};
  static uint32_t distances[edits];
  uint64_t instructions = 0;
  for (size_t i = 0; i < edits; i++) {
    ArenaMark mark = arena_mark(arena);
    uint8_t bytes[fuzz_header_bytes + operations * fuzz_record_bytes];
    Signatures before, after;
    for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (uint8_t)random_next(&random);
    signatures_of(arena, bytes, sizeof bytes, &before);
    bytes[random_next(&random) % sizeof bytes] ^= (uint8_t)(1u << random_next(&random) % 8);
    signatures_of(arena, bytes, sizeof bytes, &after);
    distances[i] = distance(&before, &after);
    instructions += before.count;
    arena_rewind(arena, mark);
  }
  qsort(distances, edits, sizeof *distances, by_size);
  print_message(
      "of %.1f instructions, one bit changes %u in half of the edits, %u in nine tenths, %u at most\n",
      (double)instructions / edits, distances[edits / 2], distances[edits * 9 / 10],
      distances[edits - 1]);
  assert_in_range(distances[edits / 2], 0, 1);
  assert_in_range(distances[edits * 9 / 10], 1, 4);
  arena_destroy(arena);
}

static void a_shorter_string_is_a_smaller_graph(void **state) {
  (void)state;
  Arena *arena = arena_create();
  RandomMaps random = {.state = 22};
  for (size_t i = 0; i < edits / 10; i++) {
    ArenaMark mark = arena_mark(arena);
    uint8_t bytes[fuzz_header_bytes + operations * fuzz_record_bytes];
    Signatures before, after;
    for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (uint8_t)random_next(&random);
    signatures_of(arena, bytes, sizeof bytes, &before);
    for (size_t records = operations; records-- > 0; before = after) {
      signatures_of(arena, bytes, fuzz_header_bytes + records * fuzz_record_bytes, &after);
      assert_true(after.count < before.count);
    }
    arena_rewind(arena, mark);
  }
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_bit_is_a_small_edit),
      cmocka_unit_test(a_shorter_string_is_a_smaller_graph)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
