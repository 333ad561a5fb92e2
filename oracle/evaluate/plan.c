/* Evaluates maps over their domains, for judging. */
#include "oracle/evaluate/plan.h"

#include <string.h>

#include "oracle/semantics/arithmetic.h"
#include "oracle/evaluate/points.h"

static constexpr int64_t most_kept_slots = INT64_C(1) << 18, most_kept_values = INT64_C(1) << 16;

static bool set_fault(
    PlanContext *context, const Plan *plan, FaultKind kind, const int64_t *slots) {
  Fault *fault = context->fault;
  assert(kind != FAULT_NONE);
  if (fault->kind != FAULT_NONE) return false;
  const Map *map = plan->map;
  uint32_t variables = plan->program.variable_count;
  *fault = (Fault){.kind = kind, .map = map};
  fault->variables = ARENA_NEW(context->arena, int64_t, variables);
  fault->results = ARENA_NEW(context->arena, int64_t, map->result_count);
  memcpy(fault->variables, slots, variables * sizeof *slots);
  for (uint32_t i = 0; i < map->result_count; i++)
    fault->results[i] = slots[plan->program.results[i]];
  Text chosen = text_create(context->arena);
  if (context->values != nullptr && map->runtime_count > 0) values_print(&chosen, context->values);
  strncpy(fault->values, chosen.bytes, sizeof fault->values - 1);
  return false;
}

/* The row-major number of an index; -1 if the index lies outside. */
static int64_t element_at(const Leaf *leaf, const int64_t *at) {
  int64_t element = 0;
  for (uint32_t i = 0; i < leaf->rank; i++) {
    if (at[i] < 0 || at[i] >= leaf->sizes[i]) return -1;
    element = element * leaf->sizes[i] + at[i];
  }
  return leaf->elements == 0 ? -1 : element;
}

/* The element of the results, as element_at. */
static int64_t result_element(const PlanContext *context, const Plan *plan, const int64_t *slots) {
  assert(plan->map->result_count == context->to->rank);
  const Leaf *to = context->to;
  int64_t element = 0;
  for (uint32_t i = 0; i < to->rank; i++) {
    int64_t at = slots[plan->program.results[i]];
    if (at < 0 || at >= to->sizes[i]) return -1;
    element = element * to->sizes[i] + at;
  }
  return to->elements == 0 ? -1 : element;
}

/* --- making --- */

static bool source_fits(
    const PlanContext *context, const Map *map, const RuntimeSource *source, const Node *node) {
  const Map *index = source->index;
  bool fits = index->dim_count == map->dim_count && index->range_count == map->range_count &&
              index->runtime_count == map->runtime_count && node->leaf_count == 1 &&
              index->result_count == node->leaves[0].rank;
  if (fits) return true;
  return reject(context->rejection, REASON_UNSUPPORTED,
      "the index map of '%s' does not go from the map's variables to its elements",
      node->instruction->name);
}

/* Runtime bounds must be the values that can occur: clamp(v) for the values v of the element type.
 * Records the first value outside of them. */
static void note_excess(PlanContext *context, const Map *map, uint32_t runtime, const Node *node) {
  ElementType type = node->leaves[0].shape->type;
  Interval bounds = map->runtimes[runtime].bounds, clamp = map->sources[runtime].clamp;
  if (context->excess->is_set || !element_type_is_integral(type) || bounds.lo > bounds.hi) return;
  Wide lowest = wide_clamp(integer_lowest(type), clamp.lo, clamp.hi),
       highest = wide_clamp(integer_highest(type), clamp.lo, clamp.hi);
  assert(lowest <= highest);
  if (bounds.lo >= lowest && bounds.hi <= highest) return;
  *context->excess = (Excess){.is_set = true,
      .runtime = runtime,
      .value = bounds.hi > highest ? bounds.hi : bounds.lo,
      .source = node->instruction->name,
      .lowest = (int64_t)lowest,
      .highest = (int64_t)highest};
}

