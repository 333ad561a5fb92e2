/* The values that operations of the decoder use and add. */
#include <assert.h>
#include <string.h>

#include "generate/decoder.h"

int64_t fuzz_capacity(uint32_t rank, const int64_t *sizes) {
  int64_t count = 1;
  for (uint32_t i = 0; i < rank; i++) count *= sizes[i] > 1 ? sizes[i] : 1;
  return count;
}

FuzzValue value_after(const Decoder *decoder, uint32_t selector) {
  return decoder->values[decoder->value_count - 1 - selector % decoder->value_count];
}

/* Skips values that are too expensive. Ends because the first parameter is a single map. */
static FuzzValue operand_after(const Decoder *decoder, uint32_t selector) {
  FuzzValue value = value_after(decoder, selector);
  while (value.maps > fuzz_max_operand_maps || value.variables > fuzz_max_operand_variables)
    value = value_after(decoder, ++selector);
  return value;
}

static Instruction *decode_take(Decoder *decoder, FuzzValue operand) {
  decoder->maps += operand.maps;
  if (operand.variables > decoder->variables) decoder->variables = operand.variables;
  return operand.made;
}

Instruction *pick_value(Decoder *decoder, uint32_t selector) {
  return decode_take(decoder, operand_after(decoder, selector));
}

static Instruction *push_value(
    Decoder *decoder, Instruction *made, uint32_t maps, uint32_t variables) {
  if (made == nullptr) return nullptr;
  assert(decoder->value_count < fuzz_max_values && shape_is_array(made->shape));
  assert(made->shape->rank <= fuzz_max_rank &&
         fuzz_capacity(made->shape->rank, made->shape->sizes) <= fuzz_max_elements);
  decoder->values[decoder->value_count++] = (FuzzValue){made, maps, variables};
  return made;
}

Instruction *add_value(Decoder *decoder, Instruction *made) {
  uint32_t maps = decoder->maps * decoder->pieces;
  return push_value(decoder, made, maps > 1 ? maps : 1, decoder->variables + decoder->bound);
}

Instruction *add_source(Decoder *decoder, Instruction *made) {
  return push_value(decoder, made, 1, 0);
}

static bool is_alike(const Shape *shape, ElementType type, const Tensor *tensor) {
  return shape->type == type && shape->rank == tensor->rank &&
         memcmp(shape->sizes, tensor->sizes, tensor->rank * sizeof *tensor->sizes) == 0;
}

Instruction *value_or_parameter(
    Decoder *decoder, ElementType type, const Tensor *tensor, uint32_t selector) {
  for (uint32_t i = 0; i < decoder->value_count; i++) {
    FuzzValue other = operand_after(decoder, selector + i);
    if (is_alike(other.made->shape, type, tensor)) return decode_take(decoder, other);
  }
  return add_parameter(decoder, type, tensor);
}

Instruction *add_parameter(Decoder *decoder, ElementType type, const Tensor *tensor) {
  return add_source(
      decoder, hlo_build_parameter(&decoder->body, shape_of_tensor(&decoder->body, type, tensor)));
}

Instruction *add_literal(Decoder *decoder, const Tensor *tensor, uint32_t from) {
  int64_t values[fuzz_max_elements];
  for (int64_t i = 0; i < tensor_elements(tensor); i++, from += 3) {
    bool is_edge = from >= 192 && from % 4 == 3;
    values[i] = is_edge ? edge_of_bits(32, true, from / 4) : from % 7 - INT64_C(1);
  }
  const Shape *shape = shape_of_tensor(&decoder->body, TYPE_s32, tensor);
  return add_source(decoder, hlo_build_constant(&decoder->body, shape, values));
}

const Shape *shape_with_layout(
    Decoder *decoder, ElementType type, const Tensor *tensor, uint32_t byte) {
  uint32_t order[fuzz_max_rank], minor_to_major[fuzz_max_rank], rank = tensor->rank;
  bool is_default = byte == 0;
  for (uint32_t i = 0; i < rank; i++) order[i] = i;
  for (uint32_t i = 0; i + 1 < rank; i++) {
    uint32_t j = i + byte % (rank - i), swap = order[i];
    byte /= rank - i;
    order[i] = order[j];
    order[j] = swap;
  }
  for (uint32_t i = 0; i < rank; i++) minor_to_major[i] = rank - 1 - order[i];
  return is_default
             ? shape_of_tensor(&decoder->body, type, tensor)
             : hlo_build_laid_shape(&decoder->body, type, rank, tensor->sizes, minor_to_major);
}

Instruction *add_constant(Decoder *decoder, ElementType type, int64_t number) {
  Builder *body = &decoder->body;
  Instruction *constant = hlo_build_begin(body, HLO_CONSTANT, 0, nullptr);
  if (type == TYPE_c64 && constant != nullptr)
    constant->literal_text = arena_printf(decoder->arena, "(%lld, 0)", (long long)number);
  else if (constant != nullptr)
    constant->literal =
        hlo_build_ints(body, 1, &(int64_t){type == TYPE_pred ? number & 1 : number});
  return add_source(decoder, hlo_build_end(body, constant, shape_of_scalar(body, type)));
}
