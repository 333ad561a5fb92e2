/* Decides statements about two maps with the table of judges. Enumeration of the whole domain
 * counts as much as a proof. */
#include "judge/maps/same.h"

#include <assert.h>

const char *same_reason_text(VerdictReason reason) {
  if (reason == REASON_DISSENT) return "disagree";
  static const char *const texts[] = {
      [VERDICT_PROVED] = "proved", [VERDICT_REFUTED] = "refuted", [VERDICT_UNKNOWN] = "unknown"};
  return texts[verdict_reason_status(reason)];
}

Status same_reason_status(VerdictReason reason) { return (Status)verdict_reason_exit(reason); }

static const char *dissent_text(Arena *arena, const Verdict *by, const Join *join) {
  const Verdict *a = &by[join->a], *b = &by[join->b];
  return arena_printf(arena, "%s says %s (%s), %s says %s (%s)", judge_row((JudgeId)join->a)->name,
      same_reason_text(a->reason), verdict_text(a), judge_row((JudgeId)join->b)->name,
      same_reason_text(b->reason), verdict_text(b));
}

void judge_obligation(Judge *judge, const Obligation *obligation, SameJudgement *judgement) {
  Arena *arena = judge->context->arena;
  *judgement = (SameJudgement){.reason = REASON_OPEN, .text = ""};
  obligation_decide(judge, obligation, judgement->by);
  Join join = obligation_join(judgement->by);
  const Verdict *deciding = &judgement->by[join.a];
  if (join.is_dissent) {
    judgement->reason = REASON_DISSENT;
    judgement->text = dissent_text(arena, judgement->by, &join);
  } else if (join.decided == 0) {
    judgement->text = obligation_open_text(arena, obligation->kind, judgement->by);
  } else {
    bool is_proved = deciding->status == VERDICT_PROVED;
    bool is_about_two = (OBLIGATIONS_ABOUT_MAPS >> obligation->kind & 1) != 0;
    judgement->reason = is_proved ? REASON_EXACT : REASON_DIFFERENT;
    if (!is_proved) judgement->at = deciding->at;
    judgement->text = is_proved && is_about_two ? "" : verdict_text(deciding);
  }
}

void judge_same(Judge *judge, ObligationKind kind, const Map *before, const Map *after,
    SameJudgement *judgement) {
  assert(before != nullptr && after != nullptr && kind != OBLIGATION_READS);
  *judgement = (SameJudgement){.reason = REASON_OPEN, .text = "UNDEFINED is no map"};
  if (before->state == MAP_UNDEFINED || after->state == MAP_UNDEFINED) return;
  judge_obligation(judge, &(Obligation){.kind = kind, .before = before, .after = after}, judgement);
}

void same_print_judges(Text *text, const SameJudgement *judgement) {
  bool enumerated = judge_has_decided(judgement->by, BY_ORACLE),
       proved = judge_has_decided(judgement->by, BY_SMT);
  const Verdict *oracle = &judgement->by[BY_ORACLE];
  bool needs_no_point = oracle->work == 0 && oracle->status == VERDICT_REFUTED;
  if (enumerated && needs_no_point) text_string(text, "compared without points");
  else if (enumerated) text_printf(text, "enumerated %s", counted(oracle->work, "point"));
  if (enumerated && proved) text_string(text, " and ");
  if (proved)
    text_string(text, judgement->by[BY_SMT].status == VERDICT_PROVED ? "proved" : "refuted");
  if (!enumerated && !proved) text_string(text, "nobody");
}
