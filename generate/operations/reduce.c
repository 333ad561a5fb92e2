/* reduce and reduce-window of one, two or three arrays, and select-and-scatter. */
#include "generate/operations/window.h"

WindowDim choose_window(
    Choices *choices, const OperationLimits *limits, int64_t size, int64_t *positions) {
  WindowDim window = {.size = choose_between(choices, 1, limits->window),
      .stride = choose_between(choices, 1, limits->stride),
      .base_dilation = choose_between(choices, 1, limits->dilation),
      .window_dilation = choose_between(choices, 1, limits->dilation),
      .pad_low = choose_near_zero(choices, limits->window_low, limits->window_high)};
  int64_t padded = (size == 0 ? 0 : (size - 1) * window.base_dilation + 1) + window.pad_low;
  int64_t least = -padded > limits->window_low ? -padded : limits->window_low;
  window.pad_high = choose_near_zero(choices, least, limits->window_high);
  int64_t wide = (window.size - 1) * window.window_dilation + 1;
  padded += window.pad_high;
  *positions = padded < wide ? 0 : (padded - wide) / window.stride + 1;
  return window;
}

/* Two or three arrays with the operand at any position; or two, both the operand. */
typedef struct ReduceInputs {
  uint32_t count, at;
  bool is_twice;
  ElementType types[3];
} ReduceInputs;

static ReduceInputs choose_inputs(const OperationCase *at_hand) {
  static const ElementType types[] = {TYPE_f32, TYPE_s32, TYPE_f32};
  uint32_t way = (uint32_t)choose(at_hand->choices, 2 + 3 + 1);
  ReduceInputs inputs = {.count = way < 2 || way == 5 ? 2 : 3, .at = way < 2 ? way : (way - 2) % 3};
  inputs.is_twice = way == 5;
  if (inputs.is_twice) inputs.at = 0;
  for (uint32_t i = 0; i < inputs.count; i++)
    inputs.types[i] = i == inputs.at || inputs.is_twice ? at_hand->type : types[i];
  return inputs;
}

static ReduceInputs only_input(const OperationCase *at_hand) {
  return (ReduceInputs){.count = 1, .types = {at_hand->type}};
}

/* The arrays, followed by the initial values. */
static void add_operands(
    const OperationCase *at_hand, const ReduceInputs *inputs, Instruction *operands[6]) {
  OperandSource *source = at_hand->source;
  for (uint32_t i = 0; i < inputs->count; i++)
    operands[i] = i == inputs->at || inputs->is_twice
                      ? at_hand->operand
                      : source->array(source, inputs->types[i], &at_hand->in);
  for (uint32_t i = 0; i < inputs->count; i++)
    operands[inputs->count + i] = source->scalar(source, inputs->types[i]);
}

/* Chooses the reduced dimensions; the others make the result. */
static uint32_t choose_reduced(OperationCase *at_hand, int64_t *reduced) {
  uint32_t count = 0;
  at_hand->out = (Tensor){};
  for (uint32_t i = 0; i < at_hand->in.rank; i++) {
    if (choose_bool(at_hand->choices)) reduced[count++] = i;
    else at_hand->out.sizes[at_hand->out.rank++] = at_hand->in.sizes[i];
  }
  return count;
}

static bool generate_reduce_of(OperationCase *at_hand, ReduceInputs inputs) {
  int64_t reduced[tensor_max_rank];
  uint32_t count = choose_reduced(at_hand, reduced);
  if (at_hand->builder == nullptr) return true;
  Instruction *operands[6];
  add_operands(at_hand, &inputs, operands);
  at_hand->result = hlo_build_reduce(at_hand->builder, inputs.count, operands, count, reduced,
      at_hand->source->reducer(at_hand->source, inputs.count, inputs.types));
  return true;
}

bool generate_reduce(OperationCase *at_hand) {
  return generate_reduce_of(at_hand, only_input(at_hand));
}
bool generate_reduce_variadic(OperationCase *at_hand) {
  return generate_reduce_of(at_hand, choose_inputs(at_hand));
}

static void choose_windows(OperationCase *at_hand, WindowDim *windows, Tensor *positions) {
  positions->rank = at_hand->in.rank;
  for (uint32_t i = 0; i < at_hand->in.rank; i++) {
    operation_join(at_hand, GENERATED_reduce_window, i, 0);
    windows[i] = choose_window(
        at_hand->choices, at_hand->limits, at_hand->in.sizes[i], &positions->sizes[i]);
  }
}

static bool generate_window_of(OperationCase *at_hand, ReduceInputs inputs) {
  WindowDim windows[tensor_max_rank];
  choose_windows(at_hand, windows, &at_hand->out);
  if (at_hand->builder == nullptr) return true;
  Instruction *operands[6];
  add_operands(at_hand, &inputs, operands);
  at_hand->result = hlo_build_reduce_window(at_hand->builder, inputs.count, operands, windows,
      at_hand->source->reducer(at_hand->source, inputs.count, inputs.types));
  return true;
}

bool generate_reduce_window(OperationCase *at_hand) {
  return generate_window_of(at_hand, only_input(at_hand));
}
bool generate_reduce_window_variadic(OperationCase *at_hand) {
  return generate_window_of(at_hand, choose_inputs(at_hand));
}

bool generate_select_and_scatter(OperationCase *at_hand) {
  WindowDim windows[tensor_max_rank];
  Tensor positions;
  if (at_hand->type != TYPE_f32) return false;
  choose_windows(at_hand, windows, &positions);
  at_hand->out = at_hand->in;
  if (at_hand->builder == nullptr) return true;
  OperandSource *source = at_hand->source;
  Instruction *operands[] = {at_hand->operand, source->array(source, TYPE_f32, &positions),
      source->scalar(source, TYPE_f32)};
  at_hand->result = hlo_build_select_and_scatter(at_hand->builder, operands, windows,
      source->comparison(source), source->reducer(source, 1, &at_hand->type));
  return true;
}
