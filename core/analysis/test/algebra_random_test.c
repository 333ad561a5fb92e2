/* The algebra of maps against brute-force enumeration: random maps with negative and empty bounds,
 * constraints, congruences, runtime variables with their sources, min and max, equal results and
 * numbers near the ends of int64. Every point is enumerated in the tests' own 128-bit
 * arithmetic. An operation is correct if the lists of tuples (dimensions, runtime values, results,
 * elements that the runtime values come from) are as in its contract. Rejections are counted, and
 * the counts have minimums.
 *
 * AFFIRM_ALGEBRA_MAPS: the number of maps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/test/random_algebra.h"
#include "core/base/test/length.h"

/* ---- brute-force enumeration ---- */

typedef struct AlgebraRandomValues {
  int64_t dims[8], ranges[8], runtimes[8];
} AlgebraRandomValues;

static Int128 value_of(const AlgebraFixture *world, Expr expr, const AlgebraRandomValues *at) {
  const ExprNode *node = expr_node(world->context->pool, expr);
  if (node->op == EXPR_CONST) return node->value;
  if (node->op == EXPR_VAR)
    return (node->var_kind == VAR_DIM     ? at->dims
            : node->var_kind == VAR_RANGE ? at->ranges
                                          : at->runtimes)[node->var_index];
  return defined_apply(node->op, value_of(world, node->left, at), value_of(world, node->right, at));
}

static bool is_inside(const AlgebraFixture *world, const Map *map, const AlgebraRandomValues *at) {
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    Int128 value = value_of(world, map->constraints[i].expr, at);
    if (value < map->constraints[i].in.lo || value > map->constraints[i].in.hi) return false;
  }
  return true;
}

static bool first_value(uint32_t count, const Variable *variables, int64_t *values) {
  bool any = true;
  for (uint32_t i = 0; i < count; i++) {
    values[i] = variables[i].bounds.lo;
    any = any && variables[i].bounds.lo <= variables[i].bounds.hi;
  }
  return any;
}

static bool next_value(uint32_t count, const Variable *variables, int64_t *values) {
  for (uint32_t i = count; i-- > 0;) {
    if (values[i] < variables[i].bounds.hi) {
      values[i]++;
      return true;
    }
    values[i] = variables[i].bounds.lo;
  }
  return false;
}

/* The part of a point that forms a tuple; the whole tuple is [dims][ranges][runtimes by number of
 * the source][results][elements]. */
typedef struct AlgebraRandomColumns {
  const bool *dims; /* which ones; nullptr: all */
  bool ranges_too, without_dims;
  const bool *runtimes; /* by number of the source in the original map; nullptr: all */
} AlgebraRandomColumns;

typedef struct AlgebraRandomTuples {
  uint32_t width;
  size_t count;
  int64_t *items;
} AlgebraRandomTuples;

/* A source is named by the original number of its variable. */
static uint32_t number_of(const Map *map, uint32_t runtime) {
  return map->sources == nullptr ? runtime : (uint32_t)atoi(map->sources[runtime].name);
}

static uint32_t write_tuple(const AlgebraFixture *world, const Map *map,
    const AlgebraRandomColumns *columns, const AlgebraRandomValues *at, int64_t *tuple) {
  uint32_t width = 0;
  for (uint32_t i = 0; i < map->dim_count; i++)
    if (!columns->without_dims && (columns->dims == nullptr || columns->dims[i]))
      tuple[width++] = at->dims[i];
  for (uint32_t i = 0; i < map->range_count && columns->ranges_too; i++)
    tuple[width++] = at->ranges[i];
  for (uint32_t number = 0; number < most_rts; number++)
    for (uint32_t i = 0; i < map->runtime_count; i++) {
      if (number_of(map, i) != number ||
          (columns->runtimes != nullptr && !columns->runtimes[number]))
        continue;
      tuple[width++] = at->runtimes[i];
      if (map->sources != nullptr)
        tuple[width++] = (int64_t)value_of(world, map->sources[i].index->results[0], at);
    }
  for (uint32_t i = 0; i < map->result_count; i++) {
    Int128 value = value_of(world, map->results[i], at);
    assert_true(value >= INT64_MIN && value <= INT64_MAX);
    tuple[width++] = (int64_t)value;
  }
  return width;
}

