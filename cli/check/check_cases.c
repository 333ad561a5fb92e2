/* Judges the cases of a file. In a .bad.case file each case must fail: a case that passes is the
 * fault. What such a case expects is false, so it decides nothing about a foreign engine. */
#include "cli/check/check.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "cli/report/json.h"
#include "cli/session_guard.h"
#include "core/base/foreign.h"
#include "core/base/hash.h"
#include "core/map/text.h"
#include "judge/maps/tested.h"

static CaseOutcome outcome_turned(CaseOutcome outcome) {
  assert(outcome <= CASE_BAD);
  if (outcome >= CASE_UNKNOWN) return outcome;
  return outcome == CASE_PASSED ? CASE_FAILED : CASE_PASSED;
}

static Status outcome_status(CaseOutcome outcome) {
  static constexpr Status statuses[] = {
      STATUS_PROVED, STATUS_REFUTED, STATUS_UNDECIDED, STATUS_BAD};
  return statuses[outcome];
}

static void check_cases_print_row(Text *text, const Source *source, const Case *one,
    CaseOutcome outcome, bool is_turned, const char *verb_result) {
  text_printf(
      text, "%-8s %s:%u %s\n", case_outcome_text(outcome), source->name, one->line, one->name);
  if (outcome == CASE_PASSED) return;
  if (is_turned && outcome == CASE_FAILED) {
    text_string(text, "         passed where it must fail\n");
    return;
  }
  for (uint32_t i = 0; i < one->expected.count; i++)
    text_printf(text, "         expected %s %s\n", case_expect_text(one->expected.items[i].kind),
        one->expected.items[i].text.text);
  text_printf(text, "         actual   %s", verb_result);
}

static void check_cases_print_json(Text *text, const Checker *checker, const Case *one,
    CaseOutcome outcome, const char *verb_result) {
  Json json = json_begin(text);
  json_string(&json, "file", checker->path);
  json_integer(&json, "line", one->line);
  json_string(&json, "case", one->name);
  json_answer(&json, "outcome", case_outcome_text(outcome));
  if (outcome != CASE_PASSED) json_string(&json, "actual", verb_result);
  json_end(&json);
}

static void case_fail(Checker *checker, const Case *one, const Text *plain, const char *row) {
  size_t length = one->block.text == nullptr ? one->input.length : one->block.length;
  Failure failure = {.stage = "cases",
      .count = 1,
      .size = counterexample_text_size(length),
      .text = arena_printf(plain->arena, "%s         replay affirm check %s\n", plain->bytes,
          shell_word(plain->arena, checker->path))};
  if (one->block.text != nullptr)
    opcode_set_add_text(&failure.operations, one->block.text, one->block.length);
  check_fail(checker, &failure, row);
}

/* For a map that the engine simplifies to a different map: names what would make the result
 * right. */
static bool name_simplified(Checker *checker, const Case *one, FaultName *name) {
  Judge *judge = checker->judge;
  const Map *map, *simplified;
  SameJudgement judgement;
  Error error = {};
  if (one->verb != VERB_SIMPLIFY && one->verb != VERB_KEEPS) return false;
  MapMark mark = map_context_mark(judge->context);
  bool is_wrong = map_parse(judge->context, &one->input, &map, &error) &&
                  tested_keeps(judge, map, nullptr, &simplified, &judgement, &error) &&
                  simplified != nullptr && same_reason_status(judgement.reason) == STATUS_REFUTED;
  if (is_wrong)
    fault_name_of_map(judge, "case", judgement.reason == REASON_DISSENT, map, simplified, name);
  map_context_rewind(judge->context, mark);
  return is_wrong;
}

static uint64_t sum_source(uint64_t sum, const Source *source) {
  sum = checksum_add(sum, (uint32_t)source->length);
  return source->text == nullptr ? sum : checksum_bytes(sum, source->text, source->length);
}

/* Names a case by its verb, its name and a checksum of its text: other files may have a case of the
 * name, and a long name is cut. */
static void name_case(const Case *one, FaultName *name) {
  static const char *const verbs[] = {
#define VERB(id, text, block, run, help) text,
#include "judge/cases/verbs.def"
#undef VERB
  };
  uint64_t sum = checksum_bytes(checksum_start, one->name, strlen(one->name));
  sum = sum_source(sum_source(sum, &one->input), &one->block);
  for (uint32_t i = 0; i < one->maps.count; i++) sum = sum_source(sum, &one->maps.items[i]);
  for (uint32_t i = 0; i < one->expected.count; i++) {
    sum = checksum_add(sum, one->expected.items[i].kind);
    sum = sum_source(sum, &one->expected.items[i].text);
  }
  snprintf(name->text, sizeof name->text, "case/other/%s-%.90s-%016llx", verbs[one->verb],
      one->name, (unsigned long long)sum);
}

