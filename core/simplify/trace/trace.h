/* Recording what happens: the whole map in normal form is carried along, and each rewrite is
 * applied to it as stated by its rule, before what stands inside is rewritten further. Costs only
 * when a trace is asked for. */
#ifndef CORE_SIMPLIFY_TRACE_H
#define CORE_SIMPLIFY_TRACE_H

#include "core/simplify/facts/constraints.h"
#include "core/simplify/match/match.h"

struct Tracer {
  Simplifier *simplifier;
  Trace *trace;
  const Map *given; /* names, sources */
  uint32_t result_count;
  NormalSum **results; /* the map as it stands */
  Demands demands;
  Interval *bounds[variable_kinds];
  const Map *map;             /* the same written out */
  int32_t result, constraint; /* where rewriting takes place; -1: nowhere */
};

typedef struct TraceMark {
  uint32_t count;
  uint32_t result_count;
  NormalSum **results;
  Demands demands;
  const Map *map;
} TraceMark;

/* The present state, written out. */
[[nodiscard]] const Map *trace_state(Tracer *tracer);
/* One more step, which leads from the last state to this one. */
TraceStep *trace_add(Tracer *tracer, const Map *after);
/* A match is complete; its result as the rule states it is set. Returns what to undo if the right
 * side turns out to have no value. */
[[nodiscard]] TraceMark trace_fired(Match *match);
void trace_undo(Tracer *tracer, TraceMark mark);

/* ---- trace_open.c ---- */

/* Brings the map into normal form without rules: the first step. False on overflow. */
[[nodiscard]] bool trace_open(Tracer *tracer, Simplifier *simplifier, const Map *map, Trace *trace);

/* ---- trace_text.c ---- */

[[nodiscard]] const char *trace_bindings(Match *match, Arena *arena);
[[nodiscard]] const char *trace_facts(Match *match, Arena *arena);
[[nodiscard]] const char *trace_bounds(Match *match, Arena *arena);

#endif
