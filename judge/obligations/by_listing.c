/* Judges the algebra by the list of all points of a small map (judge/algebra/brute_force.h). The
 * number of points is the length of the list; bounds contain every listed result; a result map has
 * the list that its operation implies, as columns of the first list. Which variables an operation
 * dropped is not given: some choice of them must explain the list. */
#include <string.h>

#include "core/base/budget.h"
#include "judge/algebra/algebra.h"
#include "judge/algebra/brute_force.h"

static constexpr uint32_t most_columns = 64;
static constexpr uint32_t most_dropped_from = 12; /* variables of one kind: every subset is tried */

typedef struct Columns {
  uint32_t count, items[most_columns];
} Columns;

typedef struct BruteForce {
  Judge *judge;
  const AlgebraQuery *query;
  const AlgebraAnswer *answer;
  uint64_t most;
  const Map *map;
  BruteForceRows rows; /* of the queried map, with the source elements of its runtime variables
                          after the results */
  Verdict *verdict;
} BruteForce;

static void by_listing_leave_open(BruteForce *brute_force, const char *why) {
  verdict_decide(brute_force->verdict, REASON_OPEN, "%s", why);
}

static void by_listing_decide(BruteForce *brute_force, bool holds, const char *what) {
  verdict_decide(brute_force->verdict, holds ? REASON_EXACT : REASON_DIFFERENT, "%s%s%s listed",
      holds ? "" : what, holds ? "" : "; ", counted(brute_force->rows.count, "point"));
}

/* ---- lists ---- */

static void add_columns(Columns *columns, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count && columns->count < most_columns; i++)
    columns->items[columns->count++] = first + i;
}

/* The number of integers that name the element of which the runtime variable is the value. */
static uint32_t width_of_element(const Map *map, uint32_t runtime) {
  const Map *index = map->sources == nullptr ? nullptr : map->sources[runtime].index;
  return index == nullptr || index->state != MAP_PLAIN ? 0 : index->result_count;
}

static uint32_t width_of_elements(const Map *map, uint32_t runtime_count) {
  uint32_t width = 0;
  for (uint32_t i = 0; i < runtime_count; i++) width += width_of_element(map, i);
  return width;
}

/* Includes the source elements of the runtime variables. */
static bool by_listing_list(BruteForce *brute_force, const Map *map, BruteForceRows *rows) {
  uint32_t count = map->state == MAP_PLAIN ? width_of_elements(map, map->runtime_count) : 0,
           filled = 0;
  Expr *elements = ARENA_NEW(brute_force->judge->context->arena, Expr, count);
  Error error = {};
  for (uint32_t i = 0; map->state == MAP_PLAIN && map->sources != nullptr && i < map->runtime_count;
      i++) {
    const Map *index = map->sources[i].index;
    if (index == nullptr || index->state != MAP_PLAIN || map_index_is_over(index, map)) continue;
    by_listing_leave_open(brute_force, "an index map over other variables");
    return false;
  }
  for (uint32_t i = 0; filled < count; i++)
    for (uint32_t k = 0; k < width_of_element(map, i); k++)
      elements[filled++] = map->sources[i].index->results[k];
  if (map->state == MAP_PLAIN &&
      map_variable_count(map) + map->result_count + count > most_columns) {
    by_listing_leave_open(brute_force, "too many variables and results to list");
    return false;
  }
  if (brute_force_list(brute_force->judge->context->arena, brute_force->judge->context, map, count,
          elements, brute_force->most, rows, &error))
    return true;
  by_listing_leave_open(brute_force, error.message);
  return false;
}

static BruteForceRows pick(
    const BruteForce *brute_force, const BruteForceRows *rows, const Columns *columns) {
  return brute_force_pick(brute_force->judge->context->arena, rows, columns->count, columns->items);
}

static BruteForceRows relation(
    const BruteForce *brute_force, const BruteForceRows *rows, const Columns *columns) {
  BruteForceRows picked = pick(brute_force, rows, columns);
  brute_force_once(&picked);
  return picked;
}

