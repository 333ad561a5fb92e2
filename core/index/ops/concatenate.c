/* Concatenate: operand k follows the operands before it; the domain of its map is only its own part
 * of the output. */
#include <assert.h>

#include "core/index/family.h"

bool reads_concatenate(const IndexQuery *query, IndexResult *answer, Error *error) {
  const Instruction *concatenate = query->instruction;
  assert(concatenate->dimensions.count == 1);
  uint32_t along = (uint32_t)concatenate->dimensions.values[0];
  assert(along < query->output->rank && query->operand < concatenate->operand_count);
  Build build = build_start(query->context);
  int64_t offset = 0;
  for (uint32_t k = 0; k < query->operand; k++)
    offset = build_sum(&build, offset, concatenate->operands[k]->shape->sizes[along]);
  for (uint32_t i = 0; i < query->output->rank; i++) {
    int64_t shift = i == along ? offset : 0;
    Expr dim = build_add_dim(
        &build, (Interval){shift, build_sum(&build, shift, query->input->sizes[i] - 1)});
    build_result(&build, build_plus_const(&build, dim, build_difference(&build, 0, shift)));
  }
  return answer_finish(query, answer, &build, error);
}
