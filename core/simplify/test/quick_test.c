/* The path without a normal form. Maps of variables plus constants, and of divisions of variables,
 * have the result of the traced simplification, which always takes the full path. */
#include "core/base/checked.h"
#include "core/base/test/length.h"
#include "core/simplify/test/test_world.h"

static const Map *simplified_on(
    SimplifyFixture *world, const Map *map, bool keep_points, Trace *trace) {
  const Map *result;
  Error error = {};
  if (!simplify_map(world->simplifier, map, &(SimplifyOptions){.keep_points = keep_points}, &result,
          trace, &error))
    fail_msg("%s: %s", fixture_print(world, map), error.message);
  return result;
}

static void require_same_on_both_paths(SimplifyFixture *world, const Map *map, bool keep_points) {
  Trace trace = {.arena = world->context->arena};
  const Map *full = simplified_on(world, map, keep_points, &trace),
            *quick = simplified_on(world, map, keep_points, nullptr);
  /* A closure searches without a trace, and records its steps afterwards. */
  if (trace.count > 0) full = trace.items[trace.count - 1].map_after;
  if (!map_identical(world->context, full, quick))
    fail_msg("%s: %s instead of %s", fixture_print(world, map), fixture_print(world, quick),
        fixture_print(world, full));
}

/* True if the map was simplified without the normal form, and without a look into the cache. */
static bool is_quick(SimplifyFixture *world, const char *text) {
  uint64_t before, after;
  const Map *map = fixture_parse(world, text);
  (void)simplifier_remembered(world->simplifier, &before);
  (void)simplified_on(world, map, false, nullptr);
  (void)simplifier_remembered(world->simplifier, &after);
  require_same_on_both_paths(world, map, false);
  return before == after;
}

static void maps_without_a_normal_form(void **) {
  static const char *const texts[] = {
      "(d0)[s0] -> (s0, d0 + 3), domain: d0 in [0, 9], s0 in [0, 4]",
      "(d0) -> (0 + d0, d0 - 1 - 1), domain: d0 in [2, 9], 0 + d0 in [3, 4]",
      "(d0) -> (d0), domain: d0 in [0, 9], d0 + 1 in [3, 4], d0 - 7 in [-9, 9]",
      "(d0) -> (d0), domain: d0 in [0, 9], d0 + 1 in [3, 3]",
      "(d0) -> (d0), domain: d0 in [0, 9], d0 + 1 in [30, 40]",
      "(d0) -> (d0 floordiv 4, d0 mod 4), domain: d0 in [-9, 9], d0 floordiv 4 in [-3, 2]"};
  SimplifyFixture world = open_world();
  (void)is_quick(&world, "(d0) -> (d0 * 2), domain: d0 in [0, 9]"); /* opens the cache */
  for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++)
    assert_true(is_quick(&world, texts[i]));
  close_world(&world);
}

static void maps_without_variables(void **) {
  static const struct {
    const char *text;
    bool is_empty;
  } rows[] = {{"() -> (0 + 1), domain: 0 + 1 in [0, 1], 0 - 1 in [0, 0]", true},
      {"() -> (0), domain: 0 + 1 in [0, 1], 0 + 1 in [1, 2], 0 + 1 in [2, 3]", true},
      {"() -> (0), domain: 0 + 1 in [2, 1]", true},
      {"() -> (3), domain: 2 in [0, 9], 2 in [3, 9]", true},
      {"() -> (), domain: 0 + 1 - 1 in [0, 0], 2 in [0, 1]", true},
      {"() -> (1), domain: 5 in [5, 5]", false},
      {"() -> (2 * 3), domain: 2 * 3 in [6, 6], 1 in [2, 2]", true},
      {"() -> (1), domain: 2 * 3 in [6, 6]", false},
      {"() -> (1), domain: 0 + 9223372036854775807 in [0, 8]", true},
      {"() -> (1), domain: 5 in [5, 5], 3 in [3, 3], 5 in [5, 5]", false},
      {"() -> (1), domain: 5 in [5, 5], 3 in [3, 3], 5 in [3, 3]", true}};
  SimplifyFixture world = open_world();
  for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const Map *map = fixture_parse(&world, rows[i].text);
    require_same_on_both_paths(&world, map, false);
    assert_int_equal(
        simplified_on(&world, map, false, nullptr)->state == MAP_KNOWN_EMPTY, rows[i].is_empty);
  }
  close_world(&world);
}

