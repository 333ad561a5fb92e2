/* The factors 2, 3, 2, 2, 5 are dealt to the dimensions, so that every shape has the same number of elements and any two fit a bitcast. Places are
 * computed from sizes, orders and tiles alone, without the engine's arithmetic: tiled, a tensor is row-major over whole tiles and then within one. */
#include "fuzz/decode_layout.h"

#include <string.h>

static int64_t divisor_of(int64_t size, uint8_t byte) {
  int64_t divisor = 1 + byte % size;
  while (size % divisor != 0) divisor--;
  return divisor;
}

static void choose_tile(FuzzTensor *tensor, uint8_t how) {
  tensor->tile_rank = how >> 6 == 3 ? 1 + (how >> 5 & 1) : 0;
  if (tensor->tile_rank > tensor->rank) tensor->tile_rank = tensor->rank;
  for (uint32_t i = 0; i < tensor->tile_rank; i++) tensor->tile[i] = divisor_of(tensor->sizes[tensor->order[tensor->tile_rank - 1 - i]], (uint8_t)(how >> 2 * i));
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
  choose_tile(&tensor, bytes[0]);
  return tensor;
}

void fuzz_tensor_print(Text *text, const FuzzTensor *tensor) {
  for (uint32_t i = 0; i < tensor->rank; i++) text_printf(text, "%s%lld", i == 0 ? "f32[" : ",", (long long)tensor->sizes[i]);
  for (uint32_t i = 0; i < tensor->rank; i++) text_printf(text, "%s%u", i == 0 ? "]{" : ",", tensor->order[i]);
  if (tensor->tile_rank == 1) text_printf(text, ":T(%lld)", (long long)tensor->tile[0]);
  if (tensor->tile_rank == 2) text_printf(text, ":T(%lld,%lld)", (long long)tensor->tile[0], (long long)tensor->tile[1]);
  text_string(text, "}");
}

/* What is below a dimension in memory: within the tile first, from minor to major, and then the tiles. */
void fuzz_tensor_index(const FuzzTensor *tensor, int64_t place, int64_t *index) {
  int64_t within[2] = {};
  for (uint32_t i = tensor->tile_rank; i > 0; place /= tensor->tile[i - 1], i--) within[i - 1] = place % tensor->tile[i - 1];
  for (uint32_t i = 0; i < tensor->rank; i++) {
    int64_t tile = i < tensor->tile_rank ? tensor->tile[tensor->tile_rank - 1 - i] : 1, tiles = tensor->sizes[tensor->order[i]] / tile;
    index[tensor->order[i]] = place % tiles * tile + (i < tensor->tile_rank ? within[tensor->tile_rank - 1 - i] : 0);
    place /= tiles;
  }
}
