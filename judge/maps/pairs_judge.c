/* Gives the listed pairs of a map to the judges as one obligation, and names the dissenting
 * judge. */
#include "judge/maps/pairs.h"

#include <assert.h>

/* Names the only judge that rejects the list, or the list if all judges reject it. */
static void name_odd(PairsJudgement *judgement, const Map *map, const MapPairs *pairs, Text *text) {
  uint32_t queried = 0, denying = 0, odd = judge_count;
  for (uint32_t i = judge_count; i-- > 0;) {
    queried += judge_has_answered(judgement->by, (JudgeId)i);
    if (judgement->by[i].reason != REASON_DIFFERENT) continue;
    denying++;
    odd = i;
  }
  assert(denying > 0 && odd < judge_count);
  const Verdict *verdict = &judgement->by[odd];
  if (queried < 2 || (denying > 1 && denying < queried))
    text_string(text, "the judges are divided");
  else
    text_printf(
        text, "%s dissents", denying == queried ? "the listing" : judge_row((JudgeId)odd)->name);
  text_string(text, " at ");
  text_tuple(text, map_variable_count(map), verdict->point);
  const int64_t *row = map_pairs_row(pairs, verdict->point, pairs->variables);
  text_string(text, ": listed ");
  if (row == nullptr) text_string(text, "is nothing");
  else text_tuple(text, map->result_count, row + pairs->variables);
}

static void name_undecided(const PairsJudgement *judgement, Text *text) {
  for (uint32_t i = 0; i < judge_count; i++)
    if (!judge_has_answered(judgement->by, (JudgeId)i) && judgement->by[i].sentence != nullptr)
      text_printf(text, "%s%s %s: %s", text->length == 0 ? "" : "; ", judge_row((JudgeId)i)->name,
          judgement->by[i].reason == REASON_NOT_ASKED ? "was not asked" : "rejects it",
          verdict_text(&judgement->by[i]));
}

bool pairs_judge(Judge *judge, const Map *map, int64_t (*spoil)(uint32_t judge, int64_t result),
    PairsJudgement *judgement) {
  MapPairs pairs = {.spoil = spoil};
  Error error = {};
  *judgement = (PairsJudgement){.text = ""};
  if (!map_pairs_list(judge->context, map, &pairs, &error)) {
    judgement->text = arena_printf(judge->context->arena, "%s", error.message);
    return false;
  }
  obligation_decide(judge, &(Obligation){.kind = OBLIGATION_PAIRS, .before = map, .pairs = &pairs},
      judgement->by);
  Join join = obligation_join(judgement->by);
  judgement->is_denied = join.is_dissent || join.reason == REASON_DIFFERENT;
  judgement->agree = !judgement->is_denied && join.decided > 0;
  Text text = text_create(judge->context->arena);
  if (!judgement->is_denied) name_undecided(judgement, &text);
  else name_odd(judgement, map, &pairs, &text);
  judgement->text = text.bytes;
  return true;
}
