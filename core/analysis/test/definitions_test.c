/* Random maps and small memories: coalescing, utilization and the values of sources against plain
 * enumeration of all points by this file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/analysis.h"
#include "core/analysis/values.h"
#include "core/map/bounds.h"
#include "core/map/evaluate.h"
#include "core/map/points.h"
#include "core/map/test/random_map.h"

static constexpr uint32_t most_elements = 4096, most_segments = 1 << 16;

typedef struct DefinitionsFixture {
  MapContext *context;
  Simplifier *simplifier;
  RandomMaps random;
} DefinitionsFixture;

static DefinitionsFixture fixture_open(uint64_t seed) {
  DefinitionsFixture fixture = {.context = map_context_create(),
      .random = {.state = seed,
          .max_variables = 4,
          .max_depth = 3,
          .max_results = 3,
          .max_constraints = 2,
          .max_coefficient = 5,
          .max_bound = 5}};
  Error error = {};
  fixture.simplifier = simplifier_create(fixture.context, nullptr, &error);
  assert_non_null(fixture.simplifier);
  return fixture;
}

static void fixture_close(DefinitionsFixture *fixture) {
  simplifier_destroy(fixture->simplifier);
  map_context_destroy(fixture->context);
}

static uint32_t draw_below(DefinitionsFixture *fixture, uint32_t end) {
  return (uint32_t)random_between(&fixture->random, 0, end - 1);
}

/* A random map with results between 0 and 15. */
static Map *draw_map(DefinitionsFixture *fixture) {
  static constexpr int64_t most = 15;
  MapContext *context = fixture->context;
  for (;;) {
    Map *map = map_copy(context->arena, random_map(context, &fixture->random));
    Error error = {};
    for (uint32_t i = 0; i < map->result_count; i++) {
      Interval bounds = {};
      assert_true(expr_bounds(context, map, map->results[i], &bounds));
      bool is_small = bounds.lo >= -1000 && bounds.lo <= 1000 && bounds.hi <= most + bounds.lo;
      map->results[i] = is_small ? expr_binary(context->pool, EXPR_ADD, map->results[i],
                                       expr_const(context->pool, -bounds.lo))
                                 : expr_binary(context->pool, EXPR_MOD, map->results[i],
                                       expr_const(context->pool, 3 + i));
    }
    if (map_check(context, map, &error)) return map;
  }
}

/* An array of the least sizes that hold all results, and sometimes of smaller ones. */
static Shape *draw_operand(DefinitionsFixture *fixture, const Map *map, bool may_be_small) {
  static const ElementType types[] = {TYPE_f32, TYPE_s8, TYPE_c128, TYPE_bf16};
  Arena *arena = fixture->context->arena;
  Shape *shape = ARENA_NEW(arena, Shape, 1);
  shape->type = types[draw_below(fixture, 4)];
  shape->rank = map->result_count;
  shape->sizes = ARENA_NEW(arena, int64_t, shape->rank + 1);
  shape->has_layout = draw_below(fixture, 2) == 0;
  shape->minor_to_major = ARENA_NEW(arena, uint32_t, shape->rank + 1);
  uint32_t first = draw_below(fixture, shape->rank + 1);
  for (uint32_t i = 0; i < shape->rank; i++) {
    Interval bounds = {0, 15};
    (void)expr_bounds(fixture->context, map, map->results[i], &bounds);
    shape->sizes[i] = bounds.hi + 1 + draw_below(fixture, 2);
    if (may_be_small && draw_below(fixture, 6) == 0 && shape->sizes[i] > 1) shape->sizes[i]--;
    shape->minor_to_major[i] = (first + i) % shape->rank;
  }
  return shape;
}

static int64_t memory_position(const Shape *shape, const int64_t *index) {
  int64_t position = 0, stride = 1;
  for (uint32_t i = 0; i < shape->rank; i++) {
    uint32_t dimension = shape->has_layout ? shape->minor_to_major[i] : shape->rank - 1 - i;
    position += stride * index[dimension];
    stride *= shape->sizes[dimension];
  }
  return position;
}

static bool is_within(const Shape *shape, const int64_t *index) {
  bool within = true;
  for (uint32_t i = 0; i < shape->rank; i++)
    within = within && index[i] >= 0 && index[i] < shape->sizes[i];
  return within;
}

/* ---- coalescing ---- */

