/* The simplifier: compiles the rules once; converts a map's variables, constraints and results to
 * normal form, rewrites them to the fixed point and writes them out. Constraints come first, since
 * they tighten the bounds used for results.
 *
 * Fails, leaving the map unchanged, if an evaluation can leave int64 or a limit of nesting is
 * reached. */
#include "core/simplify/simplify.h"

#include <assert.h>
#include <string.h>

#include "core/simplify/facts/constraints.h"
#include "core/simplify/facts/fold.h"
#include "core/simplify/normal/given.h"
#include "core/simplify/match/filter.h"
#include "core/simplify/facts/signs.h"
#include "core/simplify/closure.h"
#include "core/simplify/quick.h"
#include "core/simplify/recall.h"
#include "core/simplify/trace/trace.h"

/* ---- rules ---- */

typedef struct PlanTable {
  uint32_t count;
  MatchPlan *items;
} PlanTable;

static void add_plan(
    Simplifier *simplifier, PlanList *list, const MatchPlan *plan, uint32_t capacity) {
  assert(plan->step_count > 0 && list->count < capacity);
  if (list->items == nullptr)
    list->items = ARENA_NEW(simplifier->arena, const MatchPlan *, capacity);
  list->items[list->count++] = plan;
}

static void index_sum_plan(
    Simplifier *simplifier, PlanSet *set, const MatchPlan *plan, uint32_t capacity) {
  if (plan->order == ORDER_CANCELS) {
    set->cancel_needs |= plan->needs;
    add_plan(simplifier, &set->on_cancel[plan->op], plan, capacity);
    return;
  }
  uint16_t needs = (uint16_t)(plan->needs & -plan->needs);
  set->sum_needs |= needs;
  set->needs |= needs;
  add_plan(simplifier, &set->on_sums, plan, capacity);
}

static void index_atom_plan(
    Simplifier *simplifier, PlanSet *set, const MatchPlan *plan, ExprOp op, uint32_t capacity) {
  set->needs |= (uint16_t)(1u << op);
  add_plan(simplifier, &set->by_op[op], plan, capacity);
}

static bool is_about_text(const MatchPlan *plan) {
  return plan->order == ORDER_TEXT || plan->order == ORDER_TURNS;
}

static void index_plan(Simplifier *simplifier, const MatchPlan *plan, uint32_t capacity) {
  PlanSet *set = is_about_text(plan) ? &simplifier->text : &simplifier->main;
  switch (plan->root) {
    case PLAN_ATOM: index_atom_plan(simplifier, set, plan, plan->op, capacity); return;
    case PLAN_ANY_ATOM:
      for (ExprOp op = EXPR_VAR; op <= EXPR_MAX; op++)
        index_atom_plan(simplifier, set, plan, op, capacity);
      return;
    case PLAN_SUM: index_sum_plan(simplifier, set, plan, capacity); return;
    case PLAN_CONSTRAINT:
      add_plan(simplifier,
          is_about_text(plan) ? &simplifier->text_on_constraints : &simplifier->on_constraints,
          plan, capacity);
      return;
  }
}

static bool compile_rules(Simplifier *simplifier, const RuleSet *rules, Error *error) {
  MatchPlan *plans = ARENA_NEW(simplifier->arena, MatchPlan, rules->count);
  for (uint32_t i = 0; i < rules->count; i++) {
    if (!plan_compile(simplifier->arena, &rules->items[i], &plans[i], error)) return false;
    plan_filter(&plans[i]);
    index_plan(simplifier, &plans[i], rules->count);
  }
  return true;
}

static void reserve_variables(Simplifier *simplifier, uint32_t count) {
  if (count <= simplifier->variable_capacity) return;
  simplifier->variable_capacity = 2 * count;
  simplifier->bounds[VAR_DIM] = ARENA_NEW(simplifier->arena, Interval, 2 * (size_t)count);
  simplifier->atoms[VAR_DIM] = ARENA_NEW(simplifier->arena, NormalAtom *, 2 * (size_t)count);
}

static constexpr uint32_t usual_variables = 8;

/* What the engine's own rules take, parsed and compiled. */
static constexpr size_t bytes_of_rules = (size_t)350 << 10;

