/* The factors 2, 3, 2, 2, 5 are distributed over the dimensions, so that all shapes have the same
 * number of elements and any two fit a bitcast. Positions are computed from sizes, orders and tiles
 * alone, without the engine's arithmetic. A tile of n sizes splits each of the n most minor digits
 * of a position into the tile's number and the position inside the tile. The inner digits follow
 * all outer ones. Missing digits are 0 of size 1. */
#include "generate/decode_layout.h"

#include <assert.h>
#include <string.h>

static constexpr uint32_t most_numbers = 16;

typedef struct DecodeLayoutPlace {
  uint32_t count;
  int64_t numbers[most_numbers], sizes[most_numbers]; /* major to minor */
} DecodeLayoutPlace;

static void put_tile(DecodeLayoutPlace *place, const FuzzTile *tile) {
  uint32_t lacking = tile->rank > place->count ? tile->rank - place->count : 0;
  assert(tile->rank <= sizeof tile->sizes / sizeof *tile->sizes);
  assert(place->count + lacking + tile->rank <= most_numbers);
  memmove(place->numbers + lacking, place->numbers, place->count * sizeof *place->numbers);
  memmove(place->sizes + lacking, place->sizes, place->count * sizeof *place->sizes);
  for (uint32_t i = 0; i < lacking; i++) {
    place->numbers[i] = 0;
    place->sizes[i] = 1;
  }
  place->count += lacking + tile->rank;
  for (uint32_t i = 0; i < tile->rank; i++) {
    uint32_t inner = place->count - tile->rank + i, outer = inner - tile->rank;
    place->numbers[inner] = place->numbers[outer] % tile->sizes[i];
    place->numbers[outer] /= tile->sizes[i];
    place->sizes[inner] = tile->sizes[i];
    place->sizes[outer] = (place->sizes[outer] + tile->sizes[i] - 1) / tile->sizes[i];
  }
}

static DecodeLayoutPlace decode_layout_place_of(const FuzzTensor *tensor, const int64_t *index) {
  DecodeLayoutPlace place = {.count = tensor->rank};
  for (uint32_t i = 0; i < tensor->rank; i++) {
    uint32_t dimension = tensor->order[tensor->rank - 1 - i];
    place.numbers[i] = index[dimension];
    place.sizes[i] = tensor->sizes[dimension];
  }
  for (uint32_t i = 0; i < tensor->tile_count; i++) put_tile(&place, &tensor->tiles[i]);
  return place;
}

int64_t fuzz_tensor_places(const FuzzTensor *tensor) {
  DecodeLayoutPlace place = decode_layout_place_of(tensor, (int64_t[4]){});
  int64_t places = 1;
  for (uint32_t i = 0; i < place.count; i++) places *= place.sizes[i];
  return places;
}

int64_t fuzz_tensor_place(const FuzzTensor *tensor, const int64_t *index) {
  DecodeLayoutPlace place = decode_layout_place_of(tensor, index);
  int64_t at = 0;
  for (uint32_t i = 0; i < place.count; i++) at = at * place.sizes[i] + place.numbers[i];
  return at;
}

void fuzz_tensor_index(const FuzzTensor *tensor, int64_t element, int64_t *index) {
  for (uint32_t i = tensor->rank; i-- > 0; element /= tensor->sizes[i])
    index[i] = element % tensor->sizes[i];
}

void fuzz_tensor_elements_at(
    const FuzzTensor *tensor, int16_t elements[static fuzz_tensor_most_places]) {
  for (int64_t place = 0; place < fuzz_tensor_most_places; place++) elements[place] = -1;
  for (int16_t element = 0; element < fuzz_tensor_elements; element++) {
    int64_t index[4] = {};
    fuzz_tensor_index(tensor, element, index);
    elements[fuzz_tensor_place(tensor, index)] = element;
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
    if (fuzz_tensor_places(tensor) > fuzz_tensor_most_places) tensor->tile_count--;
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

FuzzTensor fuzz_flat_tensor(int64_t places) {
  return (FuzzTensor){.rank = 1,
      .sizes = {fuzz_tensor_elements},
      .tile_count = 1,
      .tiles = {{.rank = 1, .sizes = {places}}}};
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
