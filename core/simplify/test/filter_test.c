/* The filters of plans and the quick path change only the time: a simplifier without them returns
 * the same maps. Each rule has the filter that its text allows. */
#include "core/simplify/engine.h"
#include "core/simplify/match/filter.h"
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

/* ---- which filters the engine's rules have ---- */

static const char *const end_names[] = {"from", "to", "number", "c", "lo", "hi", "lo/c", "hi/c"},
                         *const relation_names[] = {"==", "!=", "<", "<=", ">", ">="};

static void print_end(Text *text, const FilterGuard *guard, FilterEnd end) {
  if (end == FILTER_NUMBER) text_printf(text, "%lld", (long long)guard->number);
  else text_string(text, end_names[end]);
}

static const char *text_of_filter(Arena *arena, const PlanFilter *filter) {
  static const char *const kinds[] = {"", "ends", "division", "constant", "factor", "multiple",
      "spread", "spread negative", "point"};
  Text text = text_create(arena);
  text_string(&text, kinds[filter->kind]);
  for (uint32_t i = 0; i < filter->count; i++) {
    const FilterGuard *guard = &filter->guards[i];
    text_string(&text, i == 0 ? ": " : ", ");
    print_end(&text, guard, guard->left);
    text_printf(&text, " %s ", relation_names[guard->relation]);
    print_end(&text, guard, guard->right);
  }
  if (filter->picks > 0)
    text_printf(&text, "%spicks %u", text.length > 0 ? "; " : "", filter->picks);
  return text.bytes;
}

/* Of each rule on which a necessary condition depends; the rules that are not listed have none. The
 * conditions are those of the rule's text: x is the root's whole sum and c its divisor. */
static const struct {
  const char *rule, *filter;
} filters[] = {
    {"single-value", "point"},
    {"floordiv-known", "division: c > 0, lo/c == hi/c"},
    {"floordiv-multiples-leave", "multiple"},
    {"floordiv-constant-leaves", "constant"},
    {"floordiv-common-factor", "factor"},
    {"floordiv-remainder-vanishes", "spread"},
    {"floordiv-negative-remainder-vanishes", "spread negative"},
    {"floordiv-of-minus-one", "division: c > 1, -1 <= lo, hi <= 0"},
    {"floordiv-of-floordiv", "picks 1"},
    {"floordiv-of-negative-floordiv", "picks 1"},
    {"floordiv-of-mod", "picks 1"},
    {"floordiv-of-digits", "picks 2"},
    {"floordiv-sign", "division: c > 0"},
    {"floordiv-of-negative-mod", "picks 1"},
    {"ceildiv-is-floordiv", "division: c > 0"},
    {"mod-known", "division: c > 0, lo/c == hi/c"},
    {"mod-multiples-vanish", "multiple"},
    {"mod-of-mod", "picks 1"},
    {"mod-constant-shrinks", "constant"},
    {"mod-common-factor", "factor"},
    {"mod-remainder-in-range", "spread"},
    {"mod-negative-remainder-in-range", "spread negative"},
    {"mod-of-minus-one", "division: c > 1, -1 <= lo, hi <= 0"},
    {"mod-of-digits", "picks 2"},
    {"mod-sign", "division: c > 0"},
    {"digits-join", "picks 2"},
    {"text-floordiv-sign", "picks 1"},
    {"text-ceildiv", "constant; picks 1"},
    {"text-constant-down", "constant; picks 1"},
    {"text-constant-up", "constant; picks 1"},
    {"text-ceildiv-beside", "constant; picks 1"},
    {"text-constant-inside", "constant; picks 1"},
    {"text-mod-sign", "picks 1"},
    {"constraint-implied", "ends: from <= lo, hi <= to"},
    {"constraint-too-high", "ends: to < lo"},
    {"constraint-too-low", "ends: hi < from"},
    {"constraint-void", "ends: to < from"},
    {"constraint-constant-moves", "constant"},
    {"constraint-common-factor", "factor"},
    {"constraint-floordiv", "picks 1"},
    {"constraint-mod-one-period", "picks 1"},
    {"constraint-mod-no-period", "picks 1"},
    {"constraint-mod-coefficient", "picks 1"},
    {"constraint-mod-negative-coefficient", "picks 1"},
    {"constraint-mod-unit", "picks 1"},
    {"constraint-mod-interval-constant", "picks 1"},
    {"constraint-mod-constant", "picks 1"},
    {"constraint-mod-constant-of-floordiv", "picks 1"},
    {"constraint-mod-begins-at-zero", "picks 1"},
    {"constraint-end-rises", "ends: from < lo"},
    {"constraint-end-falls", "ends: hi < to"},
    {"constraint-remainder-drops", "factor"},
    {"text-constraint-constant", "constant"},
};

