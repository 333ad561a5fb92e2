/* A call, its time, and its column. A composition is compared with core/map/compose; the fuzzer
 * compares the latter with evaluating one map after the other. */
#include "judge/audit/score.h"

#include "core/base/clock.h"
#include "core/map/compose.h"
#include "core/map/text.h"
#include "judge/maps/unknowable.h"

static const SummaryColumn columns[] = {
#define SCORE(field, text, status, help) {text, STATUS_##status},
#include "judge/audit/score.def"
#undef SCORE
};

const char *score_column_text(ScoreColumn column) { return columns[column].text; }

Status score_column_status(ScoreColumn column) { return columns[column].status; }

Status score_status(const Score *score) {
  Status status = STATUS_PROVED;
  for (uint32_t i = 0; i < score_column_count; i++)
    if (score->counts[i] > 0) status = status_worse(status, score_column_status((ScoreColumn)i));
  return status;
}

static void note_time(Score *score, double begin) {
  double seconds = clock_wall() - begin;
  score->seconds += seconds;
  if (seconds > score->slowest) score->slowest = seconds;
}

static void conclude(Score *score, ScoreAnswer *answer, ScoreColumn column) {
  if (column == SCORE_wrong && fault_name_is_of_domain(answer->fault.text))
    column = SCORE_wrong_domain;
  answer->column = column;
  if (answer->kind == nullptr) answer->kind = score_column_text(column);
  score->questions++;
  score->counts[column]++;
}

/* An engine that the end of the run kept from answering is not known to hang. */
static ScoreColumn reply_column(const EngineReply *reply) {
  if (reply->is_cut) return SCORE_not_judged;
  switch (reply->kind) {
    case ENGINE_ANSWERED: return SCORE_not_judged;
    case ENGINE_UNDEFINED: return SCORE_undefined;
    case ENGINE_NOT_OFFERED: return SCORE_not_offered;
    case ENGINE_REJECTED:
    case ENGINE_OVERFLOW: return SCORE_rejected;
    case ENGINE_GARBAGE:
    case ENGINE_RANK:
    case ENGINE_ENDLESS: return SCORE_malformed;
    case ENGINE_MEMORY:
    case ENGINE_CRASHED:
    case ENGINE_ABORTED:
    case ENGINE_EXITED: return SCORE_crashed;
    case ENGINE_HUNG: return SCORE_hung;
  }
  return SCORE_not_judged;
}

static ScoreColumn failure(const Judge *judge, Arena *arena, const char *operation,
    const Error *error, ScoreAnswer *answer) {
  const EngineReply *reply = judge->engine == nullptr ? nullptr : engine_reply(judge->engine);
  answer->words = arena_printf(arena, "%s", error->message);
  if (reply == nullptr) return SCORE_rejected;
  answer->is_reply = true;
  answer->is_refusal = reply->kind == ENGINE_UNDEFINED || reply->kind == ENGINE_REJECTED;
  answer->earlier = reply->earlier;
  answer->kind = engine_kind_text(reply->kind);
  const ScoreColumn column = reply_column(reply);
  if (score_column_status(column) == STATUS_REFUTED)
    fault_name_of_reply(operation, reply, &answer->fault);
  return column;
}

static void print_maps(
    Judge *judge, Arena *arena, uint32_t count, const Map *const *maps, ScoreAnswer *answer) {
  Text text = text_create(arena);
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0) text_string(&text, "\n");
    map_print(&text, judge->context, maps[i], MAP_STYLE_LINE);
  }
  answer->maps = text.bytes;
  answer->length = text.length;
}

