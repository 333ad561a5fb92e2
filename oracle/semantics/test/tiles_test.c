/* Memory positions: the examples in the definition of tiled layouts, and for random layouts its
 * formula for the linear index, implemented here a second time. The tables under test are made by
 * moving elements instead. */
#include "oracle/semantics/tiles.h"
#include "oracle/test/test_module.h"

static Memory tiles_known(OracleFixture *bench, const char *shape) {
  Memory memory;
  const Instruction *root =
      root_of(bench, arena_printf(bench->arena, "ROOT a = %s parameter(0)", shape));
  if (memory_of(bench->arena, root->shape, &memory) != MEMORY_KNOWN)
    fail_msg("%s is not followed", shape);
  return memory;
}

static void examples_of_the_definition(void **state) {
  (void)state;
  static const struct {
    const char *shape;
    int64_t row, column, columns, position, positions;
  } cases[] = {
      {"f32[3,5]{1,0:T(2,2)}", 2, 3, 5, 17, 24},
      {"f32[8,8]{1,0:T(2,4)(2,1,1,1)}", 6, 5, 8, 51, 64},
      {"f32[5,3]{0,1:T(2,2)}", 3, 2, 3, 17, 24},
      {"bf16[4,8]{1,0:T(2,4)(2,1)}", 0, 0, 8, 0, 32},
      {"bf16[4,8]{1,0:T(2,4)(2,1)}", 1, 0, 8, 1, 32},
      {"bf16[4,8]{1,0:T(2,4)(2,1)}", 0, 1, 8, 2, 32},
      {"bf16[4,8]{1,0:T(2,4)(2,1)}", 1, 3, 8, 7, 32},
      {"bf16[4,8]{1,0:T(2,4)(2,1)}", 0, 4, 8, 8, 32},
      {"bf16[4,8]{1,0:T(2,4)(2,1)}", 3, 6, 8, 29, 32},
      {"bf16[8,256]{1,0:T(8,128)(2,1)}", 1, 0, 256, 1, 2048},
      {"bf16[8,256]{1,0:T(8,128)(2,1)}", 2, 0, 256, 256, 2048},
      {"bf16[8,256]{1,0:T(8,128)(2,1)}", 3, 130, 256, 1285, 2048},
      {"bf16[32,256]{1,0:T(8,128)(2,1,1,1)}", 8, 0, 256, 1, 8192},
      {"bf16[32,256]{1,0:T(8,128)(2,1,1,1)}", 0, 128, 256, 2048, 8192},
      {"bf16[32,256]{1,0:T(8,128)(2,1,1,1)}", 24, 0, 256, 4097, 8192},
      {"s8[8,128]{1,0:T(8,128)(4,1)}", 3, 0, 128, 3, 1024},
      {"s8[8,128]{1,0:T(8,128)(4,1)}", 4, 1, 128, 516, 1024},
      {"f32[1,130]{1,0:T(8,128)}", 0, 129, 130, 1025, 2048},
      {"f32[5]{0:T(2,3)}", 0, 4, 5, 7, 12},
      {"f32[]{:T(128)}", 0, 0, 1, 0, 128},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    OracleFixture bench = bench_create();
    Memory memory = tiles_known(&bench, cases[i].shape);
    int64_t element = cases[i].row * cases[i].columns + cases[i].column;
    if (memory.positions != cases[i].positions || memory.position_of[element] != cases[i].position)
      fail_msg("%s: row %lld, column %lld at %u of %lld", cases[i].shape, (long long)cases[i].row,
          (long long)cases[i].column, memory.position_of[element], (long long)memory.positions);
    bench_destroy(&bench);
  }
}

static void padding_has_no_element(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  Memory memory = tiles_known(&bench, "f32[3,5]{1,0:T(2,2)}");
  static const int64_t expected[] = {
      0, 1, 5, 6, 2, 3, 7, 8, 4, -1, 9, -1, 10, 11, -1, -1, 12, 13, -1, -1, 14, -1, -1, -1};
  assert_int_equal(memory.positions, sizeof expected / sizeof *expected);
  for (int64_t i = 0; i < memory.positions; i++)
    assert_true(
        expected[i] < 0 ? memory.elements[i] == memory_padding : memory.elements[i] == expected[i]);
  bench_destroy(&bench);
}

