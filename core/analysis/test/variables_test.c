/* Inverses, counts and injectivity of maps against enumeration of points. */
#include "core/simplify/test/test_world.h"

#include "core/map/evaluate.h"
#include "core/map/points.h"
#include "core/analysis/algebra.h"

typedef struct VariablesRow {
  const char *in, *out;
} VariablesRow;

static const VariablesRow inverses[] = {
    {"(d0, d1) -> (d1, d0), domain: d0 in [0, 3], d1 in [0, 7]",
        "(d0, d1) -> (d1, d0), domain: d0 in [0, 7], d1 in [0, 3]"},
    {"(d0) -> (-d0 + 9), domain: d0 in [0, 9]", "(d0) -> (-d0 + 9), domain: d0 in [0, 9]"},
    {"(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]",
        "(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]"},
    {"(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]",
        "(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]"},
    {"(d0, d1, d2) -> (d1 floordiv 2 + d0 * 2, (d1 mod 2) * 4 + d2), domain: d0 in [0, 1], d1 in [0, 3], d2 in [0, 3]",
        "(d0, d1) -> (d0 floordiv 2, (d0 mod 2) * 2 + d1 floordiv 4, d1 mod 4), domain: d0 in [0, 3], d1 in [0, 7]"},
    {"(d0) -> (d0 * 2 + 1), domain: d0 in [0, 4]",
        "(d0) -> ((d0 - 1) floordiv 2), domain: d0 in [1, 9], (d0 - 1) mod 2 in [0, 0]"},
    {"(d0, d1) -> (d0, 5, d1), domain: d0 in [0, 3], d1 in [2, 2]",
        "(d0, d1, d2) -> (d0, 2), domain: d0 in [0, 3], d1 in [5, 5], d2 in [2, 2]"},
    {"(d0) -> (d0), domain: d0 in [3, 2]", "KNOWN EMPTY"},
};

static void inverses_are_as_stated(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  for (size_t i = 0; i < sizeof inverses / sizeof *inverses; i++) {
    const Map *inverse;
    Error error = {};
    bool found =
        map_inverse(world.simplifier, fixture_parse(&world, inverses[i].in), &inverse, &error);
    if (!found) error_print(&error, stderr);
    assert_true(found);
    assert_string_equal(fixture_print(&world, inverse), inverses[i].out);
  }
  close_world(&world);
}

static const char *const without_inverse[] = {
    "(d0, d1) -> (d0), domain: d0 in [0, 3], d1 in [0, 7]",
    "(d0) -> (d0 mod 8), domain: d0 in [0, 31]",
    "(d0)[s0] -> (d0, s0), domain: d0 in [0, 31], s0 in [0, 3]",
    "(d0, d1) -> (d0 + d1), domain: d0 in [0, 3], d1 in [0, 7]",
    "UNDEFINED",
};

static void maps_without_inverse_say_so(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  for (size_t i = 0; i < sizeof without_inverse / sizeof *without_inverse; i++) {
    const Map *inverse;
    Error error = {};
    assert_false(
        map_inverse(world.simplifier, fixture_parse(&world, without_inverse[i]), &inverse, &error));
    assert_int_equal(error.kind, ERROR_UNSUPPORTED);
  }
  close_world(&world);
}

/* At every point of the map the inverse returns the point. At an index of the box of results it has
 * a value only if a point does; this is checked and counted if the box is small. */
static bool is_inverse(
    SimplifyFixture *world, const Map *map, const Map *inverse, uint32_t *counted) {
  int64_t d[2], e[3], back[2];
  uint32_t inside = 0, of_inverse = 0;
  for (d[0] = map->dims[0].bounds.lo; d[0] <= map->dims[0].bounds.hi; d[0]++)
    for (d[1] = map->dims[1].bounds.lo; d[1] <= map->dims[1].bounds.hi; d[1]++) {
      if (map_evaluate(world->context, map, &(Point){.dims = d}, e) != POINT_INSIDE) continue;
      inside++;
      if (map_evaluate(world->context, inverse, &(Point){.dims = e}, back) != POINT_INSIDE ||
          back[0] != d[0] || back[1] != d[1])
        return false;
    }
  Interval box[3] = {};
  uint64_t ignored;
  if (!map_points_count(inverse, 1 << 16, &ignored)) return true;
  ++*counted;
  for (uint32_t i = 0; i < inverse->dim_count; i++) box[i] = inverse->dims[i].bounds;
  for (e[0] = box[0].lo; e[0] <= box[0].hi; e[0]++)
    for (e[1] = box[1].lo; e[1] <= box[1].hi; e[1]++)
      of_inverse +=
          map_evaluate(world->context, inverse, &(Point){.dims = e}, back) == POINT_INSIDE;
  return inside == of_inverse;
}