typedef struct AccessDefined {
  bool elements[most_elements], segments[most_segments];
  uint64_t active, element_count, segment_count;
} AccessDefined;

static AccessDefined access_of;

/* One lane, bit by bit. */
static void access_add(const Shape *shape, const int64_t *index, uint32_t segment_bytes) {
  uint64_t bits = element_type_bits(shape->type), segment = 8 * (uint64_t)segment_bytes;
  uint64_t position = (uint64_t)memory_position(shape, index);
  access_of.active++;
  access_of.element_count += !access_of.elements[position];
  access_of.elements[position] = true;
  for (uint64_t bit = position * bits; bit < (position + 1) * bits; bit++) {
    access_of.segment_count += !access_of.segments[bit / segment];
    access_of.segments[bit / segment] = true;
  }
}

static void access_end(const Shape *shape, uint32_t segment_bytes, Coalescing *sum) {
  uint64_t bits = access_of.element_count * element_type_bits(shape->type);
  if (access_of.active > 0) {
    sum->accesses++;
    sum->segments += access_of.segment_count;
    sum->least += (bits + 8 * segment_bytes - 1) / (8 * segment_bytes);
    if (access_of.segment_count > sum->worst) sum->worst = access_of.segment_count;
    memset(&access_of, 0, sizeof access_of);
  }
}

static int64_t warp_of(int64_t thread, int64_t lanes) {
  return thread / lanes - (thread % lanes < 0);
}

/* All points, dimension 0 fastest; an access ends with its warp. */
static bool coalescing_defined(const MapContext *context, const Map *map, const Shape *shape,
    const WarpAccess *access, Coalescing *sum) {
  Map *others = map_copy(context->arena, map);
  int64_t values[8], ignored[8], results[8];
  others->dims[0].bounds = (Interval){0, 0};
  for (bool more = map_points_begin(others, values); more; more = map_points_next(others, values)) {
    memcpy(ignored, values, sizeof ignored);
    Interval threads = map->dims[0].bounds;
    for (int64_t thread = threads.lo; thread <= threads.hi; thread++) {
      ignored[0] = thread;
      Point point = map_point(map, ignored);
      if (thread > threads.lo &&
          warp_of(thread, access->lanes) != warp_of(thread - 1, access->lanes))
        access_end(shape, access->segment_bytes, sum);
      if (map_evaluate(context, map, &point, results) != POINT_INSIDE) continue;
      if (!is_within(shape, results)) return false;
      access_add(shape, results, access->segment_bytes);
    }
    access_end(shape, access->segment_bytes, sum);
  }
  return true;
}

static void accesses_are_coalesced_as_defined(void **) {
  DefinitionsFixture fixture = fixture_open(1);
  uint32_t counted_maps = 0, rejected = 0;
  for (uint32_t round = 0; round < 900; round++) {
    MapMark mark = map_context_mark(fixture.context);
    const Map *map = draw_map(&fixture);
    const Shape *shape = draw_operand(&fixture, map, true);
    WarpAccess access = {
        .lanes = 1 + draw_below(&fixture, 7), .segment_bytes = 1 + draw_below(&fixture, 24)};
    Coalescing expected = {.assignments = 1}, found;
    for (uint32_t i = 0; i < map->runtime_count; i++)
      expected.assignments *=
          (uint64_t)(map->runtimes[i].bounds.hi - map->runtimes[i].bounds.lo + 1);
    memset(&access_of, 0, sizeof access_of);
    Error error = {};
    bool fits = map->dim_count > 0 && shape_elements(shape) <= most_elements;
    if (fits) fits = coalescing_defined(fixture.context, map, shape, &access, &expected);
    if (shape_elements(shape) <= most_elements) {
      assert_int_equal(use_coalescing(fixture.context, map, shape, &access, &found, &error), fits);
      if (fits) assert_memory_equal(&found, &expected, sizeof found);
      else assert_int_equal(error.kind, ERROR_INPUT);
      counted_maps += fits;
      rejected += !fits;
    }
    map_context_rewind(fixture.context, mark);
  }
  assert_true(counted_maps > 200 && rejected > 50);
  fixture_close(&fixture);
}

/* ---- utilization ---- */