Simplifier *simplifier_create(MapContext *context, const RuleSet *rules, Error *error) {
  Arena *arena = arena_create();
  Simplifier *simplifier = ARENA_NEW(arena, Simplifier, 1);
  *simplifier = (Simplifier){.context = context,
      .arena = arena,
      .epoch = 1,
      .memo = 2,
      .known_except = UINT32_MAX,
      .writing = 1,
      .rewriter = rewriter_by_rules(),
      .has_users_rules = rules != nullptr};
  normal_create(&simplifier->normal, arena);
  reserve_variables(simplifier, usual_variables);
  arena_expect(arena, bytes_of_rules);
  if (rules == nullptr && !rules_engine(arena, &simplifier->own_rules, error)) {
    arena_destroy(arena);
    return nullptr;
  }
  if (!compile_rules(simplifier, rules == nullptr ? &simplifier->own_rules : rules, error)) {
    arena_destroy(arena);
    return nullptr;
  }
  quick_prepare(simplifier);
  return simplifier;
}

void simplifier_destroy(Simplifier *simplifier) {
  if (simplifier != nullptr) arena_destroy(simplifier->arena);
}

MapContext *simplifier_context(const Simplifier *simplifier) { return simplifier->context; }

/* ---- inward ---- */

static void place_variables(Simplifier *simplifier, const Map *map) {
  reserve_variables(simplifier, map_variable_count(map));
  for (uint32_t kind = 0; kind < variable_kinds; kind++) {
    uint32_t first = map_first_number(map, (VarKind)kind);
    simplifier->variable_count[kind] = map_kind_count(map, (VarKind)kind);
    simplifier->bounds[kind] = simplifier->bounds[VAR_DIM] + first;
    simplifier->atoms[kind] = simplifier->atoms[VAR_DIM] + first;
  }
}

/* False if a variable has no values. */
static bool load_array(
    Simplifier *simplifier, Interval *bounds, uint32_t count, const Variable *variables) {
  bool inhabited = true;
  uint64_t numbers = 0;
  for (uint32_t i = 0; i < count; i++) {
    Interval in = variables[i].bounds;
    bounds[i] = in;
    numbers |= simplifier_magnitude(in.lo) | simplifier_magnitude(in.hi);
    inhabited &= in.lo <= in.hi;
  }
  simplifier->numbers |= numbers;
  return inhabited;
}

/* False if a variable has no values. */
static bool load_variables(Simplifier *simplifier, const Map *map) {
  place_variables(simplifier, map);
  if (map_has_one_array(map))
    return load_array(simplifier, simplifier->bounds[VAR_DIM], map_variable_count(map), map->dims);
  bool inhabited = true;
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    inhabited &= load_array(simplifier, simplifier->bounds[kind],
        map_kind_count(map, (VarKind)kind), map_variables(map, (VarKind)kind));
  return inhabited;
}

static bool simplify_reject(
    Simplifier *simplifier, const char *what, uint32_t position, Error *error) {
  const Rule *last = simplifier->last_fired[0], *other = simplifier->last_fired[1];
  if (simplifier->is_endless && other != nullptr)
    return error_set(error, ERROR_LIMIT,
        "simplify: rules %s (%s:%u) and %s (%s:%u) fire again and again in %s %u: they undo each other, or one does not decrease its order",
        last->name, last->file, last->line, other->name, other->file, other->line, what, position);
  if (simplifier->is_endless)
    return error_set(error, ERROR_LIMIT,
        "simplify: rule %s (%s:%u) fires again and again in %s %u: it does not decrease its order",
        last->name, last->file, last->line, what, position);
  if (simplifier->has_failed)
    return error_set(
        error, ERROR_LIMIT, "simplify: %s %u nests or grows past a limit", what, position);
  return error_set(
      error, ERROR_OVERFLOW, "simplify: %s %u can leave int64 on the domain", what, position);
}

static void make_variables(Simplifier *simplifier) {
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++)
      simplifier->atoms[kind][i] = atom_variable(&simplifier->normal, (VarKind)kind, i);
}

