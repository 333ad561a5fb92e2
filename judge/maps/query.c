/* Asks the engine under test, affirm's own or a foreign one, for the maps of a question, and
 * converts its reply. */
#include <assert.h>

#include "judge/maps/tested.h"

static VerdictReason kind_answer(EngineKind kind) {
  static constexpr VerdictReason answers[] = {
#define KIND(id, text, answer, help) REASON_##answer,
#include "judge/engines/engine_kinds.def"
#undef KIND
  };
  return answers[kind];
}

VerdictReason tested_answer(const Judge *judge) {
  assert(judge->engine != nullptr && engine_reply(judge->engine)->kind != ENGINE_ANSWERED);
  const EngineReply *reply = engine_reply(judge->engine);
  return reply->is_cut ? REASON_OPEN : kind_answer(reply->kind);
}

static bool simplify_all(Judge *judge, MapSet *maps, Error *error) {
  const Map **simplified = ARENA_NEW(judge->context->arena, const Map *, maps->count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < maps->count; i++) {
    if (engine_simplify(judge->engine, judge->context, maps->maps[i], &simplified[count]) !=
        ENGINE_ANSWERED)
      return engine_fail(judge->engine, error);
    count += simplified[count]->state == MAP_PLAIN;
  }
  maps->maps = simplified;
  maps->count = count;
  return true;
}

static bool query_tested(Judge *judge, const Question *question, MapSet *maps, Error *error) {
  if (engine_offers(judge->engine, ENGINE_ANALYSE) ||
      !engine_offers(judge->engine, ENGINE_SIMPLIFY))
    return engine_analyse(judge->engine, judge->context, question, maps) == ENGINE_ANSWERED ||
           engine_fail(judge->engine, error);
  if (!judge_query_own(judge, question, maps, error)) {
    engine_note(
        judge->engine, ENGINE_NOT_OFFERED, "affirm's own analysis rejects: ", error->message);
    return false;
  }
  return maps->claim == INDEX_UNDEFINED || simplify_all(judge, maps, error);
}

bool tested_maps(Judge *judge, const Question *question, MapSet *maps, Error *error) {
  if (!query_tested(judge, question, maps, error)) return false;
  engine_note_answered(judge->engine, question);
  return true;
}

bool judge_query_engine(Judge *judge, const Question *question, MapSet *maps, Error *error) {
  return judge->engine == nullptr ? judge_query_own(judge, question, maps, error)
                                  : tested_maps(judge, question, maps, error);
}

bool judge_query_own(Judge *judge, const Question *question, MapSet *maps, Error *error) {
  *maps = (MapSet){};
  if (question->direction == OUTPUT_TO_INPUT)
    return index_output_to_input(judge->indexer, question->instruction, question->output,
        question->operand, question->operand_leaf, maps, error);
  return index_input_to_output(judge->indexer, question->instruction, question->operand,
      question->operand_leaf, question->output, maps, error);
}
