/* affirm score: measures an engine by counts of verdicts, lengths of maps and times. A foreign
 * engine and affirm's own get the same questions. */
#include "cli/score/score.h"

#include <inttypes.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/engine_options.h"
#include "cli/exhaust/exhaust.h"
#include "cli/report/results.h"
#include "cli/report/json.h"
#include "cli/session_guard.h"
#include "core/base/file.h"
#include "core/hlo/print/print.h"
#include "core/map/text.h"

static constexpr uint32_t composed_of_one =
    4; /* raw maps of an operand's operand that are composed with one map of the instruction */

/* --- one question to each side --- */

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
  for (uint32_t i = 0; i < score_side_count; i++) {
    ScoreSide *side = &scorer->sides[i];
    const Map *map;
    if (side->judge == nullptr) continue;
    MapMark map_mark = map_context_mark(side->judge->context);
    if (score_read_map(side, map_text, &map)) {
      score_simplify(side->judge, scorer->arena, map, &side->scores[ENGINE_SIMPLIFY], &answers[i]);
      score_show(scorer, side, ENGINE_SIMPLIFY,
          arena_printf(scorer->arena, "  %-12s %s\n", "map", map_text), &answers[i],
          arena_printf(scorer->arena, "echo '%.*s' | affirm check -", (int)strcspn(map_text, "\n"),
              map_text));
    } else {
      scorer->unread++;
    }
    map_context_rewind(side->judge->context, map_mark);
  }
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

/* --- modules --- */

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

/* --- the table --- */

static void score_print_row(Text *text, const Scorer *scorer, uint32_t at, EngineVerb verb) {
  const ScoreSide *side = &scorer->sides[at];
  const Score *score = &side->scores[verb];
  text_printf(
      text, "%-9s %-24.24s %8" PRIu64, engine_verb_text(verb), side->name, score->questions);
  for (uint32_t i = 0; i < score_column_count; i++)
    text_printf(text, " %11" PRIu64, score->counts[i]);
  double mean = score->questions == 0 ? 0 : score->seconds / (double)score->questions;
  text_printf(text, " %10.1f %10.1f", mean * 1e6, score->slowest * 1e6);
  if (scorer->compared[verb] > 0)
    text_printf(
        text, " %10.1f", (double)scorer->lengths[at][verb] / (double)scorer->compared[verb]);
  text_string(text, "\n");
}

static void print_table(Text *text, const Scorer *scorer) {
  text_printf(text, "%-9s %-24s %8s", "verb", "engine", "asked");
  for (uint32_t i = 0; i < score_column_count; i++)
    text_printf(text, " %11s", score_column_text((ScoreColumn)i));
  text_printf(text, " %10s %10s %10s\n", "us a call", "slowest", "bytes");
  for (uint32_t verb = 0; verb < engine_verb_count; verb++)
    for (uint32_t i = 0; i < score_side_count; i++)
      if (scorer->sides[i].judge != nullptr && scorer->verbs[verb])
        score_print_row(text, scorer, i, (EngineVerb)verb);
  text_printf(text,
      "%s and scopes, %s not read; us: microseconds, of a foreign engine with its pipe; bytes: mean length of the answers, where both are exact\n",
      counted(scorer->sources, "file"), counted(scorer->unread, "part"));
}

static void score_print_json(Text *text, const Scorer *scorer) {
  char today[score_date_length];
  for (uint32_t verb = 0; verb < engine_verb_count; verb++)
    for (uint32_t i = 0; i < score_side_count; i++) {
      const ScoreSide *side = &scorer->sides[i];
      const Score *score = &side->scores[verb];
      if (side->judge == nullptr || !scorer->verbs[verb]) continue;
      Json json = json_begin(text);
      json_string(&json, "engine", side->name);
      json_string(&json, "verb", engine_verb_text((EngineVerb)verb));
      json_integer(&json, "asked", (int64_t)score->questions);
      for (uint32_t k = 0; k < score_column_count; k++)
        json_integer(&json, score_column_text((ScoreColumn)k), (int64_t)score->counts[k]);
      json_integer(&json, "nanoseconds", (int64_t)(score->seconds * 1e9));
      json_integer(&json, "slowest_nanoseconds", (int64_t)(score->slowest * 1e9));
      json_integer(&json, "compared", (int64_t)scorer->compared[verb]);
      json_integer(&json, "bytes", (int64_t)scorer->lengths[i][verb]);
      json_string(&json, "date", score_today(today));
      json_end(&json);
    }
}

