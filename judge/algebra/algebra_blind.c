/* Answers of the algebra against a blind list of all points (judge/algebra/blind.h): a number of
 * points is the length of the list, bounds hold every result of it, a map that was made has the
 * list that its operation says, from left to right over the columns of the list. Which variables an
 * operation dropped is found out: there has to be a choice of them that explains the list. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "judge/algebra/algebra.h"
#include "judge/algebra/blind.h"

static constexpr uint32_t most_columns = 64;
static constexpr uint32_t most_dropped_from =
    12; /* variables of one kind: every set of them is tried */

typedef struct Columns {
  uint32_t count, items[most_columns];
} Columns;

typedef struct Blind {
  Judge *judge;
  const AlgebraAsk *ask;
  const AlgebraAnswer *answer;
  uint64_t most;
  const Map *map;
  BlindRows rows; /* of the map that was asked about, elements of its runtime variables behind the
                     results */
  SameJudgement *judgement;
} Blind;

static void say(Blind *blind, VerdictReason word, const char *text) {
  blind->judgement->reason = word;
  blind->judgement->text = arena_printf(blind->judge->context->arena, "%s", text);
}

static void open_word(Blind *blind, const char *why) { say(blind, REASON_OPEN, why); }

static void decide(Blind *blind, bool holds, const char *what) {
  char text[200];
  snprintf(text, sizeof text, "%s%s%llu points listed", holds ? "" : what, holds ? "" : "; ",
      (unsigned long long)blind->rows.count);
  say(blind, holds ? REASON_EXACT : REASON_DIFFERENT, text);
}

/* ---- lists ---- */

static void add_columns(Columns *columns, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count && columns->count < most_columns; i++)
    columns->items[columns->count++] = first + i;
}

/* With the elements that give the runtime variables. */
static bool list(Blind *blind, const Map *map, BlindRows *rows) {
  Expr *elements = ARENA_NEW(blind->judge->context->arena, Expr, map->runtime_count);
  Error error = {};
  uint32_t count = 0;
  for (uint32_t i = 0; map->state == MAP_PLAIN && map->sources != nullptr && i < map->runtime_count;
      i++) {
    const Map *index = map->sources[i].index;
    if (index != nullptr && index->result_count == 1) elements[count++] = index->results[0];
  }
  if (map->state == MAP_PLAIN &&
      map_variable_count(map) + map->result_count + count > most_columns) {
    open_word(blind, "too many variables and results to list");
    return false;
  }
  if (blind_list(blind->judge->context->arena, blind->judge->context, map, count, elements,
          blind->most, rows, &error))
    return true;
  open_word(blind, error.message);
  return false;
}

static BlindRows pick(const Blind *blind, const BlindRows *rows, const Columns *columns) {
  return blind_pick(blind->judge->context->arena, rows, columns->count, columns->items);
}

static BlindRows relation(const Blind *blind, const BlindRows *rows, const Columns *columns) {
  BlindRows picked = pick(blind, rows, columns);
  blind_once(&picked);
  return picked;
}

static bool is_alike(const BlindRows *a, const BlindRows *b) {
  return a->count == b->count && blind_missing(a, b) == nullptr && blind_missing(b, a) == nullptr;
}

static BlindRows results_of(const Blind *blind) {
  Columns columns = {};
  if (blind->map->state == MAP_PLAIN)
    add_columns(&columns, map_variable_count(blind->map), blind->map->result_count);
  return pick(blind, &blind->rows, &columns);
}

/* ---- numbers, and what is true ---- */

static void judge_points(Blind *blind) {
  decide(blind, blind->answer->points == blind->rows.count, "that many are not inside");
}

static void judge_image(Blind *blind) {
  const Map *map = blind->map;
  bool holds = true;
  for (uint64_t i = 0; i < blind->rows.count; i++)
    for (uint32_t k = 0; k < map->result_count; k++) {
      int64_t value = blind->rows.items[i * blind->rows.width + map_variable_count(map) + k];
      holds = holds && blind->answer->bounds != nullptr && blind->answer->bounds[k].lo <= value &&
              value <= blind->answer->bounds[k].hi;
    }
  decide(blind, holds, "a result lies outside");
}

static bool is_one_to_one(const BlindRows *results) {
  return blind_repeated(results) == results->count;
}

static void judge_injective(Blind *blind) {
  BlindRows results = results_of(blind);
  decide(
      blind, (blind->answer->kind == ALGEBRA_IS_TRUE) == is_one_to_one(&results), "so it is not");
}

static bool is_in_box(const BlindRows *results, const int64_t *sizes) {
  for (uint64_t i = 0; i < results->count; i++)
    for (uint32_t k = 0; k < results->width; k++) {
      int64_t value = results->items[i * results->width + k];
      if (value < 0 || value >= sizes[k]) return false;
    }
  return true;
}

