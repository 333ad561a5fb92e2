/* One function an operation; each sets only the fields of its opcode. */
#include "core/hlo/build/build.h"

#include <assert.h>
#include <string.h>

Instruction *hlo_build_parameter(Builder *builder, const Shape *shape) {
  Instruction *parameter =
      shape == nullptr ? nullptr : hlo_build_begin(builder, HLO_PARAMETER, 0, nullptr);
  if (parameter != nullptr) parameter->number = builder->parameters.count;
  return hlo_build_end(builder, parameter, shape);
}

Instruction *hlo_build_constant(Builder *builder, const Shape *shape, const int64_t *values) {
  Instruction *constant =
      shape == nullptr ? nullptr : hlo_build_begin(builder, HLO_CONSTANT, 0, nullptr);
  if (constant != nullptr)
    constant->literal = hlo_build_ints(builder, (uint32_t)shape_elements(shape), values);
  return hlo_build_end(builder, constant, shape);
}

Instruction *hlo_build_elementwise(
    Builder *builder, Opcode opcode, uint32_t operand_count, Instruction *const *operands) {
  return hlo_build_end(builder, hlo_build_begin(builder, opcode, operand_count, operands), nullptr);
}

Instruction *hlo_build_tuple(
    Builder *builder, uint32_t operand_count, Instruction *const *operands) {
  return hlo_build_elementwise(builder, HLO_TUPLE, operand_count, operands);
}

Instruction *hlo_build_element(Builder *builder, Instruction *tuple, uint32_t index) {
  Instruction *element = hlo_build_begin(builder, HLO_GET_TUPLE_ELEMENT, 1, &tuple);
  if (element != nullptr) element->number = index;
  return hlo_build_end(builder, element, nullptr);
}

Instruction *hlo_build_dimensions(Builder *builder, Opcode opcode, uint32_t operand_count,
    Instruction *const *operands, uint32_t count, const int64_t *dimensions, const Shape *shape) {
  Instruction *instruction = hlo_build_begin(builder, opcode, operand_count, operands);
  if (instruction != nullptr) instruction->dimensions = hlo_build_ints(builder, count, dimensions);
  if (opcode == HLO_BROADCAST && count == 0) /* XLA prints the empty list too */
    hlo_build_attribute(builder, instruction, "dimensions", "{}");
  return hlo_build_end(builder, instruction, shape);
}

Instruction *hlo_build_slice(Builder *builder, Instruction *operand, const int64_t *starts,
    const int64_t *limits, const int64_t *strides) {
  Instruction *slice = hlo_build_begin(builder, HLO_SLICE, 1, &operand);
  if (slice != nullptr) {
    slice->starts = hlo_build_ints(builder, operand->shape->rank, starts);
    slice->limits = hlo_build_ints(builder, operand->shape->rank, limits);
    slice->strides = hlo_build_ints(builder, operand->shape->rank, strides);
  }
  return hlo_build_end(builder, slice, nullptr);
}

Instruction *hlo_build_pad(
    Builder *builder, Instruction *operand, Instruction *value, const PadDim *padding) {
  Instruction *pad = hlo_build_begin(builder, HLO_PAD, 2, (Instruction *[]){operand, value});
  if (pad != nullptr) {
    uint32_t rank = operand->shape->rank;
    pad->padding = ARENA_NEW(builder->module->arena, PadDim, rank);
    if (rank > 0) memcpy(pad->padding, padding, rank * sizeof *padding);
  }
  return hlo_build_end(builder, pad, nullptr);
}

Instruction *hlo_build_reduce(Builder *builder, uint32_t inputs, Instruction *const *operands,
    uint32_t count, const int64_t *dimensions, Computation *reducer) {
  Instruction *reduce = hlo_build_begin(builder, HLO_REDUCE, 2 * inputs, operands);
  if (reduce != nullptr) reduce->dimensions = hlo_build_ints(builder, count, dimensions);
  hlo_build_call(builder, reduce, "to_apply", reducer);
  return hlo_build_end(builder, reduce, nullptr);
}

static Window *window_of(Builder *builder, uint32_t rank, const WindowDim *dims) {
  if (rank == 0) return nullptr;
  Window *window = ARENA_NEW(builder->module->arena, Window, 1);
  *window = (Window){.rank = rank, .dims = ARENA_NEW(builder->module->arena, WindowDim, rank)};
  memcpy(window->dims, dims, rank * sizeof *dims);
  return window;
}

