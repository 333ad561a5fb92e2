/* Slice: d * stride + start. */
#include <assert.h>

#include "core/index/family.h"

bool reads_slice(const Ask *ask, Answer *answer, Error *error) {
  const Instruction *slice = ask->instruction;
  assert(slice->starts.count == ask->input->rank && ask->output->rank == ask->input->rank);
  Build build = build_over(ask->context, ask->output);
  for (uint32_t i = 0; i < ask->input->rank; i++) {
    int64_t stride = slice->strides.count > i ? slice->strides.values[i] : 1;
    Expr scaled = build_times(&build, build_dim(&build, i), stride);
    build_result(&build, build_plus_const(&build, scaled, slice->starts.values[i]));
  }
  return answer_finish(ask, answer, &build, error);
}