static bool find_source(PlanContext *context, Flow *flow, Plan *plan, uint32_t runtime) {
  const Map *map = plan->map;
  const RuntimeSource *source = map->sources != nullptr ? &map->sources[runtime] : nullptr;
  PlanSource *made = &plan->sources[runtime];
  if (source == nullptr || source->instruction == nullptr || source->index == nullptr)
    return reject(context->rejection, REASON_UNSUPPORTED,
        "the map does not say where runtime variable %u comes from", runtime);
  if (source->index->state != MAP_PLAIN)
    return reject(context->rejection, REASON_UNSUPPORTED,
        "runtime variable %u has an index map without points", runtime);
  if (!flow_find(flow, source->instruction, &made->node) ||
      !source_fits(context, map, source, made->node))
    return false;
  note_excess(context, map, runtime, made->node);
  program_compile(&made->index, context->arena, context->maps, source->index, nullptr);
  made->slots = ARENA_NEW(context->arena, int64_t, made->index.slot_count);
  made->uses_runtimes = program_runtimes(&made->index) != 0;
  int64_t elements = made->node->leaves[0].elements;
  if (elements > most_kept_values) return true;
  made->paths = ARENA_NEW(context->arena, uint64_t, elements);
  made->values = ARENA_NEW(context->arena, int64_t, elements);
  return true;
}

bool plan_create(PlanContext *context, Flow *flow, const Map *map, Plan *plan) {
  *plan = (Plan){.map = map};
  if (map->runtime_count > plan_max_runtimes)
    return reject(
        context->rejection, REASON_TOO_LARGE, "more than %u runtime variables", plan_max_runtimes);
  program_compile(&plan->program, context->arena, context->maps, map, nullptr);
  plan->box = (Box){.count = map_first_number(map, VAR_RUNTIME), .of = plan->program.box};
  plan->slots = ARENA_NEW(context->arena, int64_t, plan->program.slot_count);
  plan->sources = ARENA_NEW(context->arena, PlanSource, map->runtime_count);
  plan->resolved = ARENA_NEW(context->arena, uint8_t, map->runtime_count);
  plan->needs = program_runtimes(&plan->program);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    if (!find_source(context, flow, plan, i)) return false;
    if (!runtime_decides_domain(map, i)) continue;
    plan->needs |= UINT64_C(1) << i;
    plan->bounds_decide = true;
  }
  if (!box_count(&plan->box, context->limit))
    return reject(context->rejection, REASON_TOO_LARGE, "a map has more than %lld points",
        (long long)context->limit);
  context->limit -= plan->box.points;
  plan->keeps_slots = plan->program.is_narrow;
  plan->is_in_place = plan->keeps_slots;
  for (uint32_t i = 0; i < map->runtime_count; i++)
    plan->is_in_place =
        plan->is_in_place && !plan->sources[i].uses_runtimes && plan->sources[i].paths != nullptr;
  plan->width = plan->keeps_slots ? plan->program.kept_count : plan->box.count;
  assert(plan->width >= plan->box.count);
  return true;
}

/* --- maps without runtime variables --- */

static bool add_pair(
    PlanContext *context, Plan *plan, const int64_t *slots, uint32_t words, uint64_t *matrix) {
  int64_t from = element_at(context->from, slots), to = result_element(context, plan, slots);
  if (from < 0) return set_fault(context, plan, FAULT_FROM_OUTSIDE, slots);
  if (to < 0) return set_fault(context, plan, FAULT_TO_OUTSIDE, slots);
  bits_set(matrix + (size_t)from * words, to);
  return true;
}

static bool fill_points(PlanContext *context, Plan *plan, uint32_t words, uint64_t *matrix) {
  for (int64_t point = 0; point < plan->box.points; point++) {
    box_point(&plan->box, point, plan->slots);
    PointAnswer answer = program_point(&plan->program, plan->slots, 0);
    if (answer == ANSWER_LEAVES_INT64)
      return set_fault(context, plan, FAULT_LEAVES_INT64, plan->slots);
    if (answer == ANSWER_INSIDE && !add_pair(context, plan, plan->slots, words, matrix))
      return false;
  }
  return true;
}

typedef struct PlanBlock {
  int64_t **columns;
  int64_t *from, *to, *outside; /* negative: outside */
  uint8_t *inside;
} PlanBlock;

