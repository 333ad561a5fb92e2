/* Operations that read along whole dimensions: covering by nature, the reason names it.
 * Sort: the sorted dimension of every operand. Topk: the last. Fft: the last ones, as many as
 * fft_length has.
 * Batch normalization: the element itself, its feature's parameters, and all elements of the
 * feature where statistics are taken. */
#include "core/index/ops/attribute.h"
#include "core/index/family.h"

/* Dimensions from `begin` to before `end` are read in full, the others at the output's index. */
static bool reads_along(
    const Ask *ask, uint32_t begin, uint32_t end, Answer *answer, Error *error) {
  Build build = build_over(ask->context, ask->output);
  for (uint32_t i = 0; i < ask->input->rank; i++) {
    bool whole = begin <= i && i < end;
    build_result(&build, whole ? build_span(&build, ask->input->sizes[i]) : build_dim(&build, i));
  }
  return answer_finish(ask, answer, &build, error);
}

static bool same_rank(const Ask *ask, uint32_t least, Answer *answer) {
  if (ask->output->rank == ask->input->rank && ask->output->rank >= least) return true;
  answer_claim(answer, INDEX_UNDEFINED, opcode_name(ask->instruction->opcode));
  return false;
}

bool reads_order(const Ask *ask, Answer *answer, Error *error) {
  const Instruction *one = ask->instruction;
  uint32_t rank = ask->input->rank;
  if (!same_rank(ask, 1, answer)) return true;
  answer_claim(answer, INDEX_COVERING, "reads all along the ordered dimensions");
  if (one->opcode == HLO_SORT && one->dimensions.count > 0)
    return reads_along(ask, (uint32_t)one->dimensions.values[0],
        (uint32_t)one->dimensions.values[0] + 1, answer, error);
  return reads_along(ask, rank - 1, rank, answer, error);
}

bool reads_fft(const Ask *ask, Answer *answer, Error *error) {
  uint32_t length = ask->instruction->sizes.count, rank = ask->input->rank;
  if (!same_rank(ask, length, answer)) return true;
  answer_claim(answer, INDEX_COVERING, "reads all along the transformed dimensions");
  return reads_along(ask, rank - length, rank, answer, error);
}

static Expr feature_of(const Ask *ask, const Build *build, uint32_t feature) {
  return build_dim(build, ask->output->rank == 1 ? 0 : feature);
}

/* All elements of the output's feature. */
static bool reads_feature(const Ask *ask, uint32_t feature, Answer *answer, Error *error) {
  Build build = build_over(ask->context, ask->output);
  for (uint32_t i = 0; i < ask->input->rank; i++)
    build_result(&build,
        i == feature ? feature_of(ask, &build, feature) : build_span(&build, ask->input->sizes[i]));
  return answer_finish(ask, answer, &build, error);
}

static bool reads_parameter(const Ask *ask, uint32_t feature, Answer *answer, Error *error) {
  Build build = build_over(ask->context, ask->output);
  build_result(&build, feature_of(ask, &build, feature));
  return answer_finish(ask, answer, &build, error);
}

/* Which parameters (operands of rank 1) an output does not read: statistics do not depend on scale
 * and offset, the gradients of scale and offset not on scale, that of offset only on the output's
 * gradient. */
static bool is_ignored(const Ask *ask) {
  bool is_gradient = ask->instruction->opcode == HLO_BATCH_NORM_GRAD;
  if (ask->output_leaf == 0) return false;
  if (!is_gradient) return ask->operand != 0;
  return ask->output_leaf == 1 ? ask->operand == 1 : ask->operand != 4;
}

bool reads_batch_norm(const Ask *ask, Answer *answer, Error *error) {
  int64_t feature;
  uint32_t rank = ask->instruction->operands[0]->shape->rank;
  if (!attribute_number(ask->instruction, "feature_index", &feature) || feature >= rank ||
      ask->input->rank == 0 || (ask->output->rank != rank && ask->output->rank != 1)) {
    answer_claim(answer, INDEX_UNDEFINED, "batch normalization without a feature dimension");
    return true;
  }
  if (is_ignored(ask)) return true;
  bool is_parameter =
      ask->operand > 0 && !(ask->instruction->opcode == HLO_BATCH_NORM_GRAD && ask->operand == 4);
  if (is_parameter) return reads_parameter(ask, (uint32_t)feature, answer, error);
  if (ask->instruction->opcode == HLO_BATCH_NORM_INFERENCE)
    return answer_identity(ask, answer, error);
  return reads_feature(ask, (uint32_t)feature, answer, error);
}
