/* The trace: states of the whole map, one step for each rewrite.
 *
 * A rewrite of an atom or a sum is applied wherever it occurs among the results, or among the
 * constraints while facts are bounds only; if other constraints are used as facts, in one
 * constraint. Changes without a rule (bounds taken from constraints, constraints merged) are steps
 * without a rule, whenever the live state differs from the recorded one. The recursion is as deep
 * as atoms nest, at most normal_max_depth. */
#include "core/simplify/trace/trace.h"

#include <assert.h>

/* ---- substitution ---- */

typedef struct Replace {
  Simplifier *simplifier;
  const NormalAtom *atom; /* either atom or sum is set */
  const NormalSum *sum;
  NormalSum *by;
} Replace;

static NormalSum *replace_in(const Replace *replace, NormalSum *sum);

static NormalSum *replace_in_atom(const Replace *replace, NormalAtom *atom) {
  Simplifier *simplifier = replace->simplifier;
  if (atom == replace->atom) return replace->by;
  if (atom->op == EXPR_VAR || atom->op == EXPR_ADD) return sum_atom(atom);
  NormalSum **arguments = BUMP_NEW(&simplifier->normal.temp, NormalSum *, atom->count);
  bool changed = false;
  for (uint32_t i = 0; i < atom->count; i++) {
    arguments[i] = replace_in(replace, atom->arguments[i]);
    if (arguments[i] == nullptr) return nullptr;
    changed |= arguments[i] != atom->arguments[i];
  }
  if (!changed) return sum_atom(atom);
  if (atom->count == 1)
    return simplifier->rewriter->division(simplifier, atom->op, arguments[0], atom->divisor);
  return simplifier->rewriter->combined(simplifier, atom->op, arguments, atom->count);
}

static NormalSum *replace_in(const Replace *replace, NormalSum *sum) {
  if (sum == replace->sum) return replace->by;
  Simplifier *simplifier = replace->simplifier;
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  Gather gather = gather_create(&simplifier->normal, sum->count);
  gather_constant(&gather, 1, sum->constant);
  bool fits = true;
  for (uint32_t i = 0; fits && i < sum->count; i++) {
    NormalSum *one = replace_in_atom(replace, sum->items[i].atom);
    fits = one != nullptr;
    if (fits) gather_sum(&gather, sum->items[i].coefficient, one);
  }
  NormalSum *result = fits ? simplifier->rewriter->collected(simplifier, &gather) : nullptr;
  bump_release(&simplifier->normal.temp, mark);
  return result == nullptr ? sum : result;
}

/* ---- states ---- */

const Map *trace_state(Tracer *tracer) {
  Simplifier *simplifier = tracer->simplifier;
  const Map *given = tracer->given;
  Map *map = map_create(simplifier->context, given->dim_count, given->range_count,
      given->runtime_count, tracer->result_count, tracer->demands.count);
  map->sources = given->sources;
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++)
      map_variables(map, (VarKind)kind)[i] = (Variable){
          .bounds = tracer->bounds[kind][i], .name = map_variables(given, (VarKind)kind)[i].name};
  for (uint32_t i = 0; i < tracer->result_count; i++)
    map->results[i] = convert_out(simplifier, tracer->results[i]);
  for (uint32_t i = 0; i < tracer->demands.count; i++)
    map->constraints[i] = (Constraint){
        convert_out(simplifier, tracer->demands.items[i].sum), tracer->demands.items[i].in};
  return map;
}

TraceStep *trace_add(Tracer *tracer, const Map *after) {
  TraceStep *step = ARENA_PUSH(tracer->trace->arena, tracer->trace);
  *step = (TraceStep){.what = "",
      .result = tracer->result,
      .constraint = tracer->constraint,
      .map_before = tracer->map,
      .map_after = after};
  tracer->map = after;
  assert(map_is_whole(tracer->simplifier->context, after));
  return step;
}

static void copy_state(Tracer *tracer) {
  Arena *arena = tracer->trace->arena;
  NormalSum **results = ARENA_NEW(arena, NormalSum *, tracer->result_count);
  Demand *demands = ARENA_NEW(arena, Demand, tracer->demands.count);
  for (uint32_t i = 0; i < tracer->result_count; i++) results[i] = tracer->results[i];
  for (uint32_t i = 0; i < tracer->demands.count; i++) demands[i] = tracer->demands.items[i];
  tracer->results = results;
  tracer->demands.items = demands;
  assert(tracer->map != nullptr);
}