static void random_inverses_are_inverses(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  uint32_t found = 0, injective = 0, counted = 0;
  for (uint64_t seed = 0; seed < 4000; seed++) {
    MapMark mark = map_context_mark(world.context);
    RandomMaps random = {.state = seed};
    Map *map = map_create(world.context, 2, 0, 0, 2, 0);
    for (uint32_t i = 0; i < 2; i++)
      map->dims[i].bounds = (Interval){0, random_between(&random, 1, 11)};
    random.max_coefficient = 8;
    for (uint32_t i = 0; i < 2; i++) map->results[i] = random_expr(world.context, &random, map, 3);
    Error error = {};
    const Map *inverse;
    if (map_check(world.context, map, &error) &&
        map_inverse(world.simplifier, map, &inverse, &error)) {
      found++;
      if (inverse->state == MAP_PLAIN) assert_true(is_inverse(&world, map, inverse, &counted));
    }
    VerdictStatus answer = map_is_injective(world.simplifier, map, 1000, nullptr);
    assert_true(answer != VERDICT_UNKNOWN || error.kind == ERROR_OVERFLOW);
    injective += answer == VERDICT_PROVED;
    map_context_rewind(world.context, mark);
  }
  print_message("%u inverses of %u injective maps, %u counted\n", found, injective, counted);
  assert_true(found > 20 && found <= injective && counted > 20);
  close_world(&world);
}

static void bijections_are_found(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  const Map *reshape =
      fixture_parse(&world, "(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]");
  assert_int_equal(map_is_bijective(world.simplifier, reshape, 2, (int64_t[]){4, 8}, 1000, nullptr),
      VERDICT_PROVED);
  assert_int_equal(map_is_bijective(world.simplifier, reshape, 2, (int64_t[]){5, 8}, 1000, nullptr),
      VERDICT_REFUTED);
  const Map *large = fixture_parse(
      &world, "(d0) -> (d0 floordiv 1024, d0 mod 1024), domain: d0 in [0, 1073741823]");
  assert_int_equal(
      map_is_bijective(world.simplifier, large, 2, (int64_t[]){1048576, 1024}, 10, nullptr),
      VERDICT_PROVED);
  const Map *folded = fixture_parse(&world, "(d0) -> (d0 mod 1000), domain: d0 in [0, 1999]");
  assert_int_equal(map_is_injective(world.simplifier, folded, 10000, nullptr), VERDICT_REFUTED);
  assert_int_equal(map_is_injective(world.simplifier, folded, 10, nullptr), VERDICT_REFUTED);
  const Map *shuffled =
      fixture_parse(&world, "(d0) -> ((d0 * 7919) mod 10007), domain: d0 in [0, 10006]");
  assert_int_equal(map_is_injective(world.simplifier, shuffled, 10, nullptr), VERDICT_UNKNOWN);
  assert_int_equal(map_is_injective(world.simplifier, shuffled, 20000, nullptr), VERDICT_PROVED);
  close_world(&world);
}

static uint64_t count_by_hand(SimplifyFixture *world, const Map *map) {
  uint64_t count = 0;
  int64_t v[3], results[4];
  for (v[0] = map->dims[0].bounds.lo; v[0] <= map->dims[0].bounds.hi; v[0]++)
    for (v[1] = map->dims[1].bounds.lo; v[1] <= map->dims[1].bounds.hi; v[1]++)
      for (v[2] = map->ranges[0].bounds.lo; v[2] <= map->ranges[0].bounds.hi; v[2]++)
        count += map_evaluate(world->context, map, &(Point){.dims = v, .ranges = v + 2}, results) ==
                 POINT_INSIDE;
  return count;
}

