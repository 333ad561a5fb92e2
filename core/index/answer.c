/* Answers that several families give. */
#include <assert.h>

#include "core/index/family.h"

bool answer_finish(const Ask *ask, Answer *answer, Build *build, Error *error) {
  assert(build->results.count == ask->input->rank);
  const Map *map;
  if (!build_finish(build, &map, error)) return false;
  if (map != nullptr) *ARENA_PUSH(ask->context->arena, answer) = map;
  return true;
}

void answer_claim(Answer *answer, IndexClaim claim, const char *reason) {
  if (claim <= answer->claim) return;
  answer->claim = claim;
  answer->reason = reason;
}

bool answer_everything(const Ask *ask, Answer *answer, Error *error) {
  Build build = build_over(ask->context, ask->output);
  for (uint32_t i = 0; i < ask->input->rank; i++)
    build_result(&build, build_span(&build, ask->input->sizes[i]));
  return answer_finish(ask, answer, &build, error);
}

bool answer_identity(const Ask *ask, Answer *answer, Error *error) {
  assert(ask->output->rank == ask->input->rank);
  Build build = build_over(ask->context, ask->output);
  for (uint32_t i = 0; i < ask->input->rank; i++) build_result(&build, build_dim(&build, i));
  return answer_finish(ask, answer, &build, error);
}

bool answer_scalar(const Ask *ask, Answer *answer, Error *error) {
  assert(shape_elements(ask->input) == 1);
  Build build = build_over(ask->context, ask->output);
  for (uint32_t i = 0; i < ask->input->rank; i++) build_result(&build, build_const(&build, 0));
  return answer_finish(ask, answer, &build, error);
}

uint32_t ints_find(const Ints *ints, int64_t value) {
  for (uint32_t i = 0; i < ints->count; i++)
    if (ints->values[i] == value) return i;
  return UINT32_MAX;
}

bool ints_has(const Ints *ints, int64_t value) { return ints_find(ints, value) != UINT32_MAX; }
