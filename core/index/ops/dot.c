/* Dot: output dimensions are batch, free of the left side, free of the right side; contracting
 * dimensions are range variables in the order of the attribute.
 *
 * Ragged dot: like dot, but the group sizes decide the group of a row, so it is an
 * over-approximation. If the ragged dimension is contracted, the output has a group dimension in
 * front. Scaled dot: along a dimension a scale has one element for each block; element x is in
 * block x floordiv block size. */
#include "core/base/checked.h"
#include "core/index/family.h"

typedef struct Factor {
  const Shape *shape, *other;
  const Ints *batch, *contracting, *other_batch, *other_contracting;
  bool is_right;
} Factor;

static Factor factor_of(const Instruction *dot, uint32_t operand) {
  const DotNumbers *numbers = dot->dot;
  const Shape *lhs = dot->operands[0]->shape, *rhs = dot->operands[1]->shape;
  if (operand == 0)
    return (Factor){lhs, rhs, &numbers->lhs_batch, &numbers->lhs_contracting, &numbers->rhs_batch,
        &numbers->rhs_contracting, false};
  return (Factor){rhs, lhs, &numbers->rhs_batch, &numbers->rhs_contracting, &numbers->lhs_batch,
      &numbers->lhs_contracting, true};
}

static bool is_group_dimension(const Instruction *dot, uint32_t operand, uint32_t dimension) {
  return operand == 1 && dot->opcode == HLO_RAGGED_DOT && ints_has(&dot->dot->rhs_group, dimension);
}

/* The output dimension of a side's first free dimension; `leading` dimensions precede the batch
 * dimensions. */
static uint32_t first_free(const Factor *side, uint32_t leading) {
  uint32_t batches = leading + side->batch->count;
  return side->is_right ? batches + side->other->rank - side->other_batch->count -
                              side->other_contracting->count
                        : batches;
}

/* The operand's index, with one range variable for each contracting dimension, numbered alike on
 * both sides. */
static void dot_index(
    Build *build, const Instruction *dot, uint32_t operand, uint32_t leading, Expr *results) {
  Factor side = factor_of(dot, operand);
  for (uint32_t i = 0; i < side.contracting->count; i++) {
    int64_t dimension = side.contracting->values[i];
    results[dimension] = build_range(build, 0, side.shape->sizes[dimension] - 1);
  }
  for (uint32_t i = 0; i < side.batch->count; i++)
    results[side.batch->values[i]] = build_dim(build, leading + i);
  uint32_t next = first_free(&side, leading);
  for (uint32_t i = 0; i < side.shape->rank; i++) {
    if (ints_has(side.contracting, i) || ints_has(side.batch, i)) continue;
    results[i] = is_group_dimension(dot, operand, i) ? build_span(build, side.shape->sizes[i])
                                                     : build_dim(build, next++);
  }
}

static bool reads_side(
    const IndexQuery *query, uint32_t leading, IndexResult *answer, Error *error) {
  Build build = build_over(query->context, query->output);
  Expr *results = ARENA_NEW(query->context->arena, Expr, query->input->rank);
  dot_index(&build, query->instruction, query->operand, leading, results);
  for (uint32_t i = 0; i < query->input->rank; i++) build_result(&build, results[i]);
  return answer_finish(query, answer, &build, error);
}

bool reads_dot(const IndexQuery *query, IndexResult *answer, Error *error) {
  return reads_side(query, 0, answer, error);
}

bool reads_ragged_dot(const IndexQuery *query, IndexResult *answer, Error *error) {
  const DotNumbers *numbers = query->instruction->dot;
  bool contracted = numbers->lhs_ragged.count > 0 &&
                    ints_has(&numbers->lhs_contracting, numbers->lhs_ragged.values[0]);
  answer_claim(answer, INDEX_OVER_APPROXIMATION,
      "which group a row belongs to depends on the values of the group sizes");
  if (query->operand == 2) return answer_everything(query, answer, error);
  return reads_side(query, contracted ? 1 : 0, answer, error);
}

/* The element of a scale that belongs to the element `index` of its side. */
static bool reads_scale(
    const IndexQuery *query, uint32_t operand, IndexResult *answer, Error *error) {
  const Shape *data = query->instruction->operands[operand]->shape;
  if (query->input->rank != data->rank) return answer_everything(query, answer, error);
  Build build = build_over(query->context, query->output);
  Expr *index = ARENA_NEW(query->context->arena, Expr, data->rank);
  dot_index(&build, query->instruction, operand, 0, index);
  for (uint32_t i = 0; i < data->rank; i++) {
    int64_t block = max64(1, ceildiv64(data->sizes[i], query->input->sizes[i]));
    build_result(&build, query->input->sizes[i] == 1 ? build_const(&build, 0)
                                                     : build_floordiv(&build, index[i], block));
  }
  return answer_finish(query, answer, &build, error);
}

bool reads_scaled_dot(const IndexQuery *query, IndexResult *answer, Error *error) {
  if (query->operand < 2) return reads_side(query, 0, answer, error);
  return reads_scale(query, query->operand - 2, answer, error);
}