static bool fill_block(PlanContext *context, Plan *plan, PlanBlock *block, uint32_t count,
    uint32_t words, uint64_t *matrix) {
  program_columns(&plan->program, count, block->columns, block->inside);
  memset(block->from, 0, count * sizeof *block->from);
  memset(block->to, 0, count * sizeof *block->to);
  bool is_none = context->from->elements == 0 || context->to->elements == 0;
  memset(block->outside, is_none ? -1 : 0, count * sizeof *block->outside);
  for (uint32_t i = 0; i < context->from->rank; i++)
    column_number(block->columns[i], context->from->sizes[i], count, block->from, block->outside);
  for (uint32_t i = 0; i < context->to->rank; i++)
    column_number(block->columns[plan->program.results[i]], context->to->sizes[i], count, block->to,
        block->outside);
  BitsRun run = {};
  for (uint32_t i = 0; i < count; i++) {
    if (!block->inside[i]) continue;
    if (block->outside[i] < 0) {
      bits_run_end(&run);
      for (uint32_t slot = 0; slot < plan->program.slot_count; slot++)
        plan->slots[slot] = block->columns[slot][i];
      return add_pair(context, plan, plan->slots, words, matrix);
    }
    bits_run_set(&run, matrix + (size_t)block->from[i] * words, block->to[i]);
  }
  bits_run_end(&run);
  return true;
}

static bool fill_columns(PlanContext *context, Plan *plan, uint32_t words, uint64_t *matrix) {
  uint32_t capacity = plan->box.points < box_block ? (uint32_t)plan->box.points : box_block;
  PlanBlock block = {
      .columns = columns_create(context->arena, &plan->program, plan->box.points, 0, nullptr),
      .from = ARENA_NEW(context->arena, int64_t, capacity),
      .to = ARENA_NEW(context->arena, int64_t, capacity),
      .inside = ARENA_NEW(context->arena, uint8_t, capacity),
      .outside = ARENA_NEW(context->arena, int64_t, capacity)};
  for (int64_t first = 0; first < plan->box.points; first += box_block) {
    uint32_t count =
        plan->box.points - first < box_block ? (uint32_t)(plan->box.points - first) : box_block;
    box_columns(&plan->box, first, count, block.columns);
    if (!fill_block(context, plan, &block, count, words, matrix)) return false;
  }
  return true;
}

bool plan_fill(PlanContext *context, Plan *plan, uint32_t words, uint64_t *matrix) {
  assert(plan->map->runtime_count == 0);
  bool has_numbers =
      context->from->elements <= column_elements && context->to->elements <= column_elements;
  return plan->program.is_narrow && has_numbers ? fill_columns(context, plan, words, matrix)
                                                : fill_points(context, plan, words, matrix);
}

/* --- maps with runtime variables --- */

static uint64_t all_runtimes(const Plan *plan) {
  assert(plan->map->runtime_count <= plan_max_runtimes);
  return (UINT64_C(1) << plan->map->runtime_count) - 1;
}

static bool has_runtime_constraints(const Plan *plan) {
  for (uint32_t i = 0; i < plan->map->constraint_count; i++)
    if (plan->program.constraint_runtimes[i] != 0) return true;
  for (uint32_t i = 0; i < plan->map->runtime_count; i++)
    if (runtime_decides_domain(plan->map, i)) return true;
  return false;
}

/* A domain that names elements outside of `from` is a fault, unless runtime constraints may still
 * exclude them. That case is rejected, because the two are not distinguished. */
static bool outside_from(PlanContext *context, Plan *plan) {
  if (!has_runtime_constraints(plan))
    return set_fault(context, plan, FAULT_FROM_OUTSIDE, plan->slots);
  return reject(context->rejection, REASON_UNSUPPORTED,
      "the map's dimensions exceed the tensor that it goes from");
}

static bool source_element(PlanContext *context, Plan *plan, uint32_t runtime, int64_t *element);

static void grow_points(PlanContext *context, Plan *plan) {
  uint32_t width = plan->width, runtimes = plan->map->runtime_count;
  uint32_t capacity = plan->point_capacity ? 2 * plan->point_capacity : 64;
  plan->points = arena_grow(context->arena, plan->points, (size_t)plan->point_count * width,
      (size_t)capacity * width, sizeof *plan->points);
  plan->elements = arena_grow(context->arena, plan->elements, (size_t)plan->point_count * runtimes,
      (size_t)capacity * runtimes, sizeof *plan->elements);
  plan->reaches =
      arena_grow(context->arena, plan->reaches, plan->point_count, capacity, sizeof *plan->reaches);
  plan->point_capacity = capacity;
}

