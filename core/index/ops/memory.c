/* Layouts are parsed from their text: T(8,128)(2,1) are tiles; element size, memory space, tail
 * padding, prefix and index types move nothing. A tile that combines dimensions, sparse levels and
 * physical shapes are rejected with a reason. */
#include "core/index/ops/memory.h"

#include <assert.h>
#include <string.h>

#include "core/base/checked.h"

static constexpr uint32_t max_tiles = 64;

typedef struct LayoutText {
  Arena *arena;
  const char *at;
  MemoryOrder *memory;
  const char *reason;
} LayoutText;

typedef struct MemoryNumbers {
  uint32_t count, capacity;
  int64_t *items;
} MemoryNumbers;

static bool memory_reject(LayoutText *text, const char *reason) {
  text->reason = reason;
  return false;
}

static void skip_blanks(LayoutText *text) { text->at += strspn(text->at, " \t\r\n"); }

/* Parses `(8,128)` of positive numbers, from the opening parenthesis. */
static bool read_numbers(LayoutText *text, MemoryNumbers *numbers) {
  assert(*text->at == '(');
  do {
    int64_t value = 0;
    text->at++;
    skip_blanks(text);
    size_t digits = strspn(text->at, "0123456789");
    for (size_t i = 0; i < digits; i++)
      if (!mul64(value, 10, &value) || !add64(value, text->at[i] - '0', &value))
        return memory_reject(text, "a number of a layout leaves int64");
    if (digits == 0 || value == 0)
      return memory_reject(text, "a tile of a layout that is not of positive sizes");
    *ARENA_PUSH(text->arena, numbers) = value;
    text->at += digits;
    skip_blanks(text);
  } while (*text->at == ',');
  if (*text->at != ')')
    return memory_reject(text, "a tile of a layout that is not of positive sizes");
  text->at++;
  return true;
}

static bool read_tiles(LayoutText *text) {
  MemoryOrder *memory = text->memory;
  for (skip_blanks(text); *text->at == '('; skip_blanks(text)) {
    MemoryNumbers tile = {};
    if (!read_numbers(text, &tile)) return false;
    if (memory->tile_count == max_tiles || tile.count > max_tiles)
      return memory_reject(text, "a layout of more than 64 tiles");
    memory->tiles[memory->tile_count++] = (Ints){tile.count, tile.items};
  }
  return true;
}

/* Skips the groups of a property that moves nothing. */
static bool skip_groups(LayoutText *text) {
  for (skip_blanks(text); *text->at == '('; skip_blanks(text)) {
    uint32_t depth = 0;
    do {
      if (*text->at == '\0') return memory_reject(text, "a layout whose text ends early");
      depth += *text->at == '(';
      depth -= *text->at == ')';
      text->at++;
    } while (depth > 0);
  }
  return true;
}

static bool read_property(LayoutText *text) {
  size_t length = strcspn(text->at, "(");
  const char *name = text->at;
  text->at += length;
  while (length > 0 && (name[length - 1] == ' ' || name[length - 1] == '\t')) length--;
  if (length == 1 && *name == 'T') return read_tiles(text);
  bool moves_nothing = (length == 1 && strchr("ESL#*M", *name) != nullptr) ||
                       (length == 2 && memcmp(name, "SC", 2) == 0);
  return moves_nothing ? skip_groups(text)
                       : memory_reject(text, "a layout that is more than an order and tiles");
}

static bool read_layout(LayoutText *text) {
  if (text->at == nullptr) return true;
  for (skip_blanks(text); *text->at != '\0'; skip_blanks(text))
    if (!read_property(text)) return false;
  return true;
}

/* The dimensions from major to minor. */
static uint32_t *order_of(Arena *arena, const Shape *shape) {
  uint32_t *minor_first = ARENA_NEW(arena, uint32_t, shape->rank),
           *order = ARENA_NEW(arena, uint32_t, shape->rank);
  shape_minor_to_major(shape, minor_first);
  for (uint32_t i = 0; i < shape->rank; i++) order[i] = minor_first[shape->rank - 1 - i];
  return order;
}

static Ints sizes_in_order(Arena *arena, const Shape *shape, const uint32_t *order) {
  Ints sizes = {shape->rank, ARENA_NEW(arena, int64_t, shape->rank)};
  for (uint32_t i = 0; i < shape->rank; i++) sizes.values[i] = shape->sizes[order[i]];
  return sizes;
}

/* Prepends sizes 1 if the tile has more dimensions than the list. */
static Ints sizes_widened(Arena *arena, Ints sizes, uint32_t least) {
  if (sizes.count >= least) return sizes;
  Ints wide = {least, ARENA_NEW(arena, int64_t, least)};
  uint32_t added = least - sizes.count;
  for (uint32_t i = 0; i < least; i++) wide.values[i] = i < added ? 1 : sizes.values[i - added];
  return wide;
}

static Ints tiled(Arena *arena, Ints sizes, Ints tile) {
  uint32_t first = sizes.count - tile.count;
  Ints made = {sizes.count + tile.count, ARENA_NEW(arena, int64_t, sizes.count + tile.count)};
  for (uint32_t i = 0; i < sizes.count; i++) {
    int64_t part = i < first ? 1 : tile.values[i - first];
    made.values[i] = ceildiv64(sizes.values[i], part);
    if (i >= first) made.values[sizes.count + i - first] = part;
  }
  return made;
}

