/* Bytes to shapes of 120 elements with layouts, totally: 10 bytes a tensor (rank, where each factor goes, the order of dimensions, a tile that divides
 * the sizes, so that nothing is padded); missing bytes read as 0. */
#ifndef FUZZ_DECODE_LAYOUT_H
#define FUZZ_DECODE_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/text.h"

static constexpr int64_t fuzz_tensor_elements = 120;
static constexpr size_t fuzz_tensor_bytes = 10;

typedef struct FuzzTensor {
  uint32_t rank, order[4]; /* minor to major */
  int64_t sizes[4];
  uint32_t tile_rank;      /* 0: not tiled */
  int64_t tile[2];         /* of the minor dimensions, major to minor */
} FuzzTensor;

[[nodiscard]] FuzzTensor fuzz_decode_tensor(const uint8_t *bytes, size_t size);
/* f32[2,3]{1,0:T(3)} */
void fuzz_tensor_print(Text *text, const FuzzTensor *tensor);
/* The index of the element at a place in memory. */
void fuzz_tensor_index(const FuzzTensor *tensor, int64_t place, int64_t *index);

#endif
