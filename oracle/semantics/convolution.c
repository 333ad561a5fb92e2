/* Convolution. Output (batch b, feature f, position o) sums over kernel positions k and kernel
 * input features c:
 *   kernel[c, f, k]
 *   input[batch, feature, (o * stride + place(k) * window_dilation - pad_low) / base_dilation]
 * if that is an element of the input, with place(k) = k, or size - 1 - k if the window is reversed.
 * With g feature groups the output features are divided into g equal parts, and part j reads the
 * input features of part j: feature = j * (input features / g) + c. With g batch groups the output
 * features are divided into g equal parts as well, and part j reads the input batches of part j:
 * batch = j * (output batches) + b. Kernel elements whose input position is padding multiply zero,
 * and are not read. */
#include "oracle/semantics/product.h"

typedef struct ConvolutionAxis {
  uint32_t kernel, input; /* dimensions */
  const WindowDim *window;
  int64_t output;
} ConvolutionAxis;

/* The input position that kernel position k multiplies; -1 for padding. */
static int64_t input_position(const ConvolutionAxis *axis, int64_t k, int64_t input_size) {
  const WindowDim *window = axis->window;
  assert(k >= 0 && k < window->size && window->base_dilation > 0);
  Wide offset = window->reversal ? window->size - 1 - (Wide)k : k;
  Wide at, position = (Wide)axis->output * window->stride + offset * window->window_dilation -
                      window->pad_low;
  return position >= 0 && wide_divides(window->base_dilation, position, &at) && at < input_size
             ? (int64_t)at
             : -1;
}

static bool is_met_before(const Product *product, uint32_t dimension, int64_t position) {
  for (uint32_t i = 0; i < product->count[dimension]; i++)
    if (product->positions[dimension][i] == position) return true;
  return false;
}

/* Adds the kernel positions that multiply an input element, and those input positions. */
static void add_axis(const ConvolutionAxis *axis, Product *input, Product *kernel) {
  for (int64_t k = 0; k < kernel->leaf->sizes[axis->kernel]; k++) {
    int64_t position = input_position(axis, k, input->leaf->sizes[axis->input]);
    if (position < 0) continue;
    product_add(kernel, axis->kernel, k);
    if (!is_met_before(input, axis->input, position)) product_add(input, axis->input, position);
  }
}

static bool is_described(const Instruction *instruction) {
  const ConvolutionNumbers *numbers = instruction->convolution;
  uint32_t rank = instruction->window == nullptr ? 0 : instruction->window->rank;
  return numbers != nullptr && numbers->input_spatial.count == rank &&
         numbers->kernel_spatial.count == rank && numbers->output_spatial.count == rank &&
         instruction->number >= 1 && instruction->batch_group_count >= 1;
}

static void add_features(
    const Reading *reading, const ConvolutionNumbers *numbers, Product *input, Product *kernel) {
  const Instruction *instruction = reading->node->instruction;
  const Leaf *output = &reading->node->leaves[0];
  int64_t f = reading->at[numbers->output_feature],
          features = output->sizes[numbers->output_feature];
  int64_t batches = output->sizes[numbers->output_batch];
  assert(features % instruction->number == 0 && features % instruction->batch_group_count == 0);
  int64_t per_group = kernel->leaf->sizes[numbers->kernel_input_feature];
  int64_t feature_group = f / (features / instruction->number);
  int64_t batch_group = f / (features / instruction->batch_group_count);
  product_add(kernel, (uint32_t)numbers->kernel_output_feature, f);
  product_add_all(kernel, (uint32_t)numbers->kernel_input_feature);
  product_add(input, (uint32_t)numbers->input_batch,
      batch_group * batches + reading->at[numbers->output_batch]);
  product_add_range(input, (uint32_t)numbers->input_feature, (Wide)feature_group * per_group,
      (Wide)feature_group * per_group + per_group - 1);
}

bool read_convolution(Reading *reading) {
  const Instruction *instruction = reading->node->instruction;
  const ConvolutionNumbers *numbers = instruction->convolution;
  Product input, kernel;
  if (!is_described(instruction)) return read_unsupported(reading);
  product_begin(reading, 0, &input);
  product_begin(reading, 1, &kernel);
  add_features(reading, numbers, &input, &kernel);
  for (uint32_t i = 0; i < numbers->input_spatial.count; i++) {
    ConvolutionAxis axis = {.kernel = (uint32_t)numbers->kernel_spatial.values[i],
        .input = (uint32_t)numbers->input_spatial.values[i],
        .window = &instruction->window->dims[i],
        .output = reading->at[numbers->output_spatial.values[i]]};
    add_axis(&axis, &input, &kernel);
  }
  assert(
      input.count[numbers->input_batch] == 1 && kernel.count[numbers->kernel_output_feature] == 1);
  bool is_met = input.leaf->elements > 0;
  for (uint32_t i = 0; i < kernel.leaf->rank; i++) is_met = is_met && kernel.count[i] > 0;
  if (is_met && read_wants(reading, 0)) product_read(reading, &input);
  if (is_met && read_wants(reading, 1)) product_read(reading, &kernel);
  return true;
}
