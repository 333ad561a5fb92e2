/* Runs a case of any verb: marks the context, runs, compares, rewinds. */
#include "judge/cases/case_run.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "core/map/text.h"
#include "judge/maps/canonical.h"
#include "judge/cases/case_verbs.h"
#include "judge/engines/engine.h"
#include "judge/maps/tested.h"

const char *case_outcome_text(CaseOutcome outcome) {
  static const char *const texts[] = {"passed", "FAILED", "unknown", "bad input"};
  return texts[outcome];
}

static bool is_word_byte(char byte) { return isalnum((unsigned char)byte) || byte == '_'; }

/* Removes white space, except for one blank between words. */
static const char *squeeze(Arena *arena, const char *text) {
  Text squeezed = text_create(arena);
  for (size_t i = 0; text[i] != 0;) {
    size_t end = i;
    while (isspace((unsigned char)text[end])) end++;
    bool between_words = end > i && squeezed.length > 0 &&
                         is_word_byte(squeezed.bytes[squeezed.length - 1]) &&
                         is_word_byte(text[end]);
    if (between_words) text_string(&squeezed, " ");
    if (text[end] != 0) text_append(&squeezed, &text[end], 1);
    i = end + (text[end] != 0);
  }
  return squeezed.bytes;
}

static const char *canonical(const CaseRun *run, const Map *map, bool with_sources) {
  Text text = text_create(run->arena);
  map_print_canonical(&text, run->judge->context, map, with_sources);
  return text.bytes;
}

/* A foreign engine's map may have another form: the judges decide whether it is the expected
 * map. */
static bool fits_relation(
    CaseRun *run, const Map *expected, const Map *verb_result, const char **why) {
  SameJudgement judgement;
  tested_same(run->judge, expected, verb_result, &judgement);
  if (judgement.reason == REASON_EXACT) return true;
  *why = arena_printf(
      run->arena, "%s: %s\n         actual   ", same_reason_text(judgement.reason), judgement.text);
  if (judgement.reason == REASON_OPEN)
    run->verb_result = (VerbResult){.kind = VERB_RESULT_UNKNOWN, .witness = *why};
  return false;
}

static bool fits_map(
    CaseRun *run, const Source *expected, const Map *verb_result, const char **why) {
  const Map *map;
  Error error = {};
  if (!map_parse(run->judge->context, expected, &map, &error)) {
    char text[1024];
    error_format(&error, text, sizeof text);
    *why = arena_printf(run->arena, "the expected map does not parse: %s", text);
    run->of_expected = error;
    return false;
  }
  if (run->judge->engine != nullptr) return fits_relation(run, map, verb_result, why);
  bool with_sources = map->sources != nullptr;
  return strcmp(canonical(run, map, with_sources), canonical(run, verb_result, with_sources)) == 0;
}

static bool fits_text(
    CaseRun *run, const CaseExpectation *expected, uint32_t number, const char **why) {
  if (run->verb_result.kind == VERB_RESULT_TEXT)
    return number == 0 && strcmp(squeeze(run->arena, expected->text.text),
                              squeeze(run->arena, run->verb_result.text)) == 0;
  if (run->verb_result.kind != VERB_RESULT_MAPS || number >= run->verb_result.maps.count)
    return false;
  return fits_map(run, &expected->text, run->verb_result.maps.maps[number], why);
}

/* "2:14: message" with the position counted within the input; only the message if there is no
 * position. */
static const char *error_text(const CaseRun *run) {
  const Error *error = &run->verb_result.error;
  assert(error->kind != ERROR_NONE);
  if (error->line == 0) return error->message;
  return arena_printf(
      run->arena, "%u:%u: %s", error->line - run->first_line + 1, error->column, error->message);
}

static bool fits_word(const CaseRun *run, const CaseExpectation *expected) {
  bool is_sound = run->verb_result.verdict == EXPECT_EXACT ||
                  run->verb_result.verdict == EXPECT_OVER_APPROXIMATION;
  if (expected->kind == EXPECT_SOUND ? !is_sound || run->verb_result.kind != VERB_RESULT_VERDICT
                                     : run->verb_result.verdict != expected->kind)
    return false;
  return strstr(run->verb_result.witness == nullptr ? "" : run->verb_result.witness,
             expected->text.text) != nullptr;
}

static bool case_run_fits(
    CaseRun *run, const CaseExpectation *expected, uint32_t *texts, const char **why) {
  switch (expected->kind) {
    case EXPECT_TEXT: return fits_text(run, expected, (*texts)++, why);
    case EXPECT_NOTHING:
      return run->verb_result.kind == VERB_RESULT_MAPS && run->verb_result.maps.count == 0;
    case EXPECT_ERROR:
      return run->verb_result.kind == VERB_RESULT_ERROR &&
             strcmp(error_text(run), expected->text.text) == 0;
    case EXPECT_PROVED:
    case EXPECT_REFUTED:
    case EXPECT_EXACT:
    case EXPECT_OVER_APPROXIMATION:
    case EXPECT_SOUND:
    case EXPECT_WRONG:
    case EXPECT_UNDEFINED:
      return run->verb_result.kind != VERB_RESULT_ERROR && fits_word(run, expected);
  }
  return false;
}

