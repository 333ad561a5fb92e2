/* convolution: every order of the input's dimensions, groups of features or of the batch, and a
 * window for each spatial dimension. */
#include "generate/operations/window.h"

static constexpr int64_t most_per_group = 2;

typedef struct ConvolutionWay {
  uint32_t spatial;
  uint32_t input[tensor_max_rank], kernel[tensor_max_rank], output[tensor_max_rank];
  int64_t batch, features, feature_groups, batch_groups, made;
  WindowDim windows[tensor_max_rank];
  int64_t counts[tensor_max_rank];
} ConvolutionWay;

/* Orders: positions of batch (for the kernel: output features), features, and spatial
 * dimensions. */
static void choose_orders(const OperationCase *at_hand, ConvolutionWay *way) {
  uint32_t rank = at_hand->in.rank;
  choose_arrangement(at_hand->choices, rank, rank, way->input);
  for (uint32_t i = 0; i < rank; i++) way->kernel[i] = way->output[i] = i;
  if (at_hand->limits->all_labels) {
    choose_arrangement(at_hand->choices, rank, rank, way->kernel);
    choose_arrangement(at_hand->choices, rank, rank, way->output);
  } else {
    for (uint32_t i = 0; i < rank; i++) way->kernel[i] = rank - 1 - i;
    way->output[1] = rank - 1;
    for (uint32_t i = 2; i < rank; i++) way->output[i] = i - 1;
  }
}

/* Choice 0 is no groups, then groups of features, then groups of the batch. */
static void choose_groups(Choices *choices, ConvolutionWay *way) {
  uint64_t count = 0, chosen;
  for (int64_t g = 1; g <= way->features; g++) count += way->features % g == 0;
  for (int64_t g = 2; g <= way->batch; g++) count += way->batch % g == 0;
  chosen = choose(choices, count);
  way->feature_groups = way->batch_groups = 1;
  for (int64_t g = 1; g <= way->features; g++)
    if (way->features % g == 0 && chosen-- == 0) {
      way->feature_groups = g;
      return;
    }
  for (int64_t g = 2; g <= way->batch; g++)
    if (way->batch % g == 0 && chosen-- == 0) way->batch_groups = g;
}

static void choose_spatial(const OperationCase *at_hand, ConvolutionWay *way) {
  for (uint32_t i = 0; i < way->spatial; i++) {
    way->windows[i] = choose_window(
        at_hand->choices, at_hand->limits, at_hand->in.sizes[way->input[2 + i]], &way->counts[i]);
    way->windows[i].reversal = choose_bool(at_hand->choices);
  }
}

static Tensor kernel_of(const ConvolutionWay *way) {
  Tensor kernel = {.rank = way->spatial + 2};
  kernel.sizes[way->kernel[0]] = way->made;
  kernel.sizes[way->kernel[1]] = way->features / way->feature_groups;
  for (uint32_t i = 0; i < way->spatial; i++)
    kernel.sizes[way->kernel[2 + i]] = way->windows[i].size;
  return kernel;
}

static Tensor output_of(const ConvolutionWay *way) {
  Tensor output = {.rank = way->spatial + 2};
  output.sizes[way->output[0]] = way->batch / way->batch_groups;
  output.sizes[way->output[1]] = way->made;
  for (uint32_t i = 0; i < way->spatial; i++) output.sizes[way->output[2 + i]] = way->counts[i];
  return output;
}

static Ints spatial_ints(Builder *builder, const ConvolutionWay *way, const uint32_t *order) {
  int64_t positions[tensor_max_rank];
  for (uint32_t i = 0; i < way->spatial; i++) positions[i] = order[2 + i];
  return hlo_build_ints(builder, way->spatial, positions);
}

static void build_way(OperationCase *at_hand, const ConvolutionWay *way) {
  Tensor kernel = kernel_of(way);
  Instruction *operands[] = {
      at_hand->operand, at_hand->source->array(at_hand->source, at_hand->type, &kernel)};
  ConvolutionNumbers numbers = {.input_batch = way->input[0],
      .input_feature = way->input[1],
      .kernel_output_feature = way->kernel[0],
      .kernel_input_feature = way->kernel[1],
      .output_batch = way->output[0],
      .output_feature = way->output[1],
      .input_spatial = spatial_ints(at_hand->builder, way, way->input),
      .kernel_spatial = spatial_ints(at_hand->builder, way, way->kernel),
      .output_spatial = spatial_ints(at_hand->builder, way, way->output)};
  at_hand->result = hlo_build_convolution(
      at_hand->builder, operands, way->windows, &numbers, way->feature_groups, way->batch_groups);
}

bool generate_convolution(OperationCase *at_hand) {
  ConvolutionWay way = {.spatial = at_hand->in.rank - 2};
  if (at_hand->in.rank < 2 || at_hand->in.rank > 2 + at_hand->limits->spatial ||
      at_hand->in.rank < 2 + at_hand->limits->least_spatial)
    return false;
  choose_orders(at_hand, &way);
  way.batch = at_hand->in.sizes[way.input[0]];
  way.features = at_hand->in.sizes[way.input[1]];
  if (way.features == 0 || at_hand->type != TYPE_f32) return false;
  Tensor by_role = {.rank = at_hand->in.rank};
  for (uint32_t i = 0; i < by_role.rank; i++) by_role.sizes[i] = at_hand->in.sizes[way.input[i]];
  operation_join_tensor(at_hand, GENERATED_convolution, &by_role);
  choose_spatial(at_hand, &way);
  way.made = choose_between(at_hand->choices, 1, most_per_group);
  choose_groups(at_hand->choices, &way);
  way.made *= way.feature_groups * way.batch_groups;
  at_hand->out = output_of(&way);
  if (at_hand->builder != nullptr) build_way(at_hand, &way);
  return true;
}