typedef struct VariablesCount {
  const char *map;
  uint64_t points;
} VariablesCount;

static const VariablesCount large_counts[] = {
    {"(d0) -> (d0), domain: d0 in [0, 4294967295]", UINT64_C(4294967296)},
    {"(d0) -> (d0), domain: d0 in [3, 4294967295], (d0 - 3) mod 7 in [0, 0]", UINT64_C(613566757)},
    {"(d0) -> (d0), domain: d0 in [-4294967295, 4294967295], d0 mod 10 in [3, 5]",
        UINT64_C(2576980378)},
    {"(d0) -> (d0), domain: d0 in [0, 4294967295], (d0 floordiv 16) mod 4 in [1, 2]",
        UINT64_C(2147483648)},
    {"(d0, d1) -> (d0), domain: d0 in [0, 65535], d1 in [0, 65535], d0 + d1 in [0, 65535]",
        UINT64_C(2147516416)},
    {"(d0)[s0] -> (d0 * 3 + s0), domain: d0 in [0, 2147483647], s0 in [0, 2], d0 * 3 + s0 in [5, 5000000000]",
        UINT64_C(4999999996)},
    {"(d0, d1) -> (d0), domain: d0 in [-9223372036854775808, 9223372036854775807], d1 in [5, 4]",
        0},
    {"(d0, d1) -> (d0), domain: d0 in [-9223372036854775808, 9223372036854775807], d1 in [5, 8], d1 in [9, 9]",
        0},
    {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 1023], rt0 in [0, 2097152]", UINT64_C(2147484672)},
    {"(d0, d1) -> (d0), domain: d0 in [4611686018427387903, 4611686018427387904], d1 in [7, 8], (d0 mod 2147483648 + d1 * 2) mod 5 in [1, 2]",
        2},
    {"() -> (7)", 1},
};

static void large_domains_are_counted(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  for (size_t i = 0; i < sizeof large_counts / sizeof *large_counts; i++) {
    uint64_t count;
    Error error = {};
    bool counted = map_count_points(
        world.simplifier, fixture_parse(&world, large_counts[i].map), 1 << 20, &count, &error);
    if (!counted || count != large_counts[i].points)
      print_message("%s: %s%llu\n", large_counts[i].map, counted ? "" : error.message,
          (unsigned long long)count);
    assert_true(counted && count == large_counts[i].points);
  }
  uint64_t count;
  Error error = {};
  assert_false(map_count_points(world.simplifier,
      fixture_parse(
          &world, "(d0) -> (), domain: d0 in [-9223372036854775808, 9223372036854775807]"),
      4096, &count, &error));
  assert_int_equal(error.kind, ERROR_OVERFLOW);
  close_world(&world);
}

typedef struct InjectiveCase {
  const char *map, *why;
  VerdictStatus injective, bijective;
  uint32_t rank;
  int64_t sizes[4];
} InjectiveCase;