static bool is_alike(const BruteForceRows *a, const BruteForceRows *b) {
  return a->count == b->count && brute_force_missing(a, b) == nullptr &&
         brute_force_missing(b, a) == nullptr;
}

static BruteForceRows results_of(const BruteForce *brute_force) {
  Columns columns = {};
  if (brute_force->map->state == MAP_PLAIN)
    add_columns(&columns, map_variable_count(brute_force->map), brute_force->map->result_count);
  return pick(brute_force, &brute_force->rows, &columns);
}

/* ---- numbers, and yes or no ---- */

static void judge_points(BruteForce *brute_force) {
  by_listing_decide(brute_force, brute_force->answer->points == brute_force->rows.count,
      "that many are not inside");
}

static void judge_image(BruteForce *brute_force) {
  const Map *map = brute_force->map;
  bool holds = true;
  for (uint64_t i = 0; i < brute_force->rows.count; i++)
    for (uint32_t k = 0; k < map->result_count; k++) {
      int64_t value =
          brute_force->rows.items[i * brute_force->rows.width + map_variable_count(map) + k];
      holds = holds && brute_force->answer->bounds != nullptr &&
              brute_force->answer->bounds[k].lo <= value &&
              value <= brute_force->answer->bounds[k].hi;
    }
  by_listing_decide(brute_force, holds, "a result lies outside");
}

static bool is_one_to_one(const BruteForceRows *results) {
  return brute_force_repeated(results) == results->count;
}

static void judge_injective(BruteForce *brute_force) {
  BruteForceRows results = results_of(brute_force);
  by_listing_decide(brute_force,
      (brute_force->answer->kind == ALGEBRA_IS_TRUE) == is_one_to_one(&results), "so it is not");
}

static bool is_in_box(const BruteForceRows *results, const int64_t *sizes) {
  for (uint64_t i = 0; i < results->count; i++)
    for (uint32_t k = 0; k < results->width; k++) {
      int64_t value = results->items[i * results->width + k];
      if (value < 0 || value >= sizes[k]) return false;
    }
  return true;
}

static void judge_bijective(BruteForce *brute_force) {
  BruteForceRows results = results_of(brute_force);
  const AlgebraNumbers *sizes = &brute_force->query->numbers;
  unsigned __int128 indices = 1; /* more than UINT64_MAX: too many to be listed */
  for (uint32_t k = 0; k < sizes->count; k++)
    if (sizes->items[k] <= 0) indices = 0;
  for (uint32_t k = 0; k < sizes->count && indices <= UINT64_MAX; k++)
    indices *= sizes->items[k] > 0 ? (uint64_t)sizes->items[k] : 0;
  bool fits =
      results.count == 0 || (results.width == sizes->count && is_in_box(&results, sizes->items));
  bool is_bijection = fits && indices == results.count && is_one_to_one(&results);
  by_listing_decide(
      brute_force, (brute_force->answer->kind == ALGEBRA_IS_TRUE) == is_bijection, "so it is not");
}

/* ---- result maps ---- */

/* The kept dimensions and runtime variables, as bit sets. */
typedef struct KeptVariables {
  uint64_t dims, runtimes;
} KeptVariables;

/* A map that is listed has at most most_columns variables of a kind. */
static uint64_t lowest_bits(uint32_t count) {
  return count == 0 ? 0 : UINT64_MAX >> (most_columns - count);
}

static KeptVariables all_of(const Map *map) {
  return (KeptVariables){
      .dims = lowest_bits(map->dim_count), .runtimes = lowest_bits(map->runtime_count)};
}

static bool same_source_name(const char *a, const char *b) {
  return a == b || (a != nullptr && b != nullptr && strcmp(a, b) == 0);
}

/* Whether both are elements of one instruction, with the same clamp; which elements, the lists
 * say. */
static bool sources_alike(const RuntimeSource *a, const RuntimeSource *b) {
  return a->instruction == b->instruction && same_source_name(a->name, b->name) &&
         a->clamp.lo == b->clamp.lo && a->clamp.hi == b->clamp.hi;
}