static bool load_constraints(
    Simplifier *simplifier, const Map *map, Demands *demands, Error *error) {
  demands->count = simplifier->kept_count;
  demands->items = BUMP_NEW(&simplifier->normal.temp, Demand, demands->count);
  for (uint32_t i = 0; i < demands->count; i++) {
    uint32_t at = simplifier->kept[i];
    assert(at < map->constraint_count && (i == 0 || at > simplifier->kept[i - 1]));
    trace_at_constraint(simplifier, i);
    NormalSum *sum = convert_bounded(simplifier, map->constraints[at].expr);
    if (sum == nullptr) return simplify_reject(simplifier, "constraint", at, error);
    assert(summands_are_canonical(sum->items, sum->count));
    demands->items[i] = (Demand){sum, map->constraints[at].in};
    simplifier_number(simplifier, demands->items[i].in.lo);
    simplifier_number(simplifier, demands->items[i].in.hi);
  }
  return true;
}

static bool load_results(
    Simplifier *simplifier, const Map *map, NormalSum **results, Error *error) {
  for (uint32_t i = 0; i < map->result_count; i++) {
    trace_at_result(simplifier, i);
    results[i] = convert_bounded(simplifier, map->results[i]);
    if (results[i] == nullptr) return simplify_reject(simplifier, "result", i, error);
    assert(summands_are_canonical(results[i]->items, results[i]->count) && results[i]->is_bounded);
  }
  return true;
}

/* ---- outward ---- */

static bool write_exprs(Simplifier *simplifier, Map *to, NormalSum *const *results,
    const Demands *demands, Error *error) {
  for (uint32_t i = 0; i < to->result_count; i++) {
    to->results[i] = convert_out(simplifier, results[i]);
    if (to->results[i].at == 0) return simplify_reject(simplifier, "result", i, error);
  }
  for (uint32_t i = 0; i < to->constraint_count; i++) {
    to->constraints[i] =
        (Constraint){convert_out(simplifier, demands->items[i].sum), demands->items[i].in};
    if (to->constraints[i].expr.at == 0) return simplify_reject(simplifier, "constraint", i, error);
  }
  return true;
}

static bool simplify_write_map(Simplifier *simplifier, const Map *map, NormalSum *const *results,
    const Demands *demands, const Map **simplified, Error *error) {
  Map *to = map_create_unset(simplifier->context, map->dim_count, map->range_count,
      map->runtime_count, map->result_count, demands->count);
  to->sources = map->sources;
  simplifier_write_variables(simplifier, map, to);
  *simplified = to;
  bool written = write_exprs(simplifier, to, results, demands, error);
  assert(!written || map_is_checked(simplifier->context, to));
  return written;
}

/* ---- the whole ---- */

static void simplify_begin(Simplifier *simplifier, const SimplifyOptions *options) {
  static const SimplifyOptions defaults = {};
  assert(!simplifier->rules_off && simplifier->memo % 2 == 0);
  normal_reset(&simplifier->normal);
  simplifier_new_epoch(simplifier);
  simplifier->options = options == nullptr ? &defaults : options;
  simplifier->depth = 0;
  simplifier->sum_depth = 0;
  simplifier->fired = 0;
  simplifier->fuel = UINT64_C(1) << (simplifier->has_users_rules ? 19 : 24);
  simplifier->has_failed = false;
  simplifier->is_endless = false;
  simplifier->last_fired[0] = simplifier->last_fired[1] = nullptr;
  simplifier->leads = false;
  simplifier->writing++;
  simplifier->known_except = UINT32_MAX;
  simplifier->rules = &simplifier->main;
  simplifier->rules_off = false;
  simplifier->tracer = nullptr;
}

