/* One map a line, or a map over several lines. Each is simplified with a trace, and the oracle
 * compares both sides. */
#include <string.h>

#include "cli/explore/answer.h"
#include "judge/maps/same.h"

static void answer_map(ExploreAnswer *answer, const Source *source) {
  Judge *judge = answer->derivations.judge;
  Arena *arena = answer->text->arena;
  const Map *map, *simplified;
  Error error = {};
  Text steps = text_create(arena);
  Text *text = answer->text;
  if (!map_parse(judge->context, source, &map, &error) ||
      !derivation_print_map(&steps, &answer->derivations, map, &simplified, &error)) {
    explore_error(answer, &error);
    return;
  }
  SameJudgement judgement;
  judge_same(judge, OBLIGATION_SAME_MAP, map, simplified, &judgement);
  explore_row_begin(answer, same_reason_status(judgement.reason),
      same_reason_text(judgement.reason), "the simplified map is the same map",
      arena_printf(arena, "%s data-from-name=\"dimensions\" data-to-name=\"results\"",
          html_grids(arena, judge->context, simplified)));
  html_map(text, judge->context, simplified);
  Text judges = text_create(arena);
  same_print_judges(&judges, &judgement);
  explore_paragraph(answer, judges.bytes);
  explore_paragraph(answer, judgement.text);
  text_append(text, steps.bytes, steps.length);
  explore_row_end(answer);
}

/* A line that begins with a blank or without a parenthesis continues the map above it. */
static size_t map_length(const char *text) {
  const char *at = text;
  for (;;) {
    at += strcspn(at, "\n");
    if (*at == 0) return (size_t)(at - text);
    const char *next = at + 1;
    bool begins_a_map = *next == '(' || *next == '#' || strncmp(next, "KNOWN", 5) == 0;
    if (begins_a_map) return (size_t)(at - text);
    at = next;
  }
}

void explore_answer_maps(ExploreAnswer *answer) {
  const Source *whole = answer->source;
  uint32_t line = whole->first_line;
  for (const char *at = whole->text; *at != 0;) {
    size_t length = map_length(at);
    Source one = {.name = whole->name,
        .text = arena_text(answer->text->arena, at, length),
        .length = length,
        .first_line = line};
    bool is_map = one.text[strspn(one.text, " \t\r\n")] != 0 && one.text[0] != '#';
    if (is_map) answer_map(answer, &one);
    for (size_t i = 0; i < length; i++) line += at[i] == '\n';
    at += length + (at[length] == '\n');
    line++;
  }
}
