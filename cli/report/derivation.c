/* The raw maps of a question are asked for once more, by an indexer without a simplifier, and
 * simplified with a record. */
#include "cli/report/derivation.h"

#include <string.h>

bool derivations_begin(Derivations *derivations, Judge *judge, Arena *arena, Error *error) {
  *derivations = (Derivations){.judge = judge, .arena = arena};
  derivations->raw = indexer_create(judge->context, nullptr, error);
  return derivations->raw != nullptr;
}

void derivations_end(Derivations *derivations) {
  if (derivations->raw != nullptr) indexer_destroy(derivations->raw);
}

static void keep_rule(Derivations *derivations, const Rule *rule) {
  for (uint32_t i = 0; i < derivations->count; i++)
    if (derivations->items[i].rule == rule) {
      derivations->items[i].count++;
      return;
    }
  *ARENA_PUSH(derivations->arena, derivations) = (FiredRule){.rule = rule, .count = 1};
}

static void print_name(Text *text, const TraceStep *step) {
  if (step->rule == nullptr) {
    html_escape(text, step->what == nullptr ? "normal form" : step->what);
  } else {
    text_printf(text, "<a href=\"#rule-%s\">%s</a>", step->rule->name, step->rule->name);
  }
  if (step->result >= 0) text_printf(text, " in result %d", step->result);
  if (step->constraint >= 0) text_printf(text, " in constraint %d", step->constraint);
}

static void print_side(
    Text *text, const Derivations *derivations, const TraceStep *step, bool is_after) {
  const MapContext *context = derivations->judge->context;
  const Map *map = is_after && step->map_after != nullptr ? step->map_after : step->map_before;
  const Constraint *constraint = is_after ? &step->constraint_after : &step->constraint_before;
  Text side = text_create(text->arena);
  if (step->rule != nullptr && step->rule->left.is_constraint) {
    expr_print_short(&side, context, map, constraint->expr, MAP_STYLE_LINE);
    text_printf(
        &side, " in [%lld, %lld]", (long long)constraint->in.lo, (long long)constraint->in.hi);
  } else {
    expr_print_short(&side, context, map, is_after ? step->after : step->before, MAP_STYLE_LINE);
  }
  text_string(text, is_after ? "<ins>" : "<del>");
  html_escape(text, side.bytes);
  text_string(text, is_after ? "</ins>" : "</del>");
}

static bool has_sides(const TraceStep *step) {
  return (step->rule != nullptr && step->rule->left.is_constraint) ||
         (step->before.at != 0 && step->after.at != 0);
}

static void print_words(Text *text, const char *before, const char *words) {
  if (words == nullptr || words[0] == 0) return;
  text_string(text, before);
  html_escape(text, words);
}

static void print_step(Text *text, const Derivations *derivations, const TraceStep *step) {
  text_string(text, "<li>");
  print_name(text, step);
  if (has_sides(step)) {
    text_string(text, "<br><code>");
    print_side(text, derivations, step, false);
    text_string(text, " ⇒ ");
    print_side(text, derivations, step, true);
    text_string(text, "</code>");
  }
  print_words(text, "<br><span class=\"dim\">with</span> ", step->bindings);
  print_words(text, "<br><span class=\"dim\">because</span> ", step->facts);
  text_string(text, "</li>\n");
}

static void print_steps(Text *text, Derivations *derivations, const Trace *trace) {
  size_t begin = text->length;
  uint32_t shown = 0;
  for (uint32_t i = 0; i < trace->count; i++)
    if (trace->items[i].rule != nullptr) keep_rule(derivations, trace->items[i].rule);
  text_string(text, "<ol>\n");
  while (shown < trace->count && text->length - begin < derivation_most_bytes)
    print_step(text, derivations, &trace->items[shown++]);
  text_string(text, "</ol>\n");
  if (shown < trace->count)
    text_printf(text, "<p class=\"dim\">%s: affirm simplify --explain</p>\n",
        counted(trace->count - shown, "more step"));
}

static void print_code(Text *text, const Derivations *derivations, const Map *map) {
  Text line = text_create(text->arena);
  map_print(&line, derivations->judge->context, map, MAP_STYLE_LINE);
  text_string(text, "<p><code>");
  html_escape(text, line.bytes);
  text_string(text, "</code></p>\n");
}

bool derivation_print_map(
    Text *text, Derivations *derivations, const Map *map, const Map **simplified, Error *error) {
  Trace trace = {.arena = text->arena};
  if (!simplify_map(derivations->judge->simplifier, map, nullptr, simplified, &trace, error))
    return false;
  if (trace.count == 0) return true;
  text_printf(text, "<details class=\"steps\"><summary>simplified in %u step%s</summary>\n",
      trace.count, trace.count == 1 ? "" : "s");
  print_code(text, derivations, map);
  print_steps(text, derivations, &trace);
  print_code(text, derivations, *simplified);
  text_string(text, "</details>\n");
  return true;
}

static bool raw_maps(Derivations *derivations, const Question *q, MapSet *maps) {
  Error error = {};
  if (q->direction == OUTPUT_TO_INPUT)
    return index_output_to_input(
        derivations->raw, q->instruction, q->output, q->operand, q->operand_leaf, maps, &error);
  return index_input_to_output(
      derivations->raw, q->instruction, q->operand, q->operand_leaf, q->output, maps, &error);
}

/* What fails here has failed for the row's own maps, which say so. */
void derivation_print(Text *text, Derivations *derivations, const Question *question) {
  MapSet maps = {};
  if (derivations->is_of_others || !raw_maps(derivations, question, &maps)) return;
  for (uint32_t i = 0; i < maps.count; i++) {
    const Map *simplified;
    Error error = {};
    if (derivation_print_map(text, derivations, maps.maps[i], &simplified, &error)) continue;
    text_string(text, "<p class=\"dim\">not simplified: ");
    html_escape(text, error.message);
    text_string(text, "</p>\n");
  }
}

void derivation_print_rules(Text *text, const Derivations *derivations) {
  if (derivations->count == 0) return;
  text_string(text, "<h2>Rules of the steps above</h2>\n");
  for (uint32_t i = 0; i < derivations->count; i++) {
    const Rule *rule = derivations->items[i].rule;
    Text statement = text_create(text->arena);
    rule_print(&statement, rule);
    text_printf(text, "<section class=\"rule\" id=\"rule-%s\"><p class=\"dim\">", rule->name);
    html_escape(text, arena_printf(text->arena, "%s:%u", rule->file, rule->line));
    text_string(text, "</p><pre>");
    html_escape(text, statement.bytes);
    text_string(text, "</pre></section>\n");
  }
}