/* The last stage: shortens the text. */
static bool shorten_text(
    Simplifier *simplifier, Demands *demands, uint32_t count, NormalSum **results) {
  uint16_t ops = 0;
  simplifier->leads = true;
  simplifier->writing++;
  trace_led(simplifier);
  for (uint32_t i = 0; i < count; i++) ops |= results[i]->all_ops;
  for (uint32_t i = 0; i < demands->count; i++) ops |= demands->items[i].sum->all_ops;
  if ((ops & simplifier->text.needs) == 0 && demands->count == 0) return true;
  simplifier->rules = &simplifier->text;
  simplifier_new_epoch(simplifier);
  for (uint32_t i = 0; i < count; i++) {
    trace_at_result(simplifier, i);
    results[i] = rewrite_sum(simplifier, results[i]);
    if (results[i] == nullptr) return false;
    assert(summands_are_canonical(results[i]->items, results[i]->count));
  }
  for (uint32_t i = 0; i < demands->count; i++) {
    trace_at_constraint(simplifier, i);
    if (!sign_shorten(simplifier, &demands->items[i])) return false;
    assert(!sum_is_constant(demands->items[i].sum));
  }
  return true;
}

void simplifier_begin(Simplifier *simplifier, const Map *map) {
  simplify_begin(simplifier, nullptr);
  [[maybe_unused]] bool inhabited = load_variables(simplifier, map);
  assert(inhabited && map->state == MAP_PLAIN);
  make_variables(simplifier);
}

static bool be_empty(const Simplifier *simplifier, const Map **simplified) {
  *simplified = map_known_empty(simplifier->context);
  return true;
}

/* Variables and bounds must be loaded, and constraints folded. */
static bool simplify_loaded(
    Simplifier *simplifier, const Map *map, const Map **simplified, Trace *trace, Error *error) {
  Demands demands = {};
  if (!load_constraints(simplifier, map, &demands, error)) return false;
  if (!constraints_settle(simplifier, &demands))
    return simplify_reject(simplifier, "constraint", 0, error);
  if (demands.is_empty) return be_empty(simplifier, simplified);
  assert(simplifier->rules == &simplifier->main && demands_are_canonical(simplifier, &demands));
  if (demands.count > 0) constraints_publish(simplifier, &demands);
  else if (trace != nullptr) simplifier_new_epoch(simplifier);
  NormalSum **results = BUMP_NEW(&simplifier->normal.temp, NormalSum *, map->result_count);
  if (!load_results(simplifier, map, results, error)) return false;
  assert(demands_are_canonical(simplifier, &demands));
  if (!shorten_text(simplifier, &demands, map->result_count, results))
    return simplify_reject(simplifier, "result", 0, error);
  return simplify_write_map(simplifier, map, results, &demands, simplified, error);
}

static bool simplify_untraced(Simplifier *simplifier, const Map *map,
    const SimplifyOptions *options, const Map **simplified, Error *error) {
  if (!load_variables(simplifier, map) || !constraints_fold(simplifier, map))
    return be_empty(simplifier, simplified);
  simplifier->may_grow = !quick_map(simplifier, map, options, simplified);
  if (!simplifier->may_grow || recall_find(simplifier, map, options, simplified)) return true;
  simplify_begin(simplifier, options);
  make_variables(simplifier);
  if (!simplify_loaded(simplifier, map, simplified, nullptr, error)) return false;
  if (!closure_is_needed(simplifier)) recall_add(simplifier, *simplified);
  return true;
}

static bool simplify_traced(Simplifier *simplifier, const Map *map, Tracer *tracer,
    const Map **simplified, Trace *trace, Error *error) {
  if (!load_variables(simplifier, map)) return be_empty(simplifier, simplified);
  make_variables(simplifier);
  if (!trace_open(tracer, simplifier, map, trace))
    return tracer->result >= 0
               ? simplify_reject(simplifier, "result", (uint32_t)tracer->result, error)
               : simplify_reject(simplifier, "constraint", (uint32_t)tracer->constraint, error);
  if (!constraints_fold(simplifier, map)) return be_empty(simplifier, simplified);
  trace_folded(simplifier);
  return simplify_loaded(simplifier, map, simplified, trace, error);
}

static bool simplify_one(Simplifier *simplifier, const Map *map, const SimplifyOptions *options,
    const Map **simplified, Trace *trace, Error *error) {
  if (trace == nullptr) return simplify_untraced(simplifier, map, options, simplified, error);
  simplify_begin(simplifier, options);
  Tracer tracer;
  bool done = simplify_traced(simplifier, map, &tracer, simplified, trace, error);
  if (done) trace_closed(simplifier, trace, map, *simplified);
  simplifier->tracer = nullptr;
  return done;
}

