/* Tiled layouts, by moving elements. The numbers of all elements are listed in the order of the
 * dimensions, major to minor. Then each tile t(1) .. t(k) is applied, by its definition, to the k
 * minor sizes n(i) of the array that the previous tile produced:
 *   pad        n(i) becomes the next multiple of t(i); the added positions are padding
 *   split      n(i) becomes (n(i) / t(i), t(i)); nothing moves
 *   transpose  all t(i) move after all n(i) / t(i), in their order
 * The final list is the memory. Sizes in front of the k minor ones are unchanged; for a tile with
 * more sizes than the array, the array gets sizes 1 in front. Keeps: every element is in the list
 * exactly once. No position is ever computed from an index: the inverse table is read off the list.
 * Rejected: tiles that combine dimensions (written *), and layout properties that would change
 * positions. */
#include "oracle/semantics/tiles.h"

#include <assert.h>
#include <stdckdint.h>
#include <string.h>

#include "oracle/oracle.h"

static constexpr uint32_t most_tiles = 8, most_tile_sizes = 8;
static constexpr uint32_t most_sizes = oracle_max_rank + most_tiles * most_tile_sizes;

typedef struct TilesTile {
  uint32_t rank;
  int64_t sizes[most_tile_sizes];
} TilesTile;

typedef struct TilesTiling {
  int64_t bits; /* 0 if the layout has no element width */
  uint32_t count;
  TilesTile tiles[most_tiles];
} TilesTiling;

/* An array of element numbers; its last size is the minor one. */
typedef struct TilesBlock {
  Arena *arena;
  uint32_t rank;
  int64_t sizes[most_sizes];
  int64_t count;
  uint32_t *numbers;
} TilesBlock;

static void skip_blanks(const char **at) { *at += strspn(*at, " \t\r\n"); }

static bool tiles_accept(const char **at, char wanted) {
  skip_blanks(at);
  if (**at != wanted) return false;
  ++*at;
  return true;
}

static bool tiles_read_number(const char **at, int64_t *number) {
  skip_blanks(at);
  if (**at < '0' || **at > '9') return false;
  for (*number = 0; **at >= '0' && **at <= '9'; ++*at)
    if (ckd_mul(number, *number, 10) || ckd_add(number, *number, **at - '0')) return false;
  return true;
}

/* Parses a tile such as (8,128). */
static bool read_tile(const char **at, TilesTile *tile) {
  if (!tiles_accept(at, '(')) return false;
  do {
    if (tile->rank == most_tile_sizes || !tiles_read_number(at, &tile->sizes[tile->rank]) ||
        tile->sizes[tile->rank] == 0)
      return false;
    tile->rank++;
  } while (tiles_accept(at, ','));
  return tiles_accept(at, ')');
}

static bool read_tiles(const char **at, TilesTiling *tiling) {
  do {
    if (tiling->count == most_tiles || !read_tile(at, &tiling->tiles[tiling->count])) return false;
    tiling->count++;
    skip_blanks(at);
  } while (**at == '(');
  return true;
}

static bool read_one(const char **at, int64_t *number) {
  return tiles_accept(at, '(') && tiles_read_number(at, number) && tiles_accept(at, ')');
}

static bool read_layout(const char *at, TilesTiling *tiling) {
  int64_t space;
  while (at != nullptr && (skip_blanks(&at), *at != '\0')) {
    bool is_read = tiles_accept(&at, 'T')   ? read_tiles(&at, tiling)
                   : tiles_accept(&at, 'E') ? read_one(&at, &tiling->bits)
                                            : tiles_accept(&at, 'S') && read_one(&at, &space);
    if (!is_read) return false;
  }
  return true;
}

/* The number of elements; false if it is past the limit. */
static bool count_sizes(uint32_t rank, const int64_t *sizes, int64_t *count) {
  *count = 1;
  for (uint32_t i = 0; i < rank; i++)
    if (ckd_mul(count, *count, sizes[i]) || *count > memory_max_positions) return false;
  return true;
}

/* The next index, the minor size fastest; all zeros after the last index. */
static void next_index(uint32_t rank, const int64_t *sizes, int64_t *at) {
  for (uint32_t i = rank; i-- > 0;) {
    if (++at[i] < sizes[i]) return;
    at[i] = 0;
  }
}

/* Rebuilds the block with other sizes; each size steps over `strides` of the old numbers. */
static void rearrange(
    TilesBlock *block, uint32_t rank, const int64_t *sizes, const int64_t *strides) {
  assert(rank <= most_sizes);
  uint32_t *numbers = ARENA_NEW(block->arena, uint32_t, block->count);
  int64_t at[most_sizes] = {};
  for (int64_t i = 0; i < block->count; i++, next_index(rank, sizes, at)) {
    int64_t from = 0;
    for (uint32_t k = 0; k < rank; k++) from += at[k] * strides[k];
    assert(from >= 0 && from < block->count);
    numbers[i] = block->numbers[from];
  }
  block->numbers = numbers;
  block->rank = rank;
  memcpy(block->sizes, sizes, rank * sizeof *sizes);
}

/* The distance between neighbours along each size. */
static void strides_of(uint32_t rank, const int64_t *sizes, int64_t *strides) {
  int64_t stride = 1;
  for (uint32_t i = rank; i-- > 0;) {
    strides[i] = stride;
    stride *= sizes[i];
  }
}

