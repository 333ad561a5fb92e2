/* The first state of a trace: the given map in normal form, without rules. */
#include <assert.h>

#include "core/simplify/trace/trace.h"

/* Converts the given map to normal form without rules, with the current bounds. */
static bool take_map(Tracer *tracer) {
  Simplifier *simplifier = tracer->simplifier;
  const Map *map = tracer->given;
  Arena *arena = tracer->trace->arena;
  simplifier->rules_off = true;
  tracer->result_count = map->result_count;
  tracer->results = ARENA_NEW(arena, NormalSum *, map->result_count);
  tracer->demands.count = map->constraint_count;
  tracer->demands.items = ARENA_NEW(arena, Demand, map->constraint_count);
  bool fits = true;
  for (uint32_t i = 0; fits && i < map->result_count; i++) {
    tracer->results[i] = convert_in(simplifier, map->results[i]);
    fits = tracer->results[i] != nullptr;
    if (!fits) tracer->result = (int32_t)i;
  }
  for (uint32_t i = 0; fits && i < map->constraint_count; i++) {
    tracer->demands.items[i] =
        (Demand){convert_in(simplifier, map->constraints[i].expr), map->constraints[i].in};
    fits = tracer->demands.items[i].sum != nullptr;
    if (!fits) tracer->constraint = (int32_t)i;
  }
  for (uint32_t kind = 0; kind < variable_kinds; kind++) {
    tracer->bounds[kind] = ARENA_NEW(arena, Interval, simplifier->variable_count[kind]);
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++)
      tracer->bounds[kind][i] = simplifier->bounds[kind][i];
  }
  simplifier->rules_off = false;
  simplifier_new_epoch(simplifier);
  assert(simplifier->memo % 2 == 0);
  return fits;
}

bool trace_open(Tracer *tracer, Simplifier *simplifier, const Map *map, Trace *trace) {
  *tracer = (Tracer){.simplifier = simplifier,
      .trace = trace,
      .given = map,
      .result = -1,
      .constraint = -1,
      .map = map};
  simplifier->tracer = tracer;
  assert(simplifier->memo % 2 == 0 && trace->arena != nullptr);
  if (!take_map(tracer)) return false;
  const Map *normal = trace_state(tracer);
  if (!map_identical(simplifier->context, map, normal))
    trace_add(tracer, normal)->what = "sums collected and ordered";
  tracer->map = normal;
  return true;
}
