/* The filters of plans and the quick path change only the time: a simplifier without them returns
 * the same maps. */
#include "core/simplify/engine.h"
#include "core/simplify/test/test_world.h"

static void list_unfiltered(const PlanList *list) {
  for (uint32_t i = 0; i < list->count; i++)
    ((MatchPlan *)(uintptr_t)list->items[i])->filter = (PlanFilter){};
}

static void set_unfiltered(const PlanSet *set) {
  for (uint32_t op = 0; op <= EXPR_MAX; op++) list_unfiltered(&set->by_op[op]);
  list_unfiltered(&set->on_sums);
}

static Simplifier *simplifier_unfiltered(MapContext *context) {
  Error error = {};
  Simplifier *simplifier = simplifier_create(context, nullptr, &error);
  assert_non_null(simplifier);
  set_unfiltered(&simplifier->main);
  set_unfiltered(&simplifier->text);
  list_unfiltered(&simplifier->on_constraints);
  list_unfiltered(&simplifier->text_on_constraints);
  simplifier->has_only_point = false; /* no quick path */
  return simplifier;
}

/* Returns whether the map is simplified to another one. */
static bool check_same(SimplifyFixture *world, Simplifier *unfiltered, const Map *map) {
  const Map *result, *wanted;
  Error error = {}, other = {};
  bool done = simplify_map(world->simplifier, map, nullptr, &result, nullptr, &error);
  assert_int_equal(simplify_map(unfiltered, map, nullptr, &wanted, nullptr, &other), done);
  if (!done) return false;
  if (!map_identical(world->context, result, wanted)) {
    Text text = text_create(world->context->arena);
    map_print(&text, world->context, map, MAP_STYLE_LINE);
    fail_msg("%s", text.bytes);
  }
  return !map_identical(world->context, result, map);
}

static void filters_change_no_map(void **) {
  static const struct {
    uint32_t variables, depth;
    int64_t coefficient, bound;
  } rows[] = {{1, 2, 3, 9}, {2, 3, 12, 9}, {3, 3, 40, 31}, {2, 4, 1200, 99},
      {2, 3, INT64_C(1) << 31, INT64_C(1) << 31}, {2, 3, INT64_MAX / 4, INT64_MAX / 4}};
  SimplifyFixture world = open_world();
  Simplifier *unfiltered = simplifier_unfiltered(world.context);
  uint32_t changed = 0;
  for (uint32_t i = 0; i < 24000; i++) {
    MapMark mark = map_context_mark(world.context);
    uint32_t row = i % (sizeof rows / sizeof *rows);
    RandomMaps random = {.state = i,
        .max_variables = rows[row].variables,
        .max_depth = rows[row].depth,
        .max_results = 2,
        .max_constraints = i % 5 == 0 ? 2 : 0,
        .max_coefficient = rows[row].coefficient,
        .max_bound = rows[row].bound};
    changed += check_same(&world, unfiltered, random_map(world.context, &random));
    map_context_rewind(world.context, mark);
  }
  assert_true(changed > 5000);
  simplifier_destroy(unfiltered);
  close_world(&world);
}

static void filters_change_no_example(void **) {
  SimplifyFixture world = open_world();
  Simplifier *unfiltered = simplifier_unfiltered(world.context);
  for (uint32_t i = 0; i < world.simplifier->own_rules.count; i++) {
    const char *example = world.simplifier->own_rules.items[i].example;
    (void)check_same(&world, unfiltered, fixture_parse(&world, example));
  }
  simplifier_destroy(unfiltered);
  close_world(&world);
}

static void the_quick_path_changes_no_map(void **) {
  static const char *const maps[] = {"() -> (0 + 1, 3 + -4, 0 + 0, 5)",
      "(d0, d1) -> (0 + d0, d1 + 0, d0 + -0), domain: d0 in [0, 7], d1 in [3, 3]",
      "(d0) -> (0 + 1 + 2, d0 + 0 + 0, 0 + (0 + d0)), domain: d0 in [0, 7], d0 in [2, 2]",
      "()[s0] -> (0 + 19, s0), domain: s0 in [0, 199], 0 + s0 in [0, 199], 0 in [0, 0]",
      "() -> (9223372036854775807 + 0, -9223372036854775808 + 1)",
      "(d0) -> (9223372036854775806 + 1 + 0), domain: d0 in [-9223372036854775808, 5]",
      "() -> (0 + 1), domain: 0 + 1 in [0, 0]"};
  SimplifyFixture world = open_world();
  Simplifier *unfiltered = simplifier_unfiltered(world.context);
  assert_true(world.simplifier->has_only_point);
  for (uint32_t i = 0; i < sizeof maps / sizeof *maps; i++)
    assert_true(check_same(&world, unfiltered, fixture_parse(&world, maps[i])));
  simplifier_destroy(unfiltered);
  close_world(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(filters_change_no_map),
      cmocka_unit_test(filters_change_no_example), cmocka_unit_test(the_quick_path_changes_no_map)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
