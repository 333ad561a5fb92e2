/* The table of scopes, their counts, and the construction of case k. A chain of operations is a
 * path from tensor to tensor: each way to apply an operation leads to the next tensor. Let n(l, t)
 * be the number of chains of l operations that start at tensor t. Then n(1, t) = sum of ways(o, t)
 * over operations o, and n(l, t) = sum over o and its ways w of n(l - 1, o(t, w)). A term is 0 if
 * the intermediate value is outside the scope. Case k is found by binary search in these sums. */
#include "exhaust/scopes/scope.h"

#include <assert.h>
#include <stdckdint.h>
#include <string.h>

#include "core/base/nearest.h"
#include "core/map/text.h"

/* Limits shared by several scopes. */
#define SMALL_GROUPS \
  .part_size = 2, .columns = 2, .ragged_groups = 2, .knows_groups = true, .least_sides = 1, \
  .most_sides = 3, .batch_shapes = 4
#define SMALL_WINDOWS \
  .interior = 1, .least_spatial = 1, .spatial = 1, .window = 2, .stride = 2, .window_low = 0, \
  .window_high = 1, .dilation = 1
static constexpr OperationLimits wide = {.edge = 2,
    .interior = 2,
    .least_spatial = 1,
    .spatial = 1,
    .window = 3,
    .stride = 2,
    .window_low = -1,
    .window_high = 2,
    .dilation = 2,
    .all_labels = true,
    .all_layouts = true,
    .all_offsets = true,
    SMALL_GROUPS,
    .added = 2};
static constexpr OperationLimits plain = {.least_spatial = 1,
    .spatial = 1,
    .window = 3,
    .stride = 2,
    .window_low = -1,
    .window_high = 2,
    .dilation = 2,
    SMALL_GROUPS};
static constexpr OperationLimits narrow = {
    .edge = 1, SMALL_WINDOWS, .all_offsets = true, SMALL_GROUPS, .added = 1};
static constexpr OperationLimits chain = {.edge = 1, SMALL_WINDOWS, SMALL_GROUPS, .added = 1};

const Scope scopes[] = {
#define SCOPE(name, kind, operation, length, ranges, r0, e0, r1, e1, r2, e2, cases, without) \
  {name, kind, operation, length, &ranges, {{r0, e0}, {r1, e1}, {r2, e2}}, without},
#include "generate/operations/scope.def"
};
const uint32_t scope_count = sizeof scopes / sizeof *scopes;

const Scope *scope_find(const char *name) {
  for (uint32_t i = 0; i < scope_count; i++)
    if (strcmp(scopes[i].name, name) == 0) return &scopes[i];
  return nullptr;
}

const char *scope_nearest(const char *name) {
  Nearest nearest = nearest_begin(name, strlen(name));
  for (uint32_t i = 0; i < scope_count; i++) nearest_try(&nearest, scopes[i].name);
  return nearest.found;
}

const char *tier_text(Tier tier) {
  static const char *const texts[] = {
      [TIER_GATE] = "gate", [TIER_NIGHTLY] = "nightly", [TIER_FULL] = "full"};
  return texts[tier];
}

/* Sums of counts. The limits of the table keep every count far below 2^64. */
static uint64_t scope_sum(uint64_t a, uint64_t b) {
  uint64_t total;
  bool overflows = ckd_add(&total, a, b);
  assert(!overflows);
  return overflows ? UINT64_MAX : total;
}

/* The uses that an operation must have to take part in cases of the kind; 0: the kind has no
 * operations. */
static uint8_t uses_of(ScopeKind kind) {
  switch (kind) {
    case SCOPE_CHAIN:
    case SCOPE_WRAPPED: return CHAIN;
    case SCOPE_MIXED: return CHAIN | MIXED;
    case SCOPE_EMPTY: return EMPTY;
    case SCOPE_MAPS:
    case SCOPE_OPERATORS:
    case SCOPE_COMPOSITIONS:
    case SCOPE_ALGEBRA:
    case SCOPE_PAIRS:
    case SCOPE_GRAPHS:
    case SCOPE_RULES: return 0;
  }
  return 0;
}

bool scope_is_of_modules(ScopeKind kind) { return uses_of(kind) != 0; }

bool scope_takes(const Scope *scope, uint32_t operation) {
  bool is_of_one = scope->kind == SCOPE_CHAIN && scope->length == 1;
  return is_of_one ? operation == scope->what
                   : (scope_operations[operation].uses & uses_of(scope->kind)) != 0;
}

static void count_ways(ScopePlan *plan) {
  plan->ways = ARENA_NEW(plan->arena, uint64_t, plan->tensors.count *generated_count);
  plan->chains[1] = ARENA_NEW(plan->arena, uint64_t, plan->tensors.count);
  for (uint32_t t = 0; t < plan->tensors.count; t++) {
    for (uint32_t o = 0; o < generated_count; o++) {
      uint64_t ways = scope_takes(plan->scope, o) ? scope_ways(&plan->limits, (GeneratedOperation)o,
                                                        &plan->tensors.items[t])
                                                  : 0;
      plan->ways[t * generated_count + o] = ways;
      plan->chains[1][t] = scope_sum(plan->chains[1][t], ways);
    }
  }
}

