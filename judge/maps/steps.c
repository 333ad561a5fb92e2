/* Simplifies the map twice, with and without a recorded trace. Every step with the whole map on
 * both sides is judged. */
#include "judge/maps/steps.h"

/* A step without whole maps (an intermediate rule) is judged as part of the step that has them. */
static void judge_step(Judge *judge, const TraceStep *step, SameJudgement *judgement) {
  SameJudgement one;
  if (step->map_before == nullptr || step->map_after == nullptr) return;
  judge_same(judge, OBLIGATION_SAME_MAP, step->map_before, step->map_after, &one);
  if (one.reason == REASON_EXACT || (one.reason == REASON_OPEN && judgement->reason == REASON_OPEN))
    return;
  judgement->reason = one.reason;
  judgement->text = arena_printf(judge->context->arena, "%s: %s",
      step->rule != nullptr ? step->rule->name : step->what, one.text);
}

static bool is_wrong(const SameJudgement *judgement) {
  return judgement->reason == REASON_DIFFERENT || judgement->reason == REASON_DISSENT;
}

void judge_steps(Judge *judge, const Map *map, SameJudgement *judgement) {
  Trace trace = {.arena = judge->context->arena};
  const Map *traced, *plain;
  Error error = {};
  *judgement = (SameJudgement){.reason = REASON_EXACT, .text = ""};
  if (!simplify_map(judge->simplifier, map, nullptr, &traced, &trace, &error) ||
      !simplify_map(judge->simplifier, map, nullptr, &plain, nullptr, &error)) {
    judgement->reason = REASON_OPEN;
    judgement->text = arena_printf(judge->context->arena, "%s", error.message);
    return;
  }
  for (uint32_t i = 0; i < trace.count && !is_wrong(judgement); i++)
    judge_step(judge, &trace.items[i], judgement);
  if (is_wrong(judgement) || map_identical(judge->context, traced, plain)) return;
  judgement->reason = REASON_DIFFERENT;
  judgement->text = "the trace ends in another map";
}
