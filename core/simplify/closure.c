/* The closure of simplifying. A rule does not fire if its result or its guard leaves int64, and
 * whether it does may depend on how the map is written. Therefore a map with large numbers is
 * simplified repeatedly: x0 = order(map), x(k+1) = order(simplify(x(k))), until some x(k) recurs.
 * The result is simplify(x(k)); for a longer cycle, of its least element.
 *
 * Keeps: order(map) does not depend on the order of operands and constraints, and neither does the
 * result. order(result) is on the cycle, so simplifying the result returns the result. No step
 * makes a map larger, so all maps of a cycle have one size. If nothing recurs within most_steps,
 * the result is x0. */
#include "core/simplify/closure.h"

#include <assert.h>
#include <stdlib.h>

#include "core/base/checked.h"
#include "core/simplify/facts/fold.h"

static constexpr uint32_t most_steps = 16;

typedef struct Closure {
  Simplifier *simplifier;
  const SimplifyOptions *options;
  uint32_t count; /* number of steps */
  const Map *inputs[most_steps + 1], *outputs[most_steps];
} Closure;

/* ---- order(map) ---- */

typedef struct Ranked {
  const ExprPool *pool;
  Constraint constraint;
} Ranked;

static int compare_ranked(const void *a, const void *b) {
  const Ranked *x = a, *y = b;
  int order = stated_compare(x->pool, x->constraint.expr, y->constraint.expr);
  if (order == 0) order = order64(x->constraint.in.lo, y->constraint.in.lo);
  return order != 0 ? order : order64(x->constraint.in.hi, y->constraint.in.hi);
}

static void constraints_order(MapContext *context, uint32_t count, Constraint *constraints) {
  Ranked *ranked = ARENA_NEW(context->arena, Ranked, count);
  for (uint32_t i = 0; i < count; i++) ranked[i] = (Ranked){context->pool, constraints[i]};
  if (count > 1) qsort(ranked, count, sizeof *ranked, compare_ranked);
  for (uint32_t i = 0; i < count; i++) constraints[i] = ranked[i].constraint;
}

static const Map *map_order(MapContext *context, const Map *map) {
  StatedOrder order = stated_order(context, map);
  Map *sorted = map_copy_variables(context->arena, map, map->result_count, map->constraint_count);
  for (uint32_t i = 0; i < map->result_count; i++)
    sorted->results[i] = stated_sorted(&order, map->results[i]);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    sorted->constraints[i] =
        (Constraint){stated_sorted(&order, map->constraints[i].expr), map->constraints[i].in};
  constraints_order(context, sorted->constraint_count, sorted->constraints);
  assert(map_is_checked(context, sorted) || !map_is_checked(context, map));
  assert(map_is_whole(context, sorted));
  return sorted;
}

/* ---- the sequence ---- */

/* The position of the first input that equals the last one; count if there is none. */
static uint32_t closure_return(const Closure *closure) {
  uint32_t first = 0;
  while (first < closure->count && !map_identical(closure->simplifier->context,
                                       closure->inputs[first], closure->inputs[closure->count]))
    first++;
  assert(first <= closure->count);
  return first;
}

static int compare_exprs(const ExprPool *pool, uint32_t count, const Expr *a, const Expr *b) {
  int order = 0;
  for (uint32_t i = 0; order == 0 && i < count; i++) order = stated_compare(pool, a[i], b[i]);
  return order;
}

static int compare_constraints(const ExprPool *pool, const Map *a, const Map *b) {
  int order = order64(a->constraint_count, b->constraint_count);
  for (uint32_t i = 0; order == 0 && i < a->constraint_count; i++)
    order = compare_ranked(&(Ranked){pool, a->constraints[i]}, &(Ranked){pool, b->constraints[i]});
  return order;
}

static int compare_bounds(const Map *a, const Map *b) {
  int order = 0;
  for (uint32_t i = 0; order == 0 && i < map_variable_count(a); i++) {
    Interval x = map_variable(a, i)->bounds, y = map_variable(b, i)->bounds;
    order = order64(x.lo, y.lo);
    if (order == 0) order = order64(x.hi, y.hi);
  }
  return order;
}