/* The number of elements of the union, for the runtime values `fixed` or, if nullptr, for all. */
static int64_t reads_defined(
    const MapContext *context, const MapSet *maps, const Shape *shape, const int64_t *fixed) {
  static bool elements[most_elements];
  int64_t count = 0;
  memset(elements, 0, sizeof elements);
  for (uint32_t i = 0; i < maps->count; i++) {
    const Map *map = maps->maps[i];
    int64_t values[8], results[8];
    uint32_t first = map_first_number(map, VAR_RUNTIME);
    for (bool more = map_points_begin(map, values); more; more = map_points_next(map, values)) {
      Point point = map_point(map, values);
      bool is_chosen = fixed == nullptr ||
                       memcmp(values + first, fixed, map->runtime_count * sizeof *fixed) == 0;
      if (!is_chosen || map_evaluate(context, map, &point, results) != POINT_INSIDE) continue;
      int64_t position = memory_position(shape, results);
      count += !elements[position];
      elements[position] = true;
    }
  }
  return count;
}

/* Sources with one value for the whole array. */
static void give_sources(DefinitionsFixture *fixture, Map *map) {
  MapContext *context = fixture->context;
  if (draw_below(fixture, 3) == 0 || map->runtime_count == 0) return;
  map->sources = ARENA_NEW(context->arena, RuntimeSource, map->runtime_count);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    Map *index = map_copy_variables(context->arena, map, 1, 0);
    index->sources = nullptr;
    index->results[0] = draw_below(fixture, 4) == 0 && map->dim_count > 0
                            ? expr_var(context->pool, VAR_DIM, 0)
                            : expr_const(context->pool, i);
    map->sources[i] =
        (RuntimeSource){.name = "s", .index = index, .clamp = map->runtimes[i].bounds};
  }
}

/* An exact number is that of each assignment of the runtime values, and an upper bound is at least
 * that of each. Without runtime variables the number is exact. */
static void check_utilization(DefinitionsFixture *fixture, const MapSet *maps, const Shape *shape) {
  Utilization found;
  Error error = {};
  if (!use_utilization(fixture->simplifier, maps, shape, &found, &error))
    fail_msg("%s", error.message);
  assert_int_equal(found.elements, shape_elements(shape));
  int64_t all = reads_defined(fixture->context, maps, shape, nullptr);
  const Map *map = maps->count == 1 ? maps->maps[0] : nullptr;
  bool has_runtimes = false;
  for (uint32_t i = 0; i < maps->count; i++)
    for (uint32_t k = 0; k < maps->maps[i]->runtime_count; k++) {
      Interval bounds = maps->maps[i]->runtimes[k].bounds;
      has_runtimes = has_runtimes || bounds.lo != bounds.hi;
    }
  if (!has_runtimes) {
    assert_int_equal(found.read, all);
    assert_int_equal(found.is_at_most, maps->claim == INDEX_OVER_APPROXIMATION);
  }
  if (found.is_at_most) assert_true(found.read <= all || !has_runtimes);
  if (map == nullptr || map->runtime_count == 0) return;
  Map runtimes = *map; /* the box of the runtime variables alone */
  runtimes.dim_count = runtimes.range_count = 0;
  int64_t fixed[8];
  for (bool more = map_points_begin(&runtimes, fixed); more;
       more = map_points_next(&runtimes, fixed)) {
    int64_t reads = reads_defined(fixture->context, maps, shape, fixed);
    if (found.is_at_most) assert_true(reads <= found.read);
    else assert_int_equal(reads, found.read);
  }
}

static void utilization_is_the_number_of_elements(void **) {
  DefinitionsFixture fixture = fixture_open(2);
  for (uint32_t round = 0; round < 1500; round++) {
    MapMark mark = map_context_mark(fixture.context);
    Map *first = draw_map(&fixture), *second = draw_map(&fixture);
    while (second->result_count != first->result_count) second = draw_map(&fixture);
    give_sources(&fixture, first);
    const Map *items[] = {first, second};
    MapSet maps = {.claim = round % 5 == 0 ? INDEX_OVER_APPROXIMATION : INDEX_EXACT,
        .count = round % 3 == 0 ? 2 : 1,
        .maps = items};
    Shape *shape = draw_operand(&fixture, first, false);
    for (uint32_t i = 0; i < shape->rank && maps.count == 2; i++) shape->sizes[i] = 16;
    if (shape_elements(shape) <= most_elements) check_utilization(&fixture, &maps, shape);
    map_context_rewind(fixture.context, mark);
  }
  Utilization found;
  Error error = {};
  assert_true(use_utilization(fixture.simplifier, &(MapSet){},
      &(Shape){.type = TYPE_f32, .rank = 1, .sizes = (int64_t[]){7}}, &found, &error));
  assert_true(found.read == 0 && found.elements == 7 && !found.is_at_most);
  fixture_close(&fixture);
}