/* What a point reaches, as far as it is known before runtime variables have values. */
static int64_t reached_anyway(const PlanContext *context, const Plan *plan, PointAnswer answer) {
  bool is_fixed = plan->program.is_narrow;
  const Leaf *to = context->to;
  if (answer == ANSWER_LEAVES_INT64 || to->elements == 0) return plan_outside;
  for (uint32_t i = 0; i < plan->map->result_count; i++) {
    bool is_known = plan->program.result_runtimes[i] == 0;
    int64_t at = plan->slots[plan->program.results[i]];
    if (is_known && (at < 0 || at >= to->sizes[i])) return plan_outside;
    is_fixed = is_fixed && is_known;
  }
  int64_t element = is_fixed ? result_element(context, plan, plan->slots) : plan_anywhere;
  assert(element < to->elements && (!is_fixed || element >= 0));
  return element;
}

/* Keeps only the variables of the listed points, because all kept slots would be too many. */
static void drop_slots(Plan *plan) {
  uint32_t width = plan->box.count;
  for (uint32_t i = 1; i < plan->point_count; i++)
    memmove(plan->points + (size_t)i * width, plan->points + (size_t)i * plan->width,
        width * sizeof *plan->points);
  plan->width = width;
  plan->keeps_slots = plan->is_in_place = false;
}

static bool add_point(PlanContext *context, Plan *plan, PointAnswer answer) {
  uint32_t runtimes = plan->map->runtime_count;
  if (plan->keeps_slots && ((int64_t)plan->point_count + 1) * plan->width > most_kept_slots)
    drop_slots(plan);
  uint32_t width = plan->width;
  if (plan->point_count == plan->point_capacity) grow_points(context, plan);
  memcpy(
      plan->points + (size_t)plan->point_count * width, plan->slots, width * sizeof *plan->slots);
  plan->reaches[plan->point_count] = reached_anyway(context, plan, answer);
  for (uint32_t i = 0; i < runtimes; i++)
    if (!plan->sources[i].uses_runtimes &&
        !source_element(
            context, plan, i, &plan->elements[(size_t)plan->point_count * runtimes + i]))
      return false;
  plan->point_count++;
  return true;
}

/* Points are listed in the order of elements, because the dimensions are the slowest variables.
 * `next` is the first element whose points have not begun. */
static bool list_point(PlanContext *context, Plan *plan, PointAnswer answer, int64_t *next) {
  int64_t from = element_at(context->from, plan->slots);
  if (from < 0) return outside_from(context, plan);
  assert(from + 1 >= *next);
  while (*next <= from) plan->first[(*next)++] = plan->point_count;
  return add_point(context, plan, answer);
}

static bool list_narrow(PlanContext *context, Plan *plan, int64_t *next) {
  Points points;
  points_create(&points, context->arena, &plan->program, &plan->box);
  for (bool has_point = points_first(&points, plan->slots); has_point;
      has_point = points_next(&points, plan->slots))
    if (!list_point(context, plan, ANSWER_INSIDE, next)) return false;
  return true;
}

static bool list_wide(PlanContext *context, Plan *plan, int64_t *next) {
  if (plan->box.points > 0) box_point(&plan->box, 0, plan->slots);
  for (int64_t point = 0; point < plan->box.points; point++, box_next(&plan->box, plan->slots)) {
    PointAnswer answer = program_point(&plan->program, plan->slots, all_runtimes(plan));
    if (answer != ANSWER_OUTSIDE && !list_point(context, plan, answer, next)) return false;
  }
  return true;
}

bool plan_list(PlanContext *context, Plan *plan) {
  assert(plan->map->runtime_count > 0 && plan->point_count == 0);
  plan->first = ARENA_NEW(context->arena, int64_t, context->from->elements + 1);
  int64_t next = 0;
  if (!(plan->program.is_narrow ? list_narrow : list_wide)(context, plan, &next)) return false;
  while (next <= context->from->elements) plan->first[next++] = plan->point_count;
  return true;
}

