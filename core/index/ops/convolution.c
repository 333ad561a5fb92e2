/* Convolution: out[b, f, x] = sum over the window w and the kernel's input features z of
 * input * kernel.
 * With G feature groups and B batch groups, kernel input features K = input features / G, outputs
 * a group F_G = output features / G and F_B = output features / B:
 *   input[batch + (f floordiv F_B) * (batches of the output), (f floordiv F_G) * K + z,
 *         element(x, w)]
 *   kernel[z, f, w] (mirrored if the window is reversed)
 * A kernel element is read if its input element exists, and not if that is padding or a hole of the
 * dilation. Window dimensions and features of size 1 have no range variable. */
#include <assert.h>

#include "core/index/family.h"
#include "core/index/ops/window.h"

typedef struct ConvolutionConvolving {
  const Instruction *convolution;
  const ConvolutionNumbers *numbers;
  const Shape *input, *kernel, *output;
  Build build;
  Expr *offsets; /* [window rank] */
  Expr feature;  /* input feature of the kernel */
} ConvolutionConvolving;

static ConvolutionConvolving convolving(const IndexQuery *query) {
  const Instruction *convolution = query->instruction;
  ConvolutionConvolving made = {
      .convolution = convolution,
      .numbers = convolution->convolution,
      .input = convolution->operands[0]->shape,
      .kernel = convolution->operands[1]->shape,
      .output = query->output,
      .build = build_over(query->context, query->output),
  };
  uint32_t rank = made.numbers->input_spatial.count;
  assert(made.numbers->kernel_spatial.count == rank && made.numbers->output_spatial.count == rank);
  assert(rank + 2 == query->output->rank && rank + 2 == query->input->rank);
  made.offsets = ARENA_NEW(query->context->arena, Expr, rank);
  for (uint32_t i = 0; i < rank; i++)
    made.offsets[i] = window_offset(&made.build, &convolution->window->dims[i]);
  made.feature = build_span(&made.build, made.kernel->sizes[made.numbers->kernel_input_feature]);
  return made;
}

/* The output feature's group, of `groups` equal ones, times `stride`. */
static Expr group_start(ConvolutionConvolving *one, int64_t groups, int64_t stride) {
  Build *build = &one->build;
  if (groups <= 1) return build_const(build, 0);
  Expr feature = build_dim(build, (uint32_t)one->numbers->output_feature);
  int64_t features = one->output->sizes[one->numbers->output_feature] / groups;
  return build_times(build, build_floordiv(build, feature, features > 0 ? features : 1), stride);
}

/* The input element of window dimension i; constraints require that it exists. */
static Expr input_element(ConvolutionConvolving *one, uint32_t i) {
  const ConvolutionNumbers *numbers = one->numbers;
  Expr position = build_dim(&one->build, (uint32_t)numbers->output_spatial.values[i]);
  int64_t size = one->input->sizes[numbers->input_spatial.values[i]];
  return window_element(
      &one->build, &one->convolution->window->dims[i], position, one->offsets[i], size);
}

static void input_index(ConvolutionConvolving *one, Expr *results) {
  Build *build = &one->build;
  const ConvolutionNumbers *numbers = one->numbers;
  Expr batch = build_dim(build, (uint32_t)numbers->output_batch);
  int64_t batches = one->output->sizes[numbers->output_batch];
  results[numbers->input_batch] =
      build_plus(build, group_start(one, one->convolution->batch_group_count, batches), batch);
  int64_t features = one->kernel->sizes[numbers->kernel_input_feature];
  results[numbers->input_feature] =
      build_plus(build, group_start(one, one->convolution->number, features), one->feature);
  for (uint32_t i = 0; i < numbers->input_spatial.count; i++)
    results[numbers->input_spatial.values[i]] = input_element(one, i);
}

static void kernel_index(ConvolutionConvolving *one, Expr *results) {
  Build *build = &one->build;
  const ConvolutionNumbers *numbers = one->numbers;
  results[numbers->kernel_input_feature] = one->feature;
  results[numbers->kernel_output_feature] = build_dim(build, (uint32_t)numbers->output_feature);
  for (uint32_t i = 0; i < numbers->kernel_spatial.count; i++) {
    const WindowDim *window = &one->convolution->window->dims[i];
    (void)input_element(one, i);
    Expr mirrored =
        build_plus_const(build, build_times(build, one->offsets[i], -1), window->size - 1);
    results[numbers->kernel_spatial.values[i]] = window->reversal ? mirrored : one->offsets[i];
  }
}

bool reads_convolution(const IndexQuery *query, IndexResult *answer, Error *error) {
  ConvolutionConvolving one = convolving(query);
  Expr *results = ARENA_NEW(query->context->arena, Expr, query->input->rank);
  if (query->operand == 0) input_index(&one, results);
  else kernel_index(&one, results);
  for (uint32_t i = 0; i < query->input->rank; i++) build_result(&one.build, results[i]);
  return answer_finish(query, answer, &one.build, error);
}
