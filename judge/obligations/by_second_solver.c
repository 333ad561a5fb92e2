/* cvc5 as a judge of a rule: it gets every statement that Z3 refuted in the rule's proof, as
 * SMT-LIB text. The rule is confirmed if none of them is satisfiable. A statement that cvc5
 * satisfies contradicts the proof; the verdict's point is its number. */
#include "judge/obligations/obligation.h"
#include "smt/rules/prove.h"
#include "smt/solver/second_solver.h"

void judge_by_second_solver(Judge *judge, const Obligation *obligation, Verdict *verdict) {
  const RuleVerdict *proof = obligation->proof;
  Arena *arena = judge->context->arena;
  VerdictStatus *answers = ARENA_NEW(arena, VerdictStatus, proof->obligation_count + 1);
  const char *transcript;
  Error error = {};
  uint32_t open = 0;
  if (!second_solver_query(
          arena, proof->obligation_count, proof->obligations, answers, &transcript, &error)) {
    verdict_decide(verdict, REASON_REJECTED, "%s", error.message);
    return;
  }
  for (uint32_t i = 0; i < proof->obligation_count; i++) {
    open += answers[i] == VERDICT_UNKNOWN;
    if (answers[i] != VERDICT_REFUTED) continue;
    verdict_decide(verdict, REASON_DIFFERENT, "%s", transcript);
    verdict_point(verdict, 1, &(int64_t){i});
    return;
  }
  verdict_mark(verdict, proof->obligation_count == 0 || open > 0 ? REASON_OPEN : REASON_EXACT);
}
