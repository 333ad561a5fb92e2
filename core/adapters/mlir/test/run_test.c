/* Compiled kernels against the tree walk, point by point; differences seeded in constants,
 * divisors, bounds and constraints are found, at the right point. */
#include "core/adapters/mlir/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/map/points.h"
#include "core/map/test/each_map.h"
#include "core/map/evaluate.h"
#include "core/map/test/random_map.h"
#include "core/adapters/mlir/box.h"
#include "core/adapters/mlir/walk.h"

static constexpr uint32_t most = 16;

static void run_must(bool done, const Error *error) {
  if (!done) error_print(error, stderr);
  assert_true(done);
}

typedef struct RunWalked {
  uint64_t points, inside;
  uint32_t checksum;
} RunWalked;

static RunWalked run_walk(const MapContext *context, const Map *map) {
  int64_t values[most], results[most];
  RunWalked walked = {};
  for (bool more = map_points_begin(map, values); more; more = map_points_next(map, values)) {
    Point point = map_point(map, values);
    walked.points++;
    if (map_evaluate(context, map, &point, results) != POINT_INSIDE) continue;
    walked.inside++;
    for (uint32_t i = 0; i < map->result_count; i++)
      walked.checksum += (i + 1) * (uint32_t)results[i];
  }
  return walked;
}

/* False if the map is rejected as past int64 and rejection_is_fine is set. */
static bool check_pairs(MapContext *context, const Map *map, bool rejection_is_fine) {
  Error error = {};
  PairsRun pairs;
  if (!mlir_pairs(context, map, 1 << 20, &pairs, &error) && error.kind == ERROR_OVERFLOW &&
      rejection_is_fine)
    return false;
  run_must(error.kind == ERROR_NONE, &error);
  int64_t values[most], results[most];
  uint64_t seen = 0;
  for (bool more = map_points_begin(map, values); more; more = map_points_next(map, values)) {
    Point point = map_point(map, values);
    if (map_evaluate(context, map, &point, results) != POINT_INSIDE) continue;
    assert_true(seen < pairs.count);
    const int64_t *row = pairs.values + seen++ * pairs.width;
    assert_memory_equal(row, values, map_variable_count(map) * sizeof *row);
    assert_memory_equal(row + map_variable_count(map), results, map->result_count * sizeof *row);
  }
  assert_int_equal(seen, pairs.count);
  return true;
}

static void check_count(MapContext *context, const Map *map) {
  Error error = {};
  CountRun count;
  run_must(mlir_count(context, map, nullptr, &count, &error), &error);
  RunWalked walked = run_walk(context, map);
  assert_int_equal(count.run.points, walked.points);
  assert_int_equal(count.run.inside, walked.inside);
  assert_int_equal(count.checksum, walked.checksum);
}

static void check_same(MapContext *context, const Map *map) {
  Error error = {};
  SameMapRun same;
  run_must(mlir_same_map(context, map, map, nullptr, &same, &error), &error);
  RunWalked walked = run_walk(context, map);
  assert_false(same.differs);
  assert_int_equal(same.run.inside, walked.inside);
}

static const char *const maps[] = {
    "() -> ()",
    "() -> (7)",
    "() -> (3 floordiv 2), domain: 5 in [6, 7]",
    "KNOWN EMPTY",
    "(d0) -> (d0), domain: d0 in [3, 2]",
    "(d0) -> (), domain: d0 in [0, 9]",
    "(d0, d1)[s0] -> (d0 * 3 + s0, min(d1, 5) floordiv 2), domain: d0 in [0, 9], d1 in [-3, 40], s0 in [0, 2], d0 + s0 * 4 in [3, 7], max(d1, s0) in [1, 2]",
    "(d0){rt0} -> (d0 * rt0, (d0 - 50) mod 4, (d0 - 50) floordiv 7, (d0 - 50) ceildiv 7), domain: d0 in [0, 99], rt0 in [-3, 2]",
    "(d0) -> (d0 * 3000000000 + 1), domain: d0 in [0, 999]",
    "(d0, d1) -> (d0 * 65536 + d1 floordiv 3), domain: d0 in [0, 3], d1 in [0, 65535], d1 mod 3 in [1, 1]",
    "(d0) -> (d0 * 2147483647 floordiv 3, d0 * -2147483647 floordiv 3, d0 * 2147483647 ceildiv 7, d0 * -2147483647 mod 10), domain: d0 in [-1, 1]",
    "(d0) -> (d0 * 2147483648 floordiv 3, d0 * -2147483648 floordiv 3, d0 * 2147483648 ceildiv 7), domain: d0 in [-1, 1]",
    "(d0) -> (d0 floordiv 2147483647, d0 mod 2147483647, d0 ceildiv 2147483647), domain: d0 in [2147483640, 2147483646]",
    "(d0) -> (d0 floordiv 7, d0 mod 2147483648), domain: d0 in [2147483640, 2147483660]",
    "(d0) -> (d0 floordiv 7, d0 mod 5), domain: d0 in [-2147483646, -2147483600], d0 * 1 in [-2147483640, 2147483647]",
    "(d0) -> (d0 * 1073741823), domain: d0 in [-1, 1], d0 * 1073741823 in [-1073741823, 1073741822]",
    "(d0) -> (d0 * 9223372036854775807 floordiv 3, d0 * -9223372036854775807 ceildiv 5), domain: d0 in [0, 1]",
    "(d0, d1) -> ((d0 * 64 + d1) floordiv 48 mod 5), domain: d0 in [0, 99], d1 in [0, 63], d0 + d1 in [5, 150], d0 - d1 in [-9, 30]",
};