static const char *filter_of_rule(const char *rule) {
  for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
    if (strcmp(filters[i].rule, rule) == 0) return filters[i].filter;
  return "";
}

static uint32_t check_filters(Arena *arena, const PlanList *list) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    const char *filter = text_of_filter(arena, &list->items[i]->filter);
    count += filter[0] != '\0';
    if (strcmp(filter, filter_of_rule(list->items[i]->rule->name)) != 0)
      fail_msg("{\"%s\", \"%s\"}", list->items[i]->rule->name, filter);
  }
  return count;
}

static void each_rule_has_its_filter(void **) {
  SimplifyFixture world = open_world();
  Arena *arena = world.context->arena;
  const PlanSet *sets[] = {&world.simplifier->main, &world.simplifier->text};
  uint32_t count = 0;
  for (uint32_t i = 0; i < 2; i++) {
    for (uint32_t op = 0; op <= EXPR_MAX; op++) count += check_filters(arena, &sets[i]->by_op[op]);
    count += check_filters(arena, &sets[i]->on_sums);
  }
  count += check_filters(arena, &world.simplifier->on_constraints);
  count += check_filters(arena, &world.simplifier->text_on_constraints);
  assert_true(count >= sizeof filters / sizeof *filters);
  close_world(&world);
}

/* A user's rules: the first four guards that compare two known numbers, those without bounds
 * first. */