typedef enum Resolution : uint8_t { NOT_RESOLVED, RESOLVING, RESOLVED, WITHOUT_VALUE } Resolution;

static bool plan_resolve(PlanContext *context, Plan *plan, uint32_t runtime);

/* Resolves the runtime variables that an index map uses; *unknown collects those without a
 * value. */
static bool resolve_used(
    PlanContext *context, Plan *plan, const Program *index, uint64_t *unknown) {
  uint64_t used = program_runtimes(index);
  for (uint32_t i = 0; i < plan->map->runtime_count; i++) {
    if ((used >> i & 1) == 0) continue;
    if (!plan_resolve(context, plan, i)) return false;
    if (plan->resolved[i] == WITHOUT_VALUE) *unknown |= UINT64_C(1) << i;
  }
  *unknown |= ~used & all_runtimes(plan);
  return true;
}

/* The source element of a runtime variable; -1 if there is none. */
static bool source_element(PlanContext *context, Plan *plan, uint32_t runtime, int64_t *element) {
  PlanSource *source = &plan->sources[runtime];
  const Program *index = &source->index;
  uint64_t unknown = 0;
  *element = -1;
  if (!resolve_used(context, plan, index, &unknown)) return false;
  memcpy(source->slots, plan->slots, index->variable_count * sizeof *plan->slots);
  if (program_point(index, source->slots, unknown) != ANSWER_INSIDE) return true;
  int64_t at[oracle_max_rank] = {};
  for (uint32_t i = 0; i < index->map->result_count; i++) {
    for (uint32_t k = 0; k < plan->map->runtime_count; k++)
      if ((index->result_runtimes[i] >> k & 1) != 0 && plan->resolved[k] == WITHOUT_VALUE)
        return true;
    at[i] = source->slots[index->results[i]];
  }
  *element = element_at(&source->node->leaves[0], at);
  return true;
}

/* The value of an element under the current assignment, clamped. It is queried once: a second query
 * with the same range changes nothing. */
static bool query_value(
    PlanContext *context, PlanSource *source, int64_t element, Interval clamp, int64_t *clamped) {
  bool is_kept = source->paths != nullptr;
  Wide value;
  if (is_kept && source->paths[element] == context->values->path) {
    *clamped = source->values[element];
    return true;
  }
  Ranges ranges;
  ranges_set(&ranges, (Wide)clamp.lo - 1, (Wide)clamp.hi + 1);
  if (!value_of(context->values, source->node, 0, element, (ValueQuery){.ranges = &ranges}, &value))
    return false;
  *clamped = (int64_t)wide_clamp(value, clamp.lo, clamp.hi);
  assert(*clamped >= clamp.lo);
  if (is_kept) {
    source->paths[element] = context->values->path;
    source->values[element] = *clamped;
  }
  return true;
}

static bool plan_resolve(PlanContext *context, Plan *plan, uint32_t runtime) {
  if (plan->resolved[runtime] == RESOLVED || plan->resolved[runtime] == WITHOUT_VALUE) return true;
  if (plan->resolved[runtime] == RESOLVING)
    return reject(
        context->rejection, REASON_UNSUPPORTED, "runtime variable %u comes from itself", runtime);
  plan->resolved[runtime] = RESOLVING;
  Interval clamp = plan->map->sources[runtime].clamp;
  int64_t element = plan->elements[(size_t)plan->point * plan->map->runtime_count + runtime];
  if (plan->sources[runtime].uses_runtimes && !source_element(context, plan, runtime, &element))
    return false;
  plan->resolved[runtime] = element < 0 ? WITHOUT_VALUE : RESOLVED;
  return element < 0 || query_value(context, &plan->sources[runtime], element, clamp,
                            &plan->slots[plan->box.count + runtime]);
}

/* Reuses a value known under the current assignment: its source depends on no runtime variable, and
 * its element has been queried. */
static bool recall_value(const PlanContext *context, Plan *plan, uint32_t runtime) {
  const PlanSource *source = &plan->sources[runtime];
  int64_t element = plan->elements[(size_t)plan->point * plan->map->runtime_count + runtime];
  if (source->uses_runtimes || source->paths == nullptr || element < 0 ||
      source->paths[element] != context->values->path)
    return false;
  plan->slots[plan->box.count + runtime] = source->values[element];
  plan->resolved[runtime] = RESOLVED;
  return true;
}

