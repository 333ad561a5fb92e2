/* The map is simplified twice, with a record and without; every step that has the whole map on both
 * sides goes before the judges of sameness. */
#include "judge/maps/steps.h"

#include <stdio.h>

/* A step without whole maps around it (a rule on the way to them) is judged with the one that has
 * them. */
static void judge_step(Judge *judge, const TraceStep *step, SameJudgement *judgement) {
  SameJudgement one;
  if (step->map_before == nullptr || step->map_after == nullptr) return;
  judge_same(judge, SAME_MAP, step->map_before, step->map_after, &one);
  if (one.word == SAME_WORD_PROVED ||
      (one.word == SAME_WORD_UNKNOWN && judgement->word == SAME_WORD_UNKNOWN))
    return;
  judgement->word = one.word;
  snprintf(judgement->text, sizeof judgement->text, "%s: %.500s",
      step->rule != nullptr ? step->rule->name : step->what, one.text);
}

static bool is_wrong(const SameJudgement *judgement) {
  return judgement->word == SAME_WORD_REFUTED || judgement->word == SAME_WORD_DISAGREE;
}

void judge_steps(Judge *judge, const Map *map, SameJudgement *judgement) {
  Trace trace = {.arena = judge->context->arena};
  const Map *traced, *plain;
  Error error = {};
  *judgement = (SameJudgement){.word = SAME_WORD_PROVED};
  if (!simplify_map(judge->simplifier, map, nullptr, &traced, &trace, &error) ||
      !simplify_map(judge->simplifier, map, nullptr, &plain, nullptr, &error)) {
    judgement->word = SAME_WORD_UNKNOWN;
    snprintf(judgement->text, sizeof judgement->text, "%s", error.message);
    return;
  }
  for (uint32_t i = 0; i < trace.count && !is_wrong(judgement); i++)
    judge_step(judge, &trace.items[i], judgement);
  if (is_wrong(judgement) || map_identical(judge->context, traced, plain)) return;
  judgement->word = SAME_WORD_REFUTED;
  snprintf(judgement->text, sizeof judgement->text, "the trace ends in another map");
}
