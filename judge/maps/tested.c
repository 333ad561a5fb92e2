/* One branch a question: affirm's own engine, or the foreign one and the kind of its reply. */
#include "judge/maps/tested.h"

#include <assert.h>
#include <string.h>

#include "core/map/compose.h"

static JudgeAnswer kind_answer(EngineKind kind) {
  static constexpr JudgeAnswer answers[] = {
#define KIND(id, text, answer, help) JUDGE_##answer,
#include "judge/engines/engine_kinds.def"
#undef KIND
  };
  return answers[kind];
}

JudgeAnswer tested_answer(const Judge *judge) {
  assert(judge->engine != nullptr && engine_reply(judge->engine)->kind != ENGINE_ANSWERED);
  return kind_answer(engine_reply(judge->engine)->kind);
}

/* Always false, with the words of the last reply. */
static bool fail(const Judge *judge, Error *error) {
  char words[300];
  engine_print_reply(judge->engine, words, sizeof words);
  return error_set(error, ERROR_UNSUPPORTED, "%s", words);
}

static bool simplify_all(Judge *judge, MapSet *maps, Error *error) {
  const Map **simplified = ARENA_NEW(judge->context->arena, const Map *, maps->count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < maps->count; i++) {
    if (engine_simplify(judge->engine, judge->context, maps->maps[i], &simplified[count]) !=
        ENGINE_ANSWERED)
      return fail(judge, error);
    count += simplified[count]->state == MAP_PLAIN;
  }
  maps->maps = simplified;
  maps->count = count;
  return true;
}

bool tested_maps(Judge *judge, const Question *question, MapSet *maps, Error *error) {
  if (engine_offers(judge->engine, ENGINE_ANALYSE) ||
      !engine_offers(judge->engine, ENGINE_SIMPLIFY))
    return engine_analyse(judge->engine, judge->context, question, maps) == ENGINE_ANSWERED ||
           fail(judge, error);
  if (!judge_ask_own(judge, question, maps, error)) {
    engine_note(
        judge->engine, ENGINE_NOT_OFFERED, "affirm's own analysis refuses: ", error->message);
    return false;
  }
  return maps->claim == INDEX_UNDEFINED || simplify_all(judge, maps, error);
}

void tested_claims(const Judge *judge, Judgement *judgement) {
  if (judge->engine == nullptr || !engine_offers(judge->engine, ENGINE_ANALYSE)) return;
  if (judgement->answer == JUDGE_LOOSE) judgement->answer = JUDGE_COVERING;
}

bool tested_simplify(Judge *judge, const Map *map, const SimplifyOptions *options,
    const Map **simplified, Error *error) {
  if (judge->engine == nullptr)
    return simplify_map(judge->simplifier, map, options, simplified, nullptr, error);
  if (map->state == MAP_UNDEFINED) {
    *simplified = map;
    return true;
  }
  return engine_simplify(judge->engine, judge->context, map, simplified) == ENGINE_ANSWERED ||
         fail(judge, error);
}

bool tested_compose(
    Judge *judge, const Map *consumer, const Map *producer, const Map **composed, Error *error) {
  if (judge->engine != nullptr)
    return engine_compose(judge->engine, judge->context, consumer, producer, composed) ==
               ENGINE_ANSWERED ||
           fail(judge, error);
  const Map *both;
  return map_compose(judge->context, consumer, producer, &both, error) &&
         simplify_map(judge->simplifier, both, nullptr, composed, nullptr, error);
}

static bool has_same_variables(const Map *a, const Map *b) {
  if (a->state != MAP_PLAIN || b->state != MAP_PLAIN) return true;
  return a->dim_count == b->dim_count && a->range_count == b->range_count &&
         a->runtime_count == b->runtime_count && a->result_count == b->result_count;
}

void tested_same(Judge *judge, const Map *before, const Map *after, SameJudgement *judgement) {
  if (judge->engine == nullptr) {
    judge_same(judge, SAME_MAP, before, after, judgement);
    return;
  }
  *judgement = (SameJudgement){.word = SAME_WORD_UNKNOWN};
  if (has_same_variables(before, after)) judge_same(judge, SAME_MAP, before, after, judgement);
  if (judgement->word == SAME_WORD_PROVED || judgement->word == SAME_WORD_DISAGREE) return;
  SameJudgement relation;
  judge_same(judge, SAME_RELATION, before, after, &relation);
  bool has_witness = relation.word == SAME_WORD_REFUTED && judgement->word == SAME_WORD_REFUTED;
  if (!has_witness) *judgement = relation;
}

void tested_failure(const Judge *judge, SameJudgement *judgement) {
  *judgement = (SameJudgement){.word = judge_answer_status(tested_answer(judge)) == STATUS_REFUTED
                                           ? SAME_WORD_REFUTED
                                           : SAME_WORD_UNKNOWN};
  engine_print_reply(judge->engine, judgement->text, sizeof judgement->text);
}

bool tested_keeps(Judge *judge, const Map *map, const SimplifyOptions *options,
    const Map **simplified, SameJudgement *judgement, Error *error) {
  *simplified = nullptr;
  const Map *came;
  if (tested_simplify(judge, map, options, &came, error)) {
    *simplified = came;
    tested_same(judge, map, came, judgement);
    return true;
  }
  if (judge->engine == nullptr) return false;
  tested_failure(judge, judgement);
  return true;
}

void tested_module(Judge *judge, const Module *module) {
  if (judge->engine != nullptr) engine_set_module(judge->engine, module);
}
