/* A text of maps in any printed style: each map is parsed and simplified, and both are judged to be
 * the same map. Headings of print_indexing (`Output 0 operand 1:`) and comments are skipped;
 * UNDEFINED is an open question. */

#include <string.h>

#include "cli/check/check.h"
#include "cli/report/json.h"
#include "cli/session_guard.h"
#include "core/base/foreign.h"
#include "core/map/lines.h"
#include "core/map/text.h"
#include "judge/maps/tested.h"

static void check_maps_report(Checker *checker, Text *text, const Source *line,
    const Map *simplified, const SameJudgement *judgement) {
  if (checker->json) {
    Json json = json_begin(text);
    json_string(&json, "file", checker->path);
    json_integer(&json, "line", line->first_line);
    json_answer(&json, "same", same_reason_text(judgement->reason));
    json_string(&json, "witness", judgement->text);
    json_bindings(&json, "at", &judgement->at);
    Text map = text_create(text->arena);
    if (simplified != nullptr) map_print(&map, checker->judge->context, simplified, MAP_STYLE_LINE);
    json_string(&json, "simplified", map.bytes);
    json_end(&json);
    return;
  }
  text_printf(
      text, "  %-8s %s:%u ", same_reason_text(judgement->reason), line->name, line->first_line);
  if (simplified == nullptr) {
    text_printf(text, "engine: %s\n", judgement->text);
  } else {
    map_print(text, checker->judge->context, simplified, MAP_STYLE_LINE);
    text_string(text, " (");
    same_print_judges(text, judgement);
    text_string(text, ")");
    if (judgement->text[0] != 0) text_printf(text, ": %s", judgement->text);
    text_string(text, "\n");
  }
  if (checker->judge->engine != nullptr && judgement->reason != REASON_EXACT)
    text_printf(text, "           replay   echo %s | affirm check - %s\n",
        shell_word(text->arena, line->text), engine_option(checker->judge->engine));
}

/* Whether the refuted result of a foreign engine is accepted; adds the fault to its group. */
static bool is_accepted(Checker *checker, const Result *row, const Map *map, const Map *simplified,
    const SameJudgement *judgement) {
  Judge *judge = checker->judge;
  if (checker->faults == nullptr || same_reason_status(judgement->reason) != STATUS_REFUTED)
    return false;
  FaultName name;
  if (simplified == nullptr) fault_name_of_reply("simplify", engine_reply(judge->engine), &name);
  else
    fault_name_of_map(
        judge, "simplify", judgement->reason == REASON_DISSENT, map, simplified, &name);
  return check_accepts(checker, &name, counterexample_text_size(strlen(row->name)), "", row);
}

static bool judge_line(Checker *checker, Text *text, const Source *line, Error *error) {
  const Map *map, *simplified;
  if (!map_parse(checker->judge->context, line, &map, error)) return false;
  SameJudgement judgement;
  if (!tested_keeps(checker->judge, map, nullptr, &simplified, &judgement, error)) return false;
  const bool is_cut = simplified == nullptr && check_is_cut(checker);
  const Engine *engine = checker->judge->engine;
  Status status = same_reason_status(judgement.reason);
  const char *why =
      status == STATUS_PROVED
          ? judgement.text
          : arena_printf(text->arena, "%s\nreplay: echo %s | affirm check -%s%s", judgement.text,
                shell_word(text->arena, line->text), engine == nullptr ? "" : " ",
                engine == nullptr ? "" : engine_option(engine));
  const Result row = {.part = "maps",
      .name = line->text,
      .file = checker->path,
      .line = line->first_line,
      .status = status,
      .text = why};
  if (is_cut || is_accepted(checker, &row, map, simplified, &judgement)) return true;
  checker->tally.maps[judgement.reason]++;
  check_note(checker, same_reason_status(judgement.reason));
  results_add(&checker->results, &row);
  check_maps_report(checker, text, line, simplified, &judgement);
  if (judgement.reason == REASON_EXACT) check_say(checker, text->bytes);
  else if (same_reason_status(judgement.reason) == STATUS_REFUTED)
    check_fail(checker,
        &(Failure){.stage = "maps",
            .count = 1,
            .size = counterexample_text_size(line->length),
            .text = text->bytes},
        text->bytes);
  else check_print(checker, text->bytes);
  return true;
}

static void check_line(Checker *checker, Arena *arena, const Source *line) {
  ArenaMark mark = arena_mark(arena);
  MapMark map_mark = map_context_mark(checker->judge->context);
  Text text = text_create(arena);
  Error error = {};
  if (!map_line_is_skipped(line) && !judge_line(checker, &text, line, &error)) {
    checker->tally.unread_maps++;
    check_note(checker, session_fail(&error));
    check_unread(checker, "maps", line->text, line->first_line, error.message);
  }
  map_context_rewind(checker->judge->context, map_mark);
  arena_rewind(arena, mark);
}

void check_maps(Checker *checker, Arena *arena, const Source *source) {
  if (!checker->json) check_say(checker, arena_printf(arena, "%s\n", source->name));
  MapLines lines = {.source = source, .number = source->first_line};
  uint64_t all = session_lines(source);
  while (lines.at < source->length && !checker->is_broken && !session_is_interrupted()) {
    ArenaMark mark = arena_mark(arena);
    session_item(
        lines.number - source->first_line, all, "lines", "%s:%u", checker->path, lines.number);
    const Source map = map_lines_next(arena, &lines);
    check_line(checker, arena, &map);
    arena_rewind(arena, mark);
  }
}
