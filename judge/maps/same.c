/* Asks oracle and smt about two maps. Enumeration of the whole domain decides as much as a proof
 * does. */
#include "judge/maps/same.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

static constexpr uint64_t same_points = UINT64_C(1) << 20;

const char *same_word_text(SameWord word) {
  static const char *const texts[] = {"proved", "refuted", "unknown", "disagree"};
  return texts[word];
}

Status same_word_status(SameWord word) {
  static constexpr Status statuses[] = {
      STATUS_PROVED, STATUS_REFUTED, STATUS_UNDECIDED, STATUS_REFUTED};
  return statuses[word];
}

bool same_by_oracle(Judge *judge, SameKind kind, const Map *before, const Map *after,
    SameVerdict *verdict, Error *error) {
  if (judge->oracle == nullptr) return error_set(error, ERROR_UNSUPPORTED, "not asked");
  switch (kind) {
    case SAME_MAP:
      return oracle_same_map(judge->oracle, before, after, same_points, verdict, error);
    case SAME_RELATION:
      return oracle_same_relation(judge->oracle, before, after, same_points, verdict, error);
    case SAME_CONTAINED:
      return oracle_contained(judge->oracle, before, after, same_points, verdict, error);
  }
  return false;
}

bool same_by_smt(Judge *judge, SameKind kind, const Map *before, const Map *after,
    SmtVerdict *verdict, Error *error) {
  if (judge->smt == nullptr) return error_set(error, ERROR_UNSUPPORTED, "not asked");
  switch (kind) {
    case SAME_MAP: return smt_same_map(judge->smt, before, after, verdict, error);
    case SAME_RELATION: return smt_same_relation(judge->smt, before, after, verdict, error);
    case SAME_CONTAINED: return smt_contained(judge->smt, before, after, verdict, error);
  }
  return false;
}

static void ask_oracle(
    Judge *judge, SameKind kind, const Map *before, const Map *after, SameJudgement *judgement) {
  Error error = {};
  SameVerdict *verdict = &judgement->oracle;
  judgement->has_oracle = same_by_oracle(judge, kind, before, after, verdict, &error);
  if (!judgement->has_oracle) snprintf(verdict->text, sizeof verdict->text, "%s", error.message);
  if (judgement->has_oracle && verdict->answer == SAME_TOO_LARGE && verdict->text[0] == 0)
    snprintf(verdict->text, sizeof verdict->text, "too large to enumerate");
}

static void ask_smt(
    Judge *judge, SameKind kind, const Map *before, const Map *after, SameJudgement *judgement) {
  Error error = {};
  SmtVerdict *verdict = &judgement->smt;
  judgement->has_smt = same_by_smt(judge, kind, before, after, verdict, &error);
  if (!judgement->has_smt) snprintf(verdict->text, sizeof verdict->text, "%s", error.message);
}

static SameWord oracle_word(const SameJudgement *judgement) {
  if (!judgement->has_oracle || judgement->oracle.answer == SAME_TOO_LARGE)
    return SAME_WORD_UNKNOWN;
  return judgement->oracle.answer == SAME_YES ? SAME_WORD_PROVED : SAME_WORD_REFUTED;
}

static SameWord smt_word(const SameJudgement *judgement) {
  if (!judgement->has_smt || judgement->smt.answer == SMT_UNKNOWN) return SAME_WORD_UNKNOWN;
  return judgement->smt.answer == SMT_PROVED ? SAME_WORD_PROVED : SAME_WORD_REFUTED;
}

void judge_same(
    Judge *judge, SameKind kind, const Map *before, const Map *after, SameJudgement *judgement) {
  assert(before != nullptr && after != nullptr);
  *judgement = (SameJudgement){.word = SAME_WORD_UNKNOWN, .text = "UNDEFINED is no map"};
  if (before->state == MAP_UNDEFINED || after->state == MAP_UNDEFINED) return;
  *judgement = (SameJudgement){};
  ask_oracle(judge, kind, before, after, judgement);
  ask_smt(judge, kind, before, after, judgement);
  SameWord oracle = oracle_word(judgement);
  SameWord smt = smt_word(judgement);
  if (oracle != SAME_WORD_UNKNOWN && smt != SAME_WORD_UNKNOWN && oracle != smt) {
    judgement->word = SAME_WORD_DISAGREE;
    snprintf(judgement->text, sizeof judgement->text,
        "oracle says %s (%.240s), smt says %s (%.240s)", same_word_text(oracle),
        judgement->oracle.text, same_word_text(smt), judgement->smt.text);
    return;
  }
  judgement->word = oracle != SAME_WORD_UNKNOWN ? oracle : smt;
  if (judgement->word == SAME_WORD_REFUTED)
    snprintf(judgement->text, sizeof judgement->text, "%s",
        oracle == SAME_WORD_REFUTED ? judgement->oracle.text : judgement->smt.text);
  if (judgement->word == SAME_WORD_UNKNOWN)
    snprintf(judgement->text, sizeof judgement->text, "oracle: %.280s; smt: %.280s",
        judgement->oracle.text, judgement->smt.text);
}

void same_print_judges(Text *text, const SameJudgement *judgement) {
  assert(judgement->word <= SAME_WORD_DISAGREE);
  bool enumerated = oracle_word(judgement) != SAME_WORD_UNKNOWN;
  bool proved = smt_word(judgement) != SAME_WORD_UNKNOWN;
  if (enumerated) text_printf(text, "enumerated %" PRIu64 " points", judgement->oracle.points);
  if (enumerated && proved) text_string(text, " and ");
  if (proved) text_string(text, judgement->smt.answer == SMT_PROVED ? "proved" : "refuted");
  if (!enumerated && !proved) text_string(text, "nobody");
}