int closure_compare(const ExprPool *pool, const Map *a, const Map *b) {
  assert(a->state == MAP_PLAIN && b->state == MAP_PLAIN && map_same_kinds(a, b));
  int order = compare_exprs(pool, a->result_count, a->results, b->results);
  if (order == 0) order = compare_constraints(pool, a, b);
  return order != 0 ? order : compare_bounds(a, b);
}

/* The position of the least input on the cycle. */
static uint32_t closure_least(const Closure *closure, uint32_t first) {
  uint32_t least = first;
  for (uint32_t i = first + 1; i < closure->count; i++)
    if (closure_compare(
            closure->simplifier->context->pool, closure->inputs[i], closure->inputs[least]) < 0)
      least = i;
  assert(least >= first && least < closure->count);
  return least;
}

/* Counts the steps that lead to the result; 0: nothing recurs, or a later step is rejected. False
 * if the given map is rejected. */
static bool closure_search(Closure *closure, uint32_t *steps, Error *error) {
  Error ignored = {};
  *steps = 0;
  while (closure->count < most_steps) {
    const Map **output = &closure->outputs[closure->count];
    bool is_first = closure->count == 0;
    if (!simplify_once(closure->simplifier, closure->inputs[closure->count], closure->options,
            output, nullptr, is_first ? error : &ignored))
      return !is_first;
    closure->inputs[++closure->count] = map_order(closure->simplifier->context, *output);
    uint32_t first = closure_return(closure);
    if ((*output)->state != MAP_PLAIN) *steps = closure->count;
    else if (first < closure->count) *steps = closure_least(closure, first) + 1;
    if (*steps > 0) return true;
  }
  return true;
}

/* ---- the record ---- */

static void trace_ordered(Trace *trace, const Map *before, const Map *after) {
  *ARENA_PUSH(trace->arena, trace) = (TraceStep){.what = "operands and constraints ordered",
      .result = -1,
      .constraint = -1,
      .map_before = before,
      .map_after = after};
}

static bool closure_record(
    Closure *closure, const Map *map, uint32_t steps, Trace *trace, Error *error) {
  trace_ordered(trace, map, closure->inputs[0]);
  for (uint32_t i = 0; i < steps; i++) {
    const Map *again;
    if (i > 0) trace_ordered(trace, closure->outputs[i - 1], closure->inputs[i]);
    if (!simplify_once(
            closure->simplifier, closure->inputs[i], closure->options, &again, trace, error))
      return false;
    assert(map_identical(closure->simplifier->context, again, closure->outputs[i]));
  }
  return true;
}

static bool closure_simplify(Simplifier *simplifier, const Map *map, const SimplifyOptions *options,
    const Map **simplified, Trace *trace, Error *error) {
  Closure closure = {.simplifier = simplifier, .options = options};
  uint32_t steps;
  closure.inputs[0] = map_order(simplifier->context, map);
  if (!closure_search(&closure, &steps, error)) return false;
  assert(steps <= closure.count);
  *simplified = steps == 0 ? closure.inputs[0] : closure.outputs[steps - 1];
  return trace == nullptr || closure_record(&closure, map, steps, trace, error);
}

bool simplify_map(Simplifier *simplifier, const Map *map, const SimplifyOptions *options,
    const Map **simplified, Trace *trace, Error *error) {
  map_expect(simplifier->context, map);
  *simplified = map;
  if (map->state != MAP_PLAIN) return true;
  if (trace == nullptr && fold_is_empty(simplifier->context->pool, map)) {
    *simplified = map_known_empty(simplifier->context);
    return true;
  }
  const Map *once;
  uint32_t steps = trace == nullptr ? 0 : trace->count;
  bool done = simplify_once(simplifier, map, options, &once, trace, error);
  if (closure_is_needed(simplifier) && !simplifier->has_users_rules &&
      (done || !simplifier->has_failed)) {
    if (trace != nullptr) trace->count = steps;
    if (!done) *error = (Error){};
    return closure_simplify(simplifier, map, options, simplified, trace, error);
  }
  if (done) *simplified = once;
  return done;
}
