/* Positions of elements in memory, for random shapes, orders and tiles: each is computed digit by
 * digit by this file; and texts of layouts that are read or rejected. */
#include "core/index/ops/memory.h"
#include "core/index/test/test_bench.h"

static uint64_t state_of_draws = 5;

static uint32_t draw_below(uint32_t end) {
  state_of_draws = state_of_draws * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_draws >> 33) % end;
}

/* Sizes and digits from major to minor; a tile splits the last ones. */
typedef struct MemoryDefined {
  uint32_t count;
  int64_t sizes[24], digits[24];
} MemoryDefined;

static void split_defined(MemoryDefined *memory, uint32_t count, const int64_t *tile) {
  while (memory->count < count) { /* sizes of one before the others */
    memmove(memory->sizes + 1, memory->sizes, memory->count * sizeof *memory->sizes);
    memmove(memory->digits + 1, memory->digits, memory->count * sizeof *memory->digits);
    memory->sizes[0] = 1;
    memory->digits[0] = 0;
    memory->count++;
  }
  uint32_t first = memory->count - count;
  for (uint32_t i = 0; i < count; i++) {
    memory->sizes[memory->count + i] = tile[i];
    memory->digits[memory->count + i] = memory->digits[first + i] % tile[i];
    memory->sizes[first + i] = (memory->sizes[first + i] + tile[i] - 1) / tile[i];
    memory->digits[first + i] /= tile[i];
  }
  memory->count += count;
}

static int64_t address_defined(const MemoryDefined *memory, int64_t *positions) {
  int64_t address = 0;
  *positions = 1;
  for (uint32_t i = 0; i < memory->count; i++) {
    address = address * memory->sizes[i] + memory->digits[i];
    *positions *= memory->sizes[i];
  }
  return address;
}

typedef struct MemoryCase {
  Shape shape;
  int64_t sizes[3];
  uint32_t order[3]; /* minor first */
  uint32_t tile_count, counts[2];
  int64_t tiles[2][4];
} MemoryCase;

static void draw_case(Arena *arena, MemoryCase *one) {
  static const char *const befores[] = {"", "E(4)", "S(3)", "L(16)S(1)"};
  *one = (MemoryCase){.shape = {.type = TYPE_f32, .rank = draw_below(4)}};
  uint32_t first = draw_below(3);
  bool is_back = draw_below(2) == 0;
  for (uint32_t i = 0; i < one->shape.rank; i++) {
    one->sizes[i] = 1 + draw_below(5);
    uint32_t turned = (first + i) % one->shape.rank;
    one->order[i] = is_back ? one->shape.rank - 1 - turned : turned;
  }
  one->shape.sizes = one->sizes;
  one->shape.has_layout = draw_below(4) > 0;
  one->shape.minor_to_major = one->order;
  Text text = text_create(arena);
  text_string(&text, befores[draw_below(4)]);
  one->tile_count = draw_below(3);
  if (one->tile_count > 0) text_string(&text, "T");
  for (uint32_t t = 0; t < one->tile_count; t++) {
    one->counts[t] = 1 + draw_below(4);
    for (uint32_t i = 0; i < one->counts[t]; i++) {
      one->tiles[t][i] = 1 + draw_below(4);
      text_printf(&text, "%c%lld", i == 0 ? '(' : ',', (long long)one->tiles[t][i]);
    }
    text_string(&text, ")");
  }
  one->shape.layout_rest = text.length == 0 ? nullptr : text.bytes;
}

static MemoryDefined memory_defined(const MemoryCase *one, const int64_t *index) {
  MemoryDefined memory = {.count = one->shape.rank};
  for (uint32_t i = 0; i < one->shape.rank; i++) {
    uint32_t dimension = one->shape.has_layout ? one->order[one->shape.rank - 1 - i] : i;
    memory.sizes[i] = one->sizes[dimension];
    memory.digits[i] = index[dimension];
  }
  for (uint32_t t = 0; t < one->tile_count; t++)
    split_defined(&memory, one->counts[t], one->tiles[t]);
  return memory;
}

/* From an index to its address, and from the digits of each position to its index or to none. */
typedef struct MemoryMaps {
  const Map *address, *element;
} MemoryMaps;

static MemoryMaps memory_maps(MapContext *context, const MemoryCase *one, MemoryOrder *memory) {
  MemoryMaps maps;
  Error error = {};
  Build build = build_over(context, &one->shape);
  Expr index[24], position[24];
  for (uint32_t i = 0; i < one->shape.rank; i++) index[i] = build_dim(&build, i);
  build_result(&build, memory_address(&build, memory, index));
  assert_true(build_finish(&build, &maps.address, &error));
  Ints sizes = memory_sizes(memory);
  Build back = build_start(context);
  for (uint32_t i = 0; i < sizes.count; i++)
    position[i] = build_add_dim(&back, (Interval){0, sizes.values[i] - 1});
  memory_element(&back, memory, position, index);
  for (uint32_t i = 0; i < one->shape.rank; i++) build_result(&back, index[i]);
  assert_true(build_finish(&back, &maps.element, &error));
  return maps;
}

static bool next_index(const MemoryCase *one, int64_t *index) {
  for (uint32_t i = one->shape.rank; i-- > 0;) {
    if (++index[i] < one->sizes[i]) return true;
    index[i] = 0;
  }
  return false;
}