/* ---- values of sources ---- */

static int64_t value_clamped(int64_t value, Interval clamp) {
  return value < clamp.lo ? clamp.lo : value > clamp.hi ? clamp.hi : value;
}

typedef struct TupleList {
  int64_t items[64][4];
  uint32_t count;
} TupleList;

static bool tuples_add(TupleList *list, const int64_t *tuple) {
  for (uint32_t i = 0; i < list->count; i++)
    if (memcmp(list->items[i], tuple, sizeof list->items[i]) == 0) return false;
  memcpy(list->items[list->count++], tuple, sizeof list->items[0]);
  return true;
}

/* The tuples of clamps that any value of the element of `first` gives within all bounds. */
static TupleList tuples_defined(const Map *map, const uint32_t *element, uint32_t first) {
  TupleList list = {};
  for (int64_t value = -20; value <= 20; value++) {
    int64_t tuple[4] = {};
    bool fits = true;
    for (uint32_t i = 0; i < map->runtime_count; i++) {
      if (element[i] != element[first]) continue;
      Interval bounds = map->runtimes[i].bounds;
      tuple[i] = value_clamped(value, map->sources[i].clamp);
      fits = fits && tuple[i] >= bounds.lo && tuple[i] <= bounds.hi;
    }
    if (fits) (void)tuples_add(&list, tuple);
  }
  return list;
}

static void check_values(const Map *map, const uint32_t *element) {
  for (uint32_t first = 0; first < map->runtime_count; first++) {
    int64_t count;
    bool is_later = false;
    for (uint32_t i = 0; i < first; i++) is_later |= element[i] == element[first];
    assert_true(values_count(map, first, &count));
    if (is_later) {
      assert_int_equal(count, 1);
      continue;
    }
    TupleList expected = tuples_defined(map, element, first), found = {};
    assert_int_equal(count, expected.count);
    for (int64_t number = 0; number < count; number++) {
      int64_t chosen[4] = {};
      for (uint32_t i = 0; i < map->runtime_count; i++)
        values_choose(map, i, number * (i == first), chosen);
      for (uint32_t i = 0; i < map->runtime_count; i++)
        if (element[i] != element[first]) chosen[i] = 0;
      assert_true(tuples_add(&found, chosen));
      assert_false(tuples_add(&expected, chosen));
    }
  }
}

/* Up to four runtime variables that are clamps of up to two elements. */
static void values_are_the_tuples_of_clamps(void **) {
  static const int instructions[2];
  DefinitionsFixture fixture = fixture_open(3);
  MapContext *context = fixture.context;
  for (uint32_t round = 0; round < 4000; round++) {
    MapMark mark = map_context_mark(context);
    uint32_t count = 1 + draw_below(&fixture, 4), element[4];
    Map *map = map_create(context, 1, 0, count, 0, 0);
    map->sources = ARENA_NEW(context->arena, RuntimeSource, count);
    for (uint32_t i = 0; i < count; i++) {
      element[i] = draw_below(&fixture, 4);
      int64_t lo = random_between(&fixture.random, -6, 6),
              hi = random_between(&fixture.random, lo, 9);
      map->sources[i].clamp = map->runtimes[i].bounds = (Interval){lo, hi};
      if (round % 2 == 0) { /* bounds narrower than the clamp */
        map->runtimes[i].bounds.lo += random_between(&fixture.random, 0, (hi - lo) / 2);
        map->runtimes[i].bounds.hi -= random_between(&fixture.random, 0, (hi - lo) / 2);
      }
      map->sources[i].name = "s";
      map->sources[i].instruction = &instructions[element[i] / 2];
    }
    for (uint32_t i = 0; i < count; i++) {
      Map *index = map_copy_variables(context->arena, map, 1, 0);
      index->sources = nullptr;
      index->results[0] = expr_const(context->pool, element[i] % 2);
      map->sources[i].index = index;
    }
    check_values(map, element);
    map_context_rewind(context, mark);
  }
  fixture_close(&fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accesses_are_coalesced_as_defined),
      cmocka_unit_test(utilization_is_the_number_of_elements),
      cmocka_unit_test(values_are_the_tuples_of_clamps),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