/* In a brief run, every second map is compiled to one kernel, and every sixth to all three. */
static void stated_maps_agree(void **) {
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i += test_length(1, 1, 2)) {
    MapContext *context = map_context_create();
    const Map *map = walk_parse(context, maps[i]);
    (void)check_pairs(context, map, strstr(maps[i], "9223372036854775807") != nullptr);
    if (i % test_length(1, 1, 6) == 0) {
      check_count(context, map);
      check_same(context, map);
    }
    map_context_destroy(context);
  }
}

static RandomMaps small_maps(uint64_t seed) {
  return (RandomMaps){.state = seed,
      .max_variables = 4,
      .max_depth = 4,
      .max_results = 3,
      .max_constraints = 2,
      .max_coefficient = 20,
      .max_bound = 11};
}

static bool is_accepted(MapContext *context, const Map *map) {
  Error error = {};
  CountRun count;
  bool accepted = mlir_count(context, map, nullptr, &count, &error);
  assert_true(accepted || error.kind == ERROR_OVERFLOW);
  return accepted;
}

/* Of maps with edge constants a quarter or more leave int64 when regrouped; draws until one is
 * accepted. */
static const Map *accepted_map(MapContext *context, RandomMaps *random) {
  const Map *map = random_map(context, random);
  while (!is_accepted(context, map)) map = random_map(context, random);
  return map;
}

/* With AFFIRM_FEW an eighth of the runs, because most of the time is MLIR's own compiler. */
static int run_few(int many) { return getenv("AFFIRM_FEW") != nullptr ? many / 8 : many; }

static void random_maps_agree(void **) {
  RandomMaps random = small_maps(20);
  int with_pairs = 0;
  for (int i = 0; i < run_few(40); i++) {
    MapContext *context = map_context_create();
    const Map *map = accepted_map(context, &random);
    with_pairs += check_pairs(context, map, true);
    check_count(context, map);
    map_context_destroy(context);
  }
  assert_true(with_pairs > run_few(20));
}

/* The first point of the hull at which two maps differ, found by walking. */
static bool walk_difference(MapContext *context, const Map *a, const Map *b, int64_t *values) {
  const Map *box;
  Error error = {};
  run_must(box_of(context, a, b, &box, &error), &error);
  for (bool more = map_points_begin(box, values); more; more = map_points_next(box, values)) {
    int64_t left[most], right[most];
    Point point = map_point(box, values);
    PointState in_a = map_evaluate(context, a, &point, left),
               in_b = map_evaluate(context, b, &point, right);
    if (in_a != in_b) return true;
    if (in_a == POINT_INSIDE && memcmp(left, right, a->result_count * sizeof *left) != 0)
      return true;
  }
  return false;
}

static void check_difference(MapContext *context, const Map *a, const Map *b) {
  Error error = {};
  SameMapRun same;
  int64_t values[most];
  run_must(mlir_same_map(context, a, b, nullptr, &same, &error), &error);
  bool differs = walk_difference(context, a, b, values);
  assert_int_equal(same.differs, differs);
  if (differs) assert_memory_equal(same.first, values, map_variable_count(a) * sizeof *values);
}

typedef struct RunMutant {
  const char *before, *after;
  bool differs;
} RunMutant;

