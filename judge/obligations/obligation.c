/* Asks the table of judges. */
#include "judge/obligations/obligation.h"

static const JudgeRow rows[] = {
#define JUDGE(id, name, decides, joins, function) {name, decides, joins, function},
#include "judge/obligations/judges.def"
#undef JUDGE
};

const JudgeRow *judge_row(JudgeId id) { return &rows[id]; }

void obligation_decide(Judge *judge, const Obligation *obligation, Verdict by[judge_count]) {
  bool is_decided = false;
  for (uint32_t i = 0; i < judge_count; i++) {
    by[i] = verdict_begin(judge->context->arena);
    uint32_t kinds = rows[i].decides | (judge->effort == EFFORT_ALL ? rows[i].joins : 0);
    bool is_spared =
        judge->effort == EFFORT_FIRST || (judge->effort == EFFORT_SPARING && i == BY_SMT);
    bool is_queried = (kinds >> obligation->kind & 1) != 0 && !(is_decided && is_spared);
    if (is_queried) rows[i].decide(judge, obligation, &by[i]);
    is_decided |= by[i].status != VERDICT_UNKNOWN;
  }
}

Join obligation_join(const Verdict by[judge_count]) {
  const Verdict *all[judge_count];
  for (uint32_t i = 0; i < judge_count; i++) all[i] = &by[i];
  return verdict_join(judge_count, all);
}

static void print_open(Text *text, const Verdict *verdict) {
  bool is_sample = verdict->scope == SCOPE_SAMPLE &&
                   (verdict->reason == REASON_EXACT || verdict->reason == REASON_EXTRA);
  if (is_sample)
    text_printf(text, "no fault in a sample of %s", counted(verdict->work, "runtime value"));
  else if (verdict_text(verdict)[0] != 0) text_string(text, verdict_text(verdict));
  else if (verdict->reason == REASON_NOT_ASKED) text_string(text, "not asked");
  else if (verdict->reason == REASON_TOO_LARGE) text_string(text, "too large to enumerate");
  else text_string(text, "no semantics of this operation");
}

const char *obligation_open_text(Arena *arena, ObligationKind kind, const Verdict by[judge_count]) {
  Text text = text_create(arena);
  for (uint32_t i = 0; i < judge_count; i++) {
    bool is_silent = by[i].reason == REASON_NOT_ASKED && by[i].sentence == nullptr;
    if (is_silent && (rows[i].decides >> kind & 1) == 0) continue;
    text_printf(&text, "%s%s: ", text.length == 0 ? "" : "; ", rows[i].name);
    print_open(&text, &by[i]);
  }
  return text.bytes;
}
