/* One function an operation: the fields that the opcode has, and nothing else. */
#include <string.h>

#include "core/hlo/build/build.h"

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

Computation *hlo_build_combiner(
    ModuleBuilder *module, const char *name, Opcode opcode, ElementType type) {
  Builder builder = hlo_build_computation(module, name);
  const Shape *scalar = hlo_build_shape(&builder, type, 0, nullptr);
  Instruction *sides[2];
  for (uint32_t i = 0; i < 2; i++) sides[i] = hlo_build_parameter(&builder, scalar);
  return hlo_build_finish(&builder, hlo_build_elementwise(&builder, opcode, 2, sides));
}
