/* One question to each side: about a map, two maps, or an instruction of a module. */
#include <string.h>

#include "cli/score/score.h"
#include "cli/session_guard.h"
#include "core/hlo/print/print.h"
#include "core/map/text.h"

static constexpr uint32_t composed_of_one =
    4; /* raw maps of an operand's operand that are composed with one map of the instruction */

const ScoreSide *score_tested_side(const Scorer *scorer) {
  return &scorer->sides[scorer->sides[0].judge == nullptr ? 1 : 0];
}

static void score_show(Scorer *scorer, ScoreSide *side, EngineVerb verb, const char *question,
    const ScoreAnswer *answer, const char *replay) {
  bool is_fault = score_column_status(answer->column) == STATUS_REFUTED;
  if (side == score_tested_side(scorer)) session_note(score_column_status(answer->column));
  if (!is_fault || scorer->shown++ >= scorer->most_shown) return;
  Text text = text_create(scorer->arena);
  text_printf(&text, "%s: %s, %s\n%s", answer->kind, side->name, engine_verb_text(verb), question);
  if (answer->maps[0] != 0) text_printf(&text, "  %-12s %s\n", "answer", answer->maps);
  text_printf(&text, "  %-12s %s\n  %-12s %s%s%s\n\n", "fault", answer->words, "replay", replay,
      side->judge->engine == nullptr ? "" : " ",
      side->judge->engine == nullptr ? "" : engine_option(side->judge->engine));
  if (scorer->json) text_string(&side->explained[verb], text.bytes);
  else if (!session_print(text.bytes)) scorer->is_broken = true;
}

static void score_compare(
    Scorer *scorer, EngineVerb verb, const ScoreAnswer answers[score_side_count]) {
  for (uint32_t i = 0; i < score_side_count; i++)
    if (answers[i].maps == nullptr || answers[i].column != SCORE_exact) return;
  scorer->compared[verb]++;
  for (uint32_t i = 0; i < score_side_count; i++) scorer->lengths[i][verb] += answers[i].length;
}

void score_note_unread(Scorer *scorer, uint32_t line, const char *why) {
  const ScorePlace *place = &scorer->place;
  scorer->unread++;
  results_add_unread(scorer->results, place->part, place->name, place->path, line, why);
}

void score_unread(Scorer *scorer, const Error *error) {
  const Source *whole = scorer->place.whole;
  const Error placed = whole == nullptr ? *error : error_in_whole(whole, error);
  (void)session_fail(&placed);
  score_note_unread(scorer, placed.line, placed.message);
}

static bool score_read_map(
    const ScoreSide *side, const Source *source, const Map **map, Error *error) {
  if (!map_parse(side->judge->context, source, map, error)) return false;
  return (*map)->state != MAP_UNDEFINED ||
         error_at(error, ERROR_INPUT, source, 0, source->length, "UNDEFINED is no map");
}

void score_map(Scorer *scorer, const Source *map_text) {
  if (!scorer->verbs[ENGINE_SIMPLIFY]) return;
  ArenaMark mark = arena_mark(scorer->arena);
  ScoreAnswer *answers = ARENA_NEW(scorer->arena, ScoreAnswer, score_side_count);
  Error error = {};
  for (uint32_t i = 0; i < score_side_count && error.kind == ERROR_NONE; i++) {
    ScoreSide *side = &scorer->sides[i];
    const Map *map;
    if (side->judge == nullptr) continue;
    MapMark map_mark = map_context_mark(side->judge->context);
    if (score_read_map(side, map_text, &map, &error)) {
      score_simplify(side->judge, scorer->arena, map, &side->scores[ENGINE_SIMPLIFY], &answers[i]);
      score_show(scorer, side, ENGINE_SIMPLIFY,
          arena_printf(scorer->arena, "  %-12s %s\n", "map", map_text->text), &answers[i],
          arena_printf(scorer->arena, "echo '%s' | affirm check -", map_text->text));
    }
    map_context_rewind(side->judge->context, map_mark);
  }
  if (error.kind != ERROR_NONE) score_unread(scorer, &error);
  score_compare(scorer, ENGINE_SIMPLIFY, answers);
  arena_rewind(scorer->arena, mark);
}