static bool product_fits(Ints sizes) {
  int64_t product = 1;
  for (uint32_t i = 0; i < sizes.count; i++)
    if (!mul64(product, sizes.values[i], &product)) return false;
  return true;
}

static bool lay_out(Arena *arena, MemoryOrder *memory) {
  memory->stages = ARENA_NEW(arena, Ints, memory->tile_count + 1);
  Ints sizes = sizes_in_order(arena, memory->shape, memory->order);
  for (uint32_t i = 0; i < memory->tile_count; i++) {
    sizes = memory->stages[i] = sizes_widened(arena, sizes, memory->tiles[i].count);
    sizes = tiled(arena, sizes, memory->tiles[i]);
    if (!product_fits(sizes)) return false;
  }
  memory->stages[memory->tile_count] = sizes;
  return true;
}

bool memory_order(Arena *arena, const Shape *shape, MemoryOrder *memory, const char **reason) {
  assert(shape_is_array(shape) && shape_elements(shape) > 0);
  *memory = (MemoryOrder){
      .shape = shape, .order = order_of(arena, shape), .tiles = ARENA_NEW(arena, Ints, max_tiles)};
  LayoutText text = {.arena = arena, .at = shape->layout_rest, .memory = memory};
  bool is_read = read_layout(&text);
  *reason = text.reason;
  if (!is_read) return false;
  if (lay_out(arena, memory)) return true;
  *reason = "a tiled array whose padding leaves int64";
  return false;
}

Ints memory_sizes(const MemoryOrder *memory) { return memory->stages[memory->tile_count]; }

int64_t memory_positions(const MemoryOrder *memory) {
  Ints sizes = memory_sizes(memory);
  int64_t positions = 1;
  for (uint32_t i = 0; i < sizes.count; i++) positions *= sizes.values[i];
  return positions;
}

/* Computes the indices after tile `at` from those before it. */
static void memory_split(Build *build, const MemoryOrder *memory, uint32_t at, Expr *numbers) {
  Ints before = memory->stages[at], tile = memory->tiles[at];
  uint32_t first = before.count - tile.count;
  for (uint32_t i = first; i < before.count; i++) {
    numbers[before.count + i - first] = build_mod(build, numbers[i], tile.values[i - first]);
    numbers[i] = build_floordiv(build, numbers[i], tile.values[i - first]);
  }
}

/* The reverse of memory_split. If a tile does not divide its size, positions past the size are
 * padding, and a constraint excludes them. */
static void memory_join(Build *build, const MemoryOrder *memory, uint32_t at, Expr *numbers) {
  Ints before = memory->stages[at], tile = memory->tiles[at];
  uint32_t first = before.count - tile.count;
  for (uint32_t i = first; i < before.count; i++) {
    int64_t part = tile.values[i - first];
    numbers[i] =
        build_plus(build, build_times(build, numbers[i], part), numbers[before.count + i - first]);
    if (before.values[i] % part != 0) build_require(build, numbers[i], 0, before.values[i] - 1);
  }
}

/* The number of sizes 1 that stage `at` prepends to the list before it. */
static uint32_t added_in_front(const MemoryOrder *memory, uint32_t at) {
  uint32_t before =
      at == 0 ? memory->shape->rank : memory->stages[at - 1].count + memory->tiles[at - 1].count;
  return memory->stages[at].count - before;
}

void memory_position(Build *build, const MemoryOrder *memory, const Expr *index, Expr *position) {
  uint32_t count = memory->shape->rank;
  for (uint32_t i = 0; i < count; i++) position[i] = index[memory->order[i]];
  for (uint32_t at = 0; at < memory->tile_count; at++) {
    uint32_t added = added_in_front(memory, at);
    if (added > 0) memmove(position + added, position, count * sizeof *position);
    for (uint32_t i = 0; i < added; i++) position[i] = build_const(build, 0);
    memory_split(build, memory, at, position);
    count = memory->stages[at].count + memory->tiles[at].count;
  }
  assert(count == memory_sizes(memory).count);
}

Expr memory_address(Build *build, const MemoryOrder *memory, const Expr *index) {
  Ints sizes = memory_sizes(memory);
  Expr *position = ARENA_NEW(build->context->arena, Expr, sizes.count),
       address = build_const(build, 0);
  memory_position(build, memory, index, position);
  for (uint32_t i = 0; i < sizes.count; i++)
    address = build_plus(build, build_times(build, address, sizes.values[i]), position[i]);
  return address;
}

void memory_element(Build *build, const MemoryOrder *memory, const Expr *position, Expr *index) {
  uint32_t count = memory_sizes(memory).count;
  Expr *numbers = ARENA_NEW(build->context->arena, Expr, count);
  if (count > 0) memcpy(numbers, position, count * sizeof *numbers);
  for (uint32_t at = memory->tile_count; at-- > 0;) {
    memory_join(build, memory, at, numbers);
    numbers += added_in_front(memory, at);
  }
  for (uint32_t i = 0; i < memory->shape->rank; i++) index[memory->order[i]] = numbers[i];
}