static bool recall_all(const PlanContext *context, Plan *plan) {
  for (uint32_t i = 0; i < plan->map->runtime_count; i++)
    if (!recall_value(context, plan, i)) return false;
  return true;
}

/* Writes the values of all runtime variables into the slots of a listed point, if they are known
 * under the current assignment. */
static bool recall_in_place(const PlanContext *context, const Plan *plan, int64_t *slots) {
  uint32_t count = plan->map->runtime_count;
  const int64_t *elements = plan->elements + (size_t)plan->point * count;
  for (uint32_t i = 0; i < count; i++) {
    const PlanSource *source = &plan->sources[i];
    if (elements[i] < 0 || source->paths[elements[i]] != context->values->path) return false;
    slots[plan->box.count + i] = source->values[elements[i]];
  }
  return true;
}

static bool resolve_all(PlanContext *context, Plan *plan, uint64_t *unknown) {
  if (recall_all(context, plan)) return true;
  memset(plan->resolved, NOT_RESOLVED, plan->map->runtime_count);
  for (uint32_t i = 0; i < plan->map->runtime_count; i++) {
    if (!recall_value(context, plan, i) && !plan_resolve(context, plan, i)) return false;
    if (plan->resolved[i] == WITHOUT_VALUE) *unknown |= UINT64_C(1) << i;
  }
  return true;
}

/* The answer at the point in `slots`, where the runtime variables in `unknown` have no value. */
static bool plan_answer(PlanContext *context, const Plan *plan, int64_t *slots, uint64_t unknown,
    PointAnswer *answer, int64_t *to) {
  if (!plan->keeps_slots) *answer = program_point(&plan->program, slots, unknown);
  else if (plan->bounds_decide && !program_bounds_hold(&plan->program, slots, unknown))
    *answer = ANSWER_OUTSIDE;
  else *answer = program_point_again(&plan->program, slots, unknown);
  if (*answer == ANSWER_OUTSIDE) return true;
  if (*answer == ANSWER_LEAVES_INT64) return set_fault(context, plan, FAULT_LEAVES_INT64, slots);
  if ((plan->needs & unknown) != 0) {
    bool done = set_fault(context, plan, FAULT_SOURCE_OUTSIDE, slots);
    context->fault->runtime = (uint32_t)__builtin_ctzll(plan->needs & unknown);
    return done;
  }
  *to = result_element(context, plan, slots);
  return *to >= 0 || set_fault(context, plan, FAULT_TO_OUTSIDE, slots);
}

/* Most points are evaluated where they are listed: only slots above runtime variables change, and
 * nothing else reads those. */
bool plan_point(PlanContext *context, Plan *plan, int64_t point, PointAnswer *answer, int64_t *to) {
  uint64_t unknown = 0;
  assert(point >= 0 && point < plan->point_count);
  plan->point = point;
  int64_t *listed = plan->points + (size_t)point * plan->width;
  if (plan->is_in_place && recall_in_place(context, plan, listed))
    return plan_answer(context, plan, listed, 0, answer, to);
  memcpy(plan->slots, listed, plan->width * sizeof *plan->slots);
  if (plan->is_in_place)
    memset(plan->slots + plan->box.count, 0, plan->map->runtime_count * sizeof *plan->slots);
  return resolve_all(context, plan, &unknown) &&
         plan_answer(context, plan, plan->slots, unknown, answer, to);
}

bool plan_may_reach(Plan *plan, int64_t point, int64_t element, const int64_t *at) {
  int64_t reached = plan->reaches[point];
  if (reached != plan_anywhere) return reached == plan_outside || reached == element;
  memcpy(
      plan->slots, plan->points + (size_t)point * plan->width, plan->width * sizeof *plan->slots);
  if (!plan->keeps_slots &&
      program_point(&plan->program, plan->slots, all_runtimes(plan)) == ANSWER_OUTSIDE)
    return false;
  for (uint32_t i = 0; i < plan->map->result_count; i++)
    if (plan->program.result_runtimes[i] == 0 && plan->slots[plan->program.results[i]] != at[i])
      return false;
  return true;
}
