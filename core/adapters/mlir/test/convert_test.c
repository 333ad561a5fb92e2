/* Round trips: random maps, every map of the corpus, and of another engine's printed maps if
 * available, remain the same at sampled points. Expressions that MLIR would fold past int64 are
 * rejected; the same comparison detects a seeded change. */
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
#include "core/map/text.h"
#include "core/adapters/mlir/nest.h"
#include "core/adapters/mlir/peer.h"
#include "core/adapters/mlir/walk.h"

static constexpr uint32_t most = 64;

static void convert_must(bool done, const Error *error) {
  if (!done) error_print(error, stderr);
  assert_true(done);
}

static bool same_at(const MapContext *context, const Map *a, const Map *b, const int64_t *values) {
  int64_t left[most], right[most];
  assert_true(a->result_count <= most);
  Point point = map_point(a, values);
  PointState in_a = map_evaluate(context, a, &point, left),
             in_b = map_evaluate(context, b, &point, right);
  return in_a == in_b &&
         (in_a != POINT_INSIDE || memcmp(left, right, a->result_count * sizeof *left) == 0);
}

static bool same_shape(const Map *a, const Map *b) {
  if (a->state != b->state || a->dim_count != b->dim_count || a->range_count != b->range_count)
    return false;
  if (a->runtime_count != b->runtime_count || a->result_count != b->result_count) return false;
  for (uint32_t i = 0; i < map_variable_count(a); i++) {
    Interval x = nest_variable(a, i).bounds, y = nest_variable(b, i).bounds;
    if (x.lo != y.lo || x.hi != y.hi) return false;
  }
  return true;
}

/* At the first 200 points, and at `samples` random ones in the box and one step around it. */
static bool same_map(
    const MapContext *context, RandomMaps *random, const Map *a, const Map *b, int samples) {
  int64_t values[most];
  if (!same_shape(a, b)) return false;
  assert_true(map_variable_count(a) <= most);
  int left = 200;
  for (bool more = map_points_begin(a, values); more && left > 0;
      more = map_points_next(a, values), left--)
    if (!same_at(context, a, b, values)) return false;
  for (int i = 0; i < samples; i++) {
    for (uint32_t k = 0; k < map_variable_count(a); k++) {
      Interval in = nest_variable(a, k).bounds;
      values[k] = in.lo > in.hi ? in.lo
                                : random_between(random, in.lo, in.hi) +
                                      (random_between(random, 0, 40) == 0 ? 1 : 0);
    }
    if (!same_at(context, a, b, values)) return false;
  }
  return true;
}

static void must_be_same(
    MapContext *context, RandomMaps *random, const Map *map, const Map *back, int samples) {
  if (same_map(context, random, map, back, samples)) return;
  Text text = text_create(context->arena);
  map_print(&text, context, map, MAP_STYLE_LINE);
  text_string(&text, "\ncame back as ");
  map_print(&text, context, back, MAP_STYLE_LINE);
  fail_msg("%s", text.bytes);
}

static void random_maps_come_back(void **) {
  RandomMaps random = {.state = 11,
      .max_variables = 5,
      .max_depth = 4,
      .max_results = 3,
      .max_constraints = 2,
      .max_coefficient = 30,
      .max_bound = 40};
  Peer *peer = mlir_peer_create();
  MapContext *context = map_context_create();
  int passed = 0, unsupported = 0, rejected = 0;
  while (passed < (int)test_length(20000, 20000, 4000)) {
    MapMark mark = map_context_mark(context);
    const Map *map = random_map(context, &random), *back;
    Error error = {};
    if (mlir_peer_round_trip(peer, context, map, nullptr, &back, &error)) {
      must_be_same(context, &random, map, back, 16);
      passed++;
    } else {
      assert_true(error.kind == ERROR_UNSUPPORTED || error.kind == ERROR_OVERFLOW);
      unsupported += error.kind == ERROR_UNSUPPORTED;
      rejected += error.kind == ERROR_OVERFLOW;
    }
    map_context_rewind(context, mark);
  }
  print_message(
      "%d maps came back the same; %d have min, max or a product of dimensions; %d are rejected for their constants\n",
      passed, unsupported, rejected);
  assert_true(unsupported > 0);
  map_context_destroy(context);
  mlir_peer_destroy(peer);
}