/* The fault's group for a failed case of a foreign engine: how the engine ended if nothing else is
 * wrong, what would make the result right, or else the case, so that no case represents another. */
static bool is_accepted(
    Checker *checker, const Case *one, const CaseBreak *broken, const Result *row) {
  FaultName name = {};
  if (broken->is_broken && !broken->is_mixed) name = broken->name;
  else if (!name_simplified(checker, one, &name)) name_case(one, &name);
  size_t length = one->block.text == nullptr ? one->input.length : one->block.length;
  return check_accepts(checker, &name, counterexample_text_size(length), one->name, row);
}

/* A case that cannot be read has asked nothing; the others are run. */
static void reject_case(
    Checker *checker, const Source *source, const Case *one, const CaseResult *result) {
  Error error = error_in_whole(source, &result->error);
  checker->tally.bad_parts++;
  check_note(checker, session_fail(&error));
  check_unread(checker, "cases", one->name, error.line, error.message);
}

/* The outcome of a case that must fail. Its result stands where it does not come from what the case
 * expects. */
static CaseOutcome outcome_of_bad(const Checker *checker, CaseResult *result) {
  if (result->broken.is_broken || result->is_of_engine) return result->outcome;
  if (checker->judge->engine == nullptr) return outcome_turned(result->outcome);
  if (result->outcome != CASE_UNKNOWN)
    result->text = "unknown: a case that must fail says nothing about an engine\n";
  return CASE_UNKNOWN;
}

static void check_case(
    Checker *checker, Arena *arena, const Source *source, const CaseFile *cases, const Case *one) {
  CaseResult result;
  const uint64_t requests =
      checker->judge->engine == nullptr ? 0 : engine_requests(checker->judge->engine);
  case_run(checker->judge, arena, one, &result);
  if (check_is_cut(checker)) return;
  Engine *engine = checker->judge->engine;
  if (engine != nullptr && engine_requests(engine) > requests &&
      engine_reply(engine)->kind == ENGINE_ANSWERED)
    engine_note_answered_case(engine);
  if (result.outcome == CASE_BAD) {
    reject_case(checker, source, one, &result);
    return;
  }
  bool is_turned = cases->must_fail && engine == nullptr;
  CaseOutcome outcome = cases->must_fail ? outcome_of_bad(checker, &result) : result.outcome;
  const char *actual = is_turned && result.text[0] == 0 ? "passed where it must fail" : result.text;
  const char *why =
      outcome_status(outcome) == STATUS_PROVED
          ? result.text
          : arena_printf(arena, "%s: %.*s\nreplay: affirm check %s%s%s", case_outcome_text(outcome),
                (int)strcspn(actual, "\n"), actual, shell_path(arena, checker->path),
                engine == nullptr ? "" : " ", engine == nullptr ? "" : engine_option(engine));
  const Result row = {.part = "cases",
      .name = one->name,
      .file = checker->path,
      .line = one->line,
      .status = outcome_status(outcome),
      .text = why};
  if (checker->faults != nullptr && outcome == CASE_FAILED &&
      is_accepted(checker, one, &result.broken, &row))
    return;
  checker->tally.cases[outcome]++;
  check_note(checker, outcome_status(outcome));
  results_add(&checker->results, &row);
  Text plain = text_create(arena), text = text_create(arena);
  check_cases_print_row(&plain, source, one, outcome, is_turned, result.text);
  if (checker->json) check_cases_print_json(&text, checker, one, outcome, result.text);
  else text = plain;
  if (outcome == CASE_PASSED) check_say(checker, text.bytes);
  else if (outcome == CASE_FAILED) case_fail(checker, one, &plain, text.bytes);
  else check_print(checker, text.bytes);
}

void check_cases(Checker *checker, Arena *arena, const Source *source) {
  CaseFile cases;
  Error error = {};
  if (!cases_parse(arena, source, &cases, &error)) {
    checker->tally.bad_parts++;
    check_note(checker, session_fail(&error));
    check_unread(checker, "cases", source->name, error.line, error.message);
    return;
  }
  for (uint32_t i = 0; i < cases.count && !checker->is_broken && !session_is_interrupted(); i++) {
    ArenaMark mark = arena_mark(arena);
    session_item(i, cases.count, "cases", "%s of %s", cases.items[i].name, checker->path);
    check_case(checker, arena, source, &cases, &cases.items[i]);
    arena_rewind(arena, mark);
  }
}
