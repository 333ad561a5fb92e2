/* The list of all points of random maps against a walk of this test's own over the box, with the
 * operators' definition in 128 bits; and lists as sets, in the simplest way that decides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/map/test/defined.h"
#include "core/map/test/random_map.h"
#include "judge/algebra/brute_force.h"

/* False if the value, or a part of it, leaves int64. */
static bool listed_number(
    const ExprPool *pool, const Map *map, Expr expr, const int64_t *at, int64_t *value) {
  const ExprNode *node = expr_node(pool, expr);
  if (node->op == EXPR_CONST) *value = node->value;
  else if (node->op == EXPR_VAR)
    *value = at[(node->var_kind > VAR_DIM ? map->dim_count : 0) +
                (node->var_kind > VAR_RANGE ? map->range_count : 0) + node->var_index];
  if (node->op == EXPR_CONST || node->op == EXPR_VAR) return true;
  int64_t left, right;
  if (!listed_number(pool, map, node->left, at, &left) ||
      !listed_number(pool, map, node->right, at, &right))
    return false;
  bool divides = node->op == EXPR_FLOORDIV || node->op == EXPR_CEILDIV || node->op == EXPR_MOD;
  if (divides && right <= 0) return false;
  Int128 result = defined_apply(node->op, left, right);
  *value = (int64_t)result;
  return result == *value;
}

typedef struct NumberedPoint {
  bool is_inside, is_number; /* whether all values are in int64 */
  int64_t values[8];
} NumberedPoint;

static NumberedPoint numbered_point(
    const MapContext *context, const Map *map, Expr extra, const int64_t *at) {
  NumberedPoint point = {.is_inside = true, .is_number = true};
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    int64_t value = 0;
    point.is_number &= listed_number(context->pool, map, map->constraints[i].expr, at, &value);
    point.is_inside &= value >= map->constraints[i].in.lo && value <= map->constraints[i].in.hi;
  }
  for (uint32_t i = 0; point.is_number && point.is_inside && i <= map->result_count; i++)
    point.is_number = listed_number(
        context->pool, map, i < map->result_count ? map->results[i] : extra, at, &point.values[i]);
  return point;
}

static void check_points(
    Arena *arena, const MapContext *context, const Map *map, Expr extra, uint32_t counts[2]) {
  uint32_t variables = map_variable_count(map);
  BruteForceRows rows;
  Error error = {};
  bool is_listed = brute_force_list(arena, context, map, 1, &extra, 100000, &rows, &error);
  uint64_t at_row = 0, box = 1;
  for (uint32_t i = 0; i < variables; i++) {
    Interval bounds = map_variable(map, i)->bounds;
    box *= (uint64_t)(bounds.hi - bounds.lo + 1);
  }
  counts[is_listed]++;
  for (uint64_t code = 0; code < box; code++) {
    int64_t at[8] = {};
    uint64_t rest = code;
    for (uint32_t i = variables; i-- > 0;) {
      Interval bounds = map_variable(map, i)->bounds;
      uint64_t size = (uint64_t)(bounds.hi - bounds.lo + 1);
      at[i] = bounds.lo + (int64_t)(rest % size);
      rest /= size;
    }
    NumberedPoint point = numbered_point(context, map, extra, at);
    if (!point.is_number) {
      assert_int_equal(error.kind, ERROR_OVERFLOW);
      return;
    }
    if (!point.is_inside || !is_listed) continue;
    assert_true(at_row < rows.count);
    const int64_t *row = rows.items + at_row++ * rows.width;
    assert_memory_equal(row, at, variables * sizeof *row);
    assert_memory_equal(row + variables, point.values, (map->result_count + 1) * sizeof *row);
  }
  assert_true(is_listed);
  assert_int_equal(rows.width, variables + map->result_count + 1);
  assert_true(at_row == rows.count);
}

static void lists_are_the_points_of_the_box(void **) {
  const uint32_t rounds = test_length(3000, 1000, 200);
  uint32_t counts[2] = {};
  for (uint32_t i = 0; i < rounds; i++) {
    MapContext *context = map_context_create();
    RandomMaps random = {.state = i + 1,
        .max_variables = 3,
        .max_depth = 4,
        .max_results = 3,
        .max_constraints = 2,
        .max_coefficient = 9,
        .max_bound = 4};
    const Map *map = random_map(context, &random);
    Expr extra = random_expr(context, &random, map, 3);
    check_points(context->arena, context, map, extra, counts);
    map_context_destroy(context);
  }
  assert_true(counts[1] > rounds / 2);
  print_message("%u listed, %u not\n", counts[1], counts[0]);
}

/* Each operator between two variables of all edges: what leaves int64 is an error, and so is a
 * divisor that is not positive. */
