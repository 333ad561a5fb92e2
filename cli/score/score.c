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
  const char *left_out = scorer->left_out == 0 ? ""
                                               : arena_printf(text->arena, ", %s left out",
                                                     counted(scorer->left_out, "file"));
  text_printf(text,
      "%s and scopes, %s not read%s; us: microseconds, of a foreign engine with its pipe; bytes: mean length of the answers, where both are exact\n",
      counted(scorer->sources, "file"), counted(scorer->unread, "part"), left_out);
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
      if (side->explained[verb].length > 0) json_string(&json, "text", side->explained[verb].bytes);
      json_end(&json);
    }
}

/* Verbs that an engine declares not to offer are not open. */
static bool is_offered(const ScoreSide *side, uint32_t verb) {
  const Engine *engine = side->judge->engine;
  return engine == nullptr || engine_offers(engine, (EngineVerb)verb);
}

static Status status_of(const Scorer *scorer) {
  const ScoreSide *side = score_tested_side(scorer);
  Status status = scorer->unread > 0 ? STATUS_BAD : STATUS_PROVED;
  uint64_t questions = 0;
  for (uint32_t verb = 0; verb < engine_verb_count; verb++) {
    if (!is_offered(side, verb)) continue;
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
      const bool is_left_out = !is_offered(side, verb);
      if (is_left_out) text_string(&text, "the engine does not offer it");
      else score_print_row(&text, scorer, i, (EngineVerb)verb);
      results_add(
          results, &(Result){.part = "score",
                       .name = arena_printf(
                           scorer->arena, "%s, %s", engine_verb_text((EngineVerb)verb), side->name),
                       .status = is_left_out ? STATUS_PROVED : score_status(&side->scores[verb]),
                       .is_left_out = is_left_out,
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
    if (!score_directory(scorer, paths[i], false)) score_file(scorer, paths[i]);
  if (!is_named && !score_directory(scorer, "corpus", true))
    (void)session_usage("the current directory has no directory corpus: only scopes are scored");
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

/* A line of --pairs. One that is no pair is reported; a blank one is passed over. */
static void score_line(Scorer *scorer, const Source *line) {
  Error error = {};
  scorer->place.name = line->text;
  if (strspn(line->text, " \t\r") == line->length) return;
  if (strlen(line->text) == line->length) score_pair(scorer, line);
  else if (!error_at(&error, ERROR_INPUT, line, 0, line->length, "a byte 0x00 in the line"))
    score_unread(scorer, &error);
}

static void score_pairs_of(Scorer *scorer, const char *path) {
  Arena *arena = arena_create();
  Source source;
  Error error = {};
  scorer->sources++;
  scorer->place = (ScorePlace){.path = path, .part = "pairs", .name = path};
  session_at("%s", path);
  if (!file_read_text(arena, path, file_limit, &source, &error)) {
    score_unread(scorer, &error);
    arena_destroy(arena);
    return;
  }
  uint64_t lines = session_lines(&source), number = 0;
  const char *end = source.text + source.length;
  for (const char *at = source.text; at < end && !session_is_interrupted(); number++) {
    session_item(number, lines, "lines", "%s:%llu", path, (unsigned long long)number + 1);
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    size_t length = (size_t)((stop == nullptr ? end : stop) - at);
    ArenaMark mark = arena_mark(arena);
    const Source line = {.name = source.name,
        .text = arena_text(arena, at, length),
        .length = length,
        .first_line = (uint32_t)number + 1};
    score_line(scorer, &line);
    arena_rewind(arena, mark);
    at += length + 1;
  }
  arena_destroy(arena);
}

static Status score_run(Scorer *scorer, ScoreSettings *settings, int count, char **paths) {
  Error error = {};
  Engine *engine;
  if (!engine_open(&settings->engine, &engine)) return STATUS_BAD;
  if (engine != nullptr) engine_set_stop(engine, session_must_end);
  JudgeOptions own = {.without_smt = settings->enumerate, .smt.stop = session_is_interrupted},
               foreign = {.without_smt = settings->enumerate,
                   .engine = engine,
                   .smt.stop = session_is_interrupted},
               raw = {.raw = true, .without_smt = true, .without_oracle = true};
  scorer->raw = judge_create(&raw, &error);
  if (engine != nullptr)
    scorer->sides[0] =
        (ScoreSide){.judge = judge_create(&foreign, &error), .name = engine_name(engine)};
  if (!settings->without_ours || engine == nullptr)
    scorer->sides[1] = (ScoreSide){.judge = judge_create(&own, &error), .name = "affirm"};
  Arena *explained = arena_create();
  for (uint32_t i = 0; i < score_side_count * engine_verb_count; i++)
    scorer->sides[i / engine_verb_count].explained[i % engine_verb_count] = text_create(explained);
  Status status = error.kind != ERROR_NONE ? session_fail(&error)
                                           : score_query_all(scorer, settings, count, paths);
  keep_results(scorer, &settings->results);
  for (uint32_t i = 0; i < score_side_count; i++) judge_destroy(scorer->sides[i].judge);
  judge_destroy(scorer->raw);
  engine_close(engine);
  arena_destroy(explained);
  return status;
}

static const OptionNeed score_needs[] = {ENGINE_NEEDS, {"without-ours", "engine engine-cmd"}};
static const OptionUse score_uses[] = {
    {"engine engine-cmd engine-time engine-memory without-ours verb scope tier cases pairs "
     "enumerate show json junit sarif github",
        "none"}};

int cli_score(int argc, char **argv) {
  ScoreSettings settings = {.engine = engine_settings_usual, .cases = 200, .shown = 5};
  static const char *const tiers[] = {"gate", "nightly", "full", nullptr};
  const Option options[] = {
      ENGINE_OPTIONS(settings.engine),
      {"without-ours", OPTION_FLAG, &settings.without_ours,
          "print no column for affirm's own engine", nullptr},
      {"verb", OPTION_TEXT, &settings.verb, "VERB: only analyse, simplify or compose", nullptr},
      {"scope", OPTION_TEXT, &settings.scope, "NAME: cases of this scope (exhaust --list)",
          nullptr},
      {"tier", OPTION_CHOICE, &settings.tier,
          "TIER: the tier of the scopes: gate, nightly or full (gate)", tiers},
      {"cases", OPTION_COUNT, &settings.cases, "N: cases of each scope, spread evenly (200)",
          nullptr},
      {"pairs", OPTION_INPUT, &settings.pairs,
          "FILE: compose these pairs, one `consumer ; producer` per line", nullptr},
      {"enumerate", OPTION_FLAG, &settings.enumerate,
          "judge by enumeration only: faster, but large maps are not judged", nullptr},
      {"show", OPTION_NUMBER, &settings.shown,
          "N: maximum number of faults that are explained; 0: none (5)", nullptr},
      {"json", OPTION_FLAG, &settings.json,
          "print one JSON object per engine and verb, one per line", nullptr},
      {"standing", OPTION_FLAG, &settings.standing,
          "ask no questions; print the table of all engines in files that --json wrote", nullptr},
      RESULT_OPTIONS(settings.results),
  };
  const Command table = {.usage = "score [FILE|DIRECTORY]... [OPTION]...",
      .about =
          "Measures an engine: counts of exact, over-approximated, wrong and failed answers, their lengths and times. A foreign engine (--engine) is compared with "
          "affirm's own. Questions come from files of HLO, cases or maps, from directories of them (every .hlo, .txt, .maps and .case file below it; names that begin with a dot are passed over), and from scopes; by default from the modules and cases of the directory corpus and all scopes.",
      .notes =
          "The exit status is about the foreign engine if there is one: 0 all answers are exact or over-approximations; 1 a fault; 2 an open question; 3 bad input.",
      OPTION_TABLE(options),
      NEED_TABLE(score_needs),
      MODE_TABLE("standing", score_uses),
      .usual_input = "corpus",
      .unusual = "scope pairs"};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  Scorer scorer = {.arena = arena_create(),
      .most_shown = (uint64_t)settings.shown,
      .json = settings.json,
      .results = &settings.results};
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