/* Coefficients up to 2^62 on small boxes: most are rejected, none comes back changed. */
static void huge_constants_are_rejected_or_kept(void **) {
  RandomMaps random = {.state = 5,
      .max_variables = 3,
      .max_depth = 4,
      .max_results = 2,
      .max_constraints = 1,
      .max_coefficient = INT64_C(1) << 62,
      .max_bound = 2};
  Peer *peer = mlir_peer_create();
  MapContext *context = map_context_create();
  int kept = 0, rejected = 0;
  for (int i = 0; i < 10000; i++) {
    MapMark mark = map_context_mark(context);
    const Map *map = random_map(context, &random), *back;
    Error error = {};
    if (mlir_peer_round_trip(peer, context, map, nullptr, &back, &error)) {
      must_be_same(context, &random, map, back, 8);
      kept++;
    } else rejected += error.kind == ERROR_OVERFLOW;
    map_context_rewind(context, mark);
  }
  print_message("%d kept, %d rejected for overflow\n", kept, rejected);
  assert_true(kept > 100 && rejected > 100);
  map_context_destroy(context);
  mlir_peer_destroy(peer);
}

static void folding_past_int64_is_rejected_and_seen(void **) {
  static const char *const texts[] = {
      "(d0) -> (d0 * 9223372036854775807 * 4), domain: d0 in [0, 0]",
      "(d0) -> (d0 * 4611686018427387904 + d0 * 4611686018427387904), domain: d0 in [0, 0]",
      "(d0) -> ((d0 + 9223372036854775807) floordiv 2 * 3 - d0), domain: d0 in [-9223372036854775807, -9223372036854775806]",
      "(d0) -> (d0), domain: d0 in [0, 3], d0 * 3037000500 * 3037000500 in [0, 5]",
  };
  Peer *peer = mlir_peer_create();
  MapContext *context = map_context_create();
  RandomMaps random = {.state = 1};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Source source = {.name = "map", .text = texts[i], .length = strlen(texts[i]), .first_line = 1};
    const Map *map, *back;
    Error error = {}, parse_error = {};
    if (!map_parse(context, &source, &map, &parse_error)) continue;
    assert_false(mlir_peer_round_trip(peer, context, map, nullptr, &back, &error));
    assert_int_equal(error.kind, ERROR_OVERFLOW);
  }
  const Map *map = walk_parse(
                context, "(d0) -> (d0 * 9223372036854775807 * 4 floordiv 8), domain: d0 in [0, 0]"),
            *folded;
  Error error = {};
  convert_must(mlir_peer_map(peer, context, map, PEER_FOLD, &folded, &error), &error);
  Text text = text_create(context->arena);
  map_print(&text, context, folded, MAP_STYLE_LINE);
  print_message("MLIR folds d0 * 9223372036854775807 * 4 floordiv 8 to %s\n", text.bytes);
  assert_true(same_map(context, &random, map, folded, 0));
  map_context_destroy(context);
  mlir_peer_destroy(peer);
}

static void a_changed_map_is_seen(void **) {
  MapContext *context = map_context_create();
  RandomMaps random = {.state = 2};
  static const char *const pairs[][2] = {
      {"(d0) -> (d0 mod 8), domain: d0 in [0, 100]", "(d0) -> (d0 mod 9), domain: d0 in [0, 100]"},
      {"(d0) -> (d0), domain: d0 in [0, 100]", "(d0) -> (d0), domain: d0 in [0, 99]"},
      {"(d0) -> (d0), domain: d0 in [0, 100], d0 mod 3 in [0, 1]",
          "(d0) -> (d0), domain: d0 in [0, 100], d0 mod 3 in [0, 2]"},
  };
  for (size_t i = 0; i < 3; i++)
    assert_false(same_map(
        context, &random, walk_parse(context, pairs[i][0]), walk_parse(context, pairs[i][1]), 50));
  map_context_destroy(context);
}

