/* MLIR as a peer: folds, simplifies and composes to the same maps if nothing overflows; if
 * something does, the wrong fold is detected. Contexts are renewed: memory does not grow with the
 * number of maps. */
#include "core/adapters/mlir/peer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/map/compose.h"
#include "core/map/evaluate.h"
#include "core/map/points.h"
#include "core/map/test/random_map.h"
#include "core/map/text.h"
#include "core/adapters/mlir/run.h"
#include "core/adapters/mlir/walk.h"

static constexpr uint32_t most = 64;

static void peer_must(bool done, const Error *error) {
  if (!done) error_print(error, stderr);
  assert_true(done);
}

/* At the first `limit` points of the box. */
static bool same_map(const MapContext *context, const Map *a, const Map *b, int limit) {
  int64_t values[most], left[most], right[most];
  for (bool more = map_points_begin(a, values); more && limit-- > 0;
      more = map_points_next(a, values)) {
    Point point = map_point(a, values);
    PointState in_a = map_evaluate(context, a, &point, left),
               in_b = map_evaluate(context, b, &point, right);
    if (in_a != in_b ||
        (in_a == POINT_INSIDE && memcmp(left, right, a->result_count * sizeof *left) != 0))
      return false;
  }
  return true;
}

static const char *stepped(MapContext *context, const char *map, PeerStep step) {
  Peer *peer = mlir_peer_create();
  const Map *result;
  Error error = {};
  peer_must(mlir_peer_map(peer, context, walk_parse(context, map), step, &result, &error), &error);
  Text text = text_create(context->arena);
  map_print(&text, context, result, MAP_STYLE_LINE);
  mlir_peer_destroy(peer);
  return text.bytes;
}

static void folding_is_mlirs(void **) {
  MapContext *context = map_context_create();
  assert_string_equal(
      stepped(context, "(d0) -> (d0 * 8 floordiv 4 + 1 - 1), domain: d0 in [0, 9]", PEER_FOLD),
      "(d0) -> (d0 * 2), domain: d0 in [0, 9]");
  map_context_destroy(context);
}

static void simplification_is_mlirs(void **) {
  MapContext *context = map_context_create();
  assert_string_equal(
      stepped(context, "(d0, d1) -> ((d0 + d1) * 3 - d0 * 3), domain: d0 in [0, 9], d1 in [0, 3]",
          PEER_SIMPLIFY),
      "(d0, d1) -> (d1 * 3), domain: d0 in [0, 9], d1 in [0, 3]");
  map_context_destroy(context);
}

/* The reason why expressions are not stored in MLIR: 2^63 - 1 times 4 wraps to -4. */
static void wrong_fold_is_shown(void **) {
  MapContext *context = map_context_create();
  assert_string_equal(
      stepped(context, "(d0) -> (d0 * 9223372036854775807 * 4), domain: d0 in [0, 0]", PEER_FOLD),
      "(d0) -> (d0 * -4), domain: d0 in [0, 0]");
  map_context_destroy(context);
}

static void random_maps_keep_their_meaning(void **) {
  RandomMaps random = {.state = 4,
      .max_variables = 4,
      .max_depth = 5,
      .max_results = 2,
      .max_constraints = 1,
      .max_coefficient = 12,
      .max_bound = 9};
  Peer *peer = mlir_peer_create();
  MapContext *context = map_context_create();
  PeerStep steps[] = {PEER_FOLD, PEER_SIMPLIFY};
  int passed = 0;
  while (passed < (int)test_length(4000, 4000, 300)) {
    MapMark mark = map_context_mark(context);
    const Map *map = random_map(context, &random), *result;
    Error error = {};
    if (mlir_peer_map(peer, context, map, steps[passed % 2], &result, &error)) {
      assert_true(same_map(context, map, result, 500));
      passed++;
    } else assert_int_equal(error.kind, ERROR_UNSUPPORTED);
    map_context_rewind(context, mark);
  }
  map_context_destroy(context);
  mlir_peer_destroy(peer);
}