/* Verbs that an engine declares not to offer are not open. */
static Status status_of(const Scorer *scorer) {
  const ScoreSide *side = &scorer->sides[scorer->sides[0].judge == nullptr ? 1 : 0];
  Status status = scorer->unread > 0 ? STATUS_BAD : STATUS_PROVED;
  uint64_t questions = 0;
  for (uint32_t verb = 0; verb < engine_verb_count; verb++) {
    const Engine *engine = side->judge->engine;
    if (engine != nullptr && !engine_offers(engine, (EngineVerb)verb)) continue;
    questions += side->scores[verb].questions;
    status = status_worse(status, score_status(&side->scores[verb]));
  }
  return questions > 0 ? status : status_worse(status, STATUS_UNDECIDED);
}

/* Adds a result for each engine and verb with questions. */
static void keep_results(const Scorer *scorer, Results *results) {
  for (uint32_t verb = 0; verb < engine_verb_count; verb++)
    for (uint32_t i = 0; i < score_side_count; i++) {
      const ScoreSide *side = &scorer->sides[i];
      if (side->judge == nullptr || side->scores[verb].questions == 0) continue;
      Text text = text_create(scorer->arena);
      score_print_row(&text, scorer, i, (EngineVerb)verb);
      results_add(results, &(Result){.part = "score",
                               .name = arena_printf(scorer->arena, "%s, %s",
                                   engine_verb_text((EngineVerb)verb), side->name),
                               .status = score_status(&side->scores[verb]),
                               .seconds = side->scores[verb].seconds,
                               .text = text.bytes});
    }
}

typedef struct ScoreSettings {
  EngineSettings engine;
  const char *scope, *verb, *pairs;
  uint32_t tier;
  int64_t cases, shown;
  bool without_ours, json, enumerate, standing;
  Results results;
} ScoreSettings;

static void score_pairs_of(Scorer *scorer, const char *path);

static Status score_query_all(
    Scorer *scorer, const ScoreSettings *settings, int count, char **paths) {
  bool is_named = count > 0 || settings->scope != nullptr || settings->pairs != nullptr;
  if (settings->pairs != nullptr) score_pairs_of(scorer, settings->pairs);
  for (int i = 0; i < count && !scorer->is_broken && !session_is_interrupted(); i++)
    if (!score_directory(scorer, paths[i])) score_file(scorer, paths[i]);
  if (!is_named && !score_directory(scorer, "corpus"))
    (void)session_usage("no directory corpus here: only scopes are scored");
  if (!is_named || settings->scope != nullptr)
    if (!score_scopes(scorer, settings->scope, settings->tier, (uint64_t)settings->cases))
      return exhaust_reject_scope(
          settings->scope == nullptr ? "" : settings->scope, " in that tier");
  Text text = text_create(scorer->arena);
  if (session_is_interrupted() && !scorer->json) text_string(&text, "interrupted; so far:\n");
  if (scorer->json) score_print_json(&text, scorer);
  else print_table(&text, scorer);
  if (scorer->is_broken || !session_print(text.bytes)) return STATUS_BAD;
  return status_of(scorer);
}

static void score_pairs_of(Scorer *scorer, const char *path) {
  Arena *arena = arena_create();
  Source source;
  Error error = {};
  scorer->sources++;
  session_at("%s", path);
  if (!file_read_text(arena, path, file_limit, &source, &error)) {
    scorer->unread += session_fail(&error) == STATUS_BAD;
    arena_destroy(arena);
    return;
  }
  uint64_t lines = session_lines(&source), number = 0;
  for (const char *at = source.text; *at != 0 && !session_is_interrupted(); number++) {
    session_item(number, lines, "lines", "%s:%llu", path, (unsigned long long)number + 1);
    size_t length = strcspn(at, "\n");
    char *line = arena_text(arena, at, length), *between = strstr(line, " ; ");
    at += length + (at[length] != 0);
    if (between == nullptr) {
      scorer->unread += length > 0;
      continue;
    }
    *between = 0;
    score_pair(scorer, line, between + 3);
  }
  arena_destroy(arena);
}

