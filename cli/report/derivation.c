/* Computes the raw maps of a question again, with an indexer without a simplifier, and simplifies
 * them with a trace. */
#include "cli/report/derivation.h"

#include <string.h>

#include "judge/maps/steps.h"

static constexpr uint32_t most_judged = 64; /* steps of one map */

/* Result of judging the steps of a refuted row. */
typedef struct StepTally {
  uint32_t steps, open, guilty_count;
  bool is_own; /* the last steps produce the row's own maps */
  Text guilty; /* names of the steps that change the map, each once, as HTML */
} StepTally;

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
  if (step->rule == nullptr) html_escape(text, step->what == nullptr ? "normal form" : step->what);
  else html_rule_link(text, step->rule);
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
  html_between(text, is_after ? "<ins>" : "<del>", side.bytes, is_after ? "</ins>" : "</del>");
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

static void note_guilty(Text *guilty, const TraceStep *step) {
  Text name = text_create(guilty->arena);
  if (step->rule != nullptr) html_rule_link(&name, step->rule);
  else html_escape(&name, step->what);
  if (guilty->length > 0 && strstr(guilty->bytes, name.bytes) != nullptr) return;
  text_printf(guilty, "%s%s", guilty->length > 0 ? ", " : "", name.bytes);
}

/* Why the step changes the map; nullptr if it does not, or if that is unknown. */
static const char *step_change(Derivations *derivations, const TraceStep *step, StepTally *tally) {
  SameJudgement judgement;
  if (step->map_before == nullptr || step->map_after == nullptr) return nullptr;
  judge_step(derivations->judge, step->map_before, step->map_after, &judgement);
  Status status = same_reason_status(judgement.reason);
  tally->open += status == STATUS_UNDECIDED;
  if (status != STATUS_REFUTED) return nullptr;
  tally->guilty_count++;
  note_guilty(&tally->guilty, step);
  return judgement.text;
}

/* [count], only for a refuted row: how each step's map differs from the one before. */
static const char **step_changes(Derivations *derivations, const Trace *trace, StepTally *tally) {
  if (tally == nullptr) return nullptr;
  const char **changes = ARENA_NEW(trace->arena, const char *, trace->count);
  for (uint32_t i = 0; i < trace->count; i++) {
    changes[i] = nullptr;
    if (i < most_judged) changes[i] = step_change(derivations, &trace->items[i], tally);
    else tally->open++;
  }
  tally->steps += trace->count;
  return changes;
}

static void print_change(Text *text, const char *change) {
  if (change == nullptr) return;
  text_string(text, "<br><span class=\"refuted\"><b>✗ changes the map</b></span>: ");
  html_escape(text, change);
}

static void print_step(
    Text *text, const Derivations *derivations, const TraceStep *step, const char *change) {
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
  print_change(text, change);
  text_string(text, "</li>\n");
}

static void print_steps(
    Text *text, Derivations *derivations, const Trace *trace, const char *const *changes) {
  size_t begin = text->length;
  uint32_t shown = 0;
  for (uint32_t i = 0; i < trace->count; i++)
    if (trace->items[i].rule != nullptr) keep_rule(derivations, trace->items[i].rule);
  text_string(text, "<ol>\n");
  for (; shown < trace->count && text->length - begin < derivation_most_bytes; shown++)
    print_step(
        text, derivations, &trace->items[shown], changes == nullptr ? nullptr : changes[shown]);
  text_string(text, "</ol>\n");
  if (shown < trace->count)
    text_printf(text, "<p class=\"dim\">%s: affirm simplify --explain</p>\n",
        counted(trace->count - shown, "more step"));
}

static void print_code(Text *text, const Derivations *derivations, const Map *map) {
  html_between(text, "<p><code>",
      map_text(text->arena, derivations->judge->context, map, MAP_STYLE_LINE), "</code></p>\n");
}