/* ---- sources of runtime variables ---- */

/* Simplifies an index map, over its owner's variables and bounds. Returns it unchanged if it cannot
 * be simplified, or has other variables or constraints, as one of a text may. */
static const Map *simplified_index(
    Simplifier *simplifier, const Map *owner, const Map *index, const SimplifyOptions *options) {
  if (index == nullptr || index->state != MAP_PLAIN || !map_index_is_over(index, owner) ||
      index->constraint_count > 0)
    return index;
  Map bounded = *index;
  const Map *simplified;
  Error ignored;
  bounded.dims = owner->dims;
  bounded.ranges = owner->ranges;
  bounded.runtimes = owner->runtimes;
  error_clear(&ignored);
  if (!simplify_one(simplifier, &bounded, options, &simplified, nullptr, &ignored) ||
      simplified->state != MAP_PLAIN)
    return index;
  if (!given_is_no_smaller(simplifier->context, &bounded, simplified)) {
    const Map *smaller = given_smaller(simplifier->context, &bounded, simplified);
    if (smaller != nullptr) simplified = smaller;
  }
  return map_identical(simplifier->context, simplified, index) ? index : simplified;
}

/* The sources with simplified index maps; the given array if nothing changes. */
static RuntimeSource *simplified_sources(
    Simplifier *simplifier, const Map *map, const SimplifyOptions *options) {
  RuntimeSource *sources = ARENA_NEW(simplifier->context->arena, RuntimeSource, map->runtime_count);
  bool changed = false;
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    sources[i] = map->sources[i];
    sources[i].index = simplified_index(simplifier, map, map->sources[i].index, options);
    changed |= sources[i].index != map->sources[i].index;
  }
  return changed ? sources : map->sources;
}

static const Map *with_sources_simplified(
    Simplifier *simplifier, const Map *map, const SimplifyOptions *options, Trace *trace) {
  if (map->state != MAP_PLAIN || map->sources == nullptr || map->runtime_count == 0) return map;
  RuntimeSource *sources = simplified_sources(simplifier, map, options);
  if (sources == map->sources) return map;
  Map *copy = ARENA_NEW(simplifier->context->arena, Map, 1);
  *copy = *map;
  copy->sources = sources;
  assert(map_is_whole(simplifier->context, copy));
  if (trace != nullptr)
    *ARENA_PUSH(trace->arena, trace) =
        (TraceStep){.what = "index maps of runtime variables simplified",
            .result = -1,
            .constraint = -1,
            .map_before = map,
            .map_after = copy};
  return copy;
}

/* Replaces parts that became larger by the given ones. */
static void keep_smaller(Simplifier *simplifier, const Map *map, const SimplifyOptions *options,
    const Map **simplified, Trace *trace) {
  const Map *smaller = given_smaller(simplifier->context, map, *simplified);
  if (smaller == nullptr) return;
  assert(map_is_checked(simplifier->context, smaller));
  if (trace != nullptr)
    *ARENA_PUSH(trace->arena, trace) =
        (TraceStep){.what = "what became larger kept as it was given",
            .result = -1,
            .constraint = -1,
            .map_before = *simplified,
            .map_after = smaller};
  *simplified = with_sources_simplified(simplifier, smaller, options, trace);
}

bool simplify_once(Simplifier *simplifier, const Map *map, const SimplifyOptions *options,
    const Map **simplified, Trace *trace, Error *error) {
  const Map *result;
  assert(map->state == MAP_PLAIN && map_is_whole(simplifier->context, map));
  simplifier->normal.has_overflow = false;
  simplifier->numbers = simplifier->normal.numbers = 0;
  simplifier->may_grow = true;
  if (!simplify_one(simplifier, map, options, &result, trace, error)) return false;
  bool may_grow = simplifier->may_grow;
  *simplified = with_sources_simplified(simplifier, result, options, trace);
  assert(map_is_whole(simplifier->context, *simplified));
  assert(may_grow || given_is_no_smaller(simplifier->context, map, *simplified));
  if (may_grow && !given_is_no_smaller(simplifier->context, map, *simplified))
    keep_smaller(simplifier, map, options, simplified, trace);
  return true;
}