static const InjectiveCase large_answers[] = {
    {"(d0) -> (d0 mod 1000), domain: d0 in [0, 4294967295]",
        "(d0 = 0) and (d0 = 1000) both give (0)", VERDICT_REFUTED, VERDICT_REFUTED, 1, {1000}},
    {"(d0) -> (d0 floordiv 4096, d0 mod 4096), domain: d0 in [0, 4294967295]", "it has an inverse",
        VERDICT_PROVED, VERDICT_PROVED, 2, {1048576, 4096}},
    {"(d0, d1, d2) -> (d2, d0 floordiv 8, d1, d0 mod 8), domain: d0 in [0, 2047], d1 in [0, 1023], d2 in [0, 1023]",
        "it has an inverse", VERDICT_PROVED, VERDICT_PROVED, 4, {1024, 256, 1024, 8}},
    {"(d0, d1) -> (-d0 + 65535, d1 + 5), domain: d0 in [0, 65535], d1 in [0, 65535]",
        "it has an inverse", VERDICT_PROVED, VERDICT_REFUTED, 2, {65536, 65536}},
    {"(d0, d1) -> (d0 * 65535 + d1), domain: d0 in [0, 65535], d1 in [0, 65535]",
        "(d0 = 0, d1 = 65535) and (d0 = 1, d1 = 0) both give (65535)", VERDICT_REFUTED,
        VERDICT_REFUTED, 1, {65536}},
    {"(d0, d1) -> (d0 * 1000 + d1, d1 floordiv 1000), domain: d0 in [0, 2147483647], d1 in [0, 1999]",
        "no inverse is found, and there are too many points to go through", VERDICT_UNKNOWN,
        VERDICT_REFUTED, 2, {1024, 2}},
    {"(d0, d1) -> (d0 * 100 + d1), domain: d0 in [0, 2147483647], d1 in [0, 100]",
        "(d0 = 0, d1 = 100) and (d0 = 1, d1 = 0) both give (100)", VERDICT_REFUTED, VERDICT_REFUTED,
        1, {1}},
    {"(d0) -> ((d0 - 3) floordiv 7), domain: d0 in [3, 4294967295], (d0 - 3) mod 7 in [0, 0]",
        "it has an inverse", VERDICT_PROVED, VERDICT_PROVED, 1, {613566757}},
    {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 1], rt0 in [0, 1]",
        "(d0 = 0, rt0 = 1) and (d0 = 1, rt0 = 0) both give (1)", VERDICT_REFUTED, VERDICT_REFUTED,
        1, {3}},
    {"(d0) -> (d0 floordiv 2000000), domain: d0 in [0, 9999999], d0 mod 1000001 in [7, 7]",
        "10 points have at most 5 results", VERDICT_REFUTED, VERDICT_REFUTED, 1, {5}},
    {"(d0, d1) -> (d0, d1), domain: d0 in [0, 4294967295], d1 in [0, 4294967294]",
        "it has an inverse", VERDICT_PROVED, VERDICT_REFUTED, 2, {4294967296, 4294967296}},
    {"(d0) -> (d0), domain: d0 in [-9223372036854775808, 9223372036854775807]", "it has an inverse",
        VERDICT_PROVED, VERDICT_UNKNOWN, 1, {5}},
    {"KNOWN EMPTY", "the map has no points", VERDICT_PROVED, VERDICT_PROVED, 2, {0, 5}},
    {"KNOWN EMPTY", "the map has no points", VERDICT_PROVED, VERDICT_REFUTED, 2, {1, 5}},
    {"UNDEFINED", "the map is undefined", VERDICT_UNKNOWN, VERDICT_UNKNOWN, 1, {1}},
};

static void large_maps_are_distinguished(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  for (size_t i = 0; i < sizeof large_answers / sizeof *large_answers; i++) {
    const InjectiveCase *row = &large_answers[i];
    const char *why = nullptr;
    const Map *map = fixture_parse(&world, row->map);
    VerdictStatus injective = map_is_injective(world.simplifier, map, 65536, &why);
    if (injective != row->injective || strcmp(why, row->why) != 0)
      print_message("%s: %u %s\n", row->map, injective, why);
    assert_int_equal(injective, row->injective);
    assert_string_equal(why, row->why);
    assert_int_equal(map_is_bijective(world.simplifier, map, row->rank, row->sizes, 65536, &why),
        row->bijective);
  }
  close_world(&world);
}

static const char *const at_the_ends[] = {
    "(d0) -> (d0), domain: d0 in [-9223372036854775808, 9223372036854775807]",
    "(d0)[s0] -> (d0 - s0), domain: d0 in [0, 9223372036854775807], s0 in [0, 9223372036854775807]",
    "(d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [-9223372036854775808, 9223372036854775807], s0 mod 3 in [1, 1]",
    "(d0)[s0] -> (s0 mod 9223372036854775807), domain: d0 in [0, 3], s0 in [-9223372036854775808, 9223372036854775807], s0 mod 9223372036854775807 in [1, 1]",
    "(d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [9223372036854775800, 9223372036854775807], (s0 - 9223372036854775807) mod 5 in [2, 2]",
    "(d0)[s0] -> (s0), domain: d0 in [5, 3], s0 in [9223372036854775800, 9223372036854775807], s0 mod 5 in [7, 7]",
    "(d0, d1) -> (d0 * 4611686018427387904 + d1), domain: d0 in [-2, 1], d1 in [0, 4611686018427387903]",
    "(d0) -> (d0 + 9223372036854775807), domain: d0 in [-9223372036854775808, 0]",
    "(d0) -> (d0 floordiv 9223372036854775807, d0 mod 9223372036854775807), domain: d0 in [-9223372036854775808, 9223372036854775807]",
};