static const RunMutant mutant[] = {
    {"(d0) -> (d0 mod 8), domain: d0 in [0, 8]", "(d0) -> (d0), domain: d0 in [0, 8]", true},
    {"(d0) -> (d0 mod 8), domain: d0 in [0, 7]", "(d0) -> (d0), domain: d0 in [0, 7]", false},
    {"(d0) -> (d0 floordiv 2), domain: d0 in [-4, 7]",
        "(d0) -> (d0 ceildiv 2), domain: d0 in [-4, 7]", true},
    {"(d0) -> (d0), domain: d0 in [0, 7]", "(d0) -> (d0), domain: d0 in [0, 6]", true},
    {"(d0) -> (d0), domain: d0 in [0, 7], d0 in [0, 6]", "(d0) -> (d0), domain: d0 in [0, 6]",
        false},
    {"(d0) -> (d0), domain: d0 in [1, 6]", "(d0) -> (d0), domain: d0 in [-3, 9], d0 in [1, 6]",
        false},
    {"(d0, d1) -> (d0), domain: d0 in [0, 7], d1 in [0, 9], d0 + d1 in [3, 9]",
        "(d0, d1) -> (d0), domain: d0 in [0, 7], d1 in [0, 9]", true},
    {"(d0, d1) -> (d0), domain: d0 in [0, 7], d1 in [0, 9], d0 + d1 in [0, 16]",
        "(d0, d1) -> (d0), domain: d0 in [0, 7], d1 in [0, 9]", false},
    {"(d0, d1) -> (d0), domain: d0 in [0, 7], d1 in [0, 9], min(d0, d1) in [0, 6]",
        "(d0, d1) -> (d0), domain: d0 in [0, 7], d1 in [0, 9]", true},
    {"(d0) -> (d0), domain: d0 in [0, 7]", "KNOWN EMPTY", true},
    {"(d0) -> (d0), domain: d0 in [0, 7], d0 in [8, 9]", "KNOWN EMPTY", false},
    {"KNOWN EMPTY", "(d0) -> (d0), domain: d0 in [4, 3]", false},
    {"() -> (1)", "() -> (2)", true},
    {"() -> (2)", "() -> (1 + 1)", false},
    {"(d0, d1) -> (d0 * 1000 + d1), domain: d0 in [0, 999], d1 in [0, 999]",
        "(d0, d1) -> (d0 * 1000 + min(d1, 998)), domain: d0 in [0, 999], d1 in [0, 999]", true},
    {"(d0, d1) -> (d0 * 1000 + d1), domain: d0 in [0, 999], d1 in [0, 9]",
        "(d0, d1) -> (d0 * 1000 + d1 + d0 floordiv 999), domain: d0 in [0, 999], d1 in [0, 9]",
        true},
};

static void mutant_differences_are_seen(void **) {
  for (size_t i = 0; i < sizeof mutant / sizeof *mutant; i++) {
    MapContext *context = map_context_create();
    const Map *before = walk_parse(context, mutant[i].before),
              *after = walk_parse(context, mutant[i].after);
    Error error = {};
    SameMapRun same;
    run_must(mlir_same_map(context, before, after, nullptr, &same, &error), &error);
    assert_int_equal(same.differs, mutant[i].differs);
    if (before->state == MAP_PLAIN && after->state == MAP_PLAIN && i % test_length(1, 1, 4) == 0)
      check_difference(context, before, after);
    map_context_destroy(context);
  }
}

/* The map with one constraint interval or one result changed at random. */
static const Map *kernel_changed(MapContext *context, RandomMaps *random, const Map *map) {
  Map *other = map_create(context, map->dim_count, map->range_count, map->runtime_count,
      map->result_count, map->constraint_count);
  Expr *results = other->results;
  Constraint *constraints = other->constraints;
  *other = *map;
  memcpy(results, map->results, map->result_count * sizeof *results);
  memcpy(constraints, map->constraints, map->constraint_count * sizeof *constraints);
  other->results = results;
  other->constraints = constraints;
  if (map->result_count > 0 && random_between(random, 0, 2) > 0)
    results[0] = random_expr(context, random, map, 2);
  else if (map->constraint_count > 0) constraints[0].in.hi--;
  Error error = {};
  return map_check(context, other, &error) && is_accepted(context, other) ? other : map;
}

static void random_changes_are_seen(void **) {
  RandomMaps random = small_maps(7);
  for (int i = 0; i < (int)test_length(60, 7, 3); i++) {
    MapContext *context = map_context_create();
    const Map *map = accepted_map(context, &random);
    check_difference(context, map, kernel_changed(context, &random, map));
    map_context_destroy(context);
  }
}

static void rejections_are_named(void **) {
  static const struct {
    const char *before, *after;
    ErrorKind kind;
  } rejected[] = {
      {"UNDEFINED", "() -> ()", ERROR_UNSUPPORTED},
      {"(d0) -> (d0), domain: d0 in [0, 3]", "(d0)[s0] -> (d0), domain: d0 in [0, 3], s0 in [0, 1]",
          ERROR_INPUT},
      {"(d0) -> (d0), domain: d0 in [0, 3]", "(d0) -> (d0, d0), domain: d0 in [0, 3]", ERROR_INPUT},
      {"(d0) -> (d0 * 4611686018427387904), domain: d0 in [0, 1]",
          "(d0) -> (d0 * 4611686018427387904 * 2 - d0 * 4611686018427387904), domain: d0 in [0, 0]",
          ERROR_OVERFLOW},
      {"(d0, d1) -> (d0), domain: d0 in [0, 4294967295], d1 in [0, 4294967295]", "KNOWN EMPTY",
          ERROR_LIMIT},
  };
  for (size_t i = 0; i < sizeof rejected / sizeof *rejected; i++) {
    MapContext *context = map_context_create();
    Error error = {};
    SameMapRun same;
    assert_false(mlir_same_map(context, walk_parse(context, rejected[i].before),
        walk_parse(context, rejected[i].after), nullptr, &same, &error));
    assert_int_equal(error.kind, rejected[i].kind);
    map_context_destroy(context);
  }
}

