/* Records rewrites: the whole map in normal form is carried along, and each rewrite is applied to
 * it as its rule states it, before its parts are rewritten further. Costs nothing unless a trace is
 * requested. */
#ifndef CORE_SIMPLIFY_TRACE_TRACE_H
#define CORE_SIMPLIFY_TRACE_TRACE_H

#include "core/simplify/facts/constraints.h"
#include "core/simplify/match/match.h"

struct Tracer {
  Simplifier *simplifier;
  Trace *trace;
  const Map *given; /* for names and sources */
  uint32_t result_count;
  NormalSum **results; /* the current map */
  Demands demands;
  Interval *bounds[variable_kinds];
  const Map *map;             /* the current map, written as expressions */
  int32_t result, constraint; /* where rewriting takes place; -1: not there */
};

typedef struct TraceMark {
  uint32_t count;
  uint32_t result_count;
  NormalSum **results;
  Demands demands;
  const Map *map;
} TraceMark;

/* The current state, written as a map. */
[[nodiscard]] const Map *trace_state(Tracer *tracer);
/* Appends a step from the last state to this one. */
TraceStep *trace_add(Tracer *tracer, const Map *after);
/* Called for a complete match whose result, as the rule states it, is set. Returns the mark for
 * trace_undo, in case the rewritten result is rejected. */
[[nodiscard]] TraceMark trace_fired(Match *match);
void trace_undo(Tracer *tracer, TraceMark mark);

/* ---- trace_open.c ---- */

/* Converts the map to normal form without rules, as the first step. False if a result or constraint
 * is past a limit, which the tracer then names. */
[[nodiscard]] bool trace_open(Tracer *tracer, Simplifier *simplifier, const Map *map, Trace *trace);

/* ---- trace_text.c ---- */

[[nodiscard]] const char *trace_bindings(Match *match, Arena *arena);
[[nodiscard]] const char *trace_instance(Match *match, Arena *arena);
[[nodiscard]] const char *trace_facts(Match *match, Arena *arena);
[[nodiscard]] const char *trace_bounds(Match *match, Arena *arena);

#endif
