/* Operations that move elements without offsets: transpose, reverse, broadcast, reshape, bitcast,
 * concatenate. An empty array reshapes to any other empty shape within the limits. */
#include <assert.h>

#include "generate/operations/operation.h"

static constexpr int64_t most_beside_zero = 15;

static void widen(uint32_t count, const uint32_t *from, int64_t *to) {
  for (uint32_t i = 0; i < count; i++) to[i] = from[i];
}

bool generate_transpose(OperationCase *at_hand) {
  uint32_t order[tensor_max_rank], rank = at_hand->in.rank;
  int64_t dimensions[tensor_max_rank];
  choose_arrangement(at_hand->choices, rank, rank, order);
  at_hand->out.rank = rank;
  for (uint32_t i = 0; i < rank; i++) at_hand->out.sizes[i] = at_hand->in.sizes[order[i]];
  if (at_hand->builder == nullptr) return true;
  widen(rank, order, dimensions);
  at_hand->result = hlo_build_dimensions(
      at_hand->builder, HLO_TRANSPOSE, 1, &at_hand->operand, rank, dimensions, nullptr);
  return true;
}

bool generate_reverse(OperationCase *at_hand) {
  int64_t dimensions[tensor_max_rank];
  uint32_t count = 0;
  for (uint32_t i = 0; i < at_hand->in.rank; i++)
    if (choose_bool(at_hand->choices)) dimensions[count++] = i;
  at_hand->out = at_hand->in;
  if (at_hand->builder == nullptr) return true;
  at_hand->result = hlo_build_dimensions(
      at_hand->builder, HLO_REVERSE, 1, &at_hand->operand, count, dimensions, nullptr);
  return true;
}

/* Chooses the sizes of the new dimensions, at the positions not in `is_old`. If the operand is
 * empty, only their own product is limited, and sizes may be 0. */
static void choose_added(OperationCase *at_hand, uint32_t is_old) {
  int64_t elements = tensor_elements(&at_hand->in), least = elements == 0 ? 0 : 1,
          left = at_hand->limits->most_elements / (elements == 0 ? 1 : elements);
  for (uint32_t i = 0; i < at_hand->out.rank; i++) {
    if ((is_old >> i & 1) != 0) continue;
    int64_t most = at_hand->limits->added_size;
    if (most == 0 || most > left) most = left;
    at_hand->out.sizes[i] = choose_between(at_hand->choices, least, most);
    if (at_hand->out.sizes[i] > 0) left /= at_hand->out.sizes[i];
  }
}

bool generate_broadcast(OperationCase *at_hand) {
  uint32_t to[tensor_max_rank], rank = at_hand->in.rank, is_old = 0;
  int64_t dimensions[tensor_max_rank];
  assert(rank <= at_hand->limits->most_rank);
  uint32_t most = at_hand->limits->most_rank - rank;
  if (most > at_hand->limits->added) most = at_hand->limits->added;
  at_hand->out.rank = rank + (uint32_t)choose(at_hand->choices, most + 1);
  choose_arrangement(at_hand->choices, at_hand->out.rank, rank, to);
  for (uint32_t i = 0; i < rank; i++) {
    at_hand->out.sizes[to[i]] = at_hand->in.sizes[i];
    is_old |= 1u << to[i];
  }
  choose_added(at_hand, is_old);
  if (at_hand->builder == nullptr) return true;
  widen(rank, to, dimensions);
  at_hand->result =
      hlo_build_dimensions(at_hand->builder, HLO_BROADCAST, 1, &at_hand->operand, rank, dimensions,
          hlo_build_shape(at_hand->builder, at_hand->type, at_hand->out.rank, at_hand->out.sizes));
  return true;
}

Tensor choose_shape(Choices *choices, const OperationLimits *limits, int64_t elements) {
  uint32_t least = elements == 1 ? 0 : 1;
  Tensor shape = {.rank = (uint32_t)choose_between(choices, least, limits->most_rank)};
  int64_t left = elements == 0 ? limits->most_elements : elements;
  bool has_zero = false;
  for (uint32_t i = 0; i < shape.rank; i++) {
    bool is_last = i + 1 == shape.rank;
    int64_t *size = &shape.sizes[i];
    if (elements > 0) *size = is_last ? left : choose_divisor(choices, left);
    else if (is_last && !has_zero) *size = 0;
    else *size = choose_between(choices, 0, left < most_beside_zero ? left : most_beside_zero);
    has_zero |= *size == 0;
    if (*size > 0) left /= *size;
  }
  return shape;
}