static ScoreColumn same_column(Judge *judge, Arena *arena, const char *operation, const Map *before,
    const Map *after, ScoreAnswer *answer) {
  SameJudgement same;
  answer->is_refusal =
      judge->engine != nullptr && after->state == MAP_UNDEFINED && before->state != MAP_UNDEFINED;
  if (after->state == MAP_UNDEFINED) return SCORE_undefined;
  tested_same(judge, before, after, &same);
  answer->words = arena_printf(arena, "%s", same.text);
  if (verdict_reason_status(same.reason) == VERDICT_REFUTED && judge->engine != nullptr)
    fault_name_of_map(
        judge, operation, same.reason == REASON_DISSENT, before, after, &answer->fault);
  switch (verdict_reason_status(same.reason)) {
    case VERDICT_PROVED: return SCORE_exact;
    case VERDICT_REFUTED: return SCORE_wrong;
    case VERDICT_UNKNOWN: return SCORE_not_judged;
  }
  return SCORE_not_judged;
}

void score_simplify(Judge *judge, Arena *arena, const Map *map, Score *score, ScoreAnswer *answer) {
  *answer = (ScoreAnswer){.maps = "", .words = ""};
  const Map *returned;
  Error error = {};
  double begin = clock_wall();
  bool answered = tested_simplify(judge, map, nullptr, &returned, &error);
  note_time(score, begin);
  if (answered) print_maps(judge, arena, 1, &returned, answer);
  conclude(score, answer,
      answered ? same_column(judge, arena, "simplify", map, returned, answer)
               : failure(judge, arena, "simplify", &error, answer));
}

bool score_compose(Judge *judge, Arena *arena, const Map *consumer, const Map *producer,
    Score *score, ScoreAnswer *answer, Error *error) {
  *answer = (ScoreAnswer){.maps = "", .words = ""};
  const Map *wanted, *returned;
  Error failed = {};
  if (!map_compose(judge->context, consumer, producer, &wanted, error)) return false;
  double begin = clock_wall();
  bool answered = tested_compose(judge, consumer, producer, &returned, &failed);
  note_time(score, begin);
  if (answered) print_maps(judge, arena, 1, &returned, answer);
  conclude(score, answer,
      answered ? same_column(judge, arena, "compose", wanted, returned, answer)
               : failure(judge, arena, "compose", &failed, answer));
  return true;
}

static ScoreColumn answer_column(const Judgement *judgement) {
  static constexpr struct {
    VerdictReason answer;
    ScoreColumn column;
  } pairs[] = {{REASON_EXACT, SCORE_exact}, {REASON_COVERS, SCORE_over_approximation},
      {REASON_EXTRA, SCORE_wrong}, {REASON_WRONG, SCORE_wrong}, {REASON_DISSENT, SCORE_wrong},
      {REASON_UNDEFINED, SCORE_undefined}, {REASON_NOT_OFFERED, SCORE_not_offered}};
  for (uint32_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (pairs[i].answer == judgement->answer) return pairs[i].column;
  return SCORE_not_judged;
}

void score_analyse(
    Judge *judge, Arena *arena, const Question *question, Score *score, ScoreAnswer *answer) {
  *answer = (ScoreAnswer){.maps = "", .words = ""};
  MapSet maps;
  Error error = {};
  double begin = clock_wall();
  bool answered = judge_query_engine(judge, question, &maps, &error);
  note_time(score, begin);
  if (!answered) {
    conclude(score, answer,
        failure(judge, arena, opcode_name(question->instruction->opcode), &error, answer));
    answer->is_refusal &= !is_unknowable(question->instruction->opcode);
    return;
  }
  Judgement *judgement = ARENA_NEW(arena, Judgement, 1);
  judge_maps(judge, question, &maps, judgement);
  tested_claims(judge, judgement);
  answer->is_avoidable = judgement->is_avoidable;
  if (judge->engine != nullptr && judge_answer_status(judgement->answer) == STATUS_REFUTED)
    fault_name_of_judgement(judge, judgement, &answer->fault);
  print_maps(judge, arena, maps.count, maps.maps, answer);
  answer->words = arena_printf(arena, "%s", judgement->reason);
  conclude(score, answer, answer_column(judgement));
}
