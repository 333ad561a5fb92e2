/* Simplification, with a record of its steps. */
#include "library/context.h"

const AffirmMap *affirm_map_simplify(
    AffirmContext *context, const AffirmMap *map, const AffirmTrace **trace) {
  CONTEXT_ENTER(context);
  if (trace != nullptr) *trace = nullptr;
  if (context == nullptr || !CONTEXT_OWNS(context, map)) return nullptr;
  AffirmTrace *made = ARENA_NEW(context_arena(context), AffirmTrace, 1);
  const Map *simplified = nullptr;
  made->steps.arena = context_arena(context);
  if (!simplify_map(context->judge->simplifier, map_of(map), &(SimplifyOptions){}, &simplified,
          trace == nullptr ? nullptr : &made->steps, &context->error))
    return nullptr;
  if (trace != nullptr) *trace = made;
  return map_to(simplified);
}

uint32_t affirm_trace_count(const AffirmTrace *trace) {
  return trace == nullptr ? 0 : trace->steps.count;
}

static const char *text_or_nothing(const char *text) { return text == nullptr ? "" : text; }

bool affirm_trace_step(
    AffirmContext *context, const AffirmTrace *trace, uint32_t index, AffirmStep *step) {
  CONTEXT_ENTER(context);
  if (context == nullptr || !CONTEXT_OWNS(context, trace) || !CONTEXT_HAS(context, step) ||
      !context_has_index(context, "step", index, trace->steps.count))
    return false;
  const TraceStep *from = &trace->steps.items[index];
  *step =
      (AffirmStep){.rule = from->rule != nullptr ? from->rule->name : text_or_nothing(from->what),
          .file = from->rule != nullptr ? from->rule->file : nullptr,
          .line = from->rule != nullptr ? from->rule->line : 0,
          .result = from->result,
          .constraint = from->constraint,
          .bindings = text_or_nothing(from->bindings),
          .facts = text_or_nothing(from->facts),
          .before = affirm_map_text(context, map_to(from->map_before)),
          .after = affirm_map_text(context, map_to(from->map_after))};
  return true;
}
