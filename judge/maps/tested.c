/* Each question has two branches: affirm's own engine, or the foreign one and the kind of its
 * reply. */
#include "judge/maps/tested.h"

#include "core/map/compose.h"

bool tested_simplify(Judge *judge, const Map *map, const SimplifyOptions *options,
    const Map **simplified, Error *error) {
  if (judge->engine == nullptr)
    return simplify_map(judge->simplifier, map, options, simplified, nullptr, error);
  if (map->state == MAP_UNDEFINED) {
    *simplified = map;
    return true;
  }
  return engine_simplify(judge->engine, judge->context, map, simplified) == ENGINE_ANSWERED ||
         engine_fail(judge->engine, error);
}

bool tested_compose(
    Judge *judge, const Map *consumer, const Map *producer, const Map **composed, Error *error) {
  if (judge->engine != nullptr)
    return engine_compose(judge->engine, judge->context, consumer, producer, composed) ==
               ENGINE_ANSWERED ||
           engine_fail(judge->engine, error);
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
    judge_same(judge, OBLIGATION_SAME_MAP, before, after, judgement);
    return;
  }
  *judgement = (SameJudgement){.reason = REASON_OPEN, .text = ""};
  if (has_same_variables(before, after))
    judge_same(judge, OBLIGATION_SAME_MAP, before, after, judgement);
  if (judgement->reason == REASON_EXACT || judgement->reason == REASON_DISSENT) return;
  SameJudgement relation;
  judge_same(judge, OBLIGATION_SAME_RELATION, before, after, &relation);
  bool has_witness = relation.reason == REASON_DIFFERENT && judgement->reason == REASON_DIFFERENT;
  if (!has_witness) *judgement = relation;
}

/* Converts a failed call into a judgement. */
static void tested_failure(const Judge *judge, SameJudgement *judgement) {
  bool is_fault = judge_answer_status(tested_answer(judge)) == STATUS_REFUTED;
  *judgement = (SameJudgement){.reason = is_fault ? REASON_DIFFERENT : REASON_OPEN,
      .text = arena_printf(judge->context->arena, "%s", engine_reply_text(judge->engine))};
}

bool tested_keeps(Judge *judge, const Map *map, const SimplifyOptions *options,
    const Map **simplified, SameJudgement *judgement, Error *error) {
  *simplified = nullptr;
  const Map *result;
  if (tested_simplify(judge, map, options, &result, error)) {
    *simplified = result;
    tested_same(judge, map, result, judgement);
    return true;
  }
  if (judge->engine == nullptr) return false;
  tested_failure(judge, judgement);
  return true;
}

void tested_module(Judge *judge, const Module *module) {
  if (judge->engine != nullptr) engine_set_module(judge->engine, module);
}