static uint64_t chains_after(
    const ScopePlan *plan, uint32_t length, uint32_t t, uint32_t operation, uint64_t way) {
  Tensor out = scope_make_way(
      &plan->limits, (GeneratedOperation)operation, &plan->tensors.items[t], way, nullptr);
  uint32_t next = tensors_find(&plan->tensors, &out);
  return next == plan->tensors.count ? 0 : plan->chains[length - 1][next];
}

static void count_chains(ScopePlan *plan, uint32_t length) {
  plan->chains[length] = ARENA_NEW(plan->arena, uint64_t, plan->tensors.count);
  plan->steps[length] = ARENA_NEW(plan->arena, uint64_t *, plan->tensors.count);
  for (uint32_t t = 0; t < plan->tensors.count; t++) {
    uint64_t *sums = ARENA_NEW(plan->arena, uint64_t, plan->chains[1][t] + 1);
    uint64_t step = 0;
    for (uint32_t o = 0; o < generated_count; o++)
      for (uint64_t way = 0; way < plan->ways[t * generated_count + o]; way++, step++)
        sums[step + 1] = scope_sum(sums[step], chains_after(plan, length, t, o, way));
    assert(step == plan->chains[1][t]);
    plan->steps[length][t] = sums;
    plan->chains[length][t] = sums[step];
  }
}

static void plan_chains(ScopePlan *plan, ScopeSize size) {
  uint32_t length = plan->scope->length;
  if (plan->scope->kind == SCOPE_EMPTY)
    tensors_list_empty(plan->arena, size.rank, size.elements, &plan->tensors);
  else tensors_list(plan->arena, size.rank, size.elements, &plan->tensors);
  plan->limits = (ScopeLimits){.rank = size.rank,
      .elements = size.elements,
      .ranges = *plan->scope->ranges,
      .tensors = &plan->tensors,
      .numbering = plan->limits.numbering};
  plan->limits.ranges.most_rank = size.rank;
  plan->limits.ranges.most_elements = size.elements;
  plan->chains = ARENA_NEW(plan->arena, uint64_t *, length + 1);
  plan->steps = ARENA_NEW(plan->arena, uint64_t **, length + 1);
  count_ways(plan);
  for (uint32_t l = 2; l <= length; l++) count_chains(plan, l);
  plan->first = ARENA_NEW(plan->arena, uint64_t, plan->tensors.count + 1);
  for (uint32_t t = 0; t < plan->tensors.count; t++)
    plan->first[t + 1] = scope_sum(plan->first[t], plan->chains[length][t]);
  plan->count =
      plan->first[plan->tensors.count] * (plan->scope->kind == SCOPE_WRAPPED ? wrapper_count : 1);
}

/* A case is the built maps as printed. If they read back as others, a last line that no reader
 * accepts makes the case fail. */
static void write_maps(MapContext *context, const MadeMaps *made, Text *text) {
  bool is_same = true;
  for (uint32_t i = 0; i < 2 && made->maps[i] != nullptr; i++) {
    if (i > 0) text_string(text, " ; ");
    size_t begin = text->length;
    map_print(text, context, made->maps[i], MAP_STYLE_STATED);
    const Source source = {.name = "case",
        .text = text->bytes + begin,
        .length = text->length - begin,
        .first_line = 1};
    const Map *read;
    Error error = {};
    /* the caller parses the text again and reports the error */
    if (map_parse(context, &source, &read, &error))
      is_same &= map_identical(context, made->maps[i], read);
  }
  text_string(text, is_same ? "\n" : "\nthe text above is another map\n");
}

/* Generates a case that is not a module. text == nullptr: only its choices. */
static void generate_text(const ScopePlan *plan, Choices *choices, Text *text) {
  if (plan->scope->kind == SCOPE_RULES) {
    scope_generate_rule(plan, choices, text);
    return;
  }
  MapContext *context = text == nullptr ? nullptr : plan->context;
  const MapMark mark = text == nullptr ? (MapMark){} : map_context_mark(context);
  MadeMaps made = map_generate((MapGeneratorId)plan->scope->what, choices,
      &(MapLimits){plan->limits.rank, plan->limits.elements}, context);
  if (text == nullptr) return;
  write_maps(context, &made, text);
  map_context_rewind(context, mark);
}

static void count_text(void *plan, Choices *choices) { generate_text(plan, choices, nullptr); }

/* The key of a generator's first choice. Generators' own keys are never empty. */
static const ChoiceKey text_key = {};

static void plan_texts(ScopePlan *plan) {
  plan->count = numbering_count(plan->limits.numbering, &text_key, count_text, plan);
}

static void write_text(const ScopePlan *plan, uint64_t k, Text *text) {
  Sequence sequence;
  numbering_at(plan->limits.numbering, &text_key, k, &sequence);
  GivenChoices given = choices_given(sequence.values, sequence.count);
  generate_text(plan, &given.choices, text);
}

