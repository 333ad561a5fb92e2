/* Convolution: the spatial sizes are those of the window over the input; the window has the
 * kernel's spatial sizes. Input features = kernel input features * feature groups; the batch size
 * is divided by the batch groups; the output has the kernel's output features, which both group
 * counts must divide. At most one of the two group counts is above 1. */
#include <assert.h>
#include <inttypes.h>

#include "core/hlo/verify/check.h"

static bool check_position(const Check *check, bool *seen, int64_t dimension, uint32_t rank) {
  if (dimension < 0 || dimension >= rank || seen[dimension]) {
    return check_fail_at(check, "dim_labels",
        "dimension %" PRId64 " of rank %u is named twice or out of range", dimension, rank);
  }
  seen[dimension] = true;
  return true;
}

static bool check_labels(
    const Check *check, int64_t first, int64_t second, Ints spatial, uint32_t rank) {
  if (rank != spatial.count + 2) {
    return check_fail_at(check, "dim_labels", "an array of rank %u has labels for %s", rank,
        counted(spatial.count + 2, "dimension"));
  }
  bool *seen = dimension_set(check, rank);
  if (!check_position(check, seen, first, rank) || !check_position(check, seen, second, rank))
    return false;
  for (uint32_t i = 0; i < spatial.count; i++) {
    if (!check_position(check, seen, spatial.values[i], rank)) return false;
  }
  return true;
}

static bool check_numbers(const Check *check, const ConvolutionNumbers *numbers) {
  if (numbers == nullptr) return check_fail(check, "dim_labels is missing");
  uint32_t spatial = numbers->output_spatial.count;
  if (numbers->input_spatial.count != spatial || numbers->kernel_spatial.count != spatial) {
    return check_fail_at(
        check, "dim_labels", "input, kernel and output differ in spatial dimensions");
  }
  return check_labels(check, numbers->input_batch, numbers->input_feature, numbers->input_spatial,
             operand_shape(check, 0)->rank) &&
         check_labels(check, numbers->kernel_input_feature, numbers->kernel_output_feature,
             numbers->kernel_spatial, operand_shape(check, 1)->rank) &&
         check_labels(check, numbers->output_batch, numbers->output_feature,
             numbers->output_spatial, spatial + 2);
}

static bool check_feature_groups(
    const Check *check, int64_t groups, int64_t input, int64_t kernel, int64_t output) {
  if (groups < 1)
    return check_fail_at(check, "feature_group_count", "%" PRId64 " feature groups", groups);
  if (input % groups != 0 || input / groups != kernel) {
    return check_fail_at(check, "feature_group_count",
        "%" PRId64 " input features in %" PRId64 " groups, and %" PRId64 " in the kernel", input,
        groups, kernel);
  }
  return output % groups == 0 ||
         check_fail_at(check, "feature_group_count",
             "%" PRId64 " output features in %" PRId64 " groups", output, groups);
}

static bool check_batch_groups(const Check *check, int64_t groups, int64_t batch, int64_t output) {
  if (groups < 1)
    return check_fail_at(check, "batch_group_count", "%" PRId64 " batch groups", groups);
  if (groups > 1 && check->instruction->number > 1) {
    return check_fail_at(check, "batch_group_count", "both feature groups and batch groups");
  }
  if (batch % groups != 0) {
    return check_fail_at(
        check, "batch_group_count", "a batch of %" PRId64 " in %" PRId64 " groups", batch, groups);
  }
  return output % groups == 0 ||
         check_fail_at(check, "batch_group_count",
             "%" PRId64 " output features in %" PRId64 " groups", output, groups);
}

static bool spatial_sizes(const Check *check, const ConvolutionNumbers *numbers, int64_t *sizes) {
  const Window *window = check->instruction->window;
  const Shape *input = operand_shape(check, 0), *kernel = operand_shape(check, 1);
  uint32_t rank = window == nullptr ? 0 : window->rank;
  if (rank != numbers->output_spatial.count) {
    return check_fail_at(check, "window", "the window has %s for %u spatial ones",
        counted(rank, "dimension"), numbers->output_spatial.count);
  }
  for (uint32_t i = 0; i < rank; i++) {
    int64_t size = kernel->sizes[numbers->kernel_spatial.values[i]];
    if (window->dims[i].size != size) {
      return check_fail_at(check, "window",
          "window dimension %u has the size %" PRId64 ", the kernel %" PRId64, i,
          window->dims[i].size, size);
    }
    int64_t *output = &sizes[numbers->output_spatial.values[i]];
    if (!window_output_size(
            check, &window->dims[i], i, input->sizes[numbers->input_spatial.values[i]], output)) {
      return false;
    }
  }
  return true;
}

/* A bounded batch or spatial dimension of the input, or a bounded number of output features of the
 * kernel, bounds the dimension of the output that it determines. */
static bool *output_bounds(const Check *check, const ConvolutionNumbers *numbers, uint32_t rank) {
  const Shape *input = operand_shape(check, 0), *kernel = operand_shape(check, 1);
  bool *bounds = dimension_set(check, rank);
  bounds[numbers->output_batch] = shape_has_bound(input, (uint32_t)numbers->input_batch);
  bounds[numbers->output_feature] =
      shape_has_bound(kernel, (uint32_t)numbers->kernel_output_feature);
  for (uint32_t i = 0; i < numbers->output_spatial.count; i++)
    bounds[numbers->output_spatial.values[i]] =
        shape_has_bound(input, (uint32_t)numbers->input_spatial.values[i]) ||
        shape_has_bound(kernel, (uint32_t)numbers->kernel_spatial.values[i]);
  return bounds;
}

bool infer_convolution(const Check *check, const Shape **shape) {
  const Instruction *instruction = check->instruction;
  const ConvolutionNumbers *numbers = instruction->convolution;
  if (!check_arrays(check) || !check_contracted_types(check) || !check_numbers(check, numbers))
    return false;
  const Shape *input = operand_shape(check, 0), *kernel = operand_shape(check, 1),
              *declared = instruction->shape;
  int64_t output_features = kernel->sizes[numbers->kernel_output_feature],
          batch = input->sizes[numbers->input_batch];
  if (!check_feature_groups(check, instruction->number, input->sizes[numbers->input_feature],
          kernel->sizes[numbers->kernel_input_feature], output_features) ||
      !check_batch_groups(check, instruction->batch_group_count, batch, output_features)) {
    return false;
  }
  uint32_t rank = numbers->output_spatial.count + 2;
  int64_t *sizes = ARENA_NEW(check->arena, int64_t, rank);
  assert(numbers->output_batch < rank && numbers->output_feature < rank &&
         instruction->batch_group_count > 0);
  sizes[numbers->output_batch] = batch / instruction->batch_group_count;
  sizes[numbers->output_feature] = output_features;
  bool is_array = declared != nullptr && shape_is_array(declared);
  return spatial_sizes(check, numbers, sizes) &&
         make_bounded(check, is_array ? declared->type : input->type, rank, sizes,
             output_bounds(check, numbers, rank), shape);
}
