/* Chooses an evaluation way, and implements the two that need no compiler. A walk passes every
 * point of the box to a sink, one block at a time: which points are inside, and their results in
 * columns. In place, a block is one point. Keeps: both ways pass the same points in the same
 * order. */
#include "oracle/evaluate/evaluate_map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/adapters/mlir/load.h"
#include "core/base/budget.h"
#include "oracle/evaluate/box.h"
#include "oracle/compare/same.h"
#include "oracle/evaluate/sets.h"

static constexpr int64_t most_points = INT64_C(1) << 62;

const char *evaluate_way_text(EvaluateWay way) {
  static const char *const texts[] = {[EVALUATE_IN_PLACE] = "in place",
      [EVALUATE_IN_COLUMNS] = "columns",
      [EVALUATE_COMPILED] = "compiled"};
  return texts[way];
}

static EvaluateWay evaluate_way(int64_t points) {
  static_assert(evaluate_columns_from < evaluate_compiled_from);
  return points < evaluate_columns_from    ? EVALUATE_IN_PLACE
         : points < evaluate_compiled_from ? EVALUATE_IN_COLUMNS
                                           : EVALUATE_COMPILED;
}

/* One block: `count` points, inside[i], and result k of point i in results[k][i]. */
typedef struct EvaluateMapFound {
  uint32_t count;
  const uint8_t *inside;
  int64_t *const *results;
} EvaluateMapFound;

typedef struct EvaluateMapWalk {
  Arena *arena;
  const Map *map;
  Program program;
  Box box;
  void (*sink)(void *user, const EvaluateMapFound *found);
  void *user;
  Error *error;
} EvaluateMapWalk;

static bool walk_create(
    EvaluateMapWalk *walk, const MapContext *context, const Map *map, Error *error) {
  if (map->state == MAP_UNDEFINED)
    return error_set(error, ERROR_UNSUPPORTED, "the map is undefined");
  assert(map->state == MAP_PLAIN);
  walk->map = map;
  walk->error = error;
  program_compile(&walk->program, walk->arena, context, map, nullptr);
  walk->box = (Box){.count = walk->program.variable_count, .of = walk->program.box};
  if (box_count(&walk->box, most_points)) return true;
  return error_set(error, ERROR_LIMIT, "the map has more than 2^62 points");
}

static bool overflow_at(const EvaluateMapWalk *walk, const int64_t *values) {
  Text text = text_create(walk->arena);
  print_variables(&text, walk->map, values);
  return error_set(
      walk->error, ERROR_OVERFLOW, "at %s the map's evaluation leaves int64", text.bytes);
}

static bool evaluate_limit(Error *error) {
  return error_set(error, ERROR_LIMIT, "evaluating points: %s", budget_reason());
}

static bool walk_in_place(EvaluateMapWalk *walk) {
  const Map *map = walk->map;
  int64_t *slots = ARENA_NEW(walk->arena, int64_t, walk->program.slot_count);
  int64_t **results = ARENA_NEW(walk->arena, int64_t *, map->result_count);
  for (uint32_t i = 0; i < map->result_count; i++) results[i] = &slots[walk->program.results[i]];
  for (int64_t point = 0; point < walk->box.points; point++) {
    if (point % box_block == 0 && budget_is_spent()) return evaluate_limit(walk->error);
    box_point(&walk->box, point, slots);
    PointAnswer answer = program_point(&walk->program, slots, 0);
    if (answer == ANSWER_LEAVES_INT64) return overflow_at(walk, slots);
    uint8_t inside = answer == ANSWER_INSIDE;
    walk->sink(walk->user, &(EvaluateMapFound){.count = 1, .inside = &inside, .results = results});
  }
  return true;
}