typedef struct Tiles {
  uint32_t count, ranks[3];
  int64_t sizes[3][3];
} Tiles;

/* linear_index of the definition; e and d are the indices and bounds after the tiles before
 * `next`. */
static int64_t linear_index(
    const Tiles *tiles, uint32_t next, uint32_t rank, const int64_t *e, const int64_t *d) {
  int64_t inner_e[16], inner_d[16], index = 0;
  if (next == tiles->count) {
    for (uint32_t i = 0; i < rank; i++) index = index * d[i] + e[i];
    return index;
  }
  uint32_t tiled = tiles->ranks[next], wide = rank < tiled ? tiled : rank, missing = wide - rank;
  for (uint32_t i = 0; i < wide; i++) {
    inner_e[i] = i < missing ? 0 : e[i - missing];
    inner_d[i] = i < missing ? 1 : d[i - missing];
  }
  for (uint32_t i = 0; i < tiled; i++) {
    int64_t t = tiles->sizes[next][i], *from = &inner_e[wide - tiled + i],
            *bound = &inner_d[wide - tiled + i];
    inner_e[wide + i] = *from % t;
    inner_d[wide + i] = t;
    *from /= t;
    *bound = (*bound + t - 1) / t;
  }
  return linear_index(tiles, next + 1, wide + tiled, inner_e, inner_d);
}

static uint32_t sample_below(uint64_t *seed, uint32_t below) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*seed >> 33) % below;
}

/* A random shape of rank 3 with sizes 1 to 5, an order and up to three tiles, as text and as
 * numbers. */
static const char *tiles_draw(
    OracleFixture *bench, uint64_t *seed, int64_t *sizes, uint32_t *order, Tiles *tiles) {
  static const uint32_t orders[6][3] = {
      {0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  memcpy(order, orders[sample_below(seed, 6)], sizeof orders[0]);
  for (uint32_t i = 0; i < 3; i++) sizes[i] = 1 + sample_below(seed, 5);
  Text text = text_create(bench->arena);
  text_printf(&text, "f32[%d,%d,%d]{%u,%u,%u:T", (int)sizes[0], (int)sizes[1], (int)sizes[2],
      order[0], order[1], order[2]);
  *tiles = (Tiles){.count = 1 + sample_below(seed, 3)};
  for (uint32_t i = 0; i < tiles->count; i++) {
    tiles->ranks[i] = 1 + sample_below(seed, 3);
    for (uint32_t k = 0; k < tiles->ranks[i]; k++) {
      tiles->sizes[i][k] = 1 + sample_below(seed, 4);
      text_printf(&text, "%s%d", k == 0 ? "(" : ",", (int)tiles->sizes[i][k]);
    }
    text_string(&text, ")");
  }
  text_string(&text, "}");
  return text.bytes;
}

static void positions_are_the_linear_index(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (int round = 0; round < 2000; round++) {
    OracleFixture bench = bench_create();
    int64_t sizes[3], d[3], e[3];
    uint32_t order[3];
    Tiles tiles;
    const char *shape = tiles_draw(&bench, &seed, sizes, order, &tiles);
    Memory memory = tiles_known(&bench, shape);
    for (int64_t element = 0; element < sizes[0] * sizes[1] * sizes[2]; element++) {
      int64_t at[3] = {
          element / (sizes[1] * sizes[2]), element / sizes[2] % sizes[1], element % sizes[2]};
      for (uint32_t i = 0; i < 3; i++) e[i] = at[order[2 - i]], d[i] = sizes[order[2 - i]];
      int64_t position = linear_index(&tiles, 0, 3, e, d);
      if (memory.position_of[element] != position || memory.elements[position] != element)
        fail_msg("%s: element %lld at %u, not at %lld", shape, (long long)element,
            memory.position_of[element], (long long)position);
    }
    bench_destroy(&bench);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examples_of_the_definition),
      cmocka_unit_test(padding_has_no_element),
      cmocka_unit_test(positions_are_the_linear_index),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
