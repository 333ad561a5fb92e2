/* Queries the map algebra about one small map: every operation that takes one map, with each of the
 * listed numbers. Each result is compared with the list of all points. With the usual budget every
 * query must return a result. Each query is repeated with a budget that is too small for some of
 * them: a result must then be right, and may be missing. Runtime variables get sources whose values
 * are exactly their bounds, and sources that can also be below or above them. */
#include <assert.h>

#include "core/map/text.h"
#include "judge/algebra/algebra.h"
#include "judge/algebra/brute_force.h"
#include "exhaust/exhaust_case.h"

static constexpr uint64_t small_budget = 5, most_points = 1 << 16;
static constexpr uint32_t most_results = 8;

typedef struct ExhaustAlgebraAsking {
  ExhaustCase *run;
  Judge *judge;
  const Map *map;
  BruteForceRows results; /* of each point */
} ExhaustAlgebraAsking;

static const char *numbers_text(ExhaustAlgebraAsking *asking, const AlgebraNumbers *numbers) {
  Text text = text_create(asking->run->examiner->arena);
  for (uint32_t i = 0; i < numbers->count; i++)
    text_printf(&text, "%s%lld", i == 0 ? " " : ",", (long long)numbers->items[i]);
  return text.length == 0 ? "" : text.bytes;
}

static const char *answer_text(ExhaustAlgebraAsking *asking, const AlgebraAnswer *answer) {
  Text text = text_create(asking->run->examiner->arena);
  Error error = {};
  switch (answer->kind) {
    case ALGEBRA_IS_MAP:
      if (answer->map->state == MAP_PLAIN &&
          !map_check(asking->judge->context, answer->map, &error))
        text_string(&text, "no map");
      else map_print(&text, asking->judge->context, answer->map, MAP_STYLE_LINE);
      break;
    case ALGEBRA_IS_TRUE: text_printf(&text, "yes, %s", answer->text); break;
    case ALGEBRA_IS_FALSE: text_printf(&text, "no, %s", answer->text); break;
    case ALGEBRA_IS_TEXT:
    case ALGEBRA_IS_OPEN:
    case ALGEBRA_IS_REJECTED: text_string(&text, answer->text); break;
  }
  return text.bytes;
}

static void exhaust_algebra_report(ExhaustAlgebraAsking *asking, ExhaustCount count,
    const AlgebraQuery *query, const AlgebraAnswer *answer, const char *why) {
  bool is_small = query->budget == small_budget;
  exhaust_fault(asking->run, count, "affirm algebra --prove%s %s%s '%s': %s: %s",
      is_small ? " --budget 5" : "", algebra_row(query->operation)->text,
      numbers_text(asking, &query->numbers),
      map_text(
          asking->run->examiner->arena, asking->judge->context, query->maps[0], MAP_STYLE_LINE),
      answer_text(asking, answer), why);
}

static bool is_one_to_one(const ExhaustAlgebraAsking *asking) {
  return brute_force_repeated(&asking->results) == asking->results.count;
}

/* The engine may fail to find an inverse, and the failure is counted. Other maps have no
 * inverse. */
static void note_without_inverse(ExhaustAlgebraAsking *asking) {
  bool has_inverse =
      asking->map->range_count + asking->map->runtime_count == 0 && is_one_to_one(asking);
  exhaust_note(asking->run, has_inverse ? EXHAUST_no_inverse : EXHAUST_algebra);
}

static void query_one(ExhaustAlgebraAsking *asking, const AlgebraQuery *query) {
  AlgebraAnswer answer;
  Error error = {};
  algebra_answer(asking->judge, query, &answer, &error);
  const ExhaustSpoil *spoil = asking->run->examiner->spoil;
  if (spoil != nullptr && spoil->algebra != nullptr) spoil->algebra(asking->judge, query, &answer);
  if (answer.kind == ALGEBRA_IS_REJECTED) {
    exhaust_algebra_report(asking, EXHAUST_rejected, query, &answer, "refused");
  } else if (answer.kind == ALGEBRA_IS_OPEN) {
    if (query->operation == ALGEBRA_INVERSE) note_without_inverse(asking);
    else if (query->budget == small_budget) exhaust_note(asking->run, EXHAUST_past_budget);
    else exhaust_algebra_report(asking, EXHAUST_undefined, query, &answer, "no answer");
  } else {
    Obligation obligation = algebra_obligation(query, &answer, most_points);
    Verdict verdict = verdict_begin(asking->judge->context->arena);
    judge_row(BY_LISTING)->decide(asking->judge, &obligation, &verdict);
    if (verdict.status == VERDICT_PROVED) exhaust_note(asking->run, EXHAUST_algebra);
    else
      exhaust_algebra_report(asking,
          verdict.status == VERDICT_REFUTED ? EXHAUST_misstated : EXHAUST_not_judged, query,
          &answer, verdict_text(&verdict));
  }
}

static void query_plain(ExhaustAlgebraAsking *asking, AlgebraOperation operation) {
  query_one(asking, &(AlgebraQuery){.operation = operation, .maps = {asking->map}});
}

static void query_with_budgets(ExhaustAlgebraAsking *asking, AlgebraQuery query) {
  query.maps[0] = asking->map;
  query.budget = 0;
  query_one(asking, &query);
  query.budget = small_budget;
  query_one(asking, &query);
}

/* ---- numbers ---- */

/* Queries the smallest box of nonnegative indices that contains all results, and that box with its
 * last size one larger and one smaller. */