static void compositions_agree_with_the_engines(void **) {
  RandomMaps random = {.state = 9,
      .max_variables = 4,
      .max_depth = 3,
      .max_results = 3,
      .max_constraints = 1,
      .max_coefficient = 9,
      .max_bound = 6};
  Peer *peer = mlir_peer_create();
  MapContext *context = map_context_create();
  PeerStep steps[] = {PEER_FOLD, PEER_SIMPLIFY};
  int passed = 0, goal = (int)test_length(500, 500, 50);
  for (int i = 0; i < 200000 && passed < goal; i++) {
    MapMark mark = map_context_mark(context);
    const Map *consumer = random_map(context, &random), *producer = random_map(context, &random),
              *ours, *theirs;
    Error error = {}, other = {};
    bool fits = consumer->result_count == producer->dim_count &&
                map_compose(context, consumer, producer, &ours, &error);
    if (fits &&
        mlir_peer_compose(peer, context, consumer, producer, steps[passed % 2], &theirs, &other)) {
      assert_true(same_map(context, ours, theirs, 2000));
      passed++;
    }
    map_context_rewind(context, mark);
  }
  assert_int_equal(passed, goal);
  Error error = {};
  const Map *one = walk_parse(context, "(d0) -> (d0), domain: d0 in [0, 1]"), *result;
  assert_false(mlir_peer_compose(
      peer, context, walk_parse(context, "() -> ()"), one, PEER_FOLD, &result, &error));
  assert_int_equal(error.kind, ERROR_INPUT);
  map_context_destroy(context);
  mlir_peer_destroy(peer);
}

static long resident_kilobytes(void) {
  FILE *status = fopen("/proc/self/status", "r");
  assert_non_null(status);
  char line[256];
  long kilobytes = 0;
  while (fgets(line, sizeof line, status) != nullptr)
    if (strncmp(line, "VmRSS:", 6) == 0) kilobytes = strtol(line + 6, nullptr, 10);
  fclose(status);
  return kilobytes;
}

static void fold_many(Peer *peer, MapContext *context, RandomMaps *random, int count) {
  for (int i = 0; i < count; i++) {
    MapMark mark = map_context_mark(context);
    const Map *result;
    Error error = {};
    if (!mlir_peer_map(peer, context, random_map(context, random), PEER_FOLD, &result, &error))
      assert_int_equal(error.kind, ERROR_UNSUPPORTED);
    map_context_rewind(context, mark);
  }
}

static void memory_does_not_grow(void **) {
  RandomMaps random = {.state = 8,
      .max_variables = 4,
      .max_depth = 4,
      .max_results = 2,
      .max_constraints = 1,
      .max_coefficient = 1000000,
      .max_bound = 9};
  Peer *peer = mlir_peer_create();
  MapContext *context = map_context_create();
  const Map *map = walk_parse(context, "(d0) -> (d0 floordiv 3), domain: d0 in [0, 99]");
  CountRun count;
  Error error = {};
  fold_many(peer, context, &random, (int)test_length(20000, 20000, 1000));
  for (uint32_t i = 0; i < test_length(20, 20, 2); i++)
    peer_must(mlir_count(context, map, nullptr, &count, &error), &error);
  long before = resident_kilobytes();
  fold_many(peer, context, &random, (int)test_length(60000, 60000, 2000));
  for (uint32_t i = 0; i < test_length(60, 60, 4); i++)
    peer_must(mlir_count(context, map, nullptr, &count, &error), &error);
  long grown = resident_kilobytes() - before;
  print_message("resident memory grew by %ld KB over 60,000 maps and 60 compiled kernels\n", grown);
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer)
  assert_true(grown < 8192);
#endif
  map_context_destroy(context);
  mlir_peer_destroy(peer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(folding_is_mlirs),
      cmocka_unit_test(simplification_is_mlirs),
      cmocka_unit_test(wrong_fold_is_shown),
      cmocka_unit_test(random_maps_keep_their_meaning),
      cmocka_unit_test(compositions_agree_with_the_engines),
      cmocka_unit_test(memory_does_not_grow),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