/* The numbering must be of the arena, which the plan takes. */
static ScopePlan *plan_create(
    Arena *arena, const Scope *scope, Tier tier, ScopeSize size, ChoiceNumbering *numbering) {
  ScopePlan *plan = ARENA_NEW(arena, ScopePlan, 1);
  *plan = (ScopePlan){.scope = scope,
      .tier = tier,
      .arena = arena,
      .context = map_context_create(),
      .limits = {.rank = size.rank, .elements = size.elements, .numbering = numbering}};
  if (size.rank == 0) return plan;
  if (scope_is_of_modules(scope->kind)) plan_chains(plan, size);
  else if (scope->kind == SCOPE_GRAPHS) plan->count = scope_graphs_count(plan);
  else plan_texts(plan);
  return plan;
}

ScopePlan *scope_plan_of_size(const Scope *scope, Tier tier, ScopeSize size) {
  Arena *arena = arena_create();
  return plan_create(arena, scope, tier, size, numbering_create(arena));
}

/* Longer chains are counted by making their first operations. */
uint64_t scope_cases(const Scope *scope, Tier tier) {
  Arena *arena = arena_create();
  bool makes = scope_is_of_modules(scope->kind) && scope->length > 1;
  ScopePlan *plan = plan_create(arena, scope, tier, scope->sizes[tier],
      makes ? numbering_create(arena) : numbering_create_counts(arena));
  uint64_t cases = plan->count;
  scope_plan_destroy(plan);
  return cases;
}

ScopePlan *scope_plan_create(const Scope *scope, Tier tier) {
  return scope_plan_of_size(scope, tier, scope->sizes[tier]);
}

void scope_plan_destroy(ScopePlan *plan) {
  if (plan == nullptr) return;
  map_context_destroy(plan->context);
  arena_destroy(plan->arena);
}

/* The last position with sums[position] <= k, by binary search. */
static uint64_t find_sum(const uint64_t *sums, uint64_t count, uint64_t k) {
  uint64_t low = 0, high = count;
  assert(k < sums[count]);
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    if (sums[middle] <= k) low = middle;
    else high = middle;
  }
  return low;
}

typedef struct ScopeStep {
  uint32_t operation;
  uint64_t way;
} ScopeStep;

typedef struct Path {
  uint32_t tensor;
  ScopeStep steps[tensor_max_rank];
} Path;

static ScopeStep step_at(const ScopePlan *plan, uint32_t t, uint64_t number) {
  const uint64_t *ways = &plan->ways[t * generated_count];
  ScopeStep step = {.way = number};
  for (; step.way >= ways[step.operation]; step.operation++) step.way -= ways[step.operation];
  assert(step.operation < generated_count);
  return step;
}

static Path path_at(const ScopePlan *plan, uint64_t k) {
  Path path = {.tensor = (uint32_t)find_sum(plan->first, plan->tensors.count, k)};
  k -= plan->first[path.tensor];
  uint32_t t = path.tensor;
  for (uint32_t i = 0, length = plan->scope->length; length > 0; i++, length--) {
    uint64_t number = k;
    if (length > 1) {
      const uint64_t *sums = plan->steps[length][t];
      number = find_sum(sums, plan->chains[1][t], k);
      k -= sums[number];
    }
    path.steps[i] = step_at(plan, t, number);
    if (length > 1) {
      Tensor out = scope_make_way(&plan->limits, (GeneratedOperation)path.steps[i].operation,
          &plan->tensors.items[t], path.steps[i].way, nullptr);
      t = tensors_find(&plan->tensors, &out);
    }
    assert(t < plan->tensors.count);
  }
  return path;
}

static Wrapper take_wrapper(const ScopePlan *plan, uint64_t *k) {
  uint64_t wrapper = *k % wrapper_count;
  if (plan->scope->kind != SCOPE_WRAPPED) return plan->scope->length > 1 ? WRAP_FUSION : WRAP_NOT;
  *k /= wrapper_count;
  return (Wrapper)(WRAP_FUSION + wrapper);
}

static void write_chain(const ScopePlan *plan, uint64_t k, Text *text) {
  Wrapper wrapper = take_wrapper(plan, &k);
  Path path = path_at(plan, k);
  ScopeCase made;
  Tensor at_hand = plan->tensors.items[path.tensor];
  scope_case_begin(&made, text->arena, &at_hand, wrapper);
  for (uint32_t i = 0; i < plan->scope->length; i++)
    at_hand = scope_make_way(&plan->limits, (GeneratedOperation)path.steps[i].operation, &at_hand,
        path.steps[i].way, &made);
  scope_case_finish(&made, wrapper, text);
}

void scope_write_case(const ScopePlan *plan, uint64_t k, Text *text) {
  assert(k < plan->count);
  if (scope_is_of_modules(plan->scope->kind)) write_chain(plan, k, text);
  else if (plan->scope->kind == SCOPE_GRAPHS) scope_write_graphs(plan, k, text);
  else write_text(plan, k, text);
}
