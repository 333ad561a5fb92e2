/* The cache of simplified maps: a cached map has the same result as before until the context is
 * rewound, whatever was queried in between. */
#include "core/simplify/test/test_world.h"

static void require(
    SimplifyFixture *world, const char *text, bool keep_points, const char *wanted) {
  const Map *result;
  Error error = {};
  if (!simplify_map(world->simplifier, fixture_parse(world, text),
          &(SimplifyOptions){.keep_points = keep_points}, &result, nullptr, &error))
    fail_msg("%s", error.message);
  assert_string_equal(fixture_print(world, result), wanted);
}

static const char sum[] =
    "(d0, d1) -> ((d0 * 8 + d1) floordiv 2), domain: d0 in [3, 3], d1 in [0, 7]";

static void a_map_met_again_is_remembered(void **) {
  SimplifyFixture world = open_world();
  uint64_t queries, hits;
  for (uint32_t i = 0; i < 4; i++)
    require(
        &world, sum, false, "(d0, d1) -> (d1 floordiv 2 + 12), domain: d0 in [3, 3], d1 in [0, 7]");
  hits = simplifier_remembered(world.simplifier, &queries);
  assert_true(hits >= 2 && queries > hits);
  close_world(&world);
}

/* What is remembered has no sources of its own. */
static void a_map_met_again_keeps_its_sources(void **) {
  SimplifyFixture world = open_world();
  const Map *plain = fixture_parse(&world,
      "(d0){rt0} -> ((d0 * 8 + rt0) floordiv 2), domain: d0 in [3, 3], rt0 in [0, 7]");
  RuntimeSource sources[] = {{.name = "p", .clamp = {0, 7}}};
  Map sourced = *plain;
  sourced.sources = sources;
  const Map *results[4];
  for (uint32_t i = 0; i < 4; i++) {
    Error error = {};
    assert_true(simplify_map(
        world.simplifier, i == 2 ? &sourced : plain, nullptr, &results[i], nullptr, &error));
    assert_ptr_equal(results[i]->sources, i == 2 ? sources : nullptr);
    assert_int_equal(results[i]->results[0].at, results[0]->results[0].at);
  }
  close_world(&world);
}

/* The arena alone may be rewound, so that what was simplified loses its memory. */
static void a_map_outlives_the_memory_of_the_one_before(void **) {
  static const char wanted[] =
      "(d0, d1) -> (d1 floordiv 2 + 12), domain: d0 in [3, 3], d1 in [0, 7]";
  SimplifyFixture world = open_world();
  const Map *given = fixture_parse(&world, sum), *result;
  Error error = {};
  assert_true(simplify_map(world.simplifier, given, nullptr, &result, nullptr, &error));
  for (uint32_t i = 0; i < 4; i++) {
    ArenaMark mark = arena_mark(world.context->arena);
    assert_true(simplify_map(world.simplifier, given, nullptr, &result, nullptr, &error));
    assert_string_equal(fixture_print(&world, result), wanted);
    arena_rewind(world.context->arena, mark);
    memset(arena_alloc(world.context->arena, 4096, 1), 0xff, 4096);
  }
  close_world(&world);
}

static void options_and_bounds_distinguish_maps(void **) {
  SimplifyFixture world = open_world();
  for (uint32_t i = 0; i < 3; i++) {
    require(
        &world, sum, false, "(d0, d1) -> (d1 floordiv 2 + 12), domain: d0 in [3, 3], d1 in [0, 7]");
    require(&world, sum, true,
        "(d0, d1) -> (d1 floordiv 2 + d0 * 4), domain: d0 in [3, 3], d1 in [0, 7]");
    require(&world, "(d0, d1) -> ((d0 * 8 + d1) floordiv 2), domain: d0 in [3, 3], d1 in [0, 1]",
        true, "(d0, d1) -> (12), domain: d0 in [3, 3], d1 in [0, 1]");
  }
  close_world(&world);
}

