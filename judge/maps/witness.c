/* The oracle counts missing pairs and states point and element. The proving judge states one
 * sequence of values, the point and then the element; a pair inside both tensors that makes the
 * maps wrong is a read that they lack. */
#include "judge/maps/witness.h"

static const Shape *witness_shape(const Question *question, bool is_output) {
  const Instruction *operand = question->instruction->operands[question->operand];
  return is_output ? shape_leaf(question->instruction->shape, question->output)
                   : shape_leaf(operand->shape, question->operand_leaf);
}

static bool is_refutation(const Verdict *verdict) {
  return verdict->reason == REASON_WRONG || verdict->reason == REASON_EXTRA;
}

static bool is_beyond_shape(const Shape *shape, const int64_t *index) {
  for (uint32_t i = 0; i < shape->rank; i++)
    if (index[i] < 0 || index[i] >= shape->sizes[i]) return true;
  return false;
}

static PairWitness enumerated_witness(const Verdict *verdict) {
  return (PairWitness){.kind = verdict->reason == REASON_EXTRA ? WITNESS_EXTRA
                               : verdict->missing > 0          ? WITNESS_MISSING
                                                               : WITNESS_OUTSIDE,
      .point_rank = verdict->point_rank,
      .element_rank = verdict->element_rank,
      .point = verdict->point,
      .element = verdict->element};
}

static PairWitness proved_witness(const Question *question, const Verdict *verdict) {
  bool is_forward = question->direction == OUTPUT_TO_INPUT;
  const Shape *from = witness_shape(question, is_forward),
              *to = witness_shape(question, !is_forward);
  PairWitness witness = {.kind = verdict->reason == REASON_EXTRA ? WITNESS_EXTRA : WITNESS_MISSING};
  if (verdict->point == nullptr || verdict->point_rank < from->rank + to->rank) return witness;
  witness.point_rank = from->rank;
  witness.point = verdict->point;
  if (is_beyond_shape(from, witness.point)) {
    witness.kind = WITNESS_OUTSIDE;
    return witness;
  }
  witness.element_rank = to->rank;
  witness.element = verdict->point + from->rank;
  if (is_beyond_shape(to, witness.element)) witness.kind = WITNESS_OUTSIDE;
  return witness;
}

PairWitness judgement_witness(const Judgement *judgement) {
  const Verdict *oracle = &judgement->by[BY_ORACLE], *smt = &judgement->by[BY_SMT];
  if (is_refutation(oracle)) return enumerated_witness(oracle);
  if (is_refutation(smt)) return proved_witness(&judgement->question, smt);
  return (PairWitness){};
}
