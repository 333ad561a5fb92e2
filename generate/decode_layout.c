/* The factors 2, 3, 2, 2, 5 are distributed over the dimensions, so that all shapes have the same
 * number of elements and any two fit a bitcast. Positions are computed from sizes, orders and tiles
 * alone, without the engine's arithmetic. A tile of n sizes splits each of the n most minor digits
 * of a position into the tile's number and the position inside the tile. The inner digits follow
 * all outer ones. Missing digits are 0 of size 1. */
#include "generate/decode_layout.h"

#include <assert.h>
#include <string.h>

static constexpr uint32_t most_numbers = 16;

typedef struct DecodeLayoutPosition {
  uint32_t count;
  int64_t numbers[most_numbers], sizes[most_numbers]; /* major to minor */
} DecodeLayoutPosition;

static void put_tile(DecodeLayoutPosition *position, const FuzzTile *tile) {
  uint32_t lacking = tile->rank > position->count ? tile->rank - position->count : 0;
  assert(tile->rank <= sizeof tile->sizes / sizeof *tile->sizes);
  assert(position->count + lacking + tile->rank <= most_numbers);
  memmove(
      position->numbers + lacking, position->numbers, position->count * sizeof *position->numbers);
  memmove(position->sizes + lacking, position->sizes, position->count * sizeof *position->sizes);
  for (uint32_t i = 0; i < lacking; i++) {
    position->numbers[i] = 0;
    position->sizes[i] = 1;
  }
  position->count += lacking + tile->rank;
  for (uint32_t i = 0; i < tile->rank; i++) {
    uint32_t inner = position->count - tile->rank + i, outer = inner - tile->rank;
    position->numbers[inner] = position->numbers[outer] % tile->sizes[i];
    position->numbers[outer] /= tile->sizes[i];
    position->sizes[inner] = tile->sizes[i];
    position->sizes[outer] = (position->sizes[outer] + tile->sizes[i] - 1) / tile->sizes[i];
  }
}

static DecodeLayoutPosition decode_layout_position_of(
    const FuzzTensor *tensor, const int64_t *index) {
  DecodeLayoutPosition position = {.count = tensor->rank};
  for (uint32_t i = 0; i < tensor->rank; i++) {
    uint32_t dimension = tensor->order[tensor->rank - 1 - i];
    position.numbers[i] = index[dimension];
    position.sizes[i] = tensor->sizes[dimension];
  }
  for (uint32_t i = 0; i < tensor->tile_count; i++) put_tile(&position, &tensor->tiles[i]);
  return position;
}

int64_t fuzz_tensor_positions(const FuzzTensor *tensor) {
  DecodeLayoutPosition position = decode_layout_position_of(tensor, (int64_t[4]){});
  int64_t positions = 1;
  for (uint32_t i = 0; i < position.count; i++) positions *= position.sizes[i];
  return positions;
}

int64_t fuzz_tensor_position(const FuzzTensor *tensor, const int64_t *index) {
  DecodeLayoutPosition position = decode_layout_position_of(tensor, index);
  int64_t at = 0;
  for (uint32_t i = 0; i < position.count; i++) at = at * position.sizes[i] + position.numbers[i];
  return at;
}

void fuzz_tensor_index(const FuzzTensor *tensor, int64_t element, int64_t *index) {
  for (uint32_t i = tensor->rank; i-- > 0; element /= tensor->sizes[i])
    index[i] = element % tensor->sizes[i];
}

void fuzz_tensor_elements_at(
    const FuzzTensor *tensor, int16_t elements[static fuzz_tensor_most_positions]) {
  for (int64_t position = 0; position < fuzz_tensor_most_positions; position++)
    elements[position] = -1;
  for (int16_t element = 0; element < fuzz_tensor_elements; element++) {
    int64_t index[4] = {};
    fuzz_tensor_index(tensor, element, index);
    elements[fuzz_tensor_position(tensor, index)] = element;
  }
}

/* The two top bits of the first byte are the number of tiles. Each tile has two bytes: one for the
 * number of sizes, one for the sizes, which are 1 to 7. */
static void choose_tiles(FuzzTensor *tensor, const uint8_t *bytes) {
  uint32_t count = bytes[0] >> 6 == 3 ? 2 : bytes[0] >> 6 == 2 ? 1 : 0;
  for (uint32_t i = 0; i < count; i++) {
    FuzzTile *tile = &tensor->tiles[i];
    tile->rank = 1 + bytes[2 * i] % 3;
    for (uint32_t k = 0; k < tile->rank; k++)
      tile->sizes[k] = 1 + (bytes[1 + 2 * i] >> 2 * k) % 4 + (k == 0 ? bytes[1 + 2 * i] >> 6 : 0);
    tensor->tile_count++;
    if (fuzz_tensor_positions(tensor) > fuzz_tensor_most_positions) tensor->tile_count--;
  }
}

FuzzTensor fuzz_decode_tensor(const uint8_t *from, size_t size) {
  static const int64_t factors[] = {2, 3, 2, 2, 5};
  uint8_t bytes[fuzz_tensor_bytes] = {};
  memcpy(bytes, from, size < sizeof bytes ? size : sizeof bytes);
  FuzzTensor tensor = {.rank = 1 + bytes[0] % 4, .sizes = {1, 1, 1, 1}};
  for (uint32_t i = 0; i < 5; i++) tensor.sizes[bytes[1 + i] % tensor.rank] *= factors[i];
  for (uint32_t i = 0, given = 0; i < tensor.rank; i++) {
    uint32_t pick = bytes[6 + i] % (tensor.rank - i);
    for (uint32_t dim = 0; dim < tensor.rank; dim++)
      if ((given >> dim & 1) == 0 && pick-- == 0) tensor.order[i] = dim;
    given |= 1u << tensor.order[i];
  }
  choose_tiles(&tensor, bytes + 10);
  return tensor;
}

FuzzTensor fuzz_flat_tensor(int64_t positions) {
  return (FuzzTensor){.rank = 1,
      .sizes = {fuzz_tensor_elements},
      .tile_count = 1,
      .tiles = {{.rank = 1, .sizes = {positions}}}};
}

const Shape *fuzz_tensor_shape(Builder *builder, const FuzzTensor *tensor) {
  const Shape *plain =
      hlo_build_laid_shape(builder, TYPE_f32, tensor->rank, tensor->sizes, tensor->order);
  if (plain == nullptr || tensor->tile_count == 0) return plain;
  Text tiles = text_create(builder->module->arena);
  for (uint32_t i = 0; i < tensor->tile_count; i++) {
    const FuzzTile *tile = &tensor->tiles[i];
    for (uint32_t k = 0; k < tile->rank; k++)
      text_printf(&tiles, "%s%lld", k > 0 ? "," : i == 0 ? "T(" : "(", (long long)tile->sizes[k]);
    text_string(&tiles, ")");
  }
  Shape *tiled = ARENA_NEW(builder->module->arena, Shape, 1);
  *tiled = *plain;
  tiled->layout_rest = tiles.bytes;
  return tiled;
}
