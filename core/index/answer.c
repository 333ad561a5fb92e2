/* Answers that several families share. */
#include <assert.h>

#include "core/index/family.h"

bool answer_finish(const IndexQuery *query, IndexResult *answer, Build *build, Error *error) {
  assert(build->results.count == query->input->rank);
  const Map *map;
  if (!build_finish(build, &map, error)) return false;
  if (map != nullptr) *ARENA_PUSH(query->context->arena, answer) = map;
  return true;
}

void answer_claim(IndexResult *answer, IndexClaim claim, const char *reason) {
  if (claim <= answer->claim) return;
  answer->claim = claim;
  answer->reason = reason;
}

bool answer_everything(const IndexQuery *query, IndexResult *answer, Error *error) {
  Build build = build_over(query->context, query->output);
  for (uint32_t i = 0; i < query->input->rank; i++)
    build_result(&build, build_span(&build, query->input->sizes[i]));
  return answer_finish(query, answer, &build, error);
}

bool answer_identity(const IndexQuery *query, IndexResult *answer, Error *) {
  assert(query->output->rank == query->input->rank);
  const Map *map = map_identity(query->context, query->output->rank, query->output->sizes);
  assert(map->state == MAP_PLAIN);
  *ARENA_PUSH(query->context->arena, answer) = map;
  return true;
}

bool answer_scalar(const IndexQuery *query, IndexResult *answer, Error *error) {
  assert(query->input->rank == 0);
  Build build = build_over(query->context, query->output);
  return answer_finish(query, answer, &build, error);
}