static void choose_reshaped(OperationCase *at_hand) {
  at_hand->out = choose_shape(at_hand->choices, at_hand->limits, tensor_elements(&at_hand->in));
}

bool generate_reshape(OperationCase *at_hand) {
  choose_reshaped(at_hand);
  if (at_hand->builder == nullptr) return true;
  at_hand->result =
      hlo_build_dimensions(at_hand->builder, HLO_RESHAPE, 1, &at_hand->operand, 0, nullptr,
          hlo_build_shape(at_hand->builder, at_hand->type, at_hand->out.rank, at_hand->out.sizes));
  return true;
}

/* With all_layouts, the operand is a separate array that has the layout. */
bool generate_bitcast(OperationCase *at_hand) {
  uint32_t from[tensor_max_rank], to[tensor_max_rank], rank = at_hand->in.rank;
  choose_reshaped(at_hand);
  operation_join(at_hand, GENERATED_bitcast, rank, at_hand->out.rank);
  if (at_hand->limits->all_layouts) choose_arrangement(at_hand->choices, rank, rank, from);
  choose_arrangement(at_hand->choices, at_hand->out.rank, at_hand->out.rank, to);
  if (at_hand->builder == nullptr) return true;
  Instruction *operand = at_hand->limits->all_layouts ? at_hand->source->laid_array(at_hand->source,
                                                            at_hand->type, &at_hand->in, from)
                                                      : at_hand->operand;
  at_hand->result = hlo_build_dimensions(at_hand->builder, HLO_BITCAST, 1, &operand, 0, nullptr,
      hlo_build_laid_shape(
          at_hand->builder, at_hand->type, at_hand->out.rank, at_hand->out.sizes, to));
  return true;
}

/* One to three operands. Each is the current value or an array with another size along the
 * dimension; at least one is the current value. */
typedef struct ConcatParts {
  uint32_t count;
  bool is_new[3];
  int64_t sizes[3]; /* along the dimension */
} ConcatParts;

static ConcatParts choose_parts(OperationCase *at_hand, uint32_t dimension) {
  uint32_t least = at_hand->limits->has_single_part ? 1 : 2, others = 0;
  ConcatParts parts = {.count = (uint32_t)choose_between(at_hand->choices, least, 3)};
  for (uint32_t i = 0; i < parts.count; i++) {
    bool must = i + 1 == parts.count && others == i;
    uint64_t kind = must ? 0 : choose(at_hand->choices, 2 + at_hand->limits->part_size);
    parts.is_new[i] = kind > 0;
    parts.sizes[i] = kind > 0 ? (int64_t)kind - 1 : at_hand->in.sizes[dimension];
    others += kind > 0;
  }
  return parts;
}

bool generate_concatenate(OperationCase *at_hand) {
  Instruction *operands[3];
  if (at_hand->in.rank == 0) return false;
  uint32_t dimension = (uint32_t)choose(at_hand->choices, at_hand->in.rank);
  ConcatParts parts = choose_parts(at_hand, dimension);
  int64_t along = dimension;
  at_hand->out = at_hand->in;
  at_hand->out.sizes[dimension] = 0;
  for (uint32_t i = 0; i < parts.count; i++) at_hand->out.sizes[dimension] += parts.sizes[i];
  if (at_hand->builder == nullptr) return true;
  for (uint32_t i = 0; i < parts.count; i++) {
    Tensor part = at_hand->in;
    part.sizes[dimension] = parts.sizes[i];
    operands[i] = parts.is_new[i] ? at_hand->source->array(at_hand->source, at_hand->type, &part)
                                  : at_hand->operand;
  }
  at_hand->result = hlo_build_dimensions(
      at_hand->builder, HLO_CONCATENATE, parts.count, operands, 1, &along, nullptr);
  return true;
}