static bool derive(Text *text, Derivations *derivations, const Map *map, const Map **simplified,
    StepTally *tally, Error *error) {
  Trace trace = {.arena = text->arena};
  if (!simplify_map(derivations->judge->simplifier, map, nullptr, simplified, &trace, error))
    return false;
  if (trace.count == 0) return true;
  const char **changes = step_changes(derivations, &trace, tally);
  text_printf(text, "<details class=\"steps\"><summary>simplified in %u step%s</summary>\n",
      trace.count, trace.count == 1 ? "" : "s");
  print_code(text, derivations, map);
  print_steps(text, derivations, &trace, changes);
  print_code(text, derivations, *simplified);
  text_string(text, "</details>\n");
  return true;
}

bool derivation_print_map(
    Text *text, Derivations *derivations, const Map *map, const Map **simplified, Error *error) {
  return derive(text, derivations, map, simplified, nullptr, error);
}

static bool raw_maps(Derivations *derivations, const Question *q, MapSet *maps) {
  Error error = {};
  if (q->direction == OUTPUT_TO_INPUT)
    return index_output_to_input(
        derivations->raw, q->instruction, q->output, q->operand, q->operand_leaf, maps, &error);
  return index_input_to_output(
      derivations->raw, q->instruction, q->operand, q->operand_leaf, q->output, maps, &error);
}

static bool has_map(const Derivations *derivations, Arena *arena, const Map *map) {
  const MapContext *context = derivations->judge->context;
  const MapSet *wrong = derivations->wrong;
  const char *wanted = map_text(arena, context, map, MAP_STYLE_LINE);
  for (uint32_t i = 0; i < wrong->count; i++)
    if (strcmp(map_text(arena, context, wrong->maps[i], MAP_STYLE_LINE), wanted) == 0) return true;
  return false;
}

/* Prints whether simplifying is at fault, or the raw maps. */
static void print_guilty(Text *text, const StepTally *tally, const Question *question) {
  if (tally->guilty_count == 0 && (tally->open > 0 || !tally->is_own)) return;
  text_string(text, "<p><span class=\"refuted\"><b>✗ ");
  if (tally->guilty_count > 0) {
    text_string(text, "simplifying changes the map</b></span>: ");
    text_string(text, tally->guilty.bytes);
  } else if (tally->steps > 0) {
    text_printf(text, "%s, before simplifying</b></span>: %s",
        opcode_name(question->instruction->opcode),
        tally->steps == 1 ? "the one step keeps the map" : "each step keeps the map");
  } else {
    text_printf(
        text, "%s</b></span>: nothing was simplified", opcode_name(question->instruction->opcode));
  }
  text_string(text, "</p>\n");
}

/* Errors here also occurred for the row's own maps, whose row reports them. */
void derivation_print(Text *text, Derivations *derivations, const Question *question) {
  MapSet maps = {};
  StepTally tally = {.is_own = true, .guilty = text_create(text->arena)};
  Text steps = text_create(text->arena);
  bool is_wrong = derivations->wrong != nullptr;
  if (derivations->is_of_others || !raw_maps(derivations, question, &maps)) return;
  for (uint32_t i = 0; i < maps.count; i++) {
    const Map *simplified;
    Error error = {};
    if (derive(
            &steps, derivations, maps.maps[i], &simplified, is_wrong ? &tally : nullptr, &error)) {
      tally.is_own &= !is_wrong || has_map(derivations, text->arena, simplified);
      continue;
    }
    tally.is_own = false;
    html_between(&steps, "<p class=\"dim\">not simplified: ", error.message, "</p>\n");
  }
  if (is_wrong) print_guilty(text, &tally, question);
  text_append(text, steps.bytes, steps.length);
}

void derivation_print_rules(Text *text, const Derivations *derivations) {
  if (derivations->count == 0) return;
  text_string(text, "<h2>Rules of the steps above</h2>\n");
  for (uint32_t i = 0; i < derivations->count; i++) {
    const Rule *rule = derivations->items[i].rule;
    html_between(text, "<section class=\"rule\" id=\"rule-", rule->name, "\">");
    html_rule(text, rule);
    text_string(text, "</section>\n");
  }
}