/* ---- rewrites ---- */

static TraceMark mark_of(const Tracer *tracer) {
  return (TraceMark){.count = tracer->trace->count,
      .result_count = tracer->result_count,
      .results = tracer->results,
      .demands = tracer->demands,
      .map = tracer->map};
}

static void replace_everywhere(Tracer *tracer, const Replace *replace) {
  bool one = tracer->simplifier->known_count > 0;
  if (tracer->constraint < 0)
    for (uint32_t i = 0; i < tracer->result_count; i++)
      tracer->results[i] = replace_in(replace, tracer->results[i]);
  else
    for (uint32_t i = 0; i < tracer->demands.count; i++)
      if (!one || (int32_t)i == tracer->constraint)
        tracer->demands.items[i].sum = replace_in(replace, tracer->demands.items[i].sum);
}

/* A replacement without a rule; a step if it changes anything. */
static void replace_silently(Tracer *tracer, const Replace *replace, const char *what) {
  Simplifier *simplifier = tracer->simplifier;
  copy_state(tracer);
  simplifier->rules_off = true;
  replace_everywhere(tracer, replace);
  simplifier->rules_off = false;
  const Map *after = trace_state(tracer);
  if (!map_identical(simplifier->context, tracer->map, after))
    trace_add(tracer, after)->what = what;
}

void trace_rearranged(Simplifier *simplifier, const NormalSum *stated, NormalSum *flat) {
  if (simplifier->tracer == nullptr || stated == nullptr || stated == flat) return;
  replace_silently(simplifier->tracer, &(Replace){simplifier, stated->items[0].atom, nullptr, flat},
      "nested minima and maxima taken apart");
}

void trace_repeated(
    Simplifier *simplifier, const NormalAtom *atom, const NormalSum *sum, NormalSum *by) {
  if (simplifier->tracer == nullptr || by == sum || (atom != nullptr && by == &atom->alone)) return;
  replace_silently(
      simplifier->tracer, &(Replace){simplifier, atom, sum, by}, "rewritten as before");
}

static Constraint constraint_out(Tracer *tracer, Demand demand) {
  return (Constraint){convert_out(tracer->simplifier, demand.sum), demand.in};
}

/* The constraint that a rule matches may contain earlier rewrites that did not fit int64 in the
 * recorded state. The state then takes them over, as a step of its own. */
static void catch_up(Tracer *tracer, const Match *match) {
  Demand *demand = &tracer->demands.items[tracer->constraint];
  if (demand->sum == match->subject) return;
  demand->sum = match->subject;
  const Map *after = trace_state(tracer);
  if (!map_identical(tracer->simplifier->context, tracer->map, after))
    trace_add(tracer, after)->what = "rewritten as before";
}

TraceMark trace_fired(Match *match) {
  Tracer *tracer = match->simplifier->tracer;
  TraceMark mark = mark_of(tracer);
  assert(!match->simplifier->rules_off && match->simplifier->memo % 2 == 0);
  bool is_constraint = match->plan->root == PLAN_CONSTRAINT;
  NormalSum *before = match->atom != nullptr ? sum_atom(match->atom) : match->subject;
  copy_state(tracer);
  match->simplifier->rules_off = true;
  if (is_constraint) catch_up(tracer, match);
  if (is_constraint) tracer->demands.items[tracer->constraint] = match->demand;
  else
    replace_everywhere(
        tracer, &(Replace){match->simplifier, match->atom,
                    match->atom == nullptr ? match->subject : nullptr, match->result});
  match->simplifier->rules_off = false;
  const Map *after = trace_state(tracer);
  bool is_unseen = map_identical(match->simplifier->context, tracer->map, after);
  if (is_unseen && !tracer->trace->keeps_unseen) return mark;
  TraceStep *step = trace_add(tracer, after);
  step->rule = match->plan->rule;
  step->before = convert_out(match->simplifier, before);
  step->after = convert_out(match->simplifier, is_constraint ? match->demand.sum : match->result);
  step->bindings = trace_bindings(match, tracer->trace->arena);
  if (tracer->trace->keeps_unseen) step->instance = trace_instance(match, tracer->trace->arena);
  step->facts = trace_facts(match, tracer->trace->arena);
  step->bounds = trace_bounds(match, tracer->trace->arena);
  if (!is_constraint) return mark;
  step->constraint_before = constraint_out(tracer, (Demand){match->subject, match->in});
  step->constraint_after = constraint_out(tracer, match->demand);
  return mark;
}

