/* One rewrite at one position follows the rule's text, whatever the subexpressions. */
#include "core/simplify/step.h"

#include "core/simplify/test/test_world.h"

static SimplifyFixture world;

static Simplifier *alone_with(const char *name) {
  Arena *arena = world.context->arena;
  RuleSet rules = {}, *one = ARENA_NEW(arena, RuleSet, 1);
  Error error = {};
  assert_true(rules_engine(arena, &rules, &error));
  for (uint32_t i = 0; i < rules.count; i++)
    if (strcmp(rules.items[i].name, name) == 0)
      *one = (RuleSet){.count = 1, .items = &rules.items[i]};
  assert_int_equal(one->count, 1);
  Simplifier *alone = simplifier_create(world.context, one, &error);
  assert_non_null(alone);
  return alone;
}

/* The map after one step at its first result, or at the left operand of that result. */
static const char *after_step(const char *rule, const char *text, bool inside, uint32_t skipped) {
  const Map *map = fixture_parse(&world, text);
  Simplifier *alone = alone_with(rule);
  Expr at = map->result_count > 0 ? map->results[0] : (Expr){};
  if (inside) at = expr_node(world.context->pool, at)->left;
  TraceStep step;
  bool fires = simplify_step(alone, map, at, skipped, world.context->arena, &step);
  simplifier_destroy(alone);
  if (fires) {
    assert_int_equal(step.result, map->result_count > 0 ? 0 : -1);
    assert_int_equal(step.constraint, map->result_count > 0 ? -1 : 0);
  }
  return fires ? fixture_print(&world, step.map_after) : "";
}

static void the_outer_rule_fires_above_what_is_reducible(void **) {
  const char *text =
      "(d0, d1) -> ((((d0 mod 6) * 2 + d1) mod 4) mod 2), domain: d0 in [0, 99], d1 in [0, 99]";
  assert_string_equal(after_step("mod-of-mod", text, false, 0),
      "(d0, d1) -> (((d0 mod 6) * 2 + d1) mod 2), domain: d0 in [0, 99], d1 in [0, 99]");
  assert_string_equal(after_step("mod-of-mod", text, true, 0),
      "(d0, d1) -> (((d0 * 2 + d1) mod 4) mod 2), domain: d0 in [0, 99], d1 in [0, 99]");
}

static void each_way_to_match_is_a_step_of_its_own(void **) {
  const char *text =
      "(d0, d1) -> ((d0 mod 6 + d1 mod 4) mod 2), domain: d0 in [0, 99], d1 in [0, 99]";
  const char *first = after_step("mod-of-mod", text, false, 0),
             *second = after_step("mod-of-mod", text, false, 1);
  assert_non_null(strstr(first, "d1 mod 4 + d0"));
  assert_non_null(strstr(second, "d0 mod 6 + d1"));
  assert_string_equal(after_step("mod-of-mod", text, false, 2), "");
}

static void guards_and_orders_are_checked(void **) {
  assert_string_equal(
      after_step("mod-of-mod", "(d0) -> ((d0 mod 3) mod 2), domain: d0 in [0, 99]", false, 0), "");
  assert_string_equal(
      after_step("mod-sign", "(d0) -> (d0 mod 3), domain: d0 in [0, 99]", false, 0), "");
  assert_string_equal(
      after_step("mod-cancels", "(d0) -> (d0 mod 3 + 1), domain: d0 in [0, 99]", false, 0), "");
}

static void sums_and_constraints_are_positions(void **) {
  assert_string_equal(
      after_step("mod-cancels",
          "(d0) -> ((d0 floordiv 8) * 16 + (d0 mod 8) * 2), domain: d0 in [0, 99]", false, 0),
      "(d0) -> (d0 * 2), domain: d0 in [0, 99]");
  assert_string_equal(
      after_step("constraint-constant-moves",
          "(d0, d1) -> (), domain: d0 in [0, 5], d1 in [1, 3], d0 + d1 + 3 in [0, 7]", false, 0),
      "(d0, d1) -> (), domain: d0 in [0, 5], d1 in [1, 3], d0 + d1 in [-3, 4]");
}

/* In the last stage the first positive summand is in front. */
static void rules_on_texts_write_as_the_last_stage(void **) {
  const char *text =
      "(d0, d1) -> (-d0 + (d1 - 1) floordiv 4 + 1), domain: d0 in [0, 99], d1 in [0, 99]";
  assert_string_equal(after_step("text-ceildiv", text, false, 0),
      "(d0, d1) -> (d1 ceildiv 4 - d0), domain: d0 in [0, 99], d1 in [0, 99]");
}

static int step_begin(void **) {
  world = open_world();
  return 0;
}

static int step_end(void **) {
  close_world(&world);
  return 0;
}

/* The steps of a trace that keeps unseen ones are those of one that does not, and steps in between
 * that change nothing; each that a rule made has the rule's letters in full. */
static void steps_that_change_nothing_can_be_kept(void **) {
  SimplifyFixture drawn = open_world();
  MapContext *context = drawn.context;
  uint32_t unseen = 0, shortened = 0;
  drawn.random = (RandomMaps){20261201, 3, 5, 2, 2, 40, 40};
  Text wide = text_create(context->arena);
  text_string(&wide, "(d0) -> ((d0");
  for (uint32_t i = 2; i < 400; i++) text_printf(&wide, " + d0 floordiv %u", i);
  text_string(&wide, ") mod 12 mod 4), domain: d0 in [0, 9999]");
  for (uint32_t i = 0; i < 1000; i++) {
    const Map *map =
                  i == 0 ? fixture_parse(&drawn, wide.bytes) : random_map(context, &drawn.random),
              *result;
    Trace plain = {.arena = context->arena}, all = {.arena = context->arena, .keeps_unseen = true};
    Error error = {};
    if (!simplify_map(drawn.simplifier, map, nullptr, &result, &plain, &error)) continue;
    assert_true(simplify_map(drawn.simplifier, map, nullptr, &result, &all, &error));
    uint32_t seen = 0;
    for (uint32_t k = 0; k < all.count; k++) {
      const TraceStep *step = &all.items[k], *same = &plain.items[seen];
      bool is_same = seen < plain.count && same->rule == step->rule &&
                     map_identical(context, same->map_after, step->map_after);
      if (is_same) assert_null(same->instance);
      else assert_true(map_identical(context, step->map_before, step->map_after));
      seen += is_same;
      unseen += !is_same;
      assert_int_equal(step->instance != nullptr, step->rule != nullptr);
      if (step->rule == nullptr) continue;
      bool is_short = strstr(step->bindings, "...") != nullptr;
      if (!is_short) assert_string_equal(step->instance, step->bindings);
      assert_null(strstr(step->instance, "..."));
      shortened += is_short;
    }
    assert_int_equal(seen, plain.count);
  }
  assert_true(unseen > 0 && shortened > 0);
  close_world(&drawn);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_that_change_nothing_can_be_kept),
      cmocka_unit_test(the_outer_rule_fires_above_what_is_reducible),
      cmocka_unit_test(each_way_to_match_is_a_step_of_its_own),
      cmocka_unit_test(guards_and_orders_are_checked),
      cmocka_unit_test(sums_and_constraints_are_positions),
      cmocka_unit_test(rules_on_texts_write_as_the_last_stage),
  };
  return cmocka_run_group_tests(tests, step_begin, step_end);
}
