/* Steps are numbered in order. A step is judged by the statement "the whole map before and the
 * whole map after are the same map". */
#include "cli/report/explain.h"

#include "core/map/text.h"

static void print_constraint(
    Text *text, const MapContext *context, const Map *map, const Constraint *constraint) {
  expr_print_short(text, context, map, constraint->expr, MAP_STYLE_LINE);
  text_printf(text, " in [%lld, %lld]", (long long)constraint->in.lo, (long long)constraint->in.hi);
}

static void print_location(Text *text, const TraceStep *step) {
  if (step->result >= 0) text_printf(text, " in result %d", step->result);
  if (step->constraint >= 0) text_printf(text, " in constraint %d", step->constraint);
}

static const char *step_name(const TraceStep *step) {
  if (step->rule != nullptr) return step->rule->name;
  return step->what == nullptr ? "normal form" : step->what;
}

static void print_head(Text *text, uint32_t number, const TraceStep *step) {
  text_printf(text, "%3u. %s", number, step_name(step));
  if (step->rule != nullptr) text_printf(text, " (%s:%u)", step->rule->file, step->rule->line);
  print_location(text, step);
  text_string(text, "\n");
}

static bool is_constraint_step(const TraceStep *step) {
  return step->rule != nullptr && step->rule->left.is_constraint;
}

static void print_change(
    Text *text, const MapContext *context, const Map *map, const TraceStep *step) {
  if (is_constraint_step(step)) {
    text_string(text, "       ");
    print_constraint(text, context, map, &step->constraint_before);
    text_string(text, "  =>  ");
    print_constraint(text, context, map, &step->constraint_after);
    text_string(text, "\n");
    return;
  }
  if (step->before.at == 0 || step->after.at == 0) return;
  text_string(text, "       ");
  expr_print_short(text, context, map, step->before, MAP_STYLE_LINE);
  text_string(text, "  =>  ");
  expr_print_short(text, context, map, step->after, MAP_STYLE_LINE);
  text_string(text, "\n");
}

void explain_print(Text *text, const MapContext *context, const Map *map, const Trace *trace) {
  for (uint32_t i = 0; i < trace->count; i++) {
    const TraceStep *step = &trace->items[i];
    print_head(text, i + 1, step);
    print_change(text, context, step->map_before == nullptr ? map : step->map_before, step);
    if (step->bindings != nullptr && step->bindings[0] != 0)
      text_printf(text, "       with %s\n", step->bindings);
    if (step->facts != nullptr && step->facts[0] != 0)
      text_printf(text, "       because %s\n", step->facts);
  }
  if (trace->count == 0) text_string(text, "     nothing to rewrite\n");
}

static Status print_judgement(Text *text, const char *what, const SameJudgement *judgement) {
  text_printf(text, "     %s: %s (", what, same_reason_text(judgement->reason));
  same_print_judges(text, judgement);
  text_printf(text, ")%s%s\n", judgement->text[0] == 0 ? "" : ": ", judgement->text);
  return same_reason_status(judgement->reason);
}

Status explain_prove(
    Text *text, Judge *judge, const Map *map, const Map *simplified, const Trace *trace) {
  Status status = STATUS_PROVED;
  SameJudgement judgement;
  for (uint32_t i = 0; i < trace->count; i++) {
    const TraceStep *step = &trace->items[i];
    const char *what = arena_printf(text->arena, "step %u, %s", i + 1, step_name(step));
    if (step->map_before != nullptr && step->map_after != nullptr) {
      judge_step(judge, step->map_before, step->map_after, &judgement);
      status = status_worse(status, print_judgement(text, what, &judgement));
    } else {
      text_printf(text, "     %s: unknown (the trace does not keep the maps around it)\n", what);
      status = status_worse(status, STATUS_UNDECIDED);
    }
  }
  judge_same(judge, OBLIGATION_SAME_MAP, map, simplified, &judgement);
  return status_worse(status, print_judgement(text, "the whole", &judgement));
}
