/* Gather. Output dimensions in offset_dims run over the slice (operand dimensions that are neither
 * collapsed nor batching, in order); the others, in order, over the index array without its vector
 * dimension.
 *
 * operand_k = clamp(indices[batch, component of k], 0, size_k - slice_k) + offset_k, or the batch
 * index for a batching dimension. There is one runtime variable for each index component, numbered
 * by start_index_map. Every component of the index vector is read. */
#include <assert.h>

#include "core/index/family.h"

typedef struct GatherReads {
  const Instruction *gather;
  const GatherNumbers *numbers;
  const Shape *operand, *indices;
  Build build;
  uint32_t batch_count;
  Expr *batch; /* index into the index array, without the vector dimension */
} GatherReads;

static GatherReads gathering(const IndexQuery *query) {
  GatherReads made = {
      .gather = query->instruction,
      .numbers = query->instruction->gather,
      .operand = query->instruction->operands[0]->shape,
      .indices = query->instruction->operands[1]->shape,
      .build = build_over(query->context, query->output),
      .batch = ARENA_NEW(query->context->arena, Expr, query->output->rank),
  };
  for (uint32_t i = 0; i < query->output->rank; i++)
    if (!ints_has(&made.numbers->offset_dims, i))
      made.batch[made.batch_count++] = build_dim(&made.build, i);
  assert(made.batch_count + made.numbers->offset_dims.count == query->output->rank);
  assert(made.numbers->slice_sizes.count == made.operand->rank);
  return made;
}

/* The index of the component in the index array; the vector dimension may be an implicit last
 * one. */
static Expr *component_index(GatherReads *one, Expr component) {
  Expr *index = ARENA_NEW(one->build.context->arena, Expr, one->indices->rank);
  uint32_t next = 0;
  for (uint32_t i = 0; i < one->indices->rank; i++)
    index[i] = i == (uint32_t)one->numbers->index_vector_dim ? component : one->batch[next++];
  assert(next == one->batch_count);
  return index;
}

static void operand_starts(GatherReads *one, Expr *results) {
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
    uint32_t position = (uint32_t)of_indices - (of_indices > numbers->index_vector_dim);
    results[numbers->operand_batching_dims.values[j]] = one->batch[position];
  }
}

static bool reads_operand(const IndexQuery *query, IndexResult *answer, Error *error) {
  GatherReads one = gathering(query);
  const GatherNumbers *numbers = one.numbers;
  Expr *results = ARENA_NEW(query->context->arena, Expr, one.operand->rank);
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
  return answer_finish(query, answer, &one.build, error);
}

static bool reads_indices(const IndexQuery *query, IndexResult *answer, Error *error) {
  GatherReads one = gathering(query);
  bool has_vector = one.numbers->index_vector_dim < one.indices->rank;
  Expr component = build_const(&one.build, 0);
  if (has_vector)
    component = build_span(&one.build, one.indices->sizes[one.numbers->index_vector_dim]);
  const Expr *index = component_index(&one, component);
  for (uint32_t i = 0; i < one.indices->rank; i++) build_result(&one.build, index[i]);
  return answer_finish(query, answer, &one.build, error);
}

/* True if a dimension that the output lacks has a slice without elements: an element of the output
 * then stands for no element of the operand. */
static bool has_empty_slice(const GatherNumbers *numbers) {
  const Ints *const dropped[] = {&numbers->collapsed_slice_dims, &numbers->operand_batching_dims};
  for (uint32_t i = 0; i < 2; i++)
    for (uint32_t k = 0; k < dropped[i]->count; k++)
      if (numbers->slice_sizes.values[dropped[i]->values[k]] == 0) return true;
  return false;
}

bool reads_gather(const IndexQuery *query, IndexResult *answer, Error *error) {
  if (query->operand == 0 && has_empty_slice(query->instruction->gather)) {
    answer_claim(answer, INDEX_UNDEFINED, "gather of slices without elements");
    return true;
  }
  return query->operand == 0 ? reads_operand(query, answer, error)
                             : reads_indices(query, answer, error);
}
