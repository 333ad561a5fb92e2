/* One question to each side: about a map, two maps, or an instruction of a module. */
#include <string.h>

#include "cli/score/score.h"
#include "cli/session_guard.h"
#include "core/hlo/print/print.h"
#include "core/map/text.h"

static constexpr uint32_t composed_of_one =
    4; /* raw maps of an operand's operand that are composed with one map of the instruction */

static void score_show(Scorer *scorer, const ScoreSide *side, EngineVerb verb, const char *question,
    const ScoreAnswer *answer, const char *replay) {
  bool is_fault = score_column_status(answer->column) == STATUS_REFUTED;
  if (!is_fault || scorer->json || scorer->shown++ >= scorer->most_shown) return;
  Text text = text_create(scorer->arena);
  text_printf(&text, "%s: %s, %s\n%s", answer->kind, side->name, engine_verb_text(verb), question);
  if (answer->maps[0] != 0) text_printf(&text, "  %-12s %s\n", "answer", answer->maps);
  text_printf(&text, "  %-12s %s\n  %-12s %s%s%s\n\n", "fault", answer->words, "replay", replay,
      side->judge->engine == nullptr ? "" : " ",
      side->judge->engine == nullptr ? "" : engine_option(side->judge->engine));
  if (!session_print(text.bytes)) scorer->is_broken = true;
}

static void score_compare(
    Scorer *scorer, EngineVerb verb, const ScoreAnswer answers[score_side_count]) {
  for (uint32_t i = 0; i < score_side_count; i++)
    if (answers[i].maps == nullptr || answers[i].column != SCORE_exact) return;
  scorer->compared[verb]++;
  for (uint32_t i = 0; i < score_side_count; i++) scorer->lengths[i][verb] += answers[i].length;
}

static bool score_read_map(const ScoreSide *side, const char *text, const Map **map) {
  const Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  Error error = {};
  return map_parse(side->judge->context, &source, map, &error) && (*map)->state != MAP_UNDEFINED;
}

void score_map(Scorer *scorer, const char *map_text) {
  if (!scorer->verbs[ENGINE_SIMPLIFY]) return;
  ArenaMark mark = arena_mark(scorer->arena);
  ScoreAnswer *answers = ARENA_NEW(scorer->arena, ScoreAnswer, score_side_count);
  bool is_unread = false;
  for (uint32_t i = 0; i < score_side_count; i++) {
    ScoreSide *side = &scorer->sides[i];
    const Map *map;
    if (side->judge == nullptr) continue;
    MapMark map_mark = map_context_mark(side->judge->context);
    if (score_read_map(side, map_text, &map)) {
      score_simplify(side->judge, scorer->arena, map, &side->scores[ENGINE_SIMPLIFY], &answers[i]);
      score_show(scorer, side, ENGINE_SIMPLIFY,
          arena_printf(scorer->arena, "  %-12s %s\n", "map", map_text), &answers[i],
          arena_printf(scorer->arena, "echo '%s' | affirm check -", map_text));
    } else {
      is_unread = true;
    }
    map_context_rewind(side->judge->context, map_mark);
  }
  scorer->unread += is_unread;
  score_compare(scorer, ENGINE_SIMPLIFY, answers);
  arena_rewind(scorer->arena, mark);
}

void score_pair(Scorer *scorer, const char *consumer_text, const char *producer_text) {
  if (!scorer->verbs[ENGINE_COMPOSE]) return;
  ArenaMark mark = arena_mark(scorer->arena);
  ScoreAnswer *answers = ARENA_NEW(scorer->arena, ScoreAnswer, score_side_count);
  for (uint32_t i = 0; i < score_side_count; i++) {
    ScoreSide *side = &scorer->sides[i];
    const Map *consumer, *producer;
    if (side->judge == nullptr) continue;
    MapMark map_mark = map_context_mark(side->judge->context);
    bool is_read = score_read_map(side, consumer_text, &consumer) &&
                   score_read_map(side, producer_text, &producer);
    if (is_read && score_compose(side->judge, scorer->arena, consumer, producer,
                       &side->scores[ENGINE_COMPOSE], &answers[i]))
      score_show(scorer, side, ENGINE_COMPOSE,
          arena_printf(scorer->arena, "  %-12s %s\n  %-12s %s\n", "consumer", consumer_text,
              "producer", producer_text),
          &answers[i],
          arena_printf(scorer->arena, "echo '%s ; %s' | affirm score --pairs -", consumer_text,
              producer_text));
    else scorer->unread += !is_read;
    map_context_rewind(side->judge->context, map_mark);
  }
  score_compare(scorer, ENGINE_COMPOSE, answers);
  arena_rewind(scorer->arena, mark);
}

