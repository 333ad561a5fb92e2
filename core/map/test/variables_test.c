/* Variables by number, copies, points and uses: each compared with the fields of the map. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "core/expr/visit.h"
#include "core/map/points.h"
#include "core/map/test/random_map.h"
#include "core/map/text.h"

static const Map *variables_parsed(MapContext *context, const char *text) {
  const Map *map;
  Error error = {};
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  assert_true(map_parse(context, &source, &map, &error));
  return map;
}

static const char mixed[] =
    "(d0, d1)[s0]{rt0, rt1} -> (d0 + rt1, s0 * 2), domain: d0 in [-1, 1], d1 in [5, 5], "
    "s0 in [0, 1], rt0 in [0, 0], rt1 in [7, 9], d0 + s0 in [0, 9]";

static void numbers_go_through_the_kinds(void **) {
  MapContext *context = map_context_create();
  const Map *map = variables_parsed(context, mixed);
  const VariableId ids[] = {
      {VAR_DIM, 0}, {VAR_DIM, 1}, {VAR_RANGE, 0}, {VAR_RUNTIME, 0}, {VAR_RUNTIME, 1}};
  assert_int_equal(map_variable_count(map), 5);
  for (uint32_t i = 0; i < 5; i++) {
    VariableId id = map_variable_id(map, i);
    assert_true(id.kind == ids[i].kind && id.index == ids[i].index);
    assert_int_equal(map_first_number(map, id.kind) + id.index, i);
    assert_true(id.index < map_kind_count(map, id.kind));
    assert_ptr_equal(map_variable(map, i), &map_variables(map, id.kind)[id.index]);
  }
  assert_ptr_equal(map_variable(map, 4), &map->runtimes[1]);
  int64_t values[5] = {};
  Point point = map_point(map, values);
  assert_true(point.dims == values && point.ranges == values + 2 && point.runtimes == values + 3);
  assert_false(map_has_empty_bounds(map));
  map->runtimes[1].bounds = (Interval){3, 2};
  assert_true(map_has_empty_bounds(map));
  map_context_destroy(context);
}

static void points_come_in_order_and_are_as_many_as_counted(void **) {
  MapContext *context = map_context_create();
  RandomMaps random = {.state = 7,
      .max_variables = 4,
      .max_depth = 2,
      .max_results = 2,
      .max_constraints = 1,
      .max_coefficient = 4,
      .max_bound = 6};
  for (int i = 0; i < 500; i++) {
    MapMark mark = map_context_mark(context);
    const Map *map = random_map(context, &random);
    int64_t values[64], same[64];
    uint64_t number = 0, count;
    assert_true(map_points_count(map, 1 << 20, &count));
    for (bool more = map_points_begin(map, values); more; more = map_points_next(map, values)) {
      map_points_at(map, number++, same);
      assert_memory_equal(values, same, map_variable_count(map) * sizeof *values);
      for (uint32_t k = 0; k < map_variable_count(map); k++)
        assert_in_range(values[k] - map_variable(map, k)->bounds.lo, 0,
            map_variable(map, k)->bounds.hi - map_variable(map, k)->bounds.lo);
    }
    assert_int_equal(number, count);
    map_context_rewind(context, mark);
  }
  map_context_destroy(context);
}

static void the_ends_of_int64_are_bounds(void **) {
  MapContext *context = map_context_create();
  Map *map = map_create(context, 1, 1, 0, 0, 0);
  map->dims[0].bounds = (Interval){INT64_MIN, INT64_MAX};
  map->ranges[0].bounds = (Interval){INT64_MAX - 1, INT64_MAX};
  int64_t values[2];
  uint64_t count;
  assert_false(map_points_count(map, UINT64_MAX, &count));
  map->dims[0].bounds = (Interval){INT64_MAX - 2, INT64_MAX};
  assert_true(map_points_count(map, 6, &count) && count == 6);
  assert_false(map_points_count(map, 5, &count));
  map_points_at(map, 5, values);
  assert_true(values[0] == INT64_MAX && values[1] == INT64_MAX);
  assert_false(map_points_next(map, values));
  map->ranges[0].bounds = (Interval){1, 0};
  assert_true(map_points_count(map, 0, &count) && count == 0);
  assert_false(map_points_begin(map, values));
  assert_false(map_points_begin(map_known_empty(context), values));
  assert_true(map_points_begin(map_create(context, 0, 0, 0, 0, 0), values));
  map_context_destroy(context);
}

static void a_copy_is_the_same_and_shares_nothing_that_changes(void **) {
  MapContext *context = map_context_create();
  Map *map = map_copy(context->arena, variables_parsed(context, mixed)),
      *index = map_copy_variables(context->arena, map, 0, 0);
  map->sources = ARENA_NEW(context->arena, RuntimeSource, 2);
  map->sources[0] = (RuntimeSource){.name = "a", .index = index};
  map->sources[1].name = "b";
  Map *copy = map_copy(context->arena, map);
  assert_true(map_identical(context, map, copy));
  copy->dims[0].bounds.hi++;
  copy->results[0] = copy->results[1];
  copy->constraints[0].in.hi++;
  copy->sources[1].name = "c";
  assert_false(map_identical(context, map, copy));
  assert_true(map_identical(context, map, map_copy(context->arena, map)));
  assert_string_equal(map->sources[1].name, "b");
  assert_ptr_not_equal(map->sources[0].index, copy->sources[0].index);
  Map one = *map;
  map_add_constraint(context->arena, &one, (Constraint){map->results[0], {0, 9}});
  assert_true(one.constraint_count == 2 && map->constraint_count == 1);
  assert_true(expr_same(one.constraints[0].expr, map->constraints[0].expr));
  Map *capacity = map_copy_variables(context->arena, map, 3, 1);
  assert_true(
      map_same_kinds(capacity, map) && capacity->result_count == 3 && capacity->results[2].at == 0);
  assert_int_equal(capacity->runtimes[1].bounds.hi, 9);
  map_context_destroy(context);
}

static void uses_are_what_stands_in_the_map(void **) {
  MapContext *context = map_context_create();
  const Map *map = variables_parsed(context, mixed);
  bool dims[2] = {}, runtimes[2] = {};
  map_mark_variables(context, map, &(ExprVariables){.of = {dims, nullptr, runtimes}});
  assert_true(dims[0] && !dims[1] && !runtimes[0] && runtimes[1]);
  ExprPool *pool = context->pool;
  Arena *arena = context->arena;
  Expr d0 = expr_var(pool, VAR_DIM, 0), d1 = expr_var(pool, VAR_DIM, 1), first = map->results[0];
  size_t before = arena_mark(arena).used;
  assert_true(expr_contains(pool, arena, first, d0));
  assert_false(expr_contains(pool, arena, first, d1));
  assert_true(expr_contains(pool, arena, first, first));
  assert_false(expr_contains(pool, arena, d0, first));
  assert_true(expr_has_kinds(pool, arena, first, 1u << VAR_RUNTIME));
  assert_true(expr_has_kinds(pool, arena, first, expr_all_kinds));
  assert_false(expr_has_kinds(pool, arena, first, 1u << VAR_RANGE));
  assert_false(expr_has_kinds(pool, arena, expr_const(pool, 3), expr_all_kinds));
  assert_int_equal(arena_mark(arena).used, before);
  map_context_destroy(context);
}

static uint32_t add_sizes(void *state, Expr, ExprNode node, uint32_t left, uint32_t right) {
  ++*(uint32_t *)state;
  return node.op == EXPR_VAR ? 1 : left + right;
}

static bool count_node(void *state, Expr, ExprNode) {
  ++*(uint32_t *)state;
  return false;
}

/* A tree of 2^20 leaves with 21 nodes. The test of nodes is also called for each node of both trees
 * of 7 nodes below the smallest one that is entered once. */
