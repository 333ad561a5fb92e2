/* slice: 0 <= start <= limit <= size, and a stride. pad: edges may be negative if the result size
 * is at least 0. A scalar is not padded, because such padding has no text. */
#include "core/base/edges.h"
#include "generate/operations/operation.h"

typedef struct SliceDim {
  int64_t start, limit, stride;
} SliceDim;

/* Choice 0 is stride 1. With has_edges, one choice in sixteen is an edge. */
static int64_t choose_stride(Choices *choices, const OperationLimits *limits, int64_t size) {
  int64_t most = limits->slice_stride;
  if (most == 0) most = size == 0 ? 1 : size;
  if (!limits->has_edges) return choose_between(choices, 1, most);
  uint64_t chosen = choose(choices, 256);
  return chosen < 240 ? 1 + (int64_t)chosen % most
                      : edge_of_bits(UINT32_C(8) << chosen % 4, true, 3);
}

/* Choice 0 is the whole dimension. */
static SliceDim choose_slice(Choices *choices, const OperationLimits *limits, int64_t size) {
  int64_t start = choose_between(choices, 0, size);
  int64_t limit = size - choose_between(choices, 0, size - start);
  return (SliceDim){start, limit, choose_stride(choices, limits, size)};
}

static int64_t positions_of(SliceDim slice) {
  return slice.limit == slice.start ? 0 : (slice.limit - slice.start - 1) / slice.stride + 1;
}

bool generate_slice(OperationCase *at_hand) {
  int64_t starts[tensor_max_rank], limits[tensor_max_rank], strides[tensor_max_rank];
  at_hand->out.rank = at_hand->in.rank;
  for (uint32_t i = 0; i < at_hand->in.rank; i++) {
    operation_join(at_hand, GENERATED_slice, i, 0);
    SliceDim slice = choose_slice(at_hand->choices, at_hand->limits, at_hand->in.sizes[i]);
    starts[i] = slice.start;
    limits[i] = slice.limit;
    strides[i] = slice.stride;
    at_hand->out.sizes[i] = positions_of(slice);
  }
  if (at_hand->builder == nullptr) return true;
  at_hand->result = hlo_build_slice(at_hand->builder, at_hand->operand, starts, limits, strides);
  return true;
}

/* Large paddings of opposite sign: the size stays the same, and no element remains. */
static PadDim far_padding(uint64_t chosen, int64_t size, int64_t *result) {
  int64_t far = edge_of_bits(UINT32_C(8) << chosen % 3, true, 3);
  *result = size;
  return chosen % 2 != 0 ? (PadDim){.low = far, .high = -far} : (PadDim){.low = -far, .high = far};
}

/* Choice 0 is no padding. With has_edges, one choice in sixteen is far_padding. */
static PadDim choose_padding(
    Choices *choices, const OperationLimits *limits, int64_t size, int64_t *result) {
  uint64_t chosen = choose(choices, limits->has_edges ? 256 : (uint64_t)limits->interior + 1);
  if (limits->has_edges && chosen >= 240) return far_padding(chosen, size, result);
  PadDim pad = {.interior = (int64_t)chosen % (limits->interior + 1)};
  pad.low = choose_near_zero(choices, -limits->edge, limits->edge);
  int64_t padded = size + (size > 0 ? (size - 1) * pad.interior : 0) + pad.low;
  int64_t least = -padded > -limits->edge ? -padded : -limits->edge;
  pad.high = choose_near_zero(choices, least, limits->edge);
  *result = padded + pad.high;
  return pad;
}

bool generate_pad(OperationCase *at_hand) {
  PadDim padding[tensor_max_rank] = {};
  if (at_hand->in.rank == 0) return false;
  at_hand->out.rank = at_hand->in.rank;
  for (uint32_t i = 0; i < at_hand->in.rank; i++) {
    operation_join(at_hand, GENERATED_pad, i, 0);
    padding[i] = choose_padding(
        at_hand->choices, at_hand->limits, at_hand->in.sizes[i], &at_hand->out.sizes[i]);
  }
  if (at_hand->builder == nullptr) return true;
  Instruction *value = at_hand->source->scalar(at_hand->source, at_hand->type);
  at_hand->result = hlo_build_pad(at_hand->builder, at_hand->operand, value, padding);
  return true;
}