static void check_positions(MapContext *context, const MemoryCase *one) {
  MemoryOrder memory;
  const char *reason = nullptr;
  assert_true(memory_order(context->arena, &one->shape, &memory, &reason));
  MemoryMaps maps = memory_maps(context, one, &memory);
  static bool is_element[1 << 16];
  memset(is_element, 0, sizeof is_element);
  int64_t index[3] = {}, found[3], positions = 1, address;
  do {
    MemoryDefined defined = memory_defined(one, index);
    int64_t expected = address_defined(&defined, &positions);
    assert_int_equal(memory_sizes(&memory).count, defined.count);
    assert_int_equal(
        map_evaluate(context, maps.address, &(Point){.dims = index}, &address), POINT_INSIDE);
    assert_int_equal(address, expected);
    assert_false(is_element[address]);
    is_element[address] = true;
    assert_int_equal(
        map_evaluate(context, maps.element, &(Point){.dims = defined.digits}, found), POINT_INSIDE);
    assert_memory_equal(found, index, one->shape.rank * sizeof *index);
  } while (next_index(one, index));
  assert_int_equal(memory_positions(&memory), positions);
  for (int64_t number = 0; number < positions && number < 1 << 16; number++) {
    int64_t digits[24], rest = number;
    Ints sizes = memory_sizes(&memory);
    for (uint32_t i = sizes.count; i-- > 0; rest /= sizes.values[i])
      digits[i] = rest % sizes.values[i];
    PointState state = map_evaluate(context, maps.element, &(Point){.dims = digits}, found);
    assert_int_equal(state, is_element[number] ? POINT_INSIDE : POINT_OUTSIDE);
  }
}

static void each_position_is_that_of_its_element(void **) {
  MapContext *context = map_context_create();
  for (uint32_t round = 0; round < 1200; round++) {
    MapMark mark = map_context_mark(context);
    MemoryCase one;
    draw_case(context->arena, &one);
    check_positions(context, &one);
    map_context_rewind(context, mark);
  }
  map_context_destroy(context);
}

static void layouts_are_read_or_rejected(void **) {
  static const struct {
    const char *rest, *reason; /* nullptr: read */
    uint32_t tiles;
  } rows[] = {{nullptr, nullptr, 0}, {"", nullptr, 0}, {"T(2)", nullptr, 1},
      {"T(2,2)(2)", nullptr, 2}, {" T ( 2 , 2 ) ( 2 ) ", nullptr, 2}, {"E(4)S(1)#(u8)", nullptr, 0},
      {"SC(8:1)T(2)", nullptr, 1}, {"*(4)M(2)L(3)", nullptr, 0}, {"S((1)(2))T(2)", nullptr, 1},
      {"T(0)", "a tile of a layout that is not of positive sizes", 0},
      {"T()", "a tile of a layout that is not of positive sizes", 0},
      {"T(*)", "a tile of a layout that is not of positive sizes", 0},
      {"T(2", "a tile of a layout that is not of positive sizes", 0},
      {"T(2,)", "a tile of a layout that is not of positive sizes", 0},
      {"T(2;3)", "a tile of a layout that is not of positive sizes", 0},
      {"T(-2)", "a tile of a layout that is not of positive sizes", 0},
      {"T(9223372036854775808)", "a number of a layout leaves int64", 0},
      {"T(92233720368547758070)", "a number of a layout leaves int64", 0},
      {"T(9223372036854775807)(2)", "a tiled array whose padding leaves int64", 0},
      {"P(T(2))", "a layout that is more than an order and tiles", 0},
      {"D(D,C)", "a layout that is more than an order and tiles", 0},
      {"TT(2)", "a layout that is more than an order and tiles", 0},
      {"S(1", "a layout whose text ends early", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    Shape shape = {
        .type = TYPE_f32, .rank = 1, .sizes = (int64_t[]){5}, .layout_rest = rows[i].rest};
    MemoryOrder memory;
    const char *reason = nullptr;
    bool is_read = memory_order(arena, &shape, &memory, &reason);
    if (is_read != (rows[i].reason == nullptr)) fail_msg("%s", rows[i].rest);
    if (is_read) assert_int_equal(memory.tile_count, rows[i].tiles);
    else assert_string_equal(reason, rows[i].reason);
    arena_destroy(arena);
  }
}

static void tiles_are_at_most_64(void **) {
  for (uint32_t count = 63; count <= 65; count++) {
    Arena *arena = arena_create();
    Text many = text_create(arena), wide = text_create(arena);
    text_string(&many, "T");
    for (uint32_t i = 0; i < count; i++) {
      text_string(&many, "(1)");
      text_string(&wide, i == 0 ? "T(1" : ",1");
    }
    text_string(&wide, ")");
    Shape shape = {.type = TYPE_f32, .rank = 1, .sizes = (int64_t[]){5}};
    MemoryOrder memory;
    const char *reason = nullptr;
    shape.layout_rest = many.bytes;
    assert_int_equal(memory_order(arena, &shape, &memory, &reason), count <= 64);
    shape.layout_rest = wide.bytes;
    assert_int_equal(memory_order(arena, &shape, &memory, &reason), count <= 64);
    if (count > 64) assert_string_equal(reason, "a layout of more than 64 tiles");
    arena_destroy(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_position_is_that_of_its_element),
      cmocka_unit_test(layouts_are_read_or_rejected),
      cmocka_unit_test(tiles_are_at_most_64),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
