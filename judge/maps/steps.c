/* Simplifies the map twice, with and without a recorded trace. Every step with the whole map on
 * both sides is judged. Each must begin with the map that the one before it ended with: otherwise a
 * change between two steps would be judged by nobody. */
#include "judge/maps/steps.h"

static void steps_refute(SameJudgement *judgement, const char *text) {
  judgement->reason = REASON_DIFFERENT;
  judgement->text = text;
}

static const char *step_name(const TraceStep *step) {
  return step->rule != nullptr ? step->rule->name : step->what;
}

/* True if step i begins with the map that the steps before it have reached. */
static bool goes_on(
    Judge *judge, const Trace *trace, uint32_t i, const Map *at, SameJudgement *judgement) {
  const TraceStep *step = &trace->items[i];
  if (map_identical(judge->context, at, step->map_before)) return true;
  steps_refute(judgement, arena_printf(judge->context->arena,
                              "step %u, %s: it begins with another map than the one that is reached",
                              i + 1, step_name(step)));
  return false;
}

static bool is_refuted_elsewhere(const SameJudgement *judgement) {
  for (uint32_t i = 0; i < judge_count; i++)
    if (i != BY_ORACLE && judgement->by[i].status == VERDICT_REFUTED) return true;
  return false;
}

void judge_step(Judge *judge, const Map *before, const Map *after, SameJudgement *judgement) {
  judge_same(judge, OBLIGATION_SAME_MAP, before, after, judgement);
  const Verdict *enumerated = &judgement->by[BY_ORACLE];
  if (enumerated->reason != REASON_LEAVES_INT64 || is_refuted_elsewhere(judgement)) return;
  bool is_proved = judgement->by[BY_SMT].status == VERDICT_PROVED;
  judgement->reason = is_proved ? REASON_EXACT : REASON_OPEN;
  judgement->text = arena_printf(judge->context->arena, "%s; %s",
      is_proved ? "for integers of any size" : "nothing is known about integers of any size",
      verdict_text(enumerated));
}

/* A step without whole maps (an intermediate rule) is judged as part of the step that has them.
 * `at` is the map that the steps have reached. */
static void judge_recorded(
    Judge *judge, const Trace *trace, uint32_t i, const Map **at, SameJudgement *judgement) {
  SameJudgement one;
  const TraceStep *step = &trace->items[i];
  if (step->map_before == nullptr || step->map_after == nullptr) return;
  if (!goes_on(judge, trace, i, *at, judgement)) return;
  *at = step->map_after;
  judge_step(judge, step->map_before, step->map_after, &one);
  if (one.reason == REASON_EXACT || (one.reason == REASON_OPEN && judgement->reason == REASON_OPEN))
    return;
  judgement->reason = one.reason;
  judgement->text = arena_printf(judge->context->arena, "%s: %s", step_name(step), one.text);
}

static bool is_wrong(const SameJudgement *judgement) {
  return judgement->reason == REASON_DIFFERENT || judgement->reason == REASON_DISSENT;
}

void judge_steps(Judge *judge, const Map *map, SameJudgement *judgement) {
  Trace trace = {.arena = judge->context->arena};
  const Map *traced, *plain, *at = map;
  Error error = {};
  *judgement = (SameJudgement){.reason = REASON_EXACT, .text = ""};
  if (!simplify_map(judge->simplifier, map, nullptr, &traced, &trace, &error) ||
      !simplify_map(judge->simplifier, map, nullptr, &plain, nullptr, &error)) {
    judgement->reason = REASON_OPEN;
    judgement->text = arena_printf(judge->context->arena, "%s", error.message);
    return;
  }
  for (uint32_t i = 0; i < trace.count && !is_wrong(judgement); i++)
    judge_recorded(judge, &trace, i, &at, judgement);
  if (is_wrong(judgement)) return;
  if (!map_identical(judge->context, traced, plain) || !map_identical(judge->context, at, traced))
    steps_refute(judgement, "the trace ends in another map");
}
