/* Slice: d * stride + start. An output dimension of size 1 uses no stride, so that no product
 * leaves int64. */
#include <assert.h>

#include "core/index/family.h"

bool reads_slice(const IndexQuery *query, IndexResult *answer, Error *error) {
  const Instruction *slice = query->instruction;
  assert(slice->starts.count == query->input->rank && query->output->rank == query->input->rank);
  Build build = build_over(query->context, query->output);
  for (uint32_t i = 0; i < query->input->rank; i++) {
    bool has_stride = slice->strides.count > i && query->output->sizes[i] > 1;
    int64_t stride = has_stride ? slice->strides.values[i] : 1;
    Expr scaled = build_times(&build, build_dim(&build, i), stride);
    build_result(&build, build_plus_const(&build, scaled, slice->starts.values[i]));
  }
  return answer_finish(query, answer, &build, error);
}