/* Lists the elements of an array in the order of its dimensions in memory. */
static bool write_down(TilesBlock *block, const Shape *shape) {
  int64_t row_major[oracle_max_rank], sizes[oracle_max_rank], strides[oracle_max_rank];
  uint32_t order[oracle_max_rank];
  assert(shape->rank <= oracle_max_rank);
  if (!count_sizes(shape->rank, shape->sizes, &block->count)) return false;
  block->numbers = ARENA_NEW(block->arena, uint32_t, block->count);
  for (int64_t i = 0; i < block->count; i++) block->numbers[i] = (uint32_t)i;
  strides_of(shape->rank, shape->sizes, row_major);
  shape_minor_to_major(shape, order);
  for (uint32_t i = 0; i < shape->rank; i++) {
    uint32_t dimension = order[shape->rank - 1 - i];
    sizes[i] = shape->sizes[dimension];
    strides[i] = row_major[dimension];
  }
  rearrange(block, shape->rank, sizes, strides);
  return true;
}

/* Adds sizes 1 in front until the array has as many sizes as the tile. */
static void lift(TilesBlock *block, uint32_t rank) {
  if (block->rank >= rank) return;
  uint32_t missing = rank - block->rank;
  memmove(block->sizes + missing, block->sizes, block->rank * sizeof *block->sizes);
  for (uint32_t i = 0; i < missing; i++) block->sizes[i] = 1;
  block->rank = rank;
}

static bool is_inside(const TilesBlock *block, const int64_t *at) {
  for (uint32_t i = 0; i < block->rank; i++)
    if (at[i] >= block->sizes[i]) return false;
  return true;
}

/* Pads to whole tiles. The old numbers keep their order. */
static bool pad(TilesBlock *block, const TilesTile *tile) {
  int64_t sizes[most_sizes], at[most_sizes] = {}, count, taken = 0;
  memcpy(sizes, block->sizes, sizeof sizes);
  for (uint32_t i = 0; i < tile->rank; i++) {
    int64_t *size = &sizes[block->rank - tile->rank + i],
            tiles = *size / tile->sizes[i] + (*size % tile->sizes[i] > 0);
    if (ckd_mul(size, tiles, tile->sizes[i])) return false;
  }
  if (!count_sizes(block->rank, sizes, &count)) return false;
  uint32_t *numbers = ARENA_NEW(block->arena, uint32_t, count);
  for (int64_t i = 0; i < count; i++, next_index(block->rank, sizes, at))
    numbers[i] = is_inside(block, at) ? block->numbers[taken++] : memory_padding;
  assert(taken == block->count);
  memcpy(block->sizes, sizes, sizeof sizes);
  block->count = count;
  block->numbers = numbers;
  return true;
}

/* Split and transpose: (.., n / t, .., t, ..). */
static void put_tiles_last(TilesBlock *block, const TilesTile *tile) {
  int64_t sizes[most_sizes], strides[most_sizes];
  uint32_t kept = block->rank - tile->rank;
  assert(block->rank + tile->rank <= most_sizes);
  memcpy(sizes, block->sizes, sizeof sizes);
  strides_of(block->rank, block->sizes, strides);
  for (uint32_t i = 0; i < tile->rank; i++) {
    assert(sizes[kept + i] % tile->sizes[i] == 0);
    sizes[block->rank + i] = tile->sizes[i];
    strides[block->rank + i] = strides[kept + i];
    sizes[kept + i] /= tile->sizes[i];
    strides[kept + i] *= tile->sizes[i];
  }
  rearrange(block, block->rank + tile->rank, sizes, strides);
}

static void look_up_positions(Memory *memory, Arena *arena, int64_t elements) {
  [[maybe_unused]] int64_t found = 0;
  memory->position_of = ARENA_NEW(arena, uint32_t, elements);
  for (int64_t position = 0; position < memory->positions; position++) {
    uint32_t element = memory->elements[position];
    if (element == memory_padding) continue;
    assert(element < elements);
    memory->position_of[element] = (uint32_t)position;
    found++;
  }
  assert(found == elements);
}

MemoryAnswer memory_of(Arena *arena, const Shape *shape, Memory *memory) {
  TilesTiling tiling = {};
  TilesBlock block = {.arena = arena};
  assert(shape_is_array(shape) && shape_elements(shape) > 0);
  int64_t bits = element_type_bits(shape->type);
  if (!read_layout(shape->layout_rest, &tiling) || (tiling.bits != 0 && tiling.bits < bits))
    return MEMORY_NOT_FOLLOWED;
  if (!write_down(&block, shape)) return MEMORY_TOO_LARGE;
  for (uint32_t i = 0; i < tiling.count; i++) {
    lift(&block, tiling.tiles[i].rank);
    if (!pad(&block, &tiling.tiles[i])) return MEMORY_TOO_LARGE;
    put_tiles_last(&block, &tiling.tiles[i]);
  }
  *memory = (Memory){.bits = tiling.bits != 0 ? tiling.bits : (bits + 7) / 8 * 8,
      .positions = block.count,
      .elements = block.numbers};
  look_up_positions(memory, arena, shape_elements(shape));
  return MEMORY_KNOWN;
}