/* Whether the runtime variables of `after` have the sources of the kept ones. */
static bool keeps_sources(const Map *map, KeptVariables kept, const Map *after) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    static const RuntimeSource unknown = {};
    if ((kept.runtimes >> i & 1) == 0) continue;
    if (at == after->runtime_count || width_of_element(map, i) != width_of_element(after, at) ||
        !sources_alike(map->sources == nullptr ? &unknown : &map->sources[i],
            after->sources == nullptr ? &unknown : &after->sources[at]))
      return false;
    at++;
  }
  return true;
}

/* Lists the result map, which may not even be valid. */
static bool list_made(BruteForce *brute_force, BruteForceRows *rows) {
  const Map *made = brute_force->answer->map;
  Error error = {};
  if (made->state == MAP_PLAIN && !map_check(brute_force->judge->context, made, &error)) {
    verdict_decide(brute_force->verdict, REASON_DIFFERENT, "%s", error.message);
    return false;
  }
  return by_listing_list(brute_force, made, rows);
}

/* `before` selects the columns of the first list, in the order that the answer's own list should
 * have. */
static void judge_list(BruteForce *brute_force, const Columns *before, bool holds) {
  BruteForceRows after;
  if (!list_made(brute_force, &after)) return;
  Columns all = {};
  add_columns(&all, 0, after.width);
  BruteForceRows expected = pick(brute_force, &brute_force->rows, before),
                 is = pick(brute_force, &after, &all);
  by_listing_decide(brute_force, holds && is_alike(&expected, &is),
      holds ? "its points are others" : "its variables, sources or results are others");
}

/* Whether the answer has so many dimensions and range variables, and the runtime variables of the
 * map. */
static bool has_variables(const BruteForce *brute_force, uint32_t dims, uint32_t ranges) {
  const Map *map = brute_force->map, *after = brute_force->answer->map;
  if (map->state != MAP_PLAIN || after->state != MAP_PLAIN) return true;
  return after->dim_count == dims && after->range_count == ranges &&
         after->runtime_count == map->runtime_count && keeps_sources(map, all_of(map), after);
}

static void judge_ranges_to_dims(BruteForce *brute_force) {
  Columns all = {};
  add_columns(&all, 0, brute_force->rows.width);
  judge_list(brute_force, &all,
      has_variables(brute_force, map_first_number(brute_force->map, VAR_RUNTIME), 0));
}

static void judge_sub_map(BruteForce *brute_force) {
  const Map *map = brute_force->map, *after = brute_force->answer->map;
  const AlgebraNumbers *numbers = &brute_force->query->numbers;
  Columns chosen = {};
  if (map->state == MAP_PLAIN) add_columns(&chosen, 0, map_variable_count(map));
  for (uint32_t i = 0; map->state == MAP_PLAIN && i < numbers->count; i++)
    add_columns(&chosen, map_variable_count(map) + (uint32_t)numbers->items[i], 1);
  if (map->state == MAP_PLAIN)
    add_columns(&chosen, map_variable_count(map) + map->result_count,
        brute_force->rows.width - map_variable_count(map) - map->result_count);
  judge_list(brute_force, &chosen,
      (after->state != MAP_PLAIN || after->result_count == numbers->count) &&
          has_variables(brute_force, map->dim_count, map->range_count));
}

/* The inverse has (e, d) where the map has (d, e). */
static void by_listing_inverse(BruteForce *brute_force) {
  const Map *map = brute_force->map;
  Columns inverse = {};
  if (map->state == MAP_PLAIN) {
    add_columns(&inverse, map->dim_count, map->result_count);
    add_columns(&inverse, 0, map->dim_count);
  }
  judge_list(brute_force, &inverse,
      map->state != MAP_PLAIN || brute_force->rows.count == 0 ||
          (map->range_count + map->runtime_count == 0 &&
              has_variables(brute_force, map->result_count, 0)));
}