static void guards_are_filters_if_they_compare_known_numbers(void **) {
  static const struct {
    const char *rule, *filter;
  } rows[] = {
      {"x in [a, b] => 0 in [0, 0] when lo(x) < b, a < 3", "ends: from < 3, lo < to"},
      {"x in [a, b] => 0 in [0, 0] when -7 >= hi(x), a != b, 3 > 2", "ends: from != to, -7 >= hi"},
      {"x in [a, b] => 0 in [0, 0] when lo(x) + 1 < b, a + 1 < b, lo(x) == hi(x)",
          "ends: lo == hi"},
      {"x in [a, b] => 0 in [0, 0] when a < 1, a < 2, a < 3, a < 4, a < 5",
          "ends: from < 1, from < 2, from < 3, from < 4"},
      {"x in [a, b] => 0 in [0, 0] when lo(x) < 1, a < 2, hi(x) < 3, a < 4, b < 5",
          "ends: from < 2, from < 4, to < 5, lo < 1"},
      {"x in [a, b] => 0 in [0, 0] when lo(x) floordiv a == 0, lo(x) floordiv 2 == 0", ""},
      {"x in [a, b] => 0 in [0, 0] when a floordiv b == 0", ""},
      {"x + c in [a, b] => 0 in [0, 0] when a < b", ""},
      {"x mod c => x when 0 <= lo(x), hi(x) < c, c > 3", "division: c > 3, 0 <= lo, hi < c"},
      {"x mod c => x when c > 0, lo(x) floordiv c == 0, hi(x) floordiv c == 0",
          "division: c > 0, lo/c == 0, hi/c == 0"},
      {"x mod c => x when c > 0, 0 >= hi(x) floordiv c, lo(x) ceildiv c == 0, lo(x) mod c == 0",
          "division: c > 0, 0 >= hi/c"},
      {"x mod c => x when c > 0, c floordiv c == 1, lo(x) floordiv hi(x) == 0", "division: c > 0"},
      {"x mod 8 => x when 0 <= lo(x)", ""},
      {"(x + a) mod c => x when c > 0, a != 0", "constant"},
      {"(x + a) mod c => x when c > 0, a > 0", "constant"},
      {"(x + a) mod c => x when c > 0, a >= 0", ""},
      {"(x + a) mod c => x when c > 0, a != 1", ""},
      {"(x + a) mod c => x when c > 0, (a + c floordiv 2) floordiv c != 0", "constant"},
      {"(x + a) mod c => x when c > 0, (a + c floordiv 3) floordiv c != 0", ""},
      {"(x + a) mod c => x when c > 0, (a + c floordiv 2) floordiv c != 1", ""},
      {"(c*x + y) mod c => y mod c when c > 0", "multiple"},
      {"(c*x + y) mod m => y mod m when c > 1, m > 0", "factor"},
      {"(a*u + y) mod c => y when c > 0, (a mod c)*(hi(u) - lo(u)) + hi(y) - lo(y) < c", "spread"},
      {"(a*u + y) mod c => y when c > 0, (a mod c)*(hi(u) - lo(u)) + hi(y) - lo(y) <= c", ""},
      {"(a*u + y) mod c => y when c > 0, (a mod c)*(hi(u) - lo(u)) + hi(y) - lo(u) < c", ""},
      {"(a*u + y) mod c => y when c > 0, (a mod c)*(hi(u) - lo(u)) + hi(y) - lo(y) < a", ""},
      {"(a*u + y) mod c => y when c > 0, (c - a mod c)*(hi(u) - lo(u)) + hi(y) - lo(y) < c",
          "spread negative"},
      {"(a*u + y) mod c => y when c > 0, (a - a mod c)*(hi(u) - lo(u)) + hi(y) - lo(y) < c", ""},
      {"u => lo(u) when lo(u) == hi(u)", "point"},
      {"u => lo(u) when lo(u) >= hi(u)", ""},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    SimplifyFixture world = open_world();
    Arena *arena = world.context->arena;
    const char *text = arena_printf(arena, "rule r %s", rows[i].rule);
    Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
    RuleSet rules = {};
    MatchPlan plan = {};
    Error error = {};
    if (!rules_parse(arena, &source, &rules, &error) ||
        !plan_compile(arena, &rules.items[0], &plan, &error))
      fail_msg("%s: %s", text, error.message);
    plan_filter(&plan);
    const char *filter = text_of_filter(arena, &plan.filter);
    if (strcmp(filter, rows[i].filter) != 0) fail_msg("%s: %s", text, filter);
    close_world(&world);
  }
}

