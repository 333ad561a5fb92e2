/* Judges a proof alone, for a caller without an engine and judges of maps. */
#include "judge/obligations/confirm_rule.h"

#include "judge/obligations/obligation.h"

void confirm_rule(Arena *arena, const RuleVerdict *proof, Verdict *verdict) {
  Judge judge = {.context = &(MapContext){.arena = arena}};
  const Obligation obligation = {.kind = OBLIGATION_RULE, .proof = proof};
  *verdict = verdict_begin(arena);
  judge_row(BY_CVC5)->decide(&judge, &obligation, verdict);
}