/* ---- maps with fewer variables ---- */

/* Columns: the kept dimensions and runtime variables, the source elements of those in
 * `elements_of`, results. */
static Columns kept_columns(const Map *map, KeptVariables kept, uint64_t elements_of) {
  Columns columns = {};
  uint32_t runtimes = map_first_number(map, VAR_RUNTIME), results = map_variable_count(map),
           elements = results + map->result_count;
  for (uint32_t i = 0; i < map->dim_count; i++)
    if ((kept.dims >> i & 1) != 0) add_columns(&columns, i, 1);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    if ((kept.runtimes >> i & 1) == 0) continue;
    add_columns(&columns, runtimes + i, 1);
    if ((elements_of >> i & 1) != 0)
      add_columns(&columns, elements + width_of_elements(map, i), width_of_element(map, i));
  }
  add_columns(&columns, results, map->result_count);
  return columns;
}

/* The number of value combinations of the dropped variables. 0 if a runtime variable may not be
 * dropped, because its bounds exclude values that occur. */
static uint64_t values_dropped(const Map *map, KeptVariables kept) {
  uint64_t values = 1;
  for (uint32_t i = 0; i < map->dim_count; i++)
    if ((kept.dims >> i & 1) == 0)
      values *= (uint64_t)map->dims[i].bounds.hi - (uint64_t)map->dims[i].bounds.lo + 1;
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    if ((kept.runtimes >> i & 1) != 0) continue;
    Interval bounds = map->runtimes[i].bounds;
    values *= (uint64_t)bounds.hi - (uint64_t)bounds.lo + 1;
    if (map->sources != nullptr &&
        (bounds.lo > map->sources[i].clamp.lo || bounds.hi < map->sources[i].clamp.hi))
      return 0;
  }
  return values;
}

/* True if the answer's list equals the first one without the dropped columns, and every value of
 * the dropped variables occurs with every row of it. */
static bool explains(
    const BruteForce *brute_force, KeptVariables kept, const BruteForceRows *after) {
  const Map *map = brute_force->map, *made = brute_force->answer->map;
  Columns whole = kept_columns(map, all_of(map), kept.runtimes),
          before = kept_columns(map, kept, kept.runtimes),
          answered = kept_columns(made, all_of(made), all_of(made).runtimes);
  BruteForceRows all = relation(brute_force, &brute_force->rows, &whole),
                 a = relation(brute_force, &brute_force->rows, &before),
                 b = relation(brute_force, after, &answered);
  return keeps_sources(map, kept, made) && is_alike(&a, &b) &&
         all.count == b.count * values_dropped(map, kept);
}

static uint32_t bits(uint64_t set) { return (uint32_t)__builtin_popcountll(set); }

/* A choice takes much longer than a look at the clock. */
static bool is_out_of_time(void) {
  Budget *budget = budget_running();
  return budget_is_spent() || (budget != nullptr && budget_look(budget));
}

static bool is_explained_by(
    BruteForce *brute_force, KeptVariables kept, const BruteForceRows *after) {
  Arena *arena = brute_force->judge->context->arena;
  ArenaMark mark = arena_mark(arena);
  bool holds = explains(brute_force, kept, after);
  arena_rewind(arena, mark);
  return holds;
}

