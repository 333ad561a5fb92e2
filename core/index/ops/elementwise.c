/* Elementwise operations: the element at the same place; a rank-0 operand beside larger ones (the
 * predicate of select, the ends of clamp) is read for every output element. */
#include "core/index/family.h"

bool reads_elementwise(const Ask *ask, Answer *answer, Error *error) {
  if (ask->input->rank == 0 && ask->output->rank > 0) return answer_scalar(ask, answer, error);
  return answer_identity(ask, answer, error);
}