static Simplifier *simplifier_of_rule(MapContext *context, const char *rule) {
  Source *source = ARENA_NEW(context->arena, Source, 1);
  RuleSet *rules = ARENA_NEW(context->arena, RuleSet, 1);
  Error error = {};
  const char *text = arena_printf(context->arena, "rule r %s", rule);
  *source = (Source){.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  if (!rules_parse(context->arena, source, rules, &error)) fail_msg("%s: %s", rule, error.message);
  Simplifier *simplifier = simplifier_create(context, rules, &error);
  if (simplifier == nullptr) fail_msg("%s: %s", rule, error.message);
  return simplifier;
}

/* Only the rule that replaces a variable of one value may fire on a map of variables. */
static void rules_on_variables_leave_no_quick_path(void **) {
  static const struct {
    const char *rule;
    bool keeps;
  } rows[] = {{"u => lo(u) when lo(u) == hi(u)", true}, {"u => hi(u) when lo(u) == hi(u)", false},
      {"u => lo(u) when hi(u) == lo(u)", false}, {"u => lo(u) when lo(u) >= hi(u)", false},
      {"u => lo(u) when lo(u) == hi(u), lo(u) > 0", false}, {"u => 5 when lo(u) == hi(u)", false},
      {"u => lo(u) + u - lo(u) when lo(u) == hi(u)", false},
      {"u => lo(u) + 0*u when lo(u) == hi(u)", false},
      {"u => lo(u) when lo(u) == hi(u)\n  order: text", false},
      {"u => lo(u) when lo(u) == hi(u)\n  order: lighter", false},
      {"x mod c => x when 0 <= lo(x), hi(x) < c", true},
      {"x mod c - x => -(c*(x floordiv c)) when c > 0", true},
      {"x + a in [b, c] => x in [b - a, c - a] when a != 0", true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    MapContext *context = map_context_create();
    Simplifier *simplifier = simplifier_of_rule(context, rows[i].rule);
    if (simplifier_keeps_variables(simplifier) != rows[i].keeps) fail_msg("%s", rows[i].rule);
    simplifier_destroy(simplifier);
    map_context_destroy(context);
  }
}

static const int64_t quick_numbers[] = {0, 1, -5, INT64_MAX};

/* A variable, a number, or the sum of two parts of less depth. */
static Expr drawn_sum(SimplifyFixture *world, uint32_t depth) {
  ExprPool *pool = world->context->pool;
  int64_t kind = random_between(&world->random, 0, depth == 0 ? 3 : 7);
  if (kind == 0) return expr_var(pool, VAR_DIM, 0);
  if (kind == 1) return expr_var(pool, VAR_RANGE, 0);
  if (kind < 4) return expr_const(pool, quick_numbers[random_between(&world->random, 0, 3)]);
  Expr left = drawn_sum(world, depth - 1);
  return expr_binary(pool, EXPR_ADD, left, drawn_sum(world, depth - 1));
}

/* A number, or the sum of such a sum and a number. */
static bool is_sum_of_numbers(const ExprPool *pool, Expr expr) {
  ExprNode node = *expr_node(pool, expr);
  if (node.op != EXPR_ADD) return node.op == EXPR_CONST;
  return is_sum_of_numbers(pool, node.left) && expr_is_const(pool, node.right, nullptr);
}

/* A variable, a sum of numbers, or the sum of 0 and one of these. */
static bool is_plain_sum(const ExprPool *pool, Expr expr, bool may_add_0) {
  ExprNode node = *expr_node(pool, expr);
  int64_t left = 1, right = 1;
  if (node.op == EXPR_VAR || is_sum_of_numbers(pool, expr)) return true;
  (void)expr_is_const(pool, node.left, &left);
  (void)expr_is_const(pool, node.right, &right);
  if (!may_add_0) return false;
  if (left == 0) return is_plain_sum(pool, node.right, false);
  return right == 0 && is_plain_sum(pool, node.left, false);
}

/* Such maps are not looked up in the cache of simplified maps, and no others are left out. */
static void plain_sums_are_quick(void **) {
  SimplifyFixture world = open_world();
  world.random = (RandomMaps){.state = 20261204};
  const Map *first = fixture_parse(&world, "(d0) -> (d0 * 2), domain: d0 in [0, 9]");
  uint32_t quick = 0;
  Error none = {};
  assert_true(simplify_map(world.simplifier, first, nullptr, &first, nullptr, &none));
  for (uint32_t i = 0; i < 2000; i++) {
    Map *map = map_create(world.context, 1, 1, 0, 2, 0);
    map->dims[0].bounds = (Interval){0, 9};
    map->ranges[0].bounds = (Interval){-3, i % 2 == 0 ? -3 : 4};
    for (uint32_t k = 0; k < 2; k++) map->results[k] = drawn_sum(&world, 2);
    Error error = {};
    const Map *simplified;
    if (!map_check(world.context, map, &error)) continue;
    bool is_plain = is_plain_sum(world.context->pool, map->results[0], true) &&
                    is_plain_sum(world.context->pool, map->results[1], true);
    uint64_t before, after;
    (void)simplifier_remembered(world.simplifier, &before);
    assert_true(simplify_map(world.simplifier, map, nullptr, &simplified, nullptr, &error));
    (void)simplifier_remembered(world.simplifier, &after);
    if ((after > before) == is_plain) fail_msg("%s", fixture_print(&world, map));
    quick += is_plain;
  }
  assert_true(quick > 200 && quick < 1500);
  close_world(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(filters_change_no_map),
      cmocka_unit_test(filters_change_no_example), cmocka_unit_test(the_quick_path_changes_no_map),
      cmocka_unit_test(each_rule_has_its_filter),
      cmocka_unit_test(rules_on_variables_leave_no_quick_path),
      cmocka_unit_test(plain_sums_are_quick),
      cmocka_unit_test(guards_are_filters_if_they_compare_known_numbers)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