static Status score_run(Scorer *scorer, ScoreSettings *settings, int count, char **paths) {
  Error error = {};
  Engine *engine;
  if (!engine_open(&settings->engine, &engine)) return STATUS_BAD;
  JudgeOptions own = {.without_smt = settings->enumerate},
               foreign = {.without_smt = settings->enumerate, .engine = engine},
               raw = {.raw = true, .without_smt = true, .without_oracle = true};
  scorer->raw = judge_create(&raw, &error);
  if (engine != nullptr)
    scorer->sides[0] =
        (ScoreSide){.judge = judge_create(&foreign, &error), .name = engine_name(engine)};
  if (!settings->without_ours || engine == nullptr)
    scorer->sides[1] = (ScoreSide){.judge = judge_create(&own, &error), .name = "affirm"};
  Status status = error.kind != ERROR_NONE ? session_fail(&error)
                                           : score_query_all(scorer, settings, count, paths);
  keep_results(scorer, &settings->results);
  for (uint32_t i = 0; i < score_side_count; i++) judge_destroy(scorer->sides[i].judge);
  judge_destroy(scorer->raw);
  engine_close(engine);
  return status;
}

int cli_score(int argc, char **argv) {
  ScoreSettings settings = {.engine = engine_settings_usual, .cases = 200, .shown = 5};
  static const char *const tiers[] = {"gate", "nightly", "full", nullptr};
  const Option options[] = {
      ENGINE_OPTIONS(settings.engine),
      {"without-ours", OPTION_FLAG, &settings.without_ours, "print no column for affirm's own engine",
          nullptr},
      {"verb", OPTION_TEXT, &settings.verb, "VERB: only analyse, simplify or compose", nullptr},
      {"scope", OPTION_TEXT, &settings.scope, "NAME: cases of this scope (exhaust --list)",
          nullptr},
      {"tier", OPTION_CHOICE, &settings.tier, "TIER: the tier of the scopes: gate, nightly or full (gate)",
          tiers},
      {"cases", OPTION_NUMBER, &settings.cases, "N: cases of each scope, spread evenly (200)", nullptr},
      {"pairs", OPTION_TEXT, &settings.pairs,
          "FILE: compose these pairs, one `consumer ; producer` per line", nullptr},
      {"enumerate", OPTION_FLAG, &settings.enumerate,
          "judge by enumeration only: faster, but large maps are not judged", nullptr},
      {"show", OPTION_NUMBER, &settings.shown, "N: most faults explained (5)", nullptr},
      {"json", OPTION_FLAG, &settings.json, "print one JSON object per engine and verb, one per line", nullptr},
      {"standing", OPTION_FLAG, &settings.standing,
          "ask nothing; print the table of standing from files that --json wrote", nullptr},
      RESULT_OPTIONS(settings.results),
  };
  const Command table = {.usage = "score [FILE|DIRECTORY]... [OPTION]...",
      .about =
          "Measures an engine: counts of exact, over-approximated, wrong and failed answers, their lengths and times. A foreign engine (--engine) is compared with "
          "affirm's own. Questions come from files of HLO, cases or maps, from directories of them, and from scopes; by default from the directory corpus and all scopes.",
      .notes =
          "Exit status, of the foreign engine if there is one: 0 all exact or over-approximation; 1 a fault; 2 something open; 3 bad input.",
      OPTION_TABLE(options)};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  Scorer scorer = {
      .arena = arena_create(), .most_shown = (uint64_t)settings.shown, .json = settings.json};
  bool any = false;
  for (uint32_t verb = 0; verb < engine_verb_count; verb++)
    any |= scorer.verbs[verb] =
        settings.verb == nullptr || strcmp(settings.verb, engine_verb_text((EngineVerb)verb)) == 0;
  session_catch_signals();
  results_begin(&settings.results);
  Status status =
      !any ? session_usage("--verb is analyse, simplify or compose, not '%s'", settings.verb)
      : settings.standing ? score_standing(scorer.arena, argc - first, argv + first)
                          : score_run(&scorer, &settings, argc - first, argv + first);
  arena_destroy(scorer.arena);
  return session_end(results_write(&settings.results, status));
}