static void each_operator_is_listed_at_the_ends_of_int64(void **) {
  static const ExprOp operators[] = {
      EXPR_ADD, EXPR_MUL, EXPR_FLOORDIV, EXPR_CEILDIV, EXPR_MOD, EXPR_MIN, EXPR_MAX};
  static const int64_t edges[] = {INT64_MIN, INT64_MIN + 1, -3037000500, -7, -2, -1, 0, 1, 2, 7,
      3037000500, INT64_MAX - 1, INT64_MAX};
  static constexpr uint32_t count = sizeof edges / sizeof *edges;
  uint32_t counts[2] = {};
  for (uint32_t op = 0; op < sizeof operators / sizeof *operators; op++)
    for (uint32_t i = 0; i < count * count * 2; i++) {
      MapContext *context = map_context_create();
      bool is_constraint = i % 2 == 1;
      Map *map = map_create(context, 1, 0, 1, 1, is_constraint);
      map->dims[0].bounds = (Interval){edges[i / 2 % count], edges[i / 2 % count]};
      map->runtimes[0].bounds = (Interval){edges[i / 2 / count], edges[i / 2 / count]};
      map->results[0] = expr_var(context->pool, VAR_DIM, 0);
      Expr both = expr_binary(
          context->pool, operators[op], map->results[0], expr_var(context->pool, VAR_RUNTIME, 0));
      if (is_constraint) map->constraints[0] = (Constraint){.expr = both, .in = {-2, 7}};
      else map->results[0] = both;
      check_points(context->arena, context, map, expr_const(context->pool, 0), counts);
      map_context_destroy(context);
    }
  assert_true(counts[0] > 200 && counts[1] > 200);
}

/* ---- lists as sets: rows of up to two digits in [0, 2] ---- */

static bool has_digits(const BruteForceRows *rows, const int64_t *row) {
  for (uint64_t i = 0; i < rows->count; i++)
    if (memcmp(rows->items + i * rows->width, row, rows->width * sizeof *row) == 0) return true;
  return false;
}

static BruteForceRows draw_digits(Arena *arena, RandomMaps *random, uint32_t width) {
  BruteForceRows rows = {.width = width, .count = (uint64_t)random_between(random, 0, 5)};
  rows.items = ARENA_NEW(arena, int64_t, rows.count *width + 1);
  for (uint64_t i = 0; i < rows.count * width; i++) rows.items[i] = random_between(random, 0, 2);
  return rows;
}

static void picked_rows_are_sets(void **) {
  Arena *arena = arena_create();
  RandomMaps random = {.state = 3};
  const uint32_t rounds = test_length(20000, 6000, 1000);
  for (uint32_t round = 0; round < rounds; round++) {
    ArenaMark mark = arena_mark(arena);
    BruteForceRows all[2], sets[2];
    uint32_t columns[2], count = (uint32_t)random_between(&random, 1, 2);
    for (uint32_t i = 0; i < count; i++) columns[i] = (uint32_t)random_between(&random, 0, 1);
    for (uint32_t side = 0; side < 2; side++) {
      all[side] = draw_digits(arena, &random, 2);
      sets[side] = brute_force_pick(arena, &all[side], count, columns);
      BruteForceRows *set = &sets[side];
      assert_true(set->width == count && set->count == all[side].count);
      uint64_t distinct = 0, repeated = set->count;
      for (uint64_t i = 0; i < all[side].count; i++) {
        int64_t row[2];
        for (uint32_t k = 0; k < count; k++) row[k] = all[side].items[2 * i + columns[k]];
        assert_true(has_digits(set, row));
        bool is_first = true;
        for (uint64_t before = 0; before < i; before++)
          is_first &=
              memcmp(set->items + before * count, set->items + i * count, count * sizeof *row) != 0;
        distinct += is_first;
        if (!is_first && repeated == set->count) repeated = i;
      }
      assert_true(brute_force_repeated(set) == repeated);
      brute_force_once(set);
      assert_true(set->count == distinct && brute_force_repeated(set) == distinct);
    }
    const int64_t *missing = brute_force_missing(&sets[0], &sets[1]);
    bool is_missing = false;
    for (uint64_t i = 0; i < sets[0].count && !is_missing; i++) {
      is_missing = !has_digits(&sets[1], sets[0].items + i * count);
      if (is_missing) assert_ptr_equal(missing, sets[0].items + i * count);
    }
    if (!is_missing) assert_null(missing);
    arena_rewind(arena, mark);
  }
  BruteForceRows narrow = {.width = 1, .count = 1, .items = (int64_t[]){0}},
                 wide = {.width = 2, .count = 1, .items = (int64_t[]){0, 0}}, none = {.width = 2};
  assert_ptr_equal(brute_force_missing(&narrow, &wide), narrow.items);
  assert_ptr_equal(brute_force_missing(&wide, &narrow), wide.items);
  assert_ptr_equal(brute_force_missing(&narrow, &none), narrow.items);
  assert_null(brute_force_missing(&none, &narrow));
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists_are_the_points_of_the_box),
      cmocka_unit_test(each_operator_is_listed_at_the_ends_of_int64),
      cmocka_unit_test(picked_rows_are_sets),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
