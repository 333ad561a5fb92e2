/* Asks the engine for maps and the table of judges for verdicts, and compares the joined verdict
 * with the engine's claim. Maps that the engine calls an over-approximation are never reported as
 * exact, and need not contain an extra pair. */
#include "judge/maps/judge.h"

#include <assert.h>
#include <stdlib.h>

#include "core/base/budget.h"
#include "judge/maps/tested.h"
#include "judge/obligations/obligation.h"

const char *judge_answer_text(VerdictReason answer) {
  static const char *const texts[verdict_reason_count] = {
#define ANSWER(reason, text, help) [REASON_##reason] = text,
#include "judge/maps/answers.def"
#undef ANSWER
      [REASON_MALFORMED] = "malformed", /* only for an audit */
  };
  return texts[answer];
}

Status judge_answer_status(VerdictReason answer) { return (Status)verdict_reason_exit(answer); }

/* The judge examined the relation, or at least a sample of it. */
static bool judge_took_part(const Verdict by[judge_count], JudgeId id) {
  return by[id].reason == REASON_CONTAINS ||
         verdict_reason_status(by[id].reason) != VERDICT_UNKNOWN;
}

const char *judges_text(const Verdict by[judge_count]) {
  bool by_oracle = judge_took_part(by, BY_ORACLE), by_smt = judge_took_part(by, BY_SMT);
  if (by_oracle && by_smt) return "oracle+smt";
  return by_oracle ? "oracle" : by_smt ? "smt" : "-";
}

Status status_worse(Status a, Status b) {
  static constexpr uint8_t weight[] = {
      [STATUS_PROVED] = 0, [STATUS_UNDECIDED] = 1, [STATUS_BAD] = 2, [STATUS_REFUTED] = 3};
  return weight[a] >= weight[b] ? a : b;
}

static constexpr uint64_t usual_points = UINT64_C(1) << 20;

Judge *judge_create(const JudgeOptions *options, Error *error) {
  static constexpr JudgeOptions defaults = {};
  if (options == nullptr) options = &defaults;
  Judge *judge = calloc(1, sizeof *judge);
  if (judge == nullptr) arena_out_of_memory(sizeof *judge);
  judge->context = map_context_create();
  judge->engine = options->engine;
  judge->effort = options->effort;
  judge->points = options->points == 0 ? usual_points : options->points;
  judge->seconds = options->smt.seconds;
  judge->stop = options->smt.stop;
  judge->simplifier = simplifier_create(judge->context, options->rules, error);
  if (judge->simplifier != nullptr)
    judge->indexer = indexer_create(judge->context,
        options->raw || options->engine != nullptr ? nullptr : judge->simplifier, error);
  if (judge->indexer == nullptr) {
    judge_destroy(judge);
    return nullptr;
  }
  if (!options->without_oracle) judge->oracle = oracle_create(judge->context, &options->oracle);
  if (!options->without_smt) judge->smt = smt_create(judge->context, &options->smt);
  return judge;
}

void judge_destroy(Judge *judge) {
  if (judge == nullptr) return;
  if (judge->smt != nullptr) smt_destroy(judge->smt);
  if (judge->oracle != nullptr) oracle_destroy(judge->oracle);
  if (judge->indexer != nullptr) indexer_destroy(judge->indexer);
  if (judge->simplifier != nullptr) simplifier_destroy(judge->simplifier);
  map_context_destroy(judge->context);
  free(judge);
}

static constexpr size_t most_kept = (size_t)32 << 20;

JudgeMark judge_mark(const Judge *judge) {
  return (JudgeMark){
      .maps = map_context_mark(judge->context), .bytes = arena_bytes(judge->context->arena)};
}

void judge_relieve(Judge *judge, const JudgeMark *mark) {
  if (arena_bytes(judge->context->arena) <= mark->bytes + most_kept) return;
  indexer_reset(judge->indexer);
  map_context_rewind(judge->context, mark->maps);
}

static const char *claim_text(VerdictReason reason) {
  if (reason == REASON_EXTRA) return "over-approximation";
  if (reason == REASON_CONTAINS) return "over-approximation at least";
  bool decides = reason == REASON_EXACT || reason == REASON_WRONG;
  return decides ? judge_answer_text(reason) : "nothing";
}

static Arena *arena_of(const Judgement *judgement) { return judgement->by[BY_ORACLE].arena; }

static void explain_dissent(Judgement *judgement, const Join *join) {
  VerdictReason engine = judgement->maps.claim == INDEX_EXACT ? REASON_EXACT : REASON_EXTRA;
  const Verdict *a = &judgement->by[join->a], *b = &judgement->by[join->b];
  const char *first = judge_row((JudgeId)join->a)->name,
             *second = judge_row((JudgeId)join->b)->name;
  const char *alone = a->reason == engine ? second : b->reason == engine ? first : nullptr;
  judgement->reason =
      arena_printf(arena_of(judgement), "%s%s: engine claims %s, %s says %s (%s), %s says %s (%s)",
          alone == nullptr ? "all three differ" : alone, alone == nullptr ? "" : " dissents",
          claim_text(engine), first, claim_text(a->reason), verdict_text(a), second,
          claim_text(b->reason), verdict_text(b));
}