/* Handles have another meaning after a rewind. */
static void a_rewind_forgets(void **) {
  static const char *const texts[][2] = {
      {sum, "(d0, d1) -> (d1 floordiv 2 + 12), domain: d0 in [3, 3], d1 in [0, 7]"},
      {"(d0, d1) -> ((d0 * 8 + d1) floordiv 4), domain: d0 in [3, 3], d1 in [0, 7]",
          "(d0, d1) -> (d1 floordiv 4 + 6), domain: d0 in [3, 3], d1 in [0, 7]"},
      {"(d0, d1) -> ((d0 * 5 + d1) mod 5), domain: d0 in [3, 3], d1 in [0, 7]",
          "(d0, d1) -> (d1 mod 5), domain: d0 in [3, 3], d1 in [0, 7]"}};
  SimplifyFixture world = open_world();
  MapMark mark = map_context_mark(world.context);
  for (uint32_t i = 0; i < 6; i++) {
    for (uint32_t j = 0; j < 3; j++) require(&world, texts[i % 3][0], false, texts[i % 3][1]);
    map_context_rewind(world.context, mark);
  }
  close_world(&world);
}

/* More maps than the cache holds: the same results as without a cache. */
static void a_full_memo_forgets_and_goes_on(void **) {
  SimplifyFixture world = open_world(), without = open_world();
  for (uint32_t i = 1; i < 8000; i++) {
    const Map *result;
    Error error = {};
    uint32_t c = i % 4000 + 1;
    char text[160];
    snprintf(text, sizeof text,
        "(d0, d1) -> ((d0 * %u + d1) floordiv %u), domain: d0 in [0, 9], d1 in [0, %u]", 8 * c,
        2 * c, c);
    MapMark mark = map_context_mark(without.context);
    assert_true(simplify_map(
        without.simplifier, fixture_parse(&without, text), nullptr, &result, nullptr, &error));
    require(&world, text, false, fixture_print(&without, result));
    map_context_rewind(without.context, mark);
  }
  close_world(&world);
  close_world(&without);
}

/* A map that the cache has no room for is simplified all the same, and nothing is overwritten. */
static void a_map_past_the_capacity_is_not_remembered(void **) {
  static constexpr uint32_t results = 300'000;
  SimplifyFixture world = open_world();
  require(
      &world, sum, false, "(d0, d1) -> (d1 floordiv 2 + 12), domain: d0 in [3, 3], d1 in [0, 7]");
  ExprPool *pool = world.context->pool;
  Map *map = map_create(world.context, 1, 0, 0, results, 0);
  map->dims[0].bounds = (Interval){0, 7};
  Expr eighth = expr_binary(pool, EXPR_FLOORDIV, expr_var(pool, VAR_DIM, 0), expr_const(pool, 8));
  for (uint32_t i = 0; i < results; i++) map->results[i] = eighth;
  uint64_t queries[2];
  (void)simplifier_remembered(world.simplifier, &queries[0]);
  for (uint32_t turn = 0; turn < 2; turn++) {
    const Map *result;
    Error error = {};
    assert_true(simplify_map(world.simplifier, map, nullptr, &result, nullptr, &error));
    assert_int_equal(result->result_count, results);
    for (uint32_t i = 0; i < results; i++)
      assert_true(expr_same(result->results[i], expr_const(pool, 0)));
  }
  (void)simplifier_remembered(world.simplifier, &queries[1]);
  assert_int_equal(queries[0], queries[1]);
  require(
      &world, sum, false, "(d0, d1) -> (d1 floordiv 2 + 12), domain: d0 in [3, 3], d1 in [0, 7]");
  close_world(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_map_met_again_is_remembered),
      cmocka_unit_test(a_map_met_again_keeps_its_sources),
      cmocka_unit_test(a_map_outlives_the_memory_of_the_one_before),
      cmocka_unit_test(options_and_bounds_distinguish_maps),
      cmocka_unit_test(a_rewind_forgets),
      cmocka_unit_test(a_full_memo_forgets_and_goes_on),
      cmocka_unit_test(a_map_past_the_capacity_is_not_remembered),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