static void images_are_counted(void **) {
  MapContext *context = map_context_create();
  Error error = {};
  ImageRun image;
  uint64_t words[16] = {};
  run_must(mlir_image(context,
               walk_parse(context, "(d0, d1) -> (d1, d0), domain: d0 in [0, 24], d1 in [0, 19]"),
               (int64_t[]){20, 25}, words, nullptr, &image, &error),
      &error);
  assert_int_equal(image.run.inside, 500);
  assert_int_equal(image.outside, 0);
  assert_int_equal(image.repeated, 0);
  memset(words, 0, sizeof words);
  run_must(mlir_image(context,
               walk_parse(context,
                   "(d0) -> (d0 floordiv 2 - 1), domain: d0 in [0, 99], d0 mod 3 in [0, 1]"),
               (int64_t[]){40}, words, nullptr, &image, &error),
      &error);
  uint64_t outside = 0, repeated = 0, inside = 0;
  bool seen[40] = {};
  for (int d = 0; d < 100; d++) {
    if (d % 3 == 2) continue;
    int r = d / 2 - 1;
    inside++;
    if (r < 0 || r >= 40) outside++;
    else repeated += seen[r], seen[r] = true;
  }
  assert_int_equal(image.run.inside, inside);
  assert_int_equal(image.outside, outside);
  assert_int_equal(image.repeated, repeated);
  for (int r = 0; r < 40; r++) assert_int_equal(words[0] >> r & 1, seen[r]);
  map_context_destroy(context);
}

typedef struct RunCorpus {
  int seen, emitted, past_limit;
} RunCorpus;

/* The emitted loops of a map produce the same pairs as the tree walk. */
static void check_emitted(void *user, MapContext *context, const Map *map, const char *, uint32_t) {
  RunCorpus *corpus = user;
  Error error = {};
  const Map *box;
  uint64_t points;
  if (map->state == MAP_UNDEFINED || corpus->seen++ % (32 / run_few(32)) != 0) return;
  bool small =
      box_of(context, map, map, &box, &error) && box_points(box, &points, &error) && points <= 4096;
  if (small && check_pairs(context, map, true)) corpus->emitted++;
  else corpus->past_limit++;
}

static void every_map_of_the_corpus_runs(void **) {
  RunCorpus corpus = {};
  each_map(AFFIRM_SOURCE_DIR "/corpus/reference", check_emitted, &corpus);
  print_message(
      "%d maps of the corpus ran as emitted loops, %d have more than 4,096 points or bounds past a quarter of int64\n",
      corpus.emitted, corpus.past_limit);
  assert_true(corpus.emitted >= run_few(30));
}

typedef struct Slabs {
  uint64_t calls, done;
} Slabs;

static bool stop_after_two(void *user, uint64_t done, uint64_t) {
  Slabs *slabs = user;
  slabs->done = done;
  return ++slabs->calls < 2;
}

static void a_large_domain_runs_in_slabs(void **) {
  MapContext *context = map_context_create();
  Error error = {};
  CountRun count;
  const Map *map = walk_parse(context,
      "(d0, d1)[s0] -> (d0 + d1 + s0), domain: d0 in [0, 1023], d1 in [0, 1023], s0 in [0, 255], d1 mod 4 in [0, 0]");
  run_must(mlir_count(context, map, nullptr, &count, &error), &error);
  assert_int_equal(count.run.points, 1 << 28);
  assert_int_equal(count.run.inside, 1 << 26);
  assert_false(count.run.stopped);
  Slabs slabs = {};
  RunControl control = {.go_on = stop_after_two, .user = &slabs};
  run_must(mlir_count(context, map, &control, &count, &error), &error);
  assert_true(count.run.stopped);
  assert_int_equal(count.run.points, 1 << 27);
  assert_int_equal(slabs.done, 1 << 27);
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stated_maps_agree),
      cmocka_unit_test(random_maps_agree),
      cmocka_unit_test(mutant_differences_are_seen),
      cmocka_unit_test(random_changes_are_seen),
      cmocka_unit_test(rejections_are_named),
      cmocka_unit_test(images_are_counted),
      cmocka_unit_test(a_large_domain_runs_in_slabs),
      cmocka_unit_test(every_map_of_the_corpus_runs),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
