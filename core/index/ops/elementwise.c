/* Elementwise operations: the element with the same index. A rank-0 operand beside larger ones (the
 * predicate of select, the bounds of clamp) is read for every output element. */
#include "core/index/family.h"

bool reads_elementwise(const IndexQuery *query, IndexResult *answer, Error *error) {
  if (query->input->rank == 0 && query->output->rank > 0)
    return answer_scalar(query, answer, error);
  return answer_identity(query, answer, error);
}
