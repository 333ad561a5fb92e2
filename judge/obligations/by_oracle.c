/* The oracle as a row of the table of judges. */
#include "core/base/budget.h"
#include "judge/algebra/rebuilt.h"
#include "judge/maps/pairs.h"

static bool decide_reads(
    Oracle *oracle, const Obligation *obligation, Verdict *verdict, Error *error) {
  const Question *q = obligation->question;
  const MapSet *maps = obligation->maps;
  if (q->direction == OUTPUT_TO_INPUT)
    return oracle_output_to_input(oracle, q->instruction, q->output, q->operand, q->operand_leaf,
        maps->count, maps->maps, verdict, error);
  return oracle_input_to_output(oracle, q->instruction, q->operand, q->operand_leaf, q->output,
      maps->count, maps->maps, verdict, error);
}

static bool confirms_point(Judge *judge, const Map *at_point, const Map *constants) {
  Verdict verdict;
  Error error = {};
  return oracle_same_map(judge->oracle, at_point, constants, 1, &verdict, &error) &&
         verdict.status == VERDICT_PROVED;
}

static bool by_oracle_decide(
    Judge *judge, const Obligation *obligation, Verdict *verdict, Error *error) {
  Oracle *oracle = judge->oracle;
  uint64_t most_points = judge->points;
  const Map *before = obligation->before, *after = obligation->after;
  switch (obligation->kind) {
    case OBLIGATION_READS: return decide_reads(oracle, obligation, verdict, error);
    case OBLIGATION_SAME_MAP:
      return oracle_same_map(oracle, before, after, most_points, verdict, error);
    case OBLIGATION_SAME_RELATION:
      return oracle_same_relation(oracle, before, after, most_points, verdict, error);
    case OBLIGATION_CONTAINED:
      return oracle_contained(oracle, before, after, most_points, verdict, error);
    case OBLIGATION_BOUNDS:
    case OBLIGATION_INJECTIVE:
    case OBLIGATION_DERIVED:
      return rebuilt_decide(judge, obligation, by_oracle_decide, verdict, error);
    case OBLIGATION_PAIRS:
    case OBLIGATION_COUNT:
    case OBLIGATION_BIJECTIVE:
    case OBLIGATION_CANONICAL:
    case OBLIGATION_RULE: break;
  }
  return false;
}

void judge_by_oracle(Judge *judge, const Obligation *obligation, Verdict *verdict) {
  Error error = {};
  if (judge->oracle != nullptr && obligation->kind == OBLIGATION_PAIRS)
    map_pairs_confirm(judge, BY_ORACLE, obligation, confirms_point, verdict);
  if (judge->oracle == nullptr || obligation->kind == OBLIGATION_PAIRS) return;
  bool began = budget_begin(judge->seconds, judge->stop),
       is_done = by_oracle_decide(judge, obligation, verdict, &error);
  budget_end(began);
  if (is_done) return;
  *verdict = verdict_begin(judge->context->arena);
  verdict_decide(verdict, REASON_REJECTED, "%s", error.message);
}