static void maps_that_need_a_normal_form(void **) {
  static const char *const texts[] = {"(d0) -> (d0 * 2), domain: d0 in [0, 9]",
      "(d0) -> (d0 mod 4), domain: d0 in [5, 7]", "(d0) -> (d0 floordiv 10), domain: d0 in [-1, 8]",
      "(d0) -> (d0 floordiv 2), domain: d0 in [-1, 0]", "(d0) -> (d0 mod 1), domain: d0 in [0, 9]",
      "(d0) -> (d0), domain: d0 in [0, 9], d0 mod 4 in [0, 2]",
      "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], d0 + 1 in [3, 4], d0 + d1 in [0, 9]",
      "(d0) -> (d0 + 4294967296), domain: d0 in [0, 9]"};
  SimplifyFixture world = open_world();
  (void)is_quick(&world, texts[0]);
  for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++)
    assert_false(is_quick(&world, texts[i]));
  close_world(&world);
}

/* ---- random maps ---- */

/* Mostly a small number. */
static int64_t quick_number(RandomMaps *random) {
  static const int64_t units[] = {
      1, 1, 1, 1, 1, 1, INT64_C(1) << 30, INT64_C(1) << 33, INT64_C(1) << 59};
  return random_between(random, -4, 9) * units[random_next(random) % 9];
}

static Interval quick_interval(RandomMaps *random) {
  int64_t lo = quick_number(random);
  return (Interval){lo, lo + random_between(random, 0, 8)};
}

/* Either end may be that of int64. */
static Interval quick_ends(RandomMaps *random) {
  Interval in = quick_interval(random);
  uint64_t end = random_next(random) % 16;
  return (Interval){end == 0 ? INT64_MIN : in.lo, end == 1 ? INT64_MAX : in.hi};
}

static Expr quick_term(ExprPool *pool, RandomMaps *random) {
  static const ExprOp divisions[] = {EXPR_FLOORDIV, EXPR_CEILDIV, EXPR_MOD};
  Expr variable = expr_var(pool, VAR_DIM, (uint32_t)(random_next(random) % 2)),
       number = expr_const(pool, quick_number(random));
  switch (random_next(random) % 6) {
    case 0: return variable;
    case 1: return expr_binary(pool, EXPR_ADD, variable, number);
    case 2: return expr_binary(pool, EXPR_ADD, number, variable);
    case 3:
      return expr_binary(pool, EXPR_ADD, expr_binary(pool, EXPR_ADD, number, variable),
          expr_const(pool, quick_number(random)));
    case 4: return expr_binary(pool, EXPR_ADD, number, expr_const(pool, quick_number(random)));
    default:
      return expr_binary(pool, divisions[random_next(random) % 3], variable,
          expr_const(pool, max64(1, quick_number(random))));
  }
}

/* nullptr if an evaluation can leave int64. */
static const Map *quick_random(MapContext *context, RandomMaps *random) {
  Error error = {};
  Map *map = map_create(
      context, 2, 0, 0, (uint32_t)(random_next(random) % 3), (uint32_t)(random_next(random) % 4));
  static constexpr int64_t far = INT64_C(1) << 62;
  for (uint32_t i = 0; i < 2; i++)
    map->dims[i].bounds =
        random_next(random) % 32 == 0 ? (Interval){-far, far} : quick_interval(random);
  for (uint32_t i = 0; i < map->result_count; i++)
    map->results[i] = quick_term(context->pool, random);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    map->constraints[i] = (Constraint){quick_term(context->pool, random), quick_ends(random)};
  return map_check(context, map, &error) ? map : nullptr;
}

static void random_maps_have_one_result(void **) {
  SimplifyFixture world = open_world();
  RandomMaps random = {.state = 20261130};
  uint32_t length = test_length(100000, 10000, 2000), plain = 0;
  for (uint32_t i = 0; i < length; i++) {
    MapMark mark = map_context_mark(world.context);
    const Map *map = quick_random(world.context, &random);
    if (map != nullptr) {
      require_same_on_both_paths(&world, map, i % 4 == 0);
      plain += simplified_on(&world, map, false, nullptr)->state == MAP_PLAIN;
    }
    map_context_rewind(world.context, mark);
  }
  assert_in_range(plain, length / 4, length);
  close_world(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(maps_without_a_normal_form),
      cmocka_unit_test(maps_without_variables),
      cmocka_unit_test(maps_that_need_a_normal_form),
      cmocka_unit_test(random_maps_have_one_result),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