static void judge_bijective(Blind *blind) {
  BlindRows results = results_of(blind);
  const AlgebraNumbers *sizes = &blind->ask->numbers;
  unsigned __int128 indices = 1;
  for (uint32_t k = 0; k < sizes->count; k++) {
    if (sizes->items[k] > 0 && indices > UINT64_MAX) break;
    indices *= sizes->items[k] > 0 ? (uint64_t)sizes->items[k] : 0;
  }
  bool fits =
      results.count == 0 || (results.width == sizes->count && is_in_box(&results, sizes->items));
  bool is_bijection = fits && indices == results.count && is_one_to_one(&results);
  decide(blind, (blind->answer->kind == ALGEBRA_IS_TRUE) == is_bijection, "so it is not");
}

/* ---- maps that were made ---- */

/* What was made may not even be a map. */
static bool list_made(Blind *blind, BlindRows *rows) {
  const Map *made = blind->answer->map;
  Error error = {};
  if (made->state == MAP_PLAIN && !map_check(blind->judge->context, made, &error)) {
    say(blind, REASON_DIFFERENT, error.message);
    return false;
  }
  return list(blind, made, rows);
}

/* Columns of the list before, in the order that the answer's own list should have them. */
static void judge_list(Blind *blind, const Columns *before, bool holds) {
  BlindRows after;
  if (!list_made(blind, &after)) return;
  Columns all = {};
  add_columns(&all, 0, after.width);
  BlindRows expected = pick(blind, &blind->rows, before), is = pick(blind, &after, &all);
  decide(blind, holds && is_alike(&expected, &is), "its points are others");
}

static void judge_ranges_to_dims(Blind *blind) {
  const Map *map = blind->map, *after = blind->answer->map;
  Columns all = {};
  add_columns(&all, 0, blind->rows.width);
  bool has_shape =
      after->state != MAP_PLAIN ||
      (after->range_count == 0 && after->dim_count == map_first_number(map, VAR_RUNTIME));
  judge_list(blind, &all, has_shape);
}

static void judge_sub_map(Blind *blind) {
  const Map *map = blind->map, *after = blind->answer->map;
  const AlgebraNumbers *numbers = &blind->ask->numbers;
  Columns chosen = {};
  if (map->state == MAP_PLAIN) add_columns(&chosen, 0, map_variable_count(map));
  for (uint32_t i = 0; map->state == MAP_PLAIN && i < numbers->count; i++)
    add_columns(&chosen, map_variable_count(map) + (uint32_t)numbers->items[i], 1);
  if (map->state == MAP_PLAIN)
    add_columns(&chosen, map_variable_count(map) + map->result_count,
        blind->rows.width - map_variable_count(map) - map->result_count);
  judge_list(blind, &chosen, after->state != MAP_PLAIN || after->result_count == numbers->count);
}

/* (e, d) in the place of (d, e). */
static void judge_inverse(Blind *blind) {
  const Map *map = blind->map;
  Columns turned = {};
  if (map->state == MAP_PLAIN) {
    add_columns(&turned, map->dim_count, map->result_count);
    add_columns(&turned, 0, map->dim_count);
  }
  judge_list(blind, &turned,
      map->state != MAP_PLAIN || blind->rows.count == 0 ||
          map->range_count + map->runtime_count == 0);
}

/* ---- maps with fewer variables ---- */

/* Which dimensions and which runtime variables are kept; sets of bits. */
typedef struct Kept {
  uint32_t dims, runtimes;
} Kept;

/* Dimensions, runtime variables, their elements, results. */
static Columns kept_columns(const Map *map, const BlindRows *rows, Kept kept, bool with_elements) {
  Columns columns = {};
  uint32_t runtimes = map_first_number(map, VAR_RUNTIME), results = map_variable_count(map),
           elements = results + map->result_count;
  for (uint32_t i = 0; i < map->dim_count; i++)
    if ((kept.dims >> i & 1) != 0) add_columns(&columns, i, 1);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    if ((kept.runtimes >> i & 1) == 0) continue;
    add_columns(&columns, runtimes + i, 1);
    if (with_elements && rows->width == elements + map->runtime_count)
      add_columns(&columns, elements + i, 1);
  }
  add_columns(&columns, results, map->result_count);
  return columns;
}

static Kept all_of(const Map *map) {
  return (Kept){.dims = (1u << map->dim_count) - 1, .runtimes = (1u << map->runtime_count) - 1};
}

/* How many values the dropped variables have together; 0 where a runtime variable may not be
 * dropped: its bounds leave out values that occur. */
