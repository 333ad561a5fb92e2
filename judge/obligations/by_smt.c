/* smt as a row of the table of judges. Input-to-output maps are first compared with the inverse of
 * output-to-input maps (inverse_proof.h). If that does not decide, they are judged directly. */
#include "judge/algebra/rebuilt.h"
#include "judge/maps/inverse_proof.h"
#include "judge/obligations/obligation.h"

static bool decide_reads(
    Judge *judge, const Obligation *obligation, Verdict *verdict, Error *error) {
  const Question *q = obligation->question;
  const MapSet *maps = obligation->maps;
  if (q->direction == OUTPUT_TO_INPUT)
    return smt_output_to_input(judge->smt, q->instruction, q->output, q->operand, q->operand_leaf,
        maps->count, maps->maps, verdict, error);
  judge_inverse(judge, q, maps, verdict);
  if (verdict->reason != REASON_OPEN) return true;
  return smt_input_to_output(judge->smt, q->instruction, q->operand, q->operand_leaf, q->output,
      maps->count, maps->maps, verdict, error);
}

static bool by_smt_decide(
    Judge *judge, const Obligation *obligation, Verdict *verdict, Error *error) {
  const Map *before = obligation->before, *after = obligation->after;
  switch (obligation->kind) {
    case OBLIGATION_READS: return decide_reads(judge, obligation, verdict, error);
    case OBLIGATION_SAME_MAP: return smt_same_map(judge->smt, before, after, verdict, error);
    case OBLIGATION_SAME_RELATION:
      return smt_same_relation(judge->smt, before, after, verdict, error);
    case OBLIGATION_CONTAINED: return smt_contained(judge->smt, before, after, verdict, error);
    case OBLIGATION_BOUNDS:
    case OBLIGATION_INJECTIVE:
    case OBLIGATION_DERIVED:
      return rebuilt_decide(judge, obligation, by_smt_decide, verdict, error);
    case OBLIGATION_PAIRS:
    case OBLIGATION_COUNT:
    case OBLIGATION_BIJECTIVE:
    case OBLIGATION_CANONICAL:
    case OBLIGATION_RULE: break;
  }
  return false;
}

void judge_by_smt(Judge *judge, const Obligation *obligation, Verdict *verdict) {
  Error error = {};
  if (judge->smt == nullptr || by_smt_decide(judge, obligation, verdict, &error)) return;
  *verdict = verdict_begin(judge->context->arena);
  verdict_decide(verdict, REASON_REJECTED, "%s", error.message);
}
