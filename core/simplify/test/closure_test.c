/* The order of maps: random maps that differ in few places are ordered, totally, by the first place
 * in which they differ; and a map of large numbers that is simplified again is the same. */
#include "core/simplify/closure.h"

#include "core/simplify/test/test_world.h"

static constexpr uint32_t ordered_maps = 60;

/* Results, constraints and bounds from few values, so that many of them are equal. */
static const Map *draw_ordered(SimplifyFixture *world) {
  MapContext *context = world->context;
  ExprPool *pool = context->pool;
  RandomMaps *random = &world->random;
  uint32_t constraints = (uint32_t)random_between(random, 0, 2);
  Map *map = map_create(context, 1, 1, 0, 2, constraints);
  const Expr parts[] = {
      expr_var(pool, VAR_DIM, 0), expr_var(pool, VAR_RANGE, 0), expr_const(pool, 3)};
  for (uint32_t i = 0; i < 2; i++) {
    map->results[i] = parts[random_between(random, 0, 8) / 4];
    int64_t lo = random_between(random, 0, 4) / 3;
    map_variable(map, i)->bounds = (Interval){lo, 4 + random_between(random, 0, 4) / 3};
  }
  for (uint32_t i = 0; i < constraints; i++) {
    int64_t lo = random_between(random, 0, 4) / 3;
    map->constraints[i] = (Constraint){
        parts[random_between(random, 0, 4) / 3], {lo, lo + random_between(random, 0, 4) / 3}};
  }
  return map;
}

static int ordered_by(int64_t a, int64_t b) { return a < b ? -1 : a > b; }

/* By the results; then by the number of constraints, and by expression and ends of each; then by
 * the ends of all bounds. */
static int defined_order(const ExprPool *pool, const Map *a, const Map *b) {
  int keys[32];
  uint32_t count = 0;
  for (uint32_t i = 0; i < 2; i++)
    keys[count++] = stated_compare(pool, a->results[i], b->results[i]);
  keys[count++] = ordered_by(a->constraint_count, b->constraint_count);
  for (uint32_t i = 0; keys[2] == 0 && i < a->constraint_count; i++) {
    const Constraint *x = &a->constraints[i], *y = &b->constraints[i];
    keys[count++] = stated_compare(pool, x->expr, y->expr);
    keys[count++] = ordered_by(x->in.lo, y->in.lo);
    keys[count++] = ordered_by(x->in.hi, y->in.hi);
  }
  for (uint32_t i = 0; i < 2; i++) {
    keys[count++] = ordered_by(map_variable(a, i)->bounds.lo, map_variable(b, i)->bounds.lo);
    keys[count++] = ordered_by(map_variable(a, i)->bounds.hi, map_variable(b, i)->bounds.hi);
  }
  uint32_t first = 0;
  while (first < count && keys[first] == 0) first++;
  return first == count ? 0 : keys[first] < 0 ? -1 : 1;
}

static void maps_are_ordered_by_their_first_difference(void **) {
  SimplifyFixture world = open_world();
  world.random = (RandomMaps){.state = 20261207};
  uint32_t equal = 0;
  for (uint32_t round = 0; round < 12; round++) {
    const Map *maps[ordered_maps];
    for (uint32_t i = 0; i < ordered_maps; i++) maps[i] = draw_ordered(&world);
    for (uint32_t i = 0; i < ordered_maps; i++)
      for (uint32_t k = 0; k < ordered_maps; k++) {
        int order = closure_compare(world.context->pool, maps[i], maps[k]);
        assert_int_equal(
            (order > 0) - (order < 0), defined_order(world.context->pool, maps[i], maps[k]));
        assert_int_equal(order == 0, map_identical(world.context, maps[i], maps[k]));
        equal += order == 0 && i != k;
      }
  }
  assert_true(equal > 20);
  close_world(&world);
}