static bool walk_in_columns(EvaluateMapWalk *walk) {
  const Map *map = walk->map;
  assert(walk->program.is_narrow);
  int64_t **columns = columns_create(walk->arena, &walk->program, walk->box.points, 0, nullptr);
  int64_t **results = ARENA_NEW(walk->arena, int64_t *, map->result_count);
  uint8_t *inside = ARENA_NEW(walk->arena, uint8_t, box_block);
  for (uint32_t i = 0; i < map->result_count; i++) results[i] = columns[walk->program.results[i]];
  for (int64_t first = 0; first < walk->box.points; first += box_block) {
    if (budget_is_spent()) return evaluate_limit(walk->error);
    uint32_t count =
        walk->box.points - first < box_block ? (uint32_t)(walk->box.points - first) : box_block;
    box_columns(&walk->box, first, count, columns);
    program_columns(&walk->program, count, columns, inside);
    walk->sink(
        walk->user, &(EvaluateMapFound){.count = count, .inside = inside, .results = results});
  }
  return true;
}

/* Replaces *way by EVALUATE_IN_PLACE if values do not fit columns. */
static bool evaluate_map_walk(EvaluateMapWalk *walk, EvaluateWay *way) {
  if (*way != EVALUATE_IN_PLACE && walk->program.is_narrow) {
    *way = EVALUATE_IN_COLUMNS;
    return walk_in_columns(walk);
  }
  *way = EVALUATE_IN_PLACE;
  return walk_in_place(walk);
}

/* Whether a rejection by the compiled way leads to another way: it does unless the caller fixed the
 * way. */
static bool tries_another_way(const EvaluateWay *fixed, EvaluateWay way) {
  return fixed == nullptr && way == EVALUATE_COMPILED;
}

/* There are few slabs, so that the clock is read after each. */
static bool has_budget(void *, uint64_t, uint64_t) {
  Budget *budget = budget_running();
  return budget == nullptr || !budget_look(budget);
}
static const RunControl while_budget = {.go_on = has_budget};

/* --- counting --- */

typedef struct Counter {
  uint32_t result_count;
  MapCount *count;
} Counter;

static void count_found(void *user, const EvaluateMapFound *found) {
  const Counter *counter = user;
  MapCount *count = counter->count;
  for (uint32_t i = 0; i < found->count; i++) count->inside += found->inside[i];
  for (uint32_t k = 0; k < counter->result_count; k++) {
    const int64_t *result = found->results[k];
    uint32_t sum = 0;
    for (uint32_t i = 0; i < found->count; i++)
      sum += (uint32_t)(uint64_t)result[i] & (0 - (uint32_t)found->inside[i]);
    count->checksum += sum * (k + 1);
  }
}

static bool count_compiled(MapContext *context, const Map *map, MapCount *count, Error *error) {
  const MlirLibrary *mlir;
  CountRun run;
  if (!mlir_library(&mlir, error) || !mlir->mlir_count(context, map, &while_budget, &run, error))
    return false;
  if (run.run.stopped) return evaluate_limit(error);
  assert(run.run.inside <= run.run.points);
  *count = (MapCount){.points = run.run.points,
      .inside = run.run.inside,
      .checksum = run.checksum,
      .way = EVALUATE_COMPILED};
  return true;
}

static bool count_walked(EvaluateMapWalk *made, EvaluateWay way, MapCount *count) {
  Counter counter = {.result_count = made->map->result_count, .count = count};
  made->sink = count_found;
  made->user = &counter;
  *count = (MapCount){.points = (uint64_t)made->box.points};
  bool done = evaluate_map_walk(made, &way);
  count->way = way;
  assert(count->inside <= count->points);
  return done;
}

bool evaluate_count(
    MapContext *context, const Map *map, const EvaluateWay *way, MapCount *count, Error *error) {
  *count = (MapCount){.way = EVALUATE_IN_PLACE};
  if (map->state == MAP_KNOWN_EMPTY) return true;
  EvaluateMapWalk made = {.arena = arena_create()};
  bool done = walk_create(&made, context, map, error);
  EvaluateWay chosen = !done || way != nullptr ? (way != nullptr ? *way : EVALUATE_IN_PLACE)
                                               : evaluate_way(made.box.points);
  Error rejection = {};
  bool is_compiled =
      done && chosen == EVALUATE_COMPILED && count_compiled(context, map, count, &rejection);
  if (done && chosen == EVALUATE_COMPILED && !is_compiled && !tries_another_way(way, chosen))
    done = error_set(error, rejection.kind, "%s", rejection.message);
  if (done && !is_compiled) done = count_walked(&made, chosen, count);
  arena_destroy(made.arena);
  return done;
}

/* --- images --- */

