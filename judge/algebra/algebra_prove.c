/* Answers of the algebra as obligations, which the table of judges decides. */
#include "judge/algebra/algebra.h"

#include <assert.h>

Obligation algebra_obligation(
    const AlgebraQuery *query, const AlgebraAnswer *answer, uint64_t most_listed) {
  ObligationKind kind = algebra_row(query->operation)->obligation;
  assert((OBLIGATIONS_OF_ALGEBRA >> kind & 1) != 0);
  return (Obligation){.kind = kind, .query = query, .answer = answer, .most_listed = most_listed};
}

void algebra_prove(Judge *judge, const AlgebraQuery *query, const AlgebraAnswer *answer,
    SameJudgement *judgement) {
  if (answer->kind == ALGEBRA_IS_OPEN || answer->kind == ALGEBRA_IS_REJECTED)
    *judgement = (SameJudgement){.reason = REASON_OPEN, .text = "there is no answer to judge"};
  else if (answer->is_judged) *judgement = answer->judgement;
  else {
    Obligation obligation = algebra_obligation(query, answer, 0);
    judge_obligation(judge, &obligation, judgement);
  }
}

bool algebra_holds(
    Judge *judge, const AlgebraQuery *query, SameJudgement *judgement, Error *error) {
  static constexpr uint64_t few_steps = 5;
  AlgebraQuery hasty = *query;
  AlgebraAnswer answer;
  SameJudgement again;
  Error ignored = {};
  algebra_answer(judge, query, &answer, error);
  if (error->kind != ERROR_NONE) return false;
  algebra_prove(judge, query, &answer, judgement);
  hasty.budget = few_steps;
  algebra_answer(judge, &hasty, &answer, &ignored);
  if (judgement->reason == REASON_DIFFERENT || answer.kind == ALGEBRA_IS_OPEN ||
      answer.kind == ALGEBRA_IS_REJECTED)
    return true;
  algebra_prove(judge, &hasty, &answer, &again);
  if (again.reason == REASON_DIFFERENT || again.reason == REASON_DISSENT) *judgement = again;
  return true;
}
