/* The factors 2, 3, 2, 2, 5 are dealt to the dimensions, so that every shape has the same number of elements and any two fit a bitcast. Places are
 * computed from sizes and orders alone, without the engine's arithmetic. */
#include "fuzz/decode_layout.h"

#include <string.h>

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
  return tensor;
}

void fuzz_tensor_print(Text *text, const FuzzTensor *tensor) {
  for (uint32_t i = 0; i < tensor->rank; i++) text_printf(text, "%s%lld", i == 0 ? "f32[" : ",", (long long)tensor->sizes[i]);
  for (uint32_t i = 0; i < tensor->rank; i++) text_printf(text, "%s%u", i == 0 ? "]{" : ",", tensor->order[i]);
  text_string(text, "}");
}

void fuzz_tensor_index(const FuzzTensor *tensor, int64_t place, int64_t *index) {
  for (uint32_t i = 0; i < tensor->rank; place /= tensor->sizes[tensor->order[i]], i++)
    index[tensor->order[i]] = place % tensor->sizes[tensor->order[i]];
}
