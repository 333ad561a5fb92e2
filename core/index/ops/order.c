/* Operations that read along whole dimensions. They are over-approximations, and the reason states
 * this. Sort: the sorted dimension of every operand. Topk: the last. Fft: the last ones, as many as
 * fft_length has. Where sort and topk have one element to order, it is the output, which is exact.
 *
 * Batch normalization: the element itself, the parameters of its feature, and all elements of the
 * feature if statistics are computed. */
#include <assert.h>

#include "core/hlo/attribute.h"
#include "core/index/family.h"

/* Dimensions in [begin, end) are read in full, the others at the output's index. */
static bool reads_along(
    const IndexQuery *query, uint32_t begin, uint32_t end, IndexResult *answer, Error *error) {
  Build build = build_over(query->context, query->output);
  for (uint32_t i = 0; i < query->input->rank; i++) {
    bool whole = begin <= i && i < end;
    build_result(&build, whole ? build_span(&build, query->input->sizes[i]) : build_dim(&build, i));
  }
  return answer_finish(query, answer, &build, error);
}

/* True for the values of the operand in question, not for another operand's or for positions. */
static bool orders_operand(const IndexQuery *query) {
  return query->instruction->opcode == HLO_SORT ? query->output_leaf == query->operand
                                                : query->output_leaf == 0;
}

bool reads_order(const IndexQuery *query, IndexResult *answer, Error *error) {
  const Instruction *one = query->instruction;
  assert(query->output->rank == query->input->rank && query->output->rank > 0);
  bool has_dimension = one->opcode == HLO_SORT && one->dimensions.count > 0;
  uint32_t along = has_dimension ? (uint32_t)one->dimensions.values[0] : query->input->rank - 1;
  if (query->input->sizes[along] != 1 || !orders_operand(query))
    answer_claim(answer, INDEX_OVER_APPROXIMATION, "reads all along the ordered dimensions");
  return reads_along(query, along, along + 1, answer, error);
}

bool reads_fft(const IndexQuery *query, IndexResult *answer, Error *error) {
  uint32_t length = query->instruction->sizes.count, rank = query->input->rank;
  assert(query->output->rank == rank && 0 < length && length <= rank);
  answer_claim(answer, INDEX_OVER_APPROXIMATION, "reads all along the transformed dimensions");
  return reads_along(query, rank - length, rank, answer, error);
}

static Expr feature_of(const IndexQuery *query, const Build *build, uint32_t feature) {
  return build_dim(build, query->output->rank == 1 ? 0 : feature);
}

/* All elements of the output's feature. */
static bool reads_feature(
    const IndexQuery *query, uint32_t feature, IndexResult *answer, Error *error) {
  Build build = build_over(query->context, query->output);
  for (uint32_t i = 0; i < query->input->rank; i++)
    build_result(&build, i == feature ? feature_of(query, &build, feature)
                                      : build_span(&build, query->input->sizes[i]));
  return answer_finish(query, answer, &build, error);
}

static bool reads_parameter(
    const IndexQuery *query, uint32_t feature, IndexResult *answer, Error *error) {
  Build build = build_over(query->context, query->output);
  build_result(&build, feature_of(query, &build, feature));
  return answer_finish(query, answer, &build, error);
}

/* True for a parameter (an operand of rank 1) that an output does not read: statistics do not
 * depend on scale and offset, the gradients of scale and offset do not depend on the scale, and
 * that of the offset depends only on the output's gradient. */
static bool is_ignored(const IndexQuery *query) {
  bool is_gradient = query->instruction->opcode == HLO_BATCH_NORM_GRAD;
  if (query->output_leaf == 0) return false;
  if (!is_gradient) return query->operand != 0;
  return query->output_leaf == 1 ? query->operand == 1 : query->operand != 4;
}

bool reads_batch_norm(const IndexQuery *query, IndexResult *answer, Error *error) {
  int64_t feature = 0;
  [[maybe_unused]] uint32_t rank = query->instruction->operands[0]->shape->rank;
  [[maybe_unused]] bool is_stated = attribute_number(query->instruction, "feature_index", &feature);
  assert(is_stated && feature < rank && query->input->rank > 0);
  assert(query->output->rank == rank || query->output->rank == 1);
  if (is_ignored(query)) return true;
  bool is_parameter = query->operand > 0 &&
                      !(query->instruction->opcode == HLO_BATCH_NORM_GRAD && query->operand == 4);
  if (is_parameter) return reads_parameter(query, (uint32_t)feature, answer, error);
  if (query->instruction->opcode == HLO_BATCH_NORM_INFERENCE)
    return answer_identity(query, answer, error);
  return reads_feature(query, (uint32_t)feature, answer, error);
}