void trace_undo(Tracer *tracer, TraceMark mark) {
  assert(mark.count <= tracer->trace->count);
  tracer->trace->count = mark.count;
  tracer->results = mark.results;
  tracer->demands = mark.demands;
  tracer->map = mark.map;
}

/* ---- bookkeeping ---- */

void trace_at_constraint(Simplifier *simplifier, uint32_t position) {
  if (simplifier->tracer == nullptr) return;
  simplifier->tracer->result = -1;
  assert(position <= INT32_MAX);
  simplifier->tracer->constraint = (int32_t)position;
}

void trace_at_result(Simplifier *simplifier, uint32_t position) {
  if (simplifier->tracer == nullptr) return;
  simplifier->tracer->result = (int32_t)position;
  simplifier->tracer->constraint = -1;
}

static bool same_demands(const Demands *a, const Demands *b) {
  if (a->count != b->count) return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (a->items[i].sum != b->items[i].sum || a->items[i].in.lo != b->items[i].in.lo ||
        a->items[i].in.hi != b->items[i].in.hi)
      return false;
  return true;
}

static bool same_bounds(const Tracer *tracer) {
  const Simplifier *simplifier = tracer->simplifier;
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++) {
      Interval a = tracer->bounds[kind][i], b = simplifier->bounds[kind][i];
      if (a.lo != b.lo || a.hi != b.hi) return false;
    }
  return true;
}

void trace_canonical(Simplifier *simplifier, const Demands *demands, const char *what) {
  Tracer *tracer = simplifier->tracer;
  if (tracer == nullptr || demands->is_empty ||
      (same_demands(&tracer->demands, demands) && same_bounds(tracer)))
    return;
  tracer->result = tracer->constraint = -1;
  tracer->demands.count = demands->count;
  tracer->demands.items = ARENA_NEW(tracer->trace->arena, Demand, demands->count);
  for (uint32_t i = 0; i < demands->count; i++) tracer->demands.items[i] = demands->items[i];
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++)
      tracer->bounds[kind][i] = simplifier->bounds[kind][i];
  copy_state(tracer);
  trace_add(tracer, trace_state(tracer))->what = what;
}

void trace_folded(Simplifier *simplifier) {
  Tracer *tracer = simplifier->tracer;
  if (tracer == nullptr) return;
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  Demands kept = {.count = simplifier->kept_count};
  kept.items = BUMP_NEW(&simplifier->normal.temp, Demand, kept.count);
  for (uint32_t i = 0; i < kept.count; i++)
    kept.items[i] = tracer->demands.items[simplifier->kept[i]];
  trace_canonical(simplifier, &kept, "constraints on constants and variables become bounds");
  bump_release(&simplifier->normal.temp, mark);
}

void trace_led(Simplifier *simplifier) {
  Tracer *tracer = simplifier->tracer;
  if (tracer == nullptr) return;
  tracer->result = tracer->constraint = -1;
  const Map *led = trace_state(tracer);
  if (!map_identical(simplifier->context, tracer->map, led))
    trace_add(tracer, led)->what = "what is added stands first";
}

void trace_closed(Simplifier *simplifier, Trace *trace, const Map *given, const Map *simplified) {
  if (trace == nullptr) return;
  const Map *before = simplifier->tracer == nullptr ? given : simplifier->tracer->map;
  if (map_identical(simplifier->context, before, simplified)) return;
  *ARENA_PUSH(trace->arena, trace) = (TraceStep){
      .what = simplified->state == MAP_KNOWN_EMPTY ? "no point satisfies bounds and constraints"
                                                   : "written out",
      .result = -1,
      .constraint = -1,
      .map_before = before,
      .map_after = simplified,
  };
}
