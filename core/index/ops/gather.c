/* Gather. Output dimensions named by offset_dims run over the slice (operand dimensions that are
 * neither collapsed nor batching, in order); the others, in order, over the index array without its
 * vector dimension.
 *   operand_k = clamp(indices[batch, component of k], 0, size_k - slice_k) + offset_k, or the batch
 * index of a batching dimension. One runtime variable an index component, numbered by
 * start_index_map. Every component of the index vector is read. */
#include <assert.h>

#include "core/index/family.h"

typedef struct Gathering {
  const Instruction *gather;
  const GatherNumbers *numbers;
  const Shape *operand, *indices;
  Build build;
  uint32_t batch_count;
  Expr *batch; /* index of the index array without the vector dimension */
} Gathering;

static Gathering gathering(const Ask *ask) {
  Gathering made = {
      .gather = ask->instruction,
      .numbers = ask->instruction->gather,
      .operand = ask->instruction->operands[0]->shape,
      .indices = ask->instruction->operands[1]->shape,
      .build = build_over(ask->context, ask->output),
      .batch = ARENA_NEW(ask->context->arena, Expr, ask->output->rank),
  };
  for (uint32_t i = 0; i < ask->output->rank; i++)
    if (!ints_has(&made.numbers->offset_dims, i))
      made.batch[made.batch_count++] = build_dim(&made.build, i);
  assert(made.batch_count + made.numbers->offset_dims.count == ask->output->rank);
  assert(made.numbers->slice_sizes.count == made.operand->rank);
  return made;
}

/* The element of the index array that holds the component; the vector dimension may stand behind
 * the last one. */
static Expr *component_index(Gathering *one, Expr component) {
  Expr *index = ARENA_NEW(one->build.context->arena, Expr, one->indices->rank);
  uint32_t next = 0;
  for (uint32_t i = 0; i < one->indices->rank; i++)
    index[i] = i == (uint32_t)one->numbers->index_vector_dim ? component : one->batch[next++];
  assert(next == one->batch_count);
  return index;
}

static void operand_starts(Gathering *one, Expr *results) {
  const GatherNumbers *numbers = one->numbers;
  for (uint32_t i = 0; i < one->operand->rank; i++) results[i] = build_const(&one->build, 0);
  for (uint32_t j = 0; j < numbers->start_index_map.count; j++) {
    int64_t k = numbers->start_index_map.values[j];
    Interval clamp = {0, one->operand->sizes[k] - numbers->slice_sizes.values[k]};
    Expr *index = component_index(one, build_const(&one->build, j));
    results[k] =
        build_runtime(&one->build, clamp, one->gather->operands[1], one->indices->rank, index);
  }
  for (uint32_t j = 0; j < numbers->operand_batching_dims.count; j++) {
    int64_t of_indices = numbers->start_indices_batching_dims.values[j];
    uint32_t place = (uint32_t)of_indices - (of_indices > numbers->index_vector_dim);
    results[numbers->operand_batching_dims.values[j]] = one->batch[place];
  }
}

static bool reads_operand(const Ask *ask, Answer *answer, Error *error) {
  Gathering one = gathering(ask);
  const GatherNumbers *numbers = one.numbers;
  Expr *results = ARENA_NEW(ask->context->arena, Expr, one.operand->rank);
  operand_starts(&one, results);
  uint32_t next = 0;
  for (uint32_t i = 0; i < one.operand->rank; i++) {
    if (!ints_has(&numbers->collapsed_slice_dims, i) &&
        !ints_has(&numbers->operand_batching_dims, i)) {
      Expr offset = build_dim(&one.build, (uint32_t)numbers->offset_dims.values[next++]);
      results[i] = build_plus(&one.build, offset, results[i]);
    }
    build_result(&one.build, results[i]);
  }
  assert(next == numbers->offset_dims.count);
  return answer_finish(ask, answer, &one.build, error);
}

static bool reads_indices(const Ask *ask, Answer *answer, Error *error) {
  Gathering one = gathering(ask);
  bool has_vector = one.numbers->index_vector_dim < one.indices->rank;
  Expr component = build_const(&one.build, 0);
  if (has_vector)
    component = build_span(&one.build, one.indices->sizes[one.numbers->index_vector_dim]);
  const Expr *index = component_index(&one, component);
  for (uint32_t i = 0; i < one.indices->rank; i++) build_result(&one.build, index[i]);
  return answer_finish(ask, answer, &one.build, error);
}

bool reads_gather(const Ask *ask, Answer *answer, Error *error) {
  return ask->operand == 0 ? reads_operand(ask, answer, error) : reads_indices(ask, answer, error);
}