static void what_is_shared_is_entered_once(void **) {
  MapContext *context = map_context_create();
  Expr expr = expr_var(context->pool, VAR_DIM, 0);
  for (int i = 0; i < 20; i++) expr = expr_binary(context->pool, EXPR_ADD, expr, expr);
  Memo values = memo_create(context->arena), seen = memo_create(context->arena);
  uint32_t folded = 0, visited = 0;
  assert_int_equal(expr_fold(context->pool, &values, expr, add_sizes, &folded), 1 << 20);
  assert_false(expr_any(context->pool, &seen, expr, count_node, &visited));
  assert_int_equal(folded, 22);
  assert_int_equal(visited, 18 + 2 * 7);
  map_context_destroy(context);
}

/* All lists of five names from a small set, where a name is none, one that another variable would
 * have by its index, or one of another variable. */
static void no_two_variables_have_one_name(void **) {
  static const char *const pool[] = {nullptr, "d0", "d1", "s0", "rt1", "rt1_", "x"};
  static constexpr uint32_t pool_count = sizeof pool / sizeof *pool;
  MapContext *context = map_context_create();
  Map *map = map_copy(context->arena, variables_parsed(context, mixed));
  map->sources = nullptr;
  for (uint32_t code = 0; code < 16807; code++) {
    MapMark mark = map_context_mark(context);
    uint32_t digits = code;
    for (uint32_t i = 0; i < 5; i++, digits /= pool_count)
      map_variable(map, i)->name = pool[digits % pool_count];
    const char **names = map_names(context->arena, map);
    for (uint32_t i = 0; i < 5; i++) {
      const char *own = map_variable(map, i)->name;
      bool is_first = own != nullptr;
      for (uint32_t k = 0; k < i; k++) {
        assert_string_not_equal(names[i], names[k]);
        is_first = is_first && (map_variable(map, k)->name != own);
      }
      if (is_first) assert_ptr_equal(names[i], own);
      assert_string_equal(map_variable_name(context->arena, map, i), names[i]);
    }
    Text text = text_create(context->arena);
    map_print(&text, context, map, MAP_STYLE_LINE);
    if (code % 7 == 3)
      assert_true(map_identical(context, variables_parsed(context, text.bytes), map));
    map_context_rewind(context, mark);
  }
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_go_through_the_kinds),
      cmocka_unit_test(points_come_in_order_and_are_as_many_as_counted),
      cmocka_unit_test(the_ends_of_int64_are_bounds),
      cmocka_unit_test(a_copy_is_the_same_and_shares_nothing_that_changes),
      cmocka_unit_test(uses_are_what_stands_in_the_map),
      cmocka_unit_test(what_is_shared_is_entered_once),
      cmocka_unit_test(no_two_variables_have_one_name),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
