/* A text of maps, one a line: each is read, simplified, and the two judged to be the same map. Headings as print_indexing
 * writes them (`Output 0 operand 1:`) and remarks are passed over; UNDEFINED is an open question. */
#include <string.h>

#include "cli/check.h"
#include "cli/json.h"
#include "core/map/text.h"
#include "judge/tested.h"

static bool is_passed_over(const char *line) {
  line += strspn(line, " \t\r");
  return *line == 0 || *line == '#' || strncmp(line, "Output ", 7) == 0 || strncmp(line, "Operand ", 8) == 0;
}

static void report(Checker *checker, Text *text, const Source *line, const Map *simplified, const SameJudgement *judgement) {
  if (checker->json) {
    Json json = json_begin(text);
    json_string(&json, "file", line->name);
    json_integer(&json, "line", line->first_line);
    json_string(&json, "same", same_word_text(judgement->word));
    json_string(&json, "witness", judgement->text);
    Text map = text_create(text->arena);
    if (simplified != nullptr) map_print(&map, checker->judge->context, simplified, MAP_STYLE_LINE);
    json_string(&json, "simplified", map.bytes);
    json_end(&json);
    return;
  }
  text_printf(text, "  %-8s %s:%u ", same_word_text(judgement->word), line->name, line->first_line);
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
  if (checker->judge->engine != nullptr && judgement->word != SAME_WORD_PROVED)
    text_printf(text, "           replay   echo '%.*s' | affirm check - %s\n", (int)line->length, line->text, engine_option(checker->judge->engine));
}

static bool judge_line(Checker *checker, Text *text, const Source *line, Error *error) {
  const Map *map, *simplified;
  if (!map_parse(checker->judge->context, line, &map, error)) return false;
  SameJudgement judgement;
  if (!tested_keeps(checker->judge, map, nullptr, &simplified, &judgement, error)) return false;
  checker->tally.maps[judgement.word]++;
  check_note(checker, same_word_status(judgement.word));
  results_add(&checker->results, &(Result){.part = "maps", .name = line->text, .file = line->name, .line = line->first_line, .status = same_word_status(judgement.word), .text = judgement.text});
  report(checker, text, line, simplified, &judgement);
  if (judgement.word == SAME_WORD_PROVED) check_say(checker, text->bytes);
  else check_tell(checker, text->bytes);
  return true;
}

static void check_line(Checker *checker, Arena *arena, const Source *line) {
  ArenaMark mark = arena_mark(arena);
  MapMark map_mark = map_context_mark(checker->judge->context);
  Text text = text_create(arena);
  Error error = {};
  if (!is_passed_over(line->text) && !judge_line(checker, &text, line, &error)) {
    checker->tally.unread_maps++;
    check_note(checker, session_fail(&error));
    results_add(&checker->results, &(Result){.part = "maps", .name = line->text, .file = line->name, .line = line->first_line, .status = STATUS_BAD, .text = error.message});
  }
  map_context_rewind(checker->judge->context, map_mark);
  arena_rewind(arena, mark);
}

void check_maps(Checker *checker, Arena *arena, const Source *source) {
  if (!checker->json) check_say(checker, arena_printf(arena, "%s\n", source->name));
  uint32_t number = source->first_line;
  for (size_t at = 0; at < source->length && !checker->is_broken && !session_is_interrupted(); number++) {
    const char *end = memchr(source->text + at, '\n', source->length - at);
    size_t length = end == nullptr ? source->length - at : (size_t)(end - source->text) - at;
    ArenaMark mark = arena_mark(arena);
    const Source line = {.name = source->name, .text = arena_text(arena, source->text + at, length), .length = length, .first_line = number};
    check_line(checker, arena, &line);
    arena_rewind(arena, mark);
    at += length + 1;
  }
}