static void texts_are_mlirs(void **) {
  Peer *peer = mlir_peer_create();
  MapContext *context = map_context_create();
  Text text = text_create(context->arena);
  const Map *back,
      *map = walk_parse(context,
          "(d0)[s0]{rt0} -> (d0 * 4 + s0, rt0), domain: d0 in [0, 9], s0 in [2, 2], rt0 in [-1, 5], d0 + s0 + 1 in [4, 9], d0 mod 2 in [0, 0]");
  Error error = {};
  convert_must(mlir_peer_round_trip(peer, context, map, &text, &back, &error), &error);
  assert_string_equal(text.bytes,
      "(d0)[s0, s1] -> (d0 * 4 + s0, s1) (d0)[s0, s1] : (d0 >= 0, -d0 + 9 >= 0, s0 - 2 == 0, s1 + 1 >= 0, -s1 + 5 >= 0, "
      "d0 + s0 - 3 >= 0, -(d0 + s0) + 8 >= 0, d0 mod 2 == 0)");
  Text again = text_create(context->arena);
  map_print(&again, context, back, MAP_STYLE_LINE);
  assert_string_equal(again.bytes,
      "(d0)[s0]{rt0} -> (d0 * 4 + s0, rt0), domain: d0 in [0, 9], s0 in [2, 2], rt0 in [-1, 5], d0 + s0 in [3, 8], d0 mod 2 in [0, 0]");
  const Map *empty = map_known_empty(context);
  convert_must(mlir_peer_round_trip(peer, context, empty, nullptr, &back, &error), &error);
  assert_int_equal(back->state, MAP_KNOWN_EMPTY);
  assert_false(mlir_peer_round_trip(peer, context, map_undefined(context), nullptr, &back, &error));
  assert_int_equal(error.kind, ERROR_UNSUPPORTED);
  map_context_destroy(context);
  mlir_peer_destroy(peer);
}

/* past_int64: rejected for overflow, because MLIR's folds would silently change the map. */
typedef struct ConvertTally {
  Peer *peer;
  int returned, unsupported, past_int64;
} ConvertTally;

static void round_trip(
    void *user, MapContext *context, const Map *map, const char *path, uint32_t line) {
  ConvertTally *tally = user;
  const Map *back;
  Error error = {};
  RandomMaps random = {.state = 3};
  if (mlir_peer_round_trip(tally->peer, context, map, nullptr, &back, &error)) {
    tally->returned++;
    must_be_same(context, &random, map, back, 200);
    return;
  }
  if (error.kind != ERROR_UNSUPPORTED) print_message("%s:%u: %s\n", path, line, error.message);
  assert_true(error.kind == ERROR_UNSUPPORTED || error.kind == ERROR_OVERFLOW);
  tally->unsupported += error.kind == ERROR_UNSUPPORTED;
  tally->past_int64 += error.kind == ERROR_OVERFLOW;
}

static int round_trip_directory(ConvertTally *tally, const char *directory) {
  tally->peer = mlir_peer_create();
  int files = each_map(directory, round_trip, tally);
  mlir_peer_destroy(tally->peer);
  print_message(
      "%d files: %d maps came back the same, %d have min, max or a product of dimensions, or are UNDEFINED, %d rejected for overflow\n",
      files, tally->returned, tally->unsupported, tally->past_int64);
  return files;
}

static void every_map_of_the_corpus_returns(void **) {
  ConvertTally tally = {};
  (void)round_trip_directory(&tally, AFFIRM_SOURCE_DIR "/corpus");
  assert_true(tally.returned >= 100 && tally.unsupported < tally.returned / 4 &&
              tally.past_int64 < tally.returned / 20);
}

static void maps_of_another_engine_come_back(void **) {
  ConvertTally tally = {};
  if (round_trip_directory(&tally, AFFIRM_DATA_DIR "/print_indexing") == 0) skip();
  assert_true(tally.returned >= 300 && tally.past_int64 == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_maps_come_back),
      cmocka_unit_test(huge_constants_are_rejected_or_kept),
      cmocka_unit_test(folding_past_int64_is_rejected_and_seen),
      cmocka_unit_test(a_changed_map_is_seen),
      cmocka_unit_test(texts_are_mlirs),
      cmocka_unit_test(every_map_of_the_corpus_returns),
      cmocka_unit_test(maps_of_another_engine_come_back),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
