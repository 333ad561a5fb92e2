/* Decodes bytes to shapes of 120 elements with layouts. Decoding is total, 14 bytes per tensor: the
 * rank, the dimension of each factor, the order of dimensions, and up to two tiles. Tiles need not
 * divide the sizes and may have more sizes than there are dimensions. Missing bytes read as 0. */
#ifndef GENERATE_DECODE_LAYOUT_H
#define GENERATE_DECODE_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "core/hlo/build/build.h"

static constexpr int64_t fuzz_tensor_elements = 120, fuzz_tensor_most_positions = 4096;
static constexpr size_t fuzz_tensor_bytes = 14;

typedef struct FuzzTile {
  uint32_t rank;
  int64_t sizes[3]; /* major to minor */
} FuzzTile;

typedef struct FuzzTensor {
  uint32_t rank, order[4]; /* minor to major */
  int64_t sizes[4];
  uint32_t tile_count;
  FuzzTile tiles[2];
} FuzzTensor;

[[nodiscard]] FuzzTensor fuzz_decode_tensor(const uint8_t *bytes, size_t size);
/* A one-dimensional tensor with as many elements, padded to `places` positions. */
[[nodiscard]] FuzzTensor fuzz_flat_tensor(int64_t positions);
/* Such as f32[2,3]{1,0:T(4)(2,1)}. */
[[nodiscard]] const Shape *fuzz_tensor_shape(Builder *builder, const FuzzTensor *tensor);
/* Positions in memory, including padding: 120 to fuzz_tensor_most_places. */
[[nodiscard]] int64_t fuzz_tensor_positions(const FuzzTensor *tensor);
/* The index of an element by its row-major number, and its position in memory. */
void fuzz_tensor_index(const FuzzTensor *tensor, int64_t element, int64_t *index);
[[nodiscard]] int64_t fuzz_tensor_position(const FuzzTensor *tensor, const int64_t *index);
/* The element at each position; -1: padding. */
void fuzz_tensor_elements_at(
    const FuzzTensor *tensor, int16_t elements[static fuzz_tensor_most_positions]);

#endif
