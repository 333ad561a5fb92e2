/* Broadcast, transpose and reverse: each operand dimension is one output dimension, mirrored or
 * not. Operations without data operands read no data; their operands, such as the scalars of rng,
 * are read for every element. */
#include <assert.h>

#include "core/index/family.h"

bool reads_broadcast(const IndexQuery *query, IndexResult *answer, Error *error) {
  const Ints *dimensions = &query->instruction->dimensions;
  Build build = build_over(query->context, query->output);
  for (uint32_t i = 0; i < query->input->rank; i++) {
    assert(i < dimensions->count);
    uint32_t from = (uint32_t)dimensions->values[i];
    assert(query->input->sizes[i] == query->output->sizes[from]);
    build_result(&build, build_dim(&build, from));
  }
  return answer_finish(query, answer, &build, error);
}

/* dimensions[i] is the operand dimension of output dimension i. */
bool reads_transpose(const IndexQuery *query, IndexResult *answer, Error *error) {
  const Ints *dimensions = &query->instruction->dimensions;
  assert(dimensions->count == query->output->rank && query->output->rank == query->input->rank);
  Build build = build_over(query->context, query->output);
  for (uint32_t i = 0; i < query->input->rank; i++)
    build_result(&build, build_dim(&build, ints_find(dimensions, i)));
  return answer_finish(query, answer, &build, error);
}

bool reads_reverse(const IndexQuery *query, IndexResult *answer, Error *error) {
  Build build = build_over(query->context, query->output);
  for (uint32_t i = 0; i < query->input->rank; i++) {
    Expr dim = build_dim(&build, i);
    bool mirrored = ints_has(&query->instruction->dimensions, i);
    build_result(&build, mirrored ? build_plus_const(&build, build_times(&build, dim, -1),
                                        query->input->sizes[i] - 1)
                                  : dim);
  }
  return answer_finish(query, answer, &build, error);
}

bool reads_source(const IndexQuery *query, IndexResult *answer, Error *error) {
  return answer_everything(query, answer, error);
}