static void query_boxes(ExhaustAlgebraAsking *asking) {
  int64_t sizes[most_results] = {};
  uint32_t count = asking->results.width;
  assert(count <= most_results);
  for (uint64_t i = 0; i < asking->results.count; i++)
    for (uint32_t k = 0; k < count; k++) {
      int64_t value = asking->results.items[i * count + k];
      if (value >= sizes[k]) sizes[k] = value + 1;
    }
  AlgebraQuery query = {
      .operation = ALGEBRA_BIJECTIVE, .numbers = {.count = count, .items = sizes}};
  query_with_budgets(asking, query);
  for (int64_t step = -1; step <= 1 && count > 0; step += 2) {
    int64_t size = sizes[count - 1];
    sizes[count - 1] += step;
    if (sizes[count - 1] >= 0) query_with_budgets(asking, query);
    sizes[count - 1] = size;
  }
}

/* Selects no result, the last one, and all in reverse order. */
static void query_sub_maps(ExhaustAlgebraAsking *asking) {
  int64_t numbers[most_results];
  uint32_t count = asking->map->result_count;
  for (uint32_t i = 0; i < count; i++) numbers[i] = count - 1 - i;
  for (uint32_t chosen = 0; chosen <= count; chosen += count > 1 && chosen == 1 ? count - 1 : 1)
    query_one(asking, &(AlgebraQuery){.operation = ALGEBRA_SUB_MAP,
                          .numbers = {.count = chosen, .items = numbers},
                          .maps = {asking->map}});
}

/* ---- sources ---- */

/* The index of the source element: the first dimension, else the first range variable, else 0. */
static const Map *index_of(ExhaustAlgebraAsking *asking) {
  const Map *map = asking->map;
  MapContext *context = asking->judge->context;
  Map *index = map_create(context, map->dim_count, map->range_count, map->runtime_count, 1, 0);
  for (uint32_t i = 0; i < map->dim_count; i++) index->dims[i] = map->dims[i];
  for (uint32_t i = 0; i < map->range_count; i++) index->ranges[i] = map->ranges[i];
  for (uint32_t i = 0; i < map->runtime_count; i++) index->runtimes[i] = map->runtimes[i];
  index->results[0] = map->dim_count > 0     ? expr_var(context->pool, VAR_DIM, 0)
                      : map->range_count > 0 ? expr_var(context->pool, VAR_RANGE, 0)
                                             : expr_const(context->pool, 0);
  return index;
}

/* Every source value is within the variable's bounds, extended by `below` and `above`. */
static void query_with_sources(
    ExhaustAlgebraAsking *asking, AlgebraOperation operation, int64_t below, int64_t above) {
  static const char *const names[] = {"0", "1", "2"};
  Map *map = ARENA_NEW(asking->judge->context->arena, Map, 1);
  *map = *asking->map;
  map->sources = ARENA_NEW(asking->judge->context->arena, RuntimeSource, map->runtime_count);
  assert(map->runtime_count <= sizeof names / sizeof *names);
  const Map *index = index_of(asking);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    Interval bounds = map->runtimes[i].bounds;
    map->sources[i] = (RuntimeSource){
        .name = names[i], .index = index, .clamp = {bounds.lo - below, bounds.hi + above}};
  }
  query_one(asking, &(AlgebraQuery){.operation = operation, .maps = {map}});
}

static void query_sources(ExhaustAlgebraAsking *asking) {
  if (asking->map->state != MAP_PLAIN || asking->map->runtime_count == 0) return;
  static constexpr AlgebraOperation operations[] = {
      ALGEBRA_DROP_UNUSED, ALGEBRA_DROP_DIMS, ALGEBRA_RANGES_TO_DIMS, ALGEBRA_RESCALE};
  for (uint32_t i = 0; i < sizeof operations / sizeof *operations; i++)
    query_with_sources(asking, operations[i], 0, 0);
  query_with_sources(asking, ALGEBRA_DROP_UNUSED, 1, 0);
  query_with_sources(asking, ALGEBRA_DROP_UNUSED, 0, 1);
}

static bool list_results(ExhaustAlgebraAsking *asking) {
  BruteForceRows rows;
  Error error = {};
  Arena *arena = asking->judge->context->arena;
  const Map *map = asking->map;
  if (!brute_force_list(
          arena, asking->judge->context, map, 0, nullptr, most_points, &rows, &error)) {
    exhaust_fault(asking->run, EXHAUST_not_judged, "%s", error.message);
    return false;
  }
  uint32_t columns[most_results];
  for (uint32_t i = 0; i < map->result_count && i < most_results; i++)
    columns[i] = map_variable_count(map) + i;
  asking->results = brute_force_pick(arena, &rows, map->result_count, columns);
  return true;
}

void exhaust_algebra(ExhaustCase *run, const Map *map) {
  ExhaustAlgebraAsking asking = {.run = run, .judge = run->examiner->judge, .map = map};
  assert(map->result_count <= most_results);
  if (!list_results(&asking)) return;
  query_with_budgets(&asking, (AlgebraQuery){.operation = ALGEBRA_POINTS});
  query_with_budgets(&asking, (AlgebraQuery){.operation = ALGEBRA_INJECTIVE});
  query_boxes(&asking);
  query_plain(&asking, ALGEBRA_IMAGE);
  query_plain(&asking, ALGEBRA_INVERSE);
  query_plain(&asking, ALGEBRA_RESCALE);
  query_plain(&asking, ALGEBRA_DROP_UNUSED);
  query_plain(&asking, ALGEBRA_DROP_DIMS);
  query_plain(&asking, ALGEBRA_RANGES_TO_DIMS);
  query_sub_maps(&asking);
  query_sources(&asking);
}
