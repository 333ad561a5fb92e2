/* Prints a trace as a certificate: a line for each state, and between two states the steps. A step
 * is an instance of a rule with its bindings and bounds. `again` means that earlier instances apply
 * once more, or are shown only now because their states did not fit int64. `keep` means that only
 * the normal form or the bookkeeping of constraints and bounds changed. A state equal to the
 * previous one is omitted. */
#include "cli/report/map_certificate.h"

#include <string.h>

#include "core/map/text.h"

/* A certificate does not cover sources of runtime variables, and a state is one line. */
static const char *state_text(Text *text, MapContext *context, const Map *map) {
  Map bare = *map;
  bare.sources = nullptr;
  return map_text(text->arena, context, &bare, MAP_STYLE_LINE);
}

static void step_print(Text *text, const TraceStep *step) {
  bool is_again = step->rule == nullptr && (strcmp(step->what, "rewritten as before") == 0 ||
                                               strcmp(step->what, "written out") == 0);
  if (step->rule != nullptr)
    text_printf(text, "rule %s with %s; %s\n", step->rule->name, step->instance, step->bounds);
  else text_string(text, is_again ? "again\n" : "keep\n");
}

void map_certificate_print(
    Text *text, MapContext *context, const Map *map, const Map *simplified, const Trace *trace) {
  const char *last = state_text(text, context, map);
  text_printf(text, "map certificate 1\nstate %s\n", last);
  for (uint32_t i = 0; i < trace->count; i++) {
    const char *next = state_text(text, context, trace->items[i].map_after);
    if (strcmp(next, last) == 0 && trace->items[i].rule == nullptr) continue;
    step_print(text, &trace->items[i]);
    text_printf(text, "state %s\n", next);
    last = next;
  }
  const char *result = state_text(text, context, simplified);
  if (strcmp(result, last) != 0) text_printf(text, "keep\nstate %s\n", result);
  text_string(text, "end\n");
}