/* Judges the relation without the dropped variables, for every choice of them. */
static void judge_fewer(BruteForce *brute_force, bool may_drop_dims, bool may_drop_runtimes) {
  const Map *map = brute_force->map, *made = brute_force->answer->map;
  BruteForceRows after;
  if (map->state != MAP_PLAIN || made->state != MAP_PLAIN) {
    if (list_made(brute_force, &after))
      by_listing_decide(
          brute_force, brute_force->rows.count == 0 && after.count == 0, "there are points");
    return;
  }
  if (map->dim_count > most_dropped_from || map->runtime_count > most_dropped_from ||
      made->runtime_count > most_dropped_from) {
    by_listing_leave_open(brute_force, "too many variables");
    return;
  }
  if (!list_made(brute_force, &after)) return;
  KeptVariables all = all_of(map);
  bool is_explained = false;
  bool is_late = false;
  for (uint64_t dims = 0; dims <= all.dims && !is_explained && !is_late; dims++) {
    if (bits(dims) != made->dim_count || (!may_drop_dims && dims != all.dims)) continue;
    for (uint64_t runtimes = 0; runtimes <= all.runtimes && !is_explained && !is_late; runtimes++) {
      if (bits(runtimes) != made->runtime_count || (!may_drop_runtimes && runtimes != all.runtimes))
        continue;
      is_late = is_out_of_time();
      is_explained =
          !is_late && is_explained_by(brute_force, (KeptVariables){dims, runtimes}, &after);
    }
  }
  if (is_late) by_listing_leave_open(brute_force, budget_reason());
  else by_listing_decide(brute_force, is_explained, "no choice of dropped variables explains it");
}

static void judge_answer(BruteForce *brute_force) {
  switch (brute_force->query->operation) {
    case ALGEBRA_DROP_UNUSED: judge_fewer(brute_force, false, true); return;
    case ALGEBRA_DROP_DIMS: judge_fewer(brute_force, true, false); return;
    case ALGEBRA_RESCALE: judge_fewer(brute_force, false, false); return;
    case ALGEBRA_RANGES_TO_DIMS: judge_ranges_to_dims(brute_force); return;
    case ALGEBRA_SUB_MAP: judge_sub_map(brute_force); return;
    case ALGEBRA_INVERSE: by_listing_inverse(brute_force); return;
    case ALGEBRA_POINTS: judge_points(brute_force); return;
    case ALGEBRA_IMAGE: judge_image(brute_force); return;
    case ALGEBRA_INJECTIVE: judge_injective(brute_force); return;
    case ALGEBRA_BIJECTIVE: judge_bijective(brute_force); return;
    case ALGEBRA_SAME:
    case ALGEBRA_SAME_RELATION:
    case ALGEBRA_CONTAINED:
      by_listing_leave_open(brute_force, "two maps are the judges' own question");
      return;
  }
}

/* The number of ways to keep so many of the variables; 1 if they are too many to be judged. */
static uint64_t ways_to_keep(uint32_t count, uint32_t kept) {
  uint64_t ways = 1;
  for (uint32_t i = 0; count <= most_dropped_from && i < kept; i++)
    ways = ways * (count > i ? count - i : 0) / (i + 1);
  return ways == 0 ? 1 : ways;
}

/* Every choice of dropped variables sorts the list again, so the limit is smaller. */
static uint64_t most_points(const Obligation *obligation) {
  static constexpr uint64_t most_listed = UINT64_C(1) << 20; /* 100 MB with a dozen columns */
  static constexpr uint64_t least_listed = UINT64_C(1) << 12;
  const Map *map = obligation->query->maps[0], *made = obligation->answer->map;
  AlgebraOperation operation = obligation->query->operation;
  uint64_t ways = 1;
  if (obligation->most_listed > 0) return obligation->most_listed;
  if (operation == ALGEBRA_DROP_UNUSED)
    ways = ways_to_keep(map->runtime_count, made->runtime_count);
  if (operation == ALGEBRA_DROP_DIMS) ways = ways_to_keep(map->dim_count, made->dim_count);
  return most_listed / ways > least_listed ? most_listed / ways : least_listed;
}

void judge_by_listing(Judge *judge, const Obligation *obligation, Verdict *verdict) {
  const AlgebraQuery *query = obligation->query;
  BruteForce brute_force = {.judge = judge,
      .query = query,
      .answer = obligation->answer,
      .most = most_points(obligation),
      .map = query->maps[0],
      .verdict = verdict};
  bool began = budget_begin(judge->seconds, judge->stop);
  if (by_listing_list(&brute_force, brute_force.map, &brute_force.rows)) judge_answer(&brute_force);
  budget_end(began);
}
