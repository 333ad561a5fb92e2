/* Windows: reduce-window and select-and-scatter. With x = position * stride + offset *
 * window_dilation - pad_low, the operand element is x floordiv base_dilation, if x mod
 * base_dilation = 0 and x is in [0, (size - 1) * base_dilation]. Padding and holes of the dilation
 * have the initial value, which is read for every output element. */
#include "core/index/ops/window.h"

#include <assert.h>

#include "core/index/family.h"

Expr window_offset(Build *build, const WindowDim *window) {
  return build_span(build, window->size);
}

Expr window_element(
    Build *build, const WindowDim *window, Expr position, Expr offset, int64_t size) {
  Expr padded = build_plus(build, build_times(build, position, window->stride),
      build_times(build, offset, window->window_dilation));
  assert(size >= 0 && window->base_dilation > 0);
  int64_t last = build_product(build, size - 1, window->base_dilation);
  assert(build->overflow || (size == 0) == (last < 0)); /* an operand without elements has an empty
                                                         * interval */
  build_require(build, padded, window->pad_low, build_sum(build, window->pad_low, last));
  Expr from_low = build_plus_const(build, padded, build_difference(build, 0, window->pad_low));
  if (window->base_dilation > 1)
    build_require(build, build_mod(build, from_low, window->base_dilation), 0, 0);
  return build_floordiv(build, from_low, window->base_dilation);
}

bool reads_reduce_window(const IndexQuery *query, IndexResult *answer, Error *error) {
  if (query->operand >= query->instruction->operand_count / 2)
    return answer_scalar(query, answer, error);
  const Window *window = query->instruction->window;
  assert((window == nullptr ? 0 : window->rank) == query->input->rank &&
         query->output->rank == query->input->rank);
  Build build = build_over(query->context, query->output);
  for (uint32_t i = 0; i < query->input->rank; i++) {
    Expr offset = window_offset(&build, &window->dims[i]);
    build_result(&build, window_element(&build, &window->dims[i], build_dim(&build, i), offset,
                             query->input->sizes[i]));
  }
  return answer_finish(query, answer, &build, error);
}

/* The window position p with p * stride + offset * window_dilation - pad_low = element *
 * base_dilation, in [0, positions). */
static Expr window_position(
    Build *build, const WindowDim *window, Expr element, Expr offset, int64_t positions) {
  assert(positions >= 0 && window->stride > 0);
  Expr start = build_minus(build,
      build_plus_const(build, build_times(build, element, window->base_dilation), window->pad_low),
      build_times(build, offset, window->window_dilation));
  build_require(build, start, 0, build_product(build, positions - 1, window->stride));
  if (window->stride > 1) build_require(build, build_mod(build, start, window->stride), 0, 0);
  return build_floordiv(build, start, window->stride);
}

/* Source: the windows that contain the element. Operand: all elements of those windows, since any
 * of them may be selected. */
bool reads_select_and_scatter(const IndexQuery *query, IndexResult *answer, Error *error) {
  if (query->operand == 2) return answer_scalar(query, answer, error);
  const Window *window = query->instruction->window;
  const Shape *source = query->instruction->operands[1]->shape;
  Build build = build_over(query->context, query->output);
  for (uint32_t i = 0; i < query->input->rank; i++) {
    const WindowDim *dim = &window->dims[i];
    Expr position = window_position(
        &build, dim, build_dim(&build, i), window_offset(&build, dim), source->sizes[i]);
    Expr other = query->operand == 1 ? position
                                     : window_element(&build, dim, position,
                                           window_offset(&build, dim), query->input->sizes[i]);
    build_result(&build, other);
  }
  answer_claim(answer, INDEX_OVER_APPROXIMATION,
      "which element of a window is selected depends on the values");
  return answer_finish(query, answer, &build, error);
}