/* Also of the same map with its constraints in another order. */
static void maps_of_large_numbers_are_simplified_once(void **) {
  SimplifyFixture world = open_world();
  uint32_t plain = 0;
  for (uint32_t i = 0; i < 1500; i++) {
    MapMark mark = map_context_mark(world.context);
    world.random = (RandomMaps){.state = i,
        .max_variables = 3,
        .max_depth = 3,
        .max_results = 1,
        .max_constraints = 2,
        .max_coefficient = i % 2 == 0 ? INT64_MAX / 4 : INT64_C(1) << 33,
        .max_bound = i % 3 == 0 ? INT64_MAX / 4 : 9};
    const Map *map = random_map(world.context, &world.random), *once, *again, *other;
    Error error = {}, of_other = {};
    Map *turned = map_copy(world.context->arena, map);
    for (uint32_t k = 0; k < map->constraint_count; k++)
      turned->constraints[k] = map->constraints[map->constraint_count - 1 - k];
    bool done = simplify_map(world.simplifier, map, nullptr, &once, nullptr, &error);
    assert_int_equal(
        simplify_map(world.simplifier, turned, nullptr, &other, nullptr, &of_other), done);
    if (done) {
      assert_true(simplify_map(world.simplifier, once, nullptr, &again, nullptr, &error));
      assert_true(map_identical(world.context, once, again));
      assert_true(map_identical(world.context, once, other));
      plain += once->state == MAP_PLAIN;
    }
    map_context_rewind(world.context, mark);
  }
  assert_true(plain > 500);
  close_world(&world);
}

/* Chains in which some orders of the operands leave int64. */
static void chains_have_one_form(void **) {
#define LARGE "9223372036854775807"
#define BELOW "domain: d0 in [-" LARGE ", 0], d1 in [-" LARGE ", 0]"
  static const char *const rows[][2] = {
      {"(d0, d1) -> (d0 + " LARGE " + d1), " BELOW, "(d0, d1) -> (d1 + " LARGE " + d0), " BELOW},
      {"(d0, d1) -> (d0 + 9 + (" LARGE " - 9) + d1), " BELOW,
          "(d0, d1) -> (d1 + (" LARGE " + d0)), " BELOW},
      {"(d0, d1) -> (d0 + 5 + " LARGE " + d1 + 7), domain: d0 in [-99, -90], d1 in [-50, -40]",
          "(d0, d1) -> (d1 + (d0 + 12 + " LARGE ")), domain: d0 in [-99, -90], d1 in [-50, -40]"},
      {"(d0, d1) -> (d0 * 4611686018427387904 + (d1 + d1) mod 7 + 0 + d0 * 4611686018427387904), domain: d0 in [-1, 0], d1 in [0, 9]",
          "(d0, d1) -> ((d1 * 2) mod 7 + (d0 * 4611686018427387904 + d0 * 4611686018427387904)), domain: d0 in [-1, 0], d1 in [0, 9]"},
      {"(d0, d1) -> (0), " BELOW ", d0 + " LARGE " + d1 in [0, 5]",
          "(d0, d1) -> (0), " BELOW ", d1 + " LARGE " + d0 in [0, 5]"},
      {"(d0, d1) -> (max(max(d0, d1), -12) + (d0 + " LARGE " + d1) mod 2), " BELOW,
          "(d0, d1) -> (max(d0, max(-12, d1)) + (d1 + " LARGE " + d0) mod 2), " BELOW},
      {"(d0, d1) -> (min(max(max(d0, -3), max(d1, -7)), d0 + " LARGE " + d1)), " BELOW,
          "(d0, d1) -> (min(max(max(max(d1, -3), d0), -5), d1 + " LARGE " + d0)), " BELOW}};
#undef BELOW
#undef LARGE
  SimplifyFixture world = open_world();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *texts[2];
    for (size_t k = 0; k < 2; k++) {
      const Map *simplified;
      Error error = {};
      assert_true(simplify_map(world.simplifier, fixture_parse(&world, rows[i][k]), nullptr,
          &simplified, nullptr, &error));
      texts[k] = fixture_print(&world, simplified);
    }
    assert_string_equal(texts[0], texts[1]);
  }
  close_world(&world);
}

static void nothing_is_destroyed_without_a_simplifier(void **) { simplifier_destroy(nullptr); }

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(maps_are_ordered_by_their_first_difference),
      cmocka_unit_test(maps_of_large_numbers_are_simplified_once),
      cmocka_unit_test(chains_have_one_form),
      cmocka_unit_test(nothing_is_destroyed_without_a_simplifier)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
