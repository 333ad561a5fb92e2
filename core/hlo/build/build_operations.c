/* One function an operation: the fields that the opcode has, and nothing else. */
#include <string.h>

#include "core/hlo/build/build.h"

Instruction *build_parameter(Builder *builder, const Shape *shape) {
  Instruction *parameter =
      shape == nullptr ? nullptr : build_begin(builder, HLO_PARAMETER, 0, nullptr);
  if (parameter != nullptr) parameter->number = builder->parameters.count;
  return build_end(builder, parameter, shape);
}

Instruction *build_constant(Builder *builder, const Shape *shape, const int64_t *values) {
  Instruction *constant =
      shape == nullptr ? nullptr : build_begin(builder, HLO_CONSTANT, 0, nullptr);
  if (constant != nullptr)
    constant->literal = build_ints(builder, (uint32_t)shape_elements(shape), values);
  return build_end(builder, constant, shape);
}

Instruction *build_elementwise(
    Builder *builder, Opcode opcode, uint32_t operand_count, Instruction *const *operands) {
  return build_end(builder, build_begin(builder, opcode, operand_count, operands), nullptr);
}

Instruction *build_tuple(Builder *builder, uint32_t operand_count, Instruction *const *operands) {
  return build_elementwise(builder, HLO_TUPLE, operand_count, operands);
}

Instruction *build_element(Builder *builder, Instruction *tuple, uint32_t index) {
  Instruction *element = build_begin(builder, HLO_GET_TUPLE_ELEMENT, 1, &tuple);
  if (element != nullptr) element->number = index;
  return build_end(builder, element, nullptr);
}

Instruction *build_slice(Builder *builder, Instruction *operand, const int64_t *starts,
    const int64_t *limits, const int64_t *strides) {
  Instruction *slice = build_begin(builder, HLO_SLICE, 1, &operand);
  if (slice != nullptr) {
    slice->starts = build_ints(builder, operand->shape->rank, starts);
    slice->limits = build_ints(builder, operand->shape->rank, limits);
    slice->strides = build_ints(builder, operand->shape->rank, strides);
  }
  return build_end(builder, slice, nullptr);
}

Instruction *build_pad(
    Builder *builder, Instruction *operand, Instruction *value, const PadDim *padding) {
  Instruction *pad = build_begin(builder, HLO_PAD, 2, (Instruction *[]){operand, value});
  if (pad != nullptr) {
    uint32_t rank = operand->shape->rank;
    pad->padding = ARENA_NEW(builder->module->arena, PadDim, rank);
    if (rank > 0) memcpy(pad->padding, padding, rank * sizeof *padding);
  }
  return build_end(builder, pad, nullptr);
}

Instruction *build_reduce(Builder *builder, uint32_t inputs, Instruction *const *operands,
    uint32_t count, const int64_t *dimensions, Computation *reducer) {
  Instruction *reduce = build_begin(builder, HLO_REDUCE, 2 * inputs, operands);
  if (reduce != nullptr) reduce->dimensions = build_ints(builder, count, dimensions);
  build_call(builder, reduce, "to_apply", reducer);
  return build_end(builder, reduce, nullptr);
}

static Window *window_of(Builder *builder, uint32_t rank, const WindowDim *dims) {
  if (rank == 0) return nullptr;
  Window *window = ARENA_NEW(builder->module->arena, Window, 1);
  *window = (Window){.rank = rank, .dims = ARENA_NEW(builder->module->arena, WindowDim, rank)};
  memcpy(window->dims, dims, rank * sizeof *dims);
  return window;
}

Instruction *build_reduce_window(Builder *builder, uint32_t inputs, Instruction *const *operands,
    const WindowDim *dims, Computation *reducer) {
  Instruction *reduce = build_begin(builder, HLO_REDUCE_WINDOW, 2 * inputs, operands);
  if (reduce != nullptr) reduce->window = window_of(builder, operands[0]->shape->rank, dims);
  build_call(builder, reduce, "to_apply", reducer);
  return build_end(builder, reduce, nullptr);
}

Instruction *build_select_and_scatter(Builder *builder, Instruction *const operands[3],
    const WindowDim *dims, Computation *select, Computation *scatter) {
  Instruction *whole = build_begin(builder, HLO_SELECT_AND_SCATTER, 3, operands);
  if (whole != nullptr) whole->window = window_of(builder, operands[0]->shape->rank, dims);
  build_call(builder, whole, "select", select);
  build_call(builder, whole, "scatter", scatter);
  return build_end(builder, whole, nullptr);
}

Instruction *build_convolution(Builder *builder, Instruction *const operands[2],
    const WindowDim *dims, const ConvolutionNumbers *numbers, int64_t feature_groups,
    int64_t batch_groups) {
  Instruction *convolution = build_begin(builder, HLO_CONVOLUTION, 2, operands);
  if (convolution != nullptr) {
    convolution->window = window_of(builder, numbers->input_spatial.count, dims);
    convolution->convolution = ARENA_NEW(builder->module->arena, ConvolutionNumbers, 1);
    *convolution->convolution = *numbers;
    convolution->number = feature_groups;
    convolution->batch_group_count = batch_groups;
  }
  return build_end(builder, convolution, nullptr);
}