typedef struct Marker {
  const Map *map;
  const int64_t *sizes;
  uint64_t *words;
  int64_t *numbers;
  int64_t *outside;
  MapImage *image;
} Marker;

static void mark_found(void *user, const EvaluateMapFound *found) {
  const Marker *marker = user;
  MapImage *image = marker->image;
  static_assert(evaluate_most_bits <= column_elements);
  memset(marker->numbers, 0, found->count * sizeof *marker->numbers);
  memset(marker->outside, 0, found->count * sizeof *marker->outside);
  for (uint32_t k = 0; k < marker->map->result_count; k++)
    column_number(
        found->results[k], marker->sizes[k], found->count, marker->numbers, marker->outside);
  for (uint32_t i = 0; i < found->count; i++) {
    image->inside += found->inside[i];
    image->outside += found->inside[i] & (marker->outside[i] < 0);
    if (!found->inside[i] || marker->outside[i] < 0) continue;
    assert((uint64_t)marker->numbers[i] < image->elements);
    image->repeated += bits_has(marker->words, marker->numbers[i]);
    bits_set(marker->words, marker->numbers[i]);
  }
}

static bool mark_compiled(MapContext *context, const Map *map, const int64_t *sizes,
    uint64_t *words, MapImage *image, Error *error) {
  const MlirLibrary *mlir;
  ImageRun run;
  if (!mlir_library(&mlir, error) ||
      !mlir->mlir_image(context, map, sizes, words, &while_budget, &run, error))
    return false;
  if (run.run.stopped) return evaluate_limit(error);
  assert(run.outside + run.repeated <= run.run.inside);
  image->points = run.run.points;
  image->inside = run.run.inside;
  image->outside = run.outside;
  image->repeated = run.repeated;
  image->way = EVALUATE_COMPILED;
  return true;
}

static bool mark_walked(EvaluateMapWalk *made, const int64_t *sizes, uint64_t *words,
    EvaluateWay way, MapImage *image) {
  Marker marker = {.map = made->map,
      .sizes = sizes,
      .words = words,
      .numbers = ARENA_NEW(made->arena, int64_t, box_block),
      .outside = ARENA_NEW(made->arena, int64_t, box_block),
      .image = image};
  made->sink = mark_found;
  made->user = &marker;
  image->points = (uint64_t)made->box.points;
  bool done = evaluate_map_walk(made, &way);
  made->user = nullptr;
  image->way = way;
  return done;
}

static bool count_elements(const Map *map, const int64_t *sizes, uint64_t *elements, Error *error) {
  Wide product = 1;
  bool is_empty = false;
  for (uint32_t i = 0; i < map->result_count; i++) {
    if (sizes[i] < 0) return error_set(error, ERROR_INPUT, "size %u of an image is negative", i);
    is_empty = is_empty || sizes[i] == 0;
  }
  for (uint32_t i = 0; i < map->result_count && product <= evaluate_most_bits; i++)
    product *= is_empty ? 0 : sizes[i];
  *elements = (uint64_t)product;
  return product <= evaluate_most_bits ||
         error_set(error, ERROR_LIMIT, "an image of more than %llu elements",
             (unsigned long long)evaluate_most_bits);
}

static bool evaluate_map_mark(MapContext *context, EvaluateMapWalk *made, const int64_t *sizes,
    uint64_t *words, const EvaluateWay *way, MapImage *image, Error *error) {
  EvaluateWay chosen = way != nullptr ? *way : evaluate_way(made->box.points);
  Error rejection = {};
  if (chosen == EVALUATE_COMPILED &&
      mark_compiled(context, made->map, sizes, words, image, &rejection))
    return true;
  if (chosen == EVALUATE_COMPILED && !tries_another_way(way, chosen))
    return error_set(error, rejection.kind, "%s", rejection.message);
  return mark_walked(made, sizes, words, chosen, image);
}