static void print_verb_result(const CaseRun *run, Text *text) {
  const VerbResult *verb_result = &run->verb_result;
  switch (verb_result->kind) {
    case VERB_RESULT_ERROR: text_printf(text, "error %s\n", error_text(run)); return;
    case VERB_RESULT_TEXT: text_printf(text, "= %s\n", verb_result->text); return;
    case VERB_RESULT_UNKNOWN: text_printf(text, "unknown: %s\n", verb_result->witness); return;
    case VERB_RESULT_VERDICT: break;
    case VERB_RESULT_MAPS:
      for (uint32_t i = 0; i < verb_result->maps.count; i++) {
        text_string(text, "= ");
        map_print(text, run->judge->context, verb_result->maps.maps[i], MAP_STYLE_LINE);
        text_string(text, "\n");
      }
      if (verb_result->maps.count == 0 && verb_result->verdict != EXPECT_UNDEFINED)
        text_string(text, "nothing\n");
      if (verb_result->verdict == EXPECT_TEXT) return;
  }
  text_printf(text, "%s %s\n", case_expect_text(verb_result->verdict),
      verb_result->witness == nullptr ? "" : verb_result->witness);
}

static bool expects_error(const Case *one) {
  for (uint32_t i = 0; i < one->expected.count; i++)
    if (one->expected.items[i].kind == EXPECT_ERROR) return true;
  return false;
}

/* A case's expected maps and errors are about affirm's own engine. A foreign engine passes if its
 * maps are exact or an over-approximation; cases that expect an error do not apply to it. Returns
 * true if that decides the case. */
static bool decide_foreign(const CaseRun *run, const Case *one, CaseOutcome *outcome) {
  if (run->judge->engine == nullptr || run->verb_result.kind == VERB_RESULT_ERROR) return false;
  bool is_query = one->verb == VERB_MAP || (one->verb == VERB_CHECK && one->maps.count == 0);
  if (!is_query && !expects_error(one)) return false;
  *outcome = CASE_UNKNOWN;
  bool is_right = run->verb_result.verdict == EXPECT_EXACT ||
                  run->verb_result.verdict == EXPECT_OVER_APPROXIMATION;
  bool is_judged = is_query && !expects_error(one) &&
                   run->verb_result.kind == VERB_RESULT_VERDICT &&
                   run->verb_result.verdict != EXPECT_UNDEFINED;
  if (is_judged) *outcome = is_right ? CASE_PASSED : CASE_FAILED;
  return true;
}

/* Whether a rejection by the parser is the answer to the verb's question. */
static bool is_about_parsing(CaseVerb verb) {
  return verb == VERB_PARSE || verb == VERB_READ || verb == VERB_READ_RULES;
}

/* Errors of the parsers have a position; those of the engine have none. A text that can leave
 * int64, or is past a limit, asks nothing either. */
static void leave_bad_input(const CaseRun *run, const Case *one, CaseResult *result) {
  const VerbResult *found = &run->verb_result;
  bool is_bad = found->kind == VERB_RESULT_ERROR && found->error.line > 0 &&
                !is_about_parsing(one->verb) && !expects_error(one);
  if (!is_bad && run->of_expected.kind == ERROR_NONE) return;
  result->outcome = CASE_BAD;
  result->error = is_bad ? found->error : run->of_expected;
}

static void case_run_compare(CaseRun *run, const Case *one, CaseResult *result) {
  Text text = text_create(run->arena);
  const char *why = "";
  uint32_t texts = 0;
  bool passed = run->verb_result.kind != VERB_RESULT_UNKNOWN;
  for (uint32_t i = 0; passed && i < one->expected.count; i++)
    passed = case_run_fits(run, &one->expected.items[i], &texts, &why);
  if (passed && texts > 0 && run->verb_result.kind == VERB_RESULT_MAPS)
    passed = texts == run->verb_result.maps.count;
  result->outcome = passed                                         ? CASE_PASSED
                    : run->verb_result.kind == VERB_RESULT_UNKNOWN ? CASE_UNKNOWN
                                                                   : CASE_FAILED;
  result->is_of_engine = decide_foreign(run, one, &result->outcome);
  if (result->outcome == CASE_PASSED) return;
  text_string(&text, why);
  print_verb_result(run, &text);
  result->text = text.bytes;
}

/* A case of which the foreign engine was asked nothing says nothing about it. */
static void leave_unasked(const CaseRun *run, CaseResult *result) {
  if (result->outcome == CASE_UNKNOWN) return;
  bool has_error = run->verb_result.kind == VERB_RESULT_ERROR;
  result->outcome = CASE_UNKNOWN;
  result->text = arena_printf(run->arena, "unknown: the engine was not asked%s%s\n",
      has_error ? ": " : "", has_error ? error_text(run) : "");
}

/* A case of one question has its reply last. */
static void note_last_reply(CaseRun *run) {
  const EngineReply *reply = engine_reply(run->judge->engine);
  if (run->broken.is_broken || reply->kind == ENGINE_ANSWERED ||
      judge_answer_status(tested_answer(run->judge)) != STATUS_REFUTED)
    return;
  run->broken.is_broken = true;
  fault_name_of_reply("case", reply, &run->broken.name);
}

void case_run(Judge *judge, Arena *arena, const Case *one, CaseResult *result) {
  assert(one->expected.count > 0 && one->expected.items != nullptr);
  uint64_t requests = judge->engine == nullptr ? 0 : engine_requests(judge->engine);
  MapMark mark = map_context_mark(judge->context);
  CaseRun run = {.judge = judge, .arena = arena, .one = one, .first_line = one->input.first_line};
  *result = (CaseResult){.text = ""};
  case_verb_run(&run);
  case_run_compare(&run, one, result);
  if (judge->engine != nullptr && engine_requests(judge->engine) == requests)
    leave_unasked(&run, result);
  else if (judge->engine != nullptr) note_last_reply(&run);
  result->broken = run.broken;
  leave_bad_input(&run, one, result);
  indexer_reset(judge->indexer);
  map_context_rewind(judge->context, mark);
}