/* Reads a map of the pair. An error gets its column in the pair. */
static bool read_of_pair(const ScoreSide *side, const Source *pair, const Source maps[2],
    uint32_t at, const Map **map, Error *error) {
  static constexpr size_t between = 3; /* ` ; ` */
  Error inside = {};
  if (score_read_map(side, &maps[at], map, &inside)) return true;
  size_t offset =
      (at == 0 ? 0 : maps[0].length + between) + (inside.column == 0 ? 0 : inside.column - 1);
  return error_at(error, inside.kind, pair, offset, inside.width, "%s", inside.message);
}

/* Asks a side to compose the pair, whose two texts `maps` are. */
static bool compose_texts(Scorer *scorer, ScoreSide *side, const Source *pair, const Source maps[2],
    ScoreAnswer *answer, Error *error) {
  const Map *consumer, *producer;
  Error rejected = {};
  if (!read_of_pair(side, pair, maps, 0, &consumer, error) ||
      !read_of_pair(side, pair, maps, 1, &producer, error))
    return false;
  if (!score_compose(side->judge, scorer->arena, consumer, producer, &side->scores[ENGINE_COMPOSE],
          answer, &rejected))
    return error_at(error, rejected.kind, pair, 0, pair->length, "%s", rejected.message);
  score_show(scorer, side, ENGINE_COMPOSE,
      arena_printf(scorer->arena, "  %-12s %s\n  %-12s %s\n", "consumer", maps[0].text, "producer",
          maps[1].text),
      answer,
      arena_printf(
          scorer->arena, "echo '%s ; %s' | affirm score --pairs -", maps[0].text, maps[1].text));
  return true;
}

void score_pair(Scorer *scorer, const Source *pair) {
  ArenaMark mark = arena_mark(scorer->arena);
  ScoreAnswer *answers = ARENA_NEW(scorer->arena, ScoreAnswer, score_side_count);
  Source maps[2];
  Error error = {};
  bool goes_on =
      map_cut_pair(scorer->arena, pair, maps) ||
      error_at(&error, ERROR_INPUT, pair, 0, pair->length, "expected a pair, CONSUMER ; PRODUCER");
  for (uint32_t i = 0; i < score_side_count && goes_on && scorer->verbs[ENGINE_COMPOSE]; i++) {
    ScoreSide *side = &scorer->sides[i];
    if (side->judge == nullptr) continue;
    MapMark map_mark = map_context_mark(side->judge->context);
    goes_on = compose_texts(scorer, side, pair, maps, &answers[i], &error);
    map_context_rewind(side->judge->context, map_mark);
  }
  if (!goes_on) score_unread(scorer, &error);
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

static void print_plain(Scorer *scorer, Text *text, const Map *map) {
  Map plain = *map;
  plain.sources = nullptr;
  map_print(text, scorer->raw->context, &plain, MAP_STYLE_LINE);
}

static Source source_of(const Text *text) {
  return (Source){.name = "map", .text = text->bytes, .length = text->length, .first_line = 1};
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
  for (uint32_t i = 0; i < questions.count; i++) {
    MapSet maps;
    Error error = {};
    if (!judge_query_own(scorer->raw, &questions.items[i], &maps, &error)) continue;
    for (uint32_t k = 0; k < maps.count && k < composed_of_one; k++) {
      Text pair = text_create(arena);
      print_plain(scorer, &pair, map);
      text_string(&pair, " ; ");
      print_plain(scorer, &pair, maps.maps[k]);
      const Source source = source_of(&pair);
      score_pair(scorer, &source);
    }
  }
}

static void score_raw(Scorer *scorer, Arena *arena, const Question *question) {
  MapSet maps;
  Error error = {};
  if (!judge_query_own(scorer->raw, question, &maps, &error)) return;
  for (uint32_t i = 0; i < maps.count && !scorer->is_broken && !session_is_interrupted(); i++) {
    Text text = text_create(arena);
    print_plain(scorer, &text, maps.maps[i]);
    const Source source = source_of(&text);
    score_map(scorer, &source);
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