static void score_question(Scorer *scorer, const Module *module, const Question *question) {
  if (!scorer->verbs[ENGINE_ANALYSE]) return;
  ArenaMark mark = arena_mark(scorer->arena);
  ScoreAnswer *answers = ARENA_NEW(scorer->arena, ScoreAnswer, score_side_count);
  for (uint32_t i = 0; i < score_side_count; i++) {
    ScoreSide *side = &scorer->sides[i];
    if (side->judge == nullptr) continue;
    MapMark map_mark = map_context_mark(side->judge->context);
    if (side->judge->engine != nullptr && !engine_offers(side->judge->engine, ENGINE_ANALYSE)) {
      side->scores[ENGINE_ANALYSE].questions++;
      side->scores[ENGINE_ANALYSE].counts[SCORE_not_offered]++;
      continue;
    }
    tested_module(side->judge, module);
    score_analyse(side->judge, scorer->arena, question, &side->scores[ENGINE_ANALYSE], &answers[i]);
    Text text = text_create(scorer->arena), options = text_create(scorer->arena);
    hlo_print(&text, module);
    question_print_options(&options, question);
    score_show(scorer, side, ENGINE_ANALYSE, text.bytes, &answers[i],
        arena_printf(scorer->arena, "affirm check MODULE.hlo %s", options.bytes));
    indexer_reset(side->judge->indexer);
    map_context_rewind(side->judge->context, map_mark);
  }
  score_compare(scorer, ENGINE_ANALYSE, answers);
  arena_rewind(scorer->arena, mark);
}

static const char *text_of(Scorer *scorer, Arena *arena, const Map *map) {
  Text text = text_create(arena);
  Map plain = *map;
  plain.sources = nullptr;
  map_print(&text, scorer->raw->context, &plain, MAP_STYLE_LINE);
  return text.bytes;
}

/* Composes the map with the raw maps of the instruction's operand. */
static void score_after(Scorer *scorer, Arena *arena, const Question *question, const Map *map) {
  const Instruction *operand = question->instruction->operands[question->operand];
  if (question->direction != OUTPUT_TO_INPUT || operand->operand_count == 0) return;
  QuestionFilter filter = question_filter_all;
  filter.i2o = false;
  filter.output = question->operand_leaf;
  QuestionList questions = {};
  questions_add(arena, operand, &filter, &questions);
  const char *consumer = text_of(scorer, arena, map);
  for (uint32_t i = 0; i < questions.count; i++) {
    MapSet maps;
    Error error = {};
    if (!judge_query_own(scorer->raw, &questions.items[i], &maps, &error)) continue;
    for (uint32_t k = 0; k < maps.count && k < composed_of_one; k++)
      score_pair(scorer, consumer, text_of(scorer, arena, maps.maps[k]));
  }
}

static void score_raw(Scorer *scorer, Arena *arena, const Question *question) {
  MapSet maps;
  Error error = {};
  if (!judge_query_own(scorer->raw, question, &maps, &error)) return;
  for (uint32_t i = 0; i < maps.count && !scorer->is_broken; i++) {
    score_map(scorer, text_of(scorer, arena, maps.maps[i]));
    score_after(scorer, arena, question, maps.maps[i]);
  }
}

void score_module(Scorer *scorer, const Module *module) {
  Arena *arena = arena_create();
  QuestionList questions = {};
  for (uint32_t i = 0; i < module->entry->instruction_count; i++)
    questions_add(arena, module->entry->instructions[i], &question_filter_all, &questions);
  for (uint32_t i = 0; i < questions.count && !scorer->is_broken && !session_is_interrupted();
      i++) {
    MapMark mark = map_context_mark(scorer->raw->context);
    session_item(i, questions.count, "questions", "%s", questions.items[i].instruction->name);
    score_question(scorer, module, &questions.items[i]);
    score_raw(scorer, arena, &questions.items[i]);
    indexer_reset(scorer->raw->indexer);
    map_context_rewind(scorer->raw->context, mark);
  }
  arena_destroy(arena);
}