static uint64_t values_dropped(const Map *map, Kept kept) {
  uint64_t values = 1;
  for (uint32_t i = 0; i < map->dim_count; i++)
    if ((kept.dims >> i & 1) == 0)
      values *= (uint64_t)(map->dims[i].bounds.hi - map->dims[i].bounds.lo) + 1;
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    if ((kept.runtimes >> i & 1) != 0) continue;
    Interval bounds = map->runtimes[i].bounds;
    values *= (uint64_t)(bounds.hi - bounds.lo) + 1;
    if (map->sources != nullptr &&
        (bounds.lo > map->sources[i].clamp.lo || bounds.hi < map->sources[i].clamp.hi))
      return 0;
  }
  return values;
}

static bool has_names(const Map *map, Kept kept, const Map *after) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    if ((kept.runtimes >> i & 1) == 0) continue;
    if (map->sources != nullptr &&
        (after->sources == nullptr || strcmp(map->sources[i].name, after->sources[at].name) != 0))
      return false;
    at++;
  }
  return true;
}

/* The same with what is dropped left out, and every value of what is dropped goes with every
 * pair. */
static bool explains(const Blind *blind, Kept kept, const BlindRows *after) {
  const Map *map = blind->map, *made = blind->answer->map;
  Columns whole = kept_columns(map, &blind->rows, all_of(map), false),
          before = kept_columns(map, &blind->rows, kept, true);
  Columns with = kept_columns(made, after, all_of(made), true),
          without = kept_columns(made, after, all_of(made), false);
  BlindRows all = relation(blind, &blind->rows, &whole), a = relation(blind, &blind->rows, &before),
            b = relation(blind, after, &with), c = relation(blind, after, &without);
  return has_names(map, kept, made) && is_alike(&a, &b) &&
         all.count == c.count * values_dropped(map, kept);
}

static uint32_t bits(uint32_t set) { return (uint32_t)__builtin_popcount(set); }

/* The relation without the variables that were dropped, whichever these are. */
static void judge_fewer(Blind *blind, bool may_drop_dims, bool may_drop_runtimes) {
  const Map *map = blind->map, *made = blind->answer->map;
  BlindRows after;
  if (map->state != MAP_PLAIN || made->state != MAP_PLAIN) {
    decide(blind, made->state != MAP_PLAIN && blind->rows.count == 0, "there are points");
    return;
  }
  if (map->dim_count > most_dropped_from || map->runtime_count > most_dropped_from ||
      made->runtime_count > most_dropped_from) {
    open_word(blind, "too many variables");
    return;
  }
  if (!list_made(blind, &after)) return;
  Kept all = all_of(map);
  bool is_explained = false;
  for (uint32_t dims = 0; dims <= all.dims && !is_explained; dims++) {
    if (bits(dims) != made->dim_count || (!may_drop_dims && dims != all.dims)) continue;
    for (uint32_t runtimes = 0; runtimes <= all.runtimes && !is_explained; runtimes++) {
      if (bits(runtimes) != made->runtime_count || (!may_drop_runtimes && runtimes != all.runtimes))
        continue;
      is_explained = explains(blind, (Kept){dims, runtimes}, &after);
    }
  }
  decide(blind, is_explained, "no choice of dropped variables explains it");
}

static void judge_answer(Blind *blind) {
  switch (blind->ask->operation) {
    case ALGEBRA_DROP_UNUSED: judge_fewer(blind, false, true); return;
    case ALGEBRA_DROP_DIMS: judge_fewer(blind, true, false); return;
    case ALGEBRA_RESCALE: judge_fewer(blind, false, false); return;
    case ALGEBRA_RANGES_TO_DIMS: judge_ranges_to_dims(blind); return;
    case ALGEBRA_SUB_MAP: judge_sub_map(blind); return;
    case ALGEBRA_INVERSE: judge_inverse(blind); return;
    case ALGEBRA_POINTS: judge_points(blind); return;
    case ALGEBRA_IMAGE: judge_image(blind); return;
    case ALGEBRA_INJECTIVE: judge_injective(blind); return;
    case ALGEBRA_BIJECTIVE: judge_bijective(blind); return;
    case ALGEBRA_SAME:
    case ALGEBRA_SAME_RELATION:
    case ALGEBRA_CONTAINED: open_word(blind, "two maps are the judges' own question"); return;
  }
}

void algebra_enumerate(Judge *judge, const AlgebraAsk *ask, const AlgebraAnswer *answer,
    uint64_t most, SameJudgement *judgement) {
  *judgement = (SameJudgement){.reason = REASON_OPEN, .text = ""};
  Blind blind = {.judge = judge,
      .ask = ask,
      .answer = answer,
      .most = most,
      .map = ask->maps[0],
      .judgement = judgement};
  if (answer->kind == ALGEBRA_IS_OPEN || answer->kind == ALGEBRA_IS_REFUSED)
    open_word(&blind, "there is no answer to judge");
  else if (list(&blind, blind.map, &blind.rows)) judge_answer(&blind);
}