static uint32_t tuple_width;
static int by_tuple(const void *a, const void *b) {
  const int64_t *x = a, *y = b;
  for (uint32_t i = 0; i < tuple_width; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

/* Every point's tuple, sorted, with duplicates. False if the box is too large. */
static bool algebra_random_list(const AlgebraFixture *world, const Map *map,
    const AlgebraRandomColumns *columns, AlgebraRandomTuples *tuples) {
  AlgebraRandomValues at;
  *tuples = (AlgebraRandomTuples){};
  if (map->state != MAP_PLAIN) return true;
  uint64_t size;
  if (!map_points_count(map, most_points, &size)) return false;
  int64_t tuple[32];
  if (size == 0 || !first_value(map->dim_count, map->dims, at.dims) ||
      !first_value(map->range_count, map->ranges, at.ranges) ||
      !first_value(map->runtime_count, map->runtimes, at.runtimes))
    return true;
  do
    if (is_inside(world, map, &at)) {
      tuples->width = write_tuple(world, map, columns, &at, tuple);
      if (tuples->items == nullptr)
        tuples->items = ARENA_NEW(world->context->arena, int64_t, size * tuples->width + 1);
      memcpy(tuples->items + tuples->count++ * tuples->width, tuple, tuples->width * sizeof *tuple);
    }
  while (next_value(map->runtime_count, map->runtimes, at.runtimes) ||
         next_value(map->range_count, map->ranges, at.ranges) ||
         next_value(map->dim_count, map->dims, at.dims));
  tuple_width = tuples->width;
  if (tuples->count > 0 && tuple_width > 0)
    qsort(tuples->items, tuples->count, tuple_width * sizeof(int64_t), by_tuple);
  return true;
}

static bool is_repeated(const AlgebraRandomTuples *tuples, size_t at) {
  return at > 0 &&
         memcmp(tuples->items + at * tuples->width, tuples->items + (at - 1) * tuples->width,
             tuples->width * sizeof(int64_t)) == 0;
}

static void make_unique(AlgebraRandomTuples *tuples) {
  size_t kept = 0;
  for (size_t i = 0; i < tuples->count; i++) {
    if (i > 0 &&
        memcmp(tuples->items + i * tuples->width, tuples->items + (kept - 1) * tuples->width,
            tuples->width * sizeof(int64_t)) == 0)
      continue;
    memmove(tuples->items + kept++ * tuples->width, tuples->items + i * tuples->width,
        tuples->width * sizeof(int64_t));
  }
  tuples->count = kept;
}

static bool are_equal(const AlgebraRandomTuples *a, const AlgebraRandomTuples *b) {
  if (a->count != b->count) return false;
  return a->count == 0 || (a->width == b->width && memcmp(a->items, b->items,
                                                       a->count * a->width * sizeof(int64_t)) == 0);
}

/* ---- the checks ---- */

static void algebra_random_show(const AlgebraFixture *world, const char *what, const Map *map) {
  Text text = text_create(world->context->arena);
  map_print(&text, world->context, map, MAP_STYLE_LINE);
  print_message("seed %llu, %s: %s\n", (unsigned long long)world->seed, what, text.bytes);
}

static void algebra_random_check(
    const AlgebraFixture *world, bool holds, const char *what, const Map *map, const Map *other) {
  if (holds) return;
  algebra_random_show(world, what, map);
  if (other != nullptr) algebra_random_show(world, "is", other);
  fail();
}

static void check_count(AlgebraFixture *world, const Map *map, size_t points) {
  uint64_t count;
  Error error = {};
  bool is_counted = map_count_points(world->simplifier, map, 20000, &count, &error);
  algebra_random_check(world,
      is_counted || error.kind == ERROR_LIMIT || error.kind == ERROR_OVERFLOW, "counting failed",
      map, nullptr);
  algebra_random_check(world, !is_counted || count == points, "miscounted", map, nullptr);
  world->counted += is_counted;
  world->too_many += !is_counted;
}

static void check_image(AlgebraFixture *world, const Map *map, const AlgebraRandomTuples *results) {
  Interval bounds[8];
  if (!map_image_bounds(world->context, map, bounds)) return;
  for (size_t i = 0; i < results->count; i++)
    for (uint32_t k = 0; k < map->result_count; k++) {
      int64_t value = results->items[i * results->width + results->width - map->result_count + k];
      algebra_random_check(world, bounds[k].lo <= value && value <= bounds[k].hi,
          "outside its bounds", map, nullptr);
    }
}

static bool is_one_to_one(const AlgebraRandomTuples *results) {
  for (size_t i = 0; i < results->count; i++)
    if (is_repeated(results, i)) return false;
  return true;
}

/* Only the results of each point. */
static AlgebraRandomTuples results_of(AlgebraFixture *world, const Map *map) {
  Map plain = *map;
  AlgebraRandomTuples results;
  plain.sources = nullptr;
  algebra_random_check(world,
      algebra_random_list(world, &plain,
          &(AlgebraRandomColumns){.without_dims = true, .runtimes = (bool[most_rts]){}}, &results),
      "too large", map, nullptr);
  return results;
}

static void check_injective(
    AlgebraFixture *world, const Map *map, const AlgebraRandomTuples *results) {
  const char *why = nullptr;
  VerdictStatus answer =
      map_is_injective(world->simplifier, map, algebra_draw(world, 0, 3) == 0 ? 50 : 3000, &why);
  algebra_random_check(world, why != nullptr, "no reason", map, nullptr);
  algebra_random_check(world,
      answer == VERDICT_UNKNOWN || (answer == VERDICT_PROVED) == is_one_to_one(results),
      answer == VERDICT_PROVED ? "not injective" : "injective", map, nullptr);
  world->one_to_one += answer == VERDICT_PROVED;
  world->not_one_to_one += answer == VERDICT_REFUTED;
  world->open += answer == VERDICT_UNKNOWN;
}

static bool covers_box(const AlgebraRandomTuples *results, const int64_t *sizes) {
  uint64_t indices = 1;
  for (uint32_t i = 0; i < results->width; i++) indices *= (uint64_t)(sizes[i] < 0 ? 0 : sizes[i]);
  for (size_t i = 0; i < results->count; i++)
    for (uint32_t k = 0; k < results->width; k++) {
      int64_t value = results->items[i * results->width + k];
      if (value < 0 || value >= sizes[k]) return false;
    }
  return is_one_to_one(results) && results->count == indices;
}

/* On the smallest box that contains the results, and on slightly larger or smaller ones. */
static void check_bijective(
    AlgebraFixture *world, const Map *map, const AlgebraRandomTuples *results) {
  int64_t sizes[8] = {};
  for (size_t i = 0; i < results->count; i++)
    for (uint32_t k = 0; k < results->width; k++) {
      int64_t value = results->items[i * results->width + k];
      if (value >= sizes[k] && value < 100000) sizes[k] = value + 1;
    }
  if (results->width == 0 && results->count == 0) return;
  if (map->result_count > 0 && algebra_draw(world, 0, 2) == 0)
    sizes[algebra_draw(world, 0, map->result_count - 1)] += algebra_draw(world, -1, 1);
  VerdictStatus answer =
      map_is_bijective(world->simplifier, map, map->result_count, sizes, 3000, nullptr);
  algebra_random_check(world,
      answer == VERDICT_UNKNOWN || (answer == VERDICT_PROVED) == covers_box(results, sizes),
      answer == VERDICT_PROVED ? "not bijective" : "bijective", map, nullptr);
  world->onto += answer == VERDICT_PROVED;
  world->not_onto += answer == VERDICT_REFUTED;
  world->onto_open += answer == VERDICT_UNKNOWN;
}

/* The pairs (e, d) of the inverse against the pairs (d, e) of the map. */
static void check_inverse(AlgebraFixture *world, const Map *map, const AlgebraRandomTuples *pairs) {
  const Map *inverse;
  Error error = {};
  if (!map_inverse(world->simplifier, map, &inverse, &error)) return;
  algebra_random_check(world, map->range_count + map->runtime_count == 0 || pairs->count == 0,
      "has no inverse", map, inverse);
  AlgebraRandomTuples back;
  if (!algebra_random_list(world, inverse, &(AlgebraRandomColumns){}, &back)) return;
  world->inverses++;
  algebra_random_check(world, back.count == pairs->count, "inverse of other points", map, inverse);
  AlgebraRandomTuples exchanged = {.width = pairs->width,
      .count = pairs->count,
      .items = ARENA_NEW(world->context->arena, int64_t, pairs->count * pairs->width + 1)};
  for (size_t i = 0; i < pairs->count; i++)
    for (uint32_t k = 0; k < pairs->width; k++)
      exchanged.items[i * pairs->width + k] =
          pairs->items[i * pairs->width + (k + map->dim_count) % pairs->width];
  tuple_width = exchanged.width;
  if (exchanged.count > 0 && exchanged.width > 0)
    qsort(exchanged.items, exchanged.count, exchanged.width * sizeof(int64_t), by_tuple);
  algebra_random_check(world, are_equal(&exchanged, &back), "inverse", map, inverse);
}

static AlgebraRandomTuples relation_of(
    AlgebraFixture *world, const Map *map, const AlgebraRandomColumns *columns) {
  AlgebraRandomTuples tuples;
  algebra_random_check(
      world, algebra_random_list(world, map, columns, &tuples), "too large", map, nullptr);
  make_unique(&tuples);
  return tuples;
}

static void check_rescaled(
    AlgebraFixture *world, const Map *map, const AlgebraRandomTuples *relation) {
  const Map *rescaled;
  Error error = {};
  if (!map_rescale(world->simplifier, map, &rescaled, &error)) {
    algebra_random_check(world, error.kind == ERROR_OVERFLOW || error.kind == ERROR_LIMIT,
        "not rescaled", map, nullptr);
    return;
  }
  AlgebraRandomTuples after = relation_of(world, rescaled, &(AlgebraRandomColumns){});
  algebra_random_check(world, are_equal(relation, &after), "rescaled", map, rescaled);
  for (uint32_t i = 0; rescaled->state == MAP_PLAIN && i < rescaled->range_count; i++)
    if (rescaled->ranges[i].bounds.hi - rescaled->ranges[i].bounds.lo <
        map->ranges[i].bounds.hi - map->ranges[i].bounds.lo)
      world->rescaled++;
}

/* A removed runtime variable must have no effect: the tuples are the same for each of its
 * values. */
static void check_drop_unused(
    AlgebraFixture *world, const Map *map, const AlgebraRandomTuples *relation) {
  const Map *dropped = map_drop_unused(world->context, map);
  bool stays[most_rts] = {};
  uint64_t widths = 1;
  for (uint32_t i = 0; dropped->state == MAP_PLAIN && i < dropped->runtime_count; i++)
    stays[number_of(dropped, i)] = true;
  if (dropped->state != MAP_PLAIN) {
    algebra_random_check(world, relation->count == 0, "dropped to nothing", map, dropped);
    return;
  }
  if (map->sources == nullptr && dropped->runtime_count != map->runtime_count)
    return; /* without sources the removed variable is unknown */
  for (uint32_t i = 0; map->sources != nullptr && i < map->runtime_count; i++) {
    Interval bounds = map->runtimes[i].bounds, clamp = map->sources[i].clamp;
    algebra_random_check(world, stays[i] || (bounds.lo <= clamp.lo && clamp.hi <= bounds.hi),
        "a restricted runtime variable is gone", map, dropped);
  }
  for (uint32_t i = 0; i < map->runtime_count; i++)
    if (!stays[number_of(map, i)])
      widths *= (uint64_t)(map->runtimes[i].bounds.hi - map->runtimes[i].bounds.lo) + 1;
  AlgebraRandomTuples before = relation_of(world, map, &(AlgebraRandomColumns){.runtimes = stays}),
                      after = relation_of(world, dropped, &(AlgebraRandomColumns){});
  algebra_random_check(world, are_equal(&before, &after), "without unused variables", map, dropped);
  Map unsourced = *map, unsourced_after = *dropped;
  unsourced.sources = unsourced_after.sources = nullptr;
  AlgebraRandomTuples all = relation_of(world, &unsourced, &(AlgebraRandomColumns){}),
                      fewer = relation_of(world, &unsourced_after, &(AlgebraRandomColumns){});
  algebra_random_check(world, all.count == fewer.count * widths,
      "a runtime variable with a say is gone", map, dropped);
  world->variables_gone +=
      dropped->range_count < map->range_count || dropped->runtime_count < map->runtime_count;
}

static void check_drop_dims(
    AlgebraFixture *world, const Map *map, const AlgebraRandomTuples *relation) {
  bool kept[8] = {};
  const Map *narrow = map_drop_dims(world->context, map, kept);
  if (narrow->state != MAP_PLAIN) {
    algebra_random_check(world, relation->count == 0, "dropped to nothing", map, narrow);
    return;
  }
  uint64_t widths = 1;
  for (uint32_t i = 0; i < map->dim_count; i++)
    if (!kept[i]) widths *= (uint64_t)(map->dims[i].bounds.hi - map->dims[i].bounds.lo) + 1;
  AlgebraRandomTuples before = relation_of(world, map, &(AlgebraRandomColumns){.dims = kept}),
                      after = relation_of(world, narrow, &(AlgebraRandomColumns){});
  algebra_random_check(world, are_equal(&before, &after) && relation->count == after.count * widths,
      "without dimensions", map, narrow);
  world->dims_gone += narrow->dim_count < map->dim_count;
}

static void check_moves(AlgebraFixture *world, const Map *map) {
  const Map *wide = map_ranges_to_dims(world->context, map);
  AlgebraRandomTuples before, after;
  algebra_random_check(world,
      algebra_random_list(world, map, &(AlgebraRandomColumns){.ranges_too = true}, &before) &&
          algebra_random_list(world, wide, &(AlgebraRandomColumns){}, &after),
      "too large", map, wide);
  algebra_random_check(world, wide->range_count == 0 && are_equal(&before, &after),
      "with ranges as dimensions", map, wide);
  if (map->result_count < 2) return;
  uint32_t chosen[] = {(uint32_t)algebra_draw(world, 0, map->result_count - 1),
      (uint32_t)algebra_draw(world, 0, map->result_count - 1)};
  Map picked = *map;
  picked.result_count = 2;
  picked.results = (Expr[]){map->results[chosen[0]], map->results[chosen[1]]};
  const Map *sub = map_sub_map(world->context, map, 2, chosen);
  algebra_random_check(world,
      algebra_random_list(world, &picked, &(AlgebraRandomColumns){}, &before) &&
          algebra_random_list(world, sub, &(AlgebraRandomColumns){}, &after) &&
          are_equal(&before, &after),
      "sub-map", map, sub);
}

/* With keep_points a dimension of a single value remains in the text; both forms are the same
 * map. */
static void check_points(AlgebraFixture *world, const Map *map) {
  AlgebraRandomTuples before, after;
  algebra_random_check(world,
      algebra_random_list(world, map, &(AlgebraRandomColumns){.ranges_too = true}, &before),
      "too large", map, nullptr);
  for (uint32_t keep = 0; keep < 2; keep++) {
    const Map *simple;
    Error error = {};
    if (!simplify_map(world->simplifier, map, &(SimplifyOptions){.keep_points = keep == 1}, &simple,
            nullptr, &error))
      continue;
    algebra_random_check(world,
        algebra_random_list(world, simple, &(AlgebraRandomColumns){.ranges_too = true}, &after) &&
            are_equal(&before, &after),
        keep ? "points kept" : "points replaced", map, simple);
  }
}

static void check_map(AlgebraFixture *world, const Map *map) {
  AlgebraRandomTuples results = results_of(world, map), pairs,
                      relation = relation_of(world, map, &(AlgebraRandomColumns){});
  algebra_random_check(world, algebra_random_list(world, map, &(AlgebraRandomColumns){}, &pairs),
      "too large", map, nullptr);
  check_count(world, map, results.count);
  check_image(world, map, &results);
  check_injective(world, map, &results);
  check_bijective(world, map, &results);
  check_inverse(world, map, &pairs);
  check_rescaled(world, map, &relation);
  check_drop_unused(world, map, &relation);
  check_drop_dims(world, map, &relation);
  check_moves(world, map);
  check_points(world, map);
  world->maps++;
  world->points += results.count;
}

static uint64_t map_goal(void) {
  const char *text = getenv("AFFIRM_ALGEBRA_MAPS");
  if (text != nullptr) return strtoull(text, nullptr, 10);
  return test_length(40000, 5000, 1500);
}

static void operations_do_what_they_say(void **state) {
  (void)state;
  AlgebraFixture world = {.context = map_context_create()};
  Error error = {};
  world.simplifier = simplifier_create(world.context, nullptr, &error);
  assert_non_null(world.simplifier);
  uint64_t goal = map_goal();
  for (world.seed = 1; world.seed <= goal; world.seed++) {
    MapMark mark = map_context_mark(world.context);
    world.random = (RandomMaps){.state = world.seed * 1000003};
    check_map(&world, draw_map(&world));
    map_context_rewind(world.context, mark);
  }
  print_message(
      "%llu maps, %llu points: counted %llu (past the budget %llu); injective %llu, not %llu, open %llu; bijective %llu, not %llu, open %llu\n",
      (unsigned long long)world.maps, (unsigned long long)world.points,
      (unsigned long long)world.counted, (unsigned long long)world.too_many,
      (unsigned long long)world.one_to_one, (unsigned long long)world.not_one_to_one,
      (unsigned long long)world.open, (unsigned long long)world.onto,
      (unsigned long long)world.not_onto, (unsigned long long)world.onto_open);
  print_message(
      "%llu inverses, %llu range variables narrowed, %llu maps lose dimensions, %llu range or runtime variables\n",
      (unsigned long long)world.inverses, (unsigned long long)world.rescaled,
      (unsigned long long)world.dims_gone, (unsigned long long)world.variables_gone);
  assert_true(world.counted * 100 >= world.maps * 99 && world.open * 10 <= world.maps &&
              world.onto_open * 10 <= world.maps);
  assert_true(world.inverses * 100 > world.maps && world.onto * 100 > world.maps &&
              world.one_to_one * 10 > world.maps && world.not_one_to_one * 10 > world.maps);
  assert_true(world.rescaled > 0 && world.dims_gone * 50 > world.maps &&
              world.variables_gone * 50 > world.maps);
  simplifier_destroy(world.simplifier);
  map_context_destroy(world.context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(operations_do_what_they_say)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