bool evaluate_image(MapContext *context, const Map *map, const int64_t *sizes,
    const EvaluateWay *way, MapImage *image, Error *error) {
  *image = (MapImage){.way = EVALUATE_IN_PLACE};
  if (!count_elements(map, sizes, &image->elements, error)) return false;
  image->is_one_to_one = true;
  image->is_onto = image->elements == 0;
  if (map->state == MAP_KNOWN_EMPTY) return true;
  EvaluateMapWalk made = {.arena = arena_create()};
  size_t word_count = (size_t)(image->elements / 64 + 1);
  uint64_t *words = calloc(word_count, sizeof *words);
  if (words == nullptr) arena_out_of_memory(word_count * sizeof *words);
  bool done = walk_create(&made, context, map, error) &&
              evaluate_map_mark(context, &made, sizes, words, way, image, error);
  free(words);
  arena_destroy(made.arena);
  assert(!done || image->inside - image->outside - image->repeated <= image->elements);
  image->is_one_to_one = image->outside == 0 && image->repeated == 0;
  image->is_onto = image->inside - image->outside - image->repeated == image->elements;
  return done;
}

/* --- two maps --- */

/* Compares one point of both, as maps that contain only this point. */
static bool state_difference(Oracle *oracle, const Map *before, const Map *after,
    const int64_t *point, Verdict *verdict, Error *error) {
  const Map *maps[2] = {before, after};
  Map points[2];
  Arena *arena = arena_create();
  for (uint32_t m = 0; m < 2; m++) {
    points[m] = *maps[m];
    Variable **kinds[3] = {&points[m].dims, &points[m].ranges, &points[m].runtimes};
    uint32_t counts[3] = {points[m].dim_count, points[m].range_count, points[m].runtime_count};
    for (uint32_t kind = 0, slot = 0; kind < 3; kind++) {
      Variable *made = ARENA_NEW(arena, Variable, counts[kind]);
      for (uint32_t i = 0; i < counts[kind]; i++, slot++) {
        made[i] = (*kinds[kind])[i];
        bool is_in = point[slot] >= made[i].bounds.lo && point[slot] <= made[i].bounds.hi;
        made[i].bounds = is_in ? (Interval){point[slot], point[slot]} : (Interval){1, 0};
      }
      *kinds[kind] = made;
    }
  }
  bool done = oracle_same_map(oracle, &points[0], &points[1], 1, verdict, error);
  arena_destroy(arena);
  if (!done || verdict->status == VERDICT_REFUTED) return done;
  return error_set(error, ERROR_ENVIRONMENT,
      "compiled code finds a difference that evaluation in place does not confirm");
}

static bool same_compiled(MapContext *context, Oracle *oracle, const Map *before, const Map *after,
    Verdict *verdict, Error *rejection, Error *error, bool *is_answered) {
  const MlirLibrary *mlir;
  SameMapRun run;
  *is_answered = mlir_library(&mlir, rejection) &&
                 mlir->mlir_same_map(context, before, after, nullptr, &run, rejection);
  if (!*is_answered) return true;
  *verdict = verdict_begin(context->arena);
  verdict_mark(verdict, REASON_EXACT);
  verdict->work = run.run.points;
  return !run.differs || state_difference(oracle, before, after, run.first, verdict, error);
}

bool evaluate_same(MapContext *context, Oracle *oracle, const Map *before, const Map *after,
    uint64_t limit, const EvaluateWay *way, Verdict *verdict, Error *error) {
  bool is_plain =
      before->state == MAP_PLAIN && after->state == MAP_PLAIN && before->runtime_count == 0 &&
      after->runtime_count == 0 && before->dim_count == after->dim_count &&
      before->range_count == after->range_count && before->result_count == after->result_count;
  Arena *arena = arena_create();
  Box box = {};
  if (is_plain) hull_of(&box, arena, before, after);
  bool fits = is_plain && box_count(&box, limit < most_points ? (int64_t)limit : most_points);
  EvaluateWay chosen = way != nullptr ? *way : evaluate_way(box.points);
  arena_destroy(arena);
  if (!fits || chosen != EVALUATE_COMPILED)
    return oracle_same_map(oracle, before, after, limit, verdict, error);
  Error rejection = {};
  bool is_answered, done = same_compiled(
                        context, oracle, before, after, verdict, &rejection, error, &is_answered);
  if (is_answered) return done;
  if (way != nullptr) return error_set(error, rejection.kind, "%s", rejection.message);
  return oracle_same_map(oracle, before, after, limit, verdict, error);
}