/* The results are not checked: no computation may leave int64, which the sanitizers detect. */
static void ends_of_int64_are_not_passed(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  for (size_t i = 0; i < sizeof at_the_ends / sizeof *at_the_ends; i++) {
    const Map *map = fixture_parse(&world, at_the_ends[i]), *made;
    uint64_t count;
    Error errors[3] = {};
    bool inverted = map_inverse(world.simplifier, map, &made, &errors[0]),
         rescaled = map_rescale(world.simplifier, map, &made, &errors[1]);
    bool counted = map_count_points(world.simplifier, map, 1000, &count, &errors[2]);
    assert_true((inverted || errors[0].kind != ERROR_NONE) &&
                (rescaled || errors[1].kind != ERROR_NONE) &&
                (counted || errors[2].kind != ERROR_NONE));
    VerdictStatus injective = map_is_injective(world.simplifier, map, 1000, nullptr);
    VerdictStatus bijective = map_is_bijective(
        world.simplifier, map, map->result_count, (int64_t[]){INT64_MAX, INT64_MAX}, 1000, nullptr);
    assert_true(bijective != VERDICT_PROVED || injective == VERDICT_PROVED);
    print_message("%s: %s, injective %u, bijective %u\n", at_the_ends[i],
        inverted ? "inverted" : errors[0].message, injective, bijective);
  }
  close_world(&world);
}

static void points_are_counted(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  Error error = {};
  uint64_t count;
  assert_true(map_count_points(world.simplifier,
      fixture_parse(&world,
          "(d0)[s0] -> (d0), domain: d0 in [0, 999999999], s0 in [0, 9], s0 mod 3 in [0, 0]"),
      100, &count, &error));
  assert_int_equal(count, UINT64_C(4000000000));
  assert_false(map_count_points(world.simplifier,
      fixture_parse(
          &world, "(d0)[s0] -> (d0), domain: d0 in [0, 999], s0 in [0, 9], s0 + d0 in [0, 7]"),
      5, &count, &error));
  assert_int_equal(error.kind, ERROR_LIMIT);
  uint32_t counted = 0;
  for (uint64_t seed = 0; seed < 2000; seed++) {
    MapMark mark = map_context_mark(world.context);
    RandomMaps random = {.state = seed, .max_coefficient = 6};
    Map *map = map_create(world.context, 2, 1, 0, 0, (uint32_t)random_between(&random, 0, 3));
    for (uint32_t i = 0; i < 2; i++)
      map->dims[i].bounds = (Interval){0, random_between(&random, -1, 7)};
    map->ranges[0].bounds = (Interval){-2, random_between(&random, -2, 4)};
    for (uint32_t i = 0; i < map->constraint_count; i++)
      map->constraints[i] = (Constraint){
          random_expr(world.context, &random, map, 2), {-3, random_between(&random, -3, 9)}};
    error = (Error){};
    bool fits = map_check(world.context, map, &error);
    counted += fits;
    if (fits) {
      assert_true(map_count_points(world.simplifier, map, 100000, &count, &error));
      assert_int_equal(count, count_by_hand(&world, map));
    }
    map_context_rewind(world.context, mark);
  }
  assert_true(counted > 1000);
  close_world(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverses_are_as_stated),
      cmocka_unit_test(maps_without_inverse_say_so),
      cmocka_unit_test(random_inverses_are_inverses),
      cmocka_unit_test(bijections_are_found),
      cmocka_unit_test(points_are_counted),
      cmocka_unit_test(large_domains_are_counted),
      cmocka_unit_test(large_maps_are_distinguished),
      cmocka_unit_test(ends_of_int64_are_not_passed),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