Instruction *hlo_build_reduce_window(Builder *builder, uint32_t inputs,
    Instruction *const *operands, const WindowDim *dims, Computation *reducer) {
  Instruction *reduce = hlo_build_begin(builder, HLO_REDUCE_WINDOW, 2 * inputs, operands);
  if (reduce != nullptr) reduce->window = window_of(builder, operands[0]->shape->rank, dims);
  hlo_build_call(builder, reduce, "to_apply", reducer);
  return hlo_build_end(builder, reduce, nullptr);
}

Instruction *hlo_build_select_and_scatter(Builder *builder, Instruction *const operands[3],
    const WindowDim *dims, Computation *select, Computation *scatter) {
  Instruction *whole = hlo_build_begin(builder, HLO_SELECT_AND_SCATTER, 3, operands);
  if (whole != nullptr) whole->window = window_of(builder, operands[0]->shape->rank, dims);
  hlo_build_call(builder, whole, "select", select);
  hlo_build_call(builder, whole, "scatter", scatter);
  return hlo_build_end(builder, whole, nullptr);
}

Instruction *hlo_build_convolution(Builder *builder, Instruction *const operands[2],
    const WindowDim *dims, const ConvolutionNumbers *numbers, int64_t feature_groups,
    int64_t batch_groups) {
  Instruction *convolution = hlo_build_begin(builder, HLO_CONVOLUTION, 2, operands);
  if (convolution != nullptr) {
    convolution->window = window_of(builder, numbers->input_spatial.count, dims);
    convolution->convolution = ARENA_NEW(builder->module->arena, ConvolutionNumbers, 1);
    *convolution->convolution = *numbers;
    convolution->number = feature_groups;
    convolution->batch_group_count = batch_groups;
  }
  return hlo_build_end(builder, convolution, nullptr);
}

Instruction *hlo_build_dot(Builder *builder, Opcode opcode, uint32_t operand_count,
    Instruction *const *operands, const DotNumbers *numbers) {
  Instruction *dot = hlo_build_begin(builder, opcode, operand_count, operands);
  if (dot != nullptr) *dot->dot = *numbers;
  return hlo_build_end(builder, dot, nullptr);
}

Instruction *hlo_build_dynamic_slice(
    Builder *builder, uint32_t operand_count, Instruction *const *operands, const int64_t *sizes) {
  Instruction *slice = hlo_build_begin(builder, HLO_DYNAMIC_SLICE, operand_count, operands);
  if (slice != nullptr) slice->sizes = hlo_build_ints(builder, operands[0]->shape->rank, sizes);
  return hlo_build_end(builder, slice, nullptr);
}

Instruction *hlo_build_gather(
    Builder *builder, Instruction *operand, Instruction *indices, const GatherNumbers *numbers) {
  Instruction *gather =
      hlo_build_begin(builder, HLO_GATHER, 2, (Instruction *[]){operand, indices});
  if (gather != nullptr) *gather->gather = *numbers;
  return hlo_build_end(builder, gather, nullptr);
}

Instruction *hlo_build_scatter(Builder *builder, uint32_t arrays, Instruction *const *operands,
    const GatherNumbers *numbers, Computation *combiner) {
  Instruction *scatter = hlo_build_begin(builder, HLO_SCATTER, 2 * arrays + 1, operands);
  if (scatter != nullptr)
    *scatter->scatter = (ScatterNumbers){.update_window_dims = numbers->offset_dims,
        .inserted_window_dims = numbers->collapsed_slice_dims,
        .input_batching_dims = numbers->operand_batching_dims,
        .scatter_indices_batching_dims = numbers->start_indices_batching_dims,
        .scatter_dims_to_operand_dims = numbers->start_index_map,
        .index_vector_dim = numbers->index_vector_dim};
  hlo_build_call(builder, scatter, "to_apply", combiner);
  return hlo_build_end(builder, scatter, nullptr);
}

Computation *hlo_build_combiner(ModuleBuilder *module, const char *name, Opcode opcode,
    uint32_t count, const ElementType *types) {
  Builder builder = hlo_build_computation(module, name);
  Instruction *sides[2 * combiner_capacity], *made[combiner_capacity];
  assert(0 < count && count <= combiner_capacity);
  for (uint32_t i = 0; i < 2 * count; i++)
    sides[i] =
        hlo_build_parameter(&builder, hlo_build_shape(&builder, types[i % count], 0, nullptr));
  for (uint32_t i = 0; i < count; i++)
    made[i] =
        hlo_build_elementwise(&builder, opcode, 2, (Instruction *[]){sides[i], sides[i + count]});
  return hlo_build_finish(&builder, count == 1 ? made[0] : hlo_build_tuple(&builder, count, made));
}