static VerdictReason leave_open(Judgement *judgement) {
  judgement->reason = obligation_open_text(arena_of(judgement), OBLIGATION_READS, judgement->by);
  return REASON_OPEN;
}

/* Returns COVERS instead of EXACT if the engine claims an over-approximation, whatever the judges
 * find. */
static VerdictReason exact_answer(Judgement *judgement) {
  if (judgement->maps.claim != INDEX_OVER_APPROXIMATION) return REASON_EXACT;
  judgement->reason =
      judgement->maps.reason == nullptr ? "the engine claims no more" : judgement->maps.reason;
  return REASON_COVERS;
}

static VerdictReason extra_answer(Judgement *judgement, const char *witness) {
  bool is_stated =
      judgement->maps.claim == INDEX_OVER_APPROXIMATION && judgement->maps.reason != nullptr;
  judgement->reason = is_stated ? judgement->maps.reason : witness;
  return is_stated ? REASON_COVERS : REASON_EXTRA;
}

static VerdictReason joined_answer(Judgement *judgement, const Join *join) {
  const char *witness = verdict_text(&judgement->by[join->a]);
  bool claims_more = judgement->maps.claim == INDEX_OVER_APPROXIMATION;
  if (join->decided == 0) return leave_open(judgement);
  if (join->reason == REASON_EXACT) return exact_answer(judgement);
  if (join->reason == REASON_CONTAINS && !claims_more) return leave_open(judgement);
  if (join->reason == REASON_EXTRA || join->reason == REASON_CONTAINS)
    return extra_answer(judgement, witness);
  judgement->reason = witness;
  return REASON_WRONG;
}

void judge_maps(Judge *judge, const Question *question, const MapSet *maps, Judgement *judgement) {
  *judgement = (Judgement){.question = *question, .maps = *maps, .reason = ""};
  if (maps->claim == INDEX_UNDEFINED) {
    judgement->answer = REASON_UNDEFINED;
    judgement->cause = REASON_UNDEFINED;
    judgement->reason = maps->reason == nullptr ? "" : maps->reason;
    return;
  }
  bool began = budget_begin(judge->seconds, judge->stop);
  obligation_decide(judge,
      &(Obligation){.kind = OBLIGATION_READS, .question = question, .maps = maps}, judgement->by);
  budget_end(began);
  judge_decide(judgement);
}

void judge_decide(Judgement *judgement) {
  assert(judgement->maps.claim != INDEX_UNDEFINED);
  Join join = obligation_join(judgement->by);
  judgement->reason = "";
  judgement->cause = join.reason;
  if (join.is_dissent) {
    judgement->answer = REASON_DISSENT;
    explain_dissent(judgement, &join);
    return;
  }
  judgement->answer = joined_answer(judgement, &join);
}

bool judge_finds_exact(const Judgement *judgement) {
  Judgement claimed = *judgement;
  claimed.maps.claim = INDEX_EXACT;
  if (judgement->answer == REASON_COVERS) judge_decide(&claimed);
  return claimed.answer == REASON_EXACT;
}

bool judge_query(Judge *judge, const Question *question, Judgement *judgement) {
  Error error = {};
  *judgement = (Judgement){.question = *question, .reason = ""};
  if (judge_query_engine(judge, question, &judgement->maps, &error)) return true;
  *judgement = (Judgement){.question = *question,
      .answer = judge->engine == nullptr ? REASON_OPEN : tested_answer(judge),
      .cause = REASON_NO_MAPS,
      .reason = arena_printf(judge->context->arena, "engine: %s", error.message)};
  return false;
}

static bool has_exact_maps(Judge *judge, const Question *question) {
  MapSet own;
  Error error = {};
  Judgement judgement;
  if (!judge_query_own(judge, question, &own, &error)) return false;
  judge_maps(judge, question, &own, &judgement);
  return judgement.answer == REASON_EXACT;
}

void tested_claims(Judge *judge, Judgement *judgement) {
  if (judge->engine == nullptr || !engine_offers(judge->engine, ENGINE_ANALYSE) ||
      judgement->answer != REASON_EXTRA)
    return;
  judgement->is_avoidable =
      judge->exactness != EXACTNESS_NOT_SOUGHT && has_exact_maps(judge, &judgement->question);
  if (!judgement->is_avoidable || judge->exactness != EXACTNESS_WANTED)
    judgement->answer = REASON_COVERS;
}

void judge_queried(Judge *judge, Judgement *judgement) {
  Question question = judgement->question;
  MapSet maps = judgement->maps;
  judge_maps(judge, &question, &maps, judgement);
  tested_claims(judge, judgement);
}

void judge_question(Judge *judge, const Question *question, Judgement *judgement) {
  bool began = budget_begin(judge->seconds, judge->stop);
  if (judge_query(judge, question, judgement)) judge_queried(judge, judgement);
  budget_end(began);
}
