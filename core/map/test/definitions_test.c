/* Whole functions of maps against definitions of this file: the bounds of each operator are the
 * exact hull, each field makes another map, well-formed maps are those of the definition, and
 * sources of a composition are those of both maps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/edges.h"
#include "core/map/bounds.h"
#include "core/map/compose.h"
#include "core/map/test/defined.h"
#include "core/map/test/random_map.h"
#include "core/map/text.h"

static bool op_divides(ExprOp op) {
  return op == EXPR_FLOORDIV || op == EXPR_CEILDIV || op == EXPR_MOD;
}

/* The least and the greatest value over all pairs of the two intervals. */
static bool hull_defined(ExprOp op, Interval left, Interval right, Interval *hull) {
  if (op_divides(op) && (right.lo != right.hi || right.lo <= 0)) return false;
  Int128 lo = defined_apply(op, left.lo, right.lo), hi = lo;
  for (int64_t a = left.lo; a <= left.hi; a++)
    for (int64_t b = right.lo; b <= right.hi; b++) {
      Int128 value = defined_apply(op, a, b);
      if (value < lo) lo = value;
      if (value > hi) hi = value;
      if (b == INT64_MAX) break;
    }
  *hull = (Interval){(int64_t)lo, (int64_t)hi};
  return lo >= INT64_MIN && hi <= INT64_MAX;
}

static void check_hull(ExprOp op, Interval left, Interval right) {
  Interval expected, bounds;
  bool fits = hull_defined(op, left, right, &expected);
  assert_int_equal(bounds_apply(op, left, right, &bounds), fits);
  if (fits) assert_true(bounds.lo == expected.lo && bounds.hi == expected.hi);
}

static void bounds_of_an_operator_are_the_hull(void **) {
  static constexpr int64_t most = 5;
  for (ExprOp op = EXPR_ADD; op <= EXPR_MAX; op++) {
    for (int64_t a = -most; a <= most; a++)
      for (int64_t b = a; b <= most; b++)
        for (int64_t c = -most; c <= most; c++)
          for (int64_t d = c; d <= most; d++) check_hull(op, (Interval){a, b}, (Interval){c, d});
    for (uint32_t i = 0; i < edge_count; i++)
      for (uint32_t k = 0; k < edge_count; k++)
        for (int64_t width = 0; width < 3; width++) {
          int64_t a = edge_integers[i], b = edge_integers[k];
          if (a > INT64_MAX - 3 || b > INT64_MAX - 3) continue;
          check_hull(op, (Interval){a, a + width}, (Interval){b, b});
          check_hull(op, (Interval){b, b}, (Interval){a, a + width});
          check_hull(op, (Interval){a, a + width}, (Interval){2, 2});
        }
  }
}

static Interval defined_bounds(const MapContext *context, const Map *map, Expr expr, bool *fits) {
  const ExprNode *node = expr_node(context->pool, expr);
  if (node->op == EXPR_CONST) return (Interval){node->value, node->value};
  if (node->op == EXPR_VAR) {
    Interval bounds = map_variables(map, node->var_kind)[node->var_index].bounds;
    *fits = *fits && bounds.lo <= bounds.hi;
    return bounds;
  }
  Interval left = defined_bounds(context, map, node->left, fits),
           right = defined_bounds(context, map, node->right, fits), bounds = {};
  *fits = *fits && bounds_apply(node->op, left, right, &bounds);
  return bounds;
}

static RandomMaps random_of(uint64_t seed) {
  return (RandomMaps){.state = seed,
      .max_variables = 5,
      .max_depth = 4,
      .max_results = 3,
      .max_constraints = 2,
      .max_coefficient = 9,
      .max_bound = 9};
}

/* Bounds of many expressions over one box are those of each alone, operator by operator, also where
 * there are none. */
static void bounds_of_many_are_those_of_each(void **) {
  MapContext *context = map_context_create();
  RandomMaps random = random_of(11);
  uint32_t fitting = 0, others = 0;
  for (uint32_t i = 0; i < 400; i++) {
    MapMark mark = map_context_mark(context);
    Map *map = map_copy(context->arena, random_map(context, &random));
    if (map_variable_count(map) > 0 && i % 4 > 0) {
      Interval *wide = &map_variable(map, i % map_variable_count(map))->bounds;
      *wide = i % 4 == 1 ? (Interval){1, 0} : (Interval){INT64_MIN / 8, INT64_MAX / 2};
    }
    Bounds *bounds = bounds_create(context, map);
    for (uint32_t k = 0; k < 30; k++) {
      Expr expr = random_expr(context, &random, map, 1 + k % 5);
      for (int again = 0; again < 2; again++) {
        Interval one, alone;
        bool fits = true;
        Interval expected = defined_bounds(context, map, expr, &fits);
        assert_int_equal(bounds_of(bounds, expr, &one), fits);
        assert_int_equal(expr_bounds(context, map, expr, &alone), fits);
        if (fits) assert_memory_equal(&one, &expected, sizeof one);
        if (fits) assert_memory_equal(&alone, &expected, sizeof one);
        fitting += fits;
        others += !fits;
      }
    }
    map_context_rewind(context, mark);
  }
  assert_true(fitting > 1000 && others > 1000);
  map_context_destroy(context);
}

/* ---- well-formed maps ---- */

static bool is_well_formed(const MapContext *context, const Map *map, Expr expr) {
  const ExprNode *node = expr_node(context->pool, expr);
  if (node->op == EXPR_CONST) return true;
  if (node->op == EXPR_VAR) return node->var_index < map_kind_count(map, node->var_kind);
  if (!is_well_formed(context, map, node->left) || !is_well_formed(context, map, node->right))
    return false;
  const ExprNode *right = expr_node(context->pool, node->right);
  return !op_divides(node->op) || (right->op == EXPR_CONST && right->value > 0);
}

static bool fits_int64(const MapContext *context, const Map *map, Expr expr) {
  bool fits = true;
  (void)defined_bounds(context, map, expr, &fits);
  return fits;
}

/* Counts of variables are made smaller, and bounds larger, than those that the expressions were
 * made for. Overflow counts only where the domain has a point. */
static void maps_are_checked_as_defined(void **) {
  MapContext *context = map_context_create();
  RandomMaps random = random_of(5);
  uint32_t kinds[ERROR_LIMIT + 1] = {};
  for (uint32_t i = 0; i < 6000; i++) {
    MapMark mark = map_context_mark(context);
    Map *map = map_copy(context->arena, random_map(context, &random));
    uint32_t *counts[] = {&map->dim_count, &map->range_count, &map->runtime_count};
    bool is_bad = false, overflows = false;
    if (i % 4 == 1 && *counts[i / 4 % 3] > 0) --*counts[i / 4 % 3];
    if (i % 4 == 2 && map_variable_count(map) > 0)
      map_variable(map, i % map_variable_count(map))->bounds = (Interval){-7, INT64_MAX / 3};
    if (i % 4 == 3 && map->constraint_count > 0)
      map->constraints[0].expr = expr_binary(
          context->pool, EXPR_MOD, map->constraints[0].expr, expr_var(context->pool, VAR_DIM, 0));
    if (i % 8 == 6 && map_variable_count(map) > 1) map_variable(map, 0)->bounds = (Interval){3, 2};
    for (uint32_t k = 0; k < map->result_count + map->constraint_count; k++) {
      Expr expr =
          k < map->result_count ? map->results[k] : map->constraints[k - map->result_count].expr;
      is_bad = is_bad || !is_well_formed(context, map, expr);
    }
    for (uint32_t k = 0; k < map->result_count + map->constraint_count && !is_bad; k++) {
      Expr expr =
          k < map->result_count ? map->results[k] : map->constraints[k - map->result_count].expr;
      overflows = overflows || !fits_int64(context, map, expr);
    }
    overflows = overflows && !map_has_empty_bounds(map);
    Error error = {};
    size_t used = arena_mark(context->arena).used;
    bool fits = map_check(context, map, &error);
    assert_int_equal(fits, !is_bad && !overflows);
    assert_int_equal(error.kind, is_bad ? ERROR_INPUT : overflows ? ERROR_OVERFLOW : ERROR_NONE);
    assert_int_equal(map_is_checked(context, map), fits);
    if (fits) assert_int_equal(used, arena_mark(context->arena).used);
    kinds[error.kind]++;
    map_context_rewind(context, mark);
  }
  assert_true(kinds[ERROR_NONE] > 500 && kinds[ERROR_INPUT] > 100 && kinds[ERROR_OVERFLOW] > 100);
  map_context_destroy(context);
}

/* A tree of 2^k leaves has 2^(k + 1) - 1 nodes. */
static void a_tree_past_the_limit_is_rejected(void **) {
  MapContext *context = map_context_create();
  for (int in_constraint = 0; in_constraint < 2; in_constraint++) {
    Expr tree = expr_const(context->pool, 0);
    for (uint32_t nodes = 1; nodes < 4 * expr_max_tree; nodes = 2 * nodes + 1) {
      Map *map = map_create(context, 0, 0, 0, 1, 1);
      map->results[0] = map->constraints[0].expr = expr_const(context->pool, 1);
      *(in_constraint ? &map->constraints[0].expr : &map->results[0]) = tree;
      Error error = {};
      assert_int_equal(map_check(context, map, &error), nodes <= expr_max_tree);
      assert_int_equal(error.kind, nodes <= expr_max_tree ? ERROR_NONE : ERROR_LIMIT);
      tree = expr_binary(context->pool, EXPR_ADD, tree, tree);
    }
  }
  map_context_destroy(context);
}

/* ---- one field makes another map ---- */

static Map *sourced_map(MapContext *context, RandomMaps *random) {
  static const int instructions[2];
  Map *map = map_copy(context->arena, random_map(context, random));
  if (map->runtime_count == 0) return map;
  map->sources = ARENA_NEW(context->arena, RuntimeSource, map->runtime_count);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    Map *index = map_copy_variables(context->arena, map, 1, 0);
    index->sources = nullptr;
    index->results[0] = random_expr(context, random, map, 2);
    map->sources[i] = (RuntimeSource){
        .instruction = random_between(random, 0, 1) == 0 ? nullptr : &instructions[i % 2],
        .name = i % 2 == 0 ? "a" : "b",
        .index = random_between(random, 0, 3) == 0 ? nullptr : index,
        .clamp = {-3, 12}};
  }
  return map;
}

static void check_differs(MapContext *context, const Map *map, const Map *other) {
  assert_false(map_identical(context, map, other));
  assert_false(map_identical(context, other, map));
}

static void check_bounds_matter(MapContext *context, const Map *map) {
  for (uint32_t i = 0; i < map_variable_count(map); i++) {
    Map *other = map_copy(context->arena, map);
    map_variable(other, i)->name = "named"; /* a name does not matter */
    assert_true(map_identical(context, map, other));
    map_variable(other, i)->bounds.lo--;
    check_differs(context, map, other);
    map_variable(other, i)->bounds.lo++;
    map_variable(other, i)->bounds.hi++;
    check_differs(context, map, other);
  }
}

static void check_lists_matter(MapContext *context, const Map *map) {
  Expr fresh = expr_const(context->pool, 987654321);
  for (uint32_t i = 0; i < map->result_count; i++) {
    Map *other = map_copy(context->arena, map);
    other->results[i] = fresh;
    check_differs(context, map, other);
    other->results[i] = map->results[i];
    other->result_count--;
    check_differs(context, map, other);
  }
  for (uint32_t i = 0; i < map->constraint_count; i++)
    for (uint32_t field = 0; field < 4; field++) {
      Map *other = map_copy(context->arena, map);
      if (field == 0) other->constraints[i].expr = fresh;
      if (field == 1) other->constraints[i].in.lo--;
      if (field == 2) other->constraints[i].in.hi++;
      if (field == 3) other->constraint_count--;
      check_differs(context, map, other);
    }
  Map *other = map_copy(context->arena, map); /* the order of constraints does not matter */
  for (uint32_t i = 0; i < map->constraint_count; i++)
    other->constraints[i] = map->constraints[map->constraint_count - 1 - i];
  assert_true(map_identical(context, map, other));
}

static void check_sources_matter(MapContext *context, const Map *map) {
  static const int instruction;
  Expr fresh = expr_const(context->pool, 987654321);
  for (uint32_t i = 0; i < map->runtime_count && map->sources != nullptr; i++) {
    for (uint32_t field = 0; field < 6; field++) {
      Map *other = map_copy(context->arena, map);
      RuntimeSource *source = &other->sources[i];
      if (field == 0) source->instruction = &instruction;
      if (field == 1) source->clamp.lo--;
      if (field == 2) source->clamp.hi++;
      if (field == 3 && source->index == nullptr) continue;
      if (field == 3) ((Map *)source->index)->results[0] = fresh;
      if (field == 4) source->index = source->index == nullptr ? map : nullptr;
      if (field == 5) other->sources = nullptr;
      check_differs(context, map, other);
    }
    Map *renamed = map_copy(context->arena, map); /* a name matters without an instruction */
    renamed->sources[i].name = "c";
    assert_int_equal(map_identical(context, map, renamed), map->sources[i].instruction != nullptr);
  }
}

static void each_field_makes_another_map(void **) {
  MapContext *context = map_context_create();
  RandomMaps random = random_of(3);
  for (uint32_t i = 0; i < 600; i++) {
    MapMark mark = map_context_mark(context);
    const Map *map = i % 2 == 0 ? sourced_map(context, &random) : random_map(context, &random);
    assert_true(map_identical(context, map, map_copy(context->arena, map)));
    check_bounds_matter(context, map);
    check_lists_matter(context, map);
    check_sources_matter(context, map);
    check_differs(context, map, map_known_empty(context));
    check_differs(context, map, map_undefined(context));
    for (uint32_t kind = 0; kind < 3; kind++) {
      Map *other = map_copy(context->arena, map);
      uint32_t *counts[] = {&other->dim_count, &other->range_count, &other->runtime_count};
      Map *more = map_create(context, map->dim_count + (kind == 0), map->range_count + (kind == 1),
          map->runtime_count + (kind == 2), 0, 0);
      map_take_variables(more, map, VAR_DIM);
      map_take_variables(more, map, VAR_RANGE);
      map_take_variables(more, map, VAR_RUNTIME);
      other->dims = more->dims, other->ranges = more->ranges, other->runtimes = more->runtimes;
      ++*counts[kind];
      if (kind == 2) other->sources = nullptr;
      check_differs(context, map, other);
    }
    map_context_rewind(context, mark);
  }
  check_differs(context, map_known_empty(context), map_undefined(context));
  map_context_destroy(context);
}

/* ---- sources of a composition ---- */

static int64_t index_at(const MapContext *context, const Map *index, const Point *point) {
  int64_t value = 0;
  return index != nullptr && expr_evaluate(context->pool, index->results[0], point, &value)
             ? value
             : INT64_MIN;
}

/* One index map of the map has variables of its own, or a dimension more. */
static void give_own_variables(MapContext *context, const Map *map, bool is_more) {
  if (map->sources == nullptr || map->sources[0].index == nullptr) return;
  const Map *index = map->sources[0].index;
  Map *wider = map_create(context, map->dim_count + is_more, map->range_count, map->runtime_count,
      index->result_count, 0);
  for (uint32_t i = 0; i < index->result_count; i++) wider->results[i] = index->results[i];
  wider->has_own_variables = !is_more;
  map->sources[0].index = wider;
}

/* At each point the index map of a source has the value that it has in its own map there; it is
 * none if it has other variables than its owner. */
static void check_source(const MapContext *context, const Map *owner, uint32_t i,
    const RuntimeSource *joined, const Point *own, const Point *whole) {
  if (owner->sources == nullptr) {
    assert_string_equal(joined->name, "unknown");
    assert_null(joined->instruction);
    assert_null(joined->index);
    assert_memory_equal(&joined->clamp, &owner->runtimes[i].bounds, sizeof joined->clamp);
    return;
  }
  const RuntimeSource *source = &owner->sources[i];
  assert_string_equal(joined->name, source->name);
  assert_ptr_equal(joined->instruction, source->instruction);
  assert_memory_equal(&joined->clamp, &source->clamp, sizeof joined->clamp);
  bool is_known = source->index != nullptr && !source->index->has_own_variables &&
                  source->index->dim_count == owner->dim_count;
  assert_int_equal(joined->index != nullptr, is_known);
  if (!is_known) return;
  assert_true(index_at(context, joined->index, whole) == index_at(context, source->index, own));
}

static void check_sources(const MapContext *context, RandomMaps *random, const Map *consumer,
    const Map *producer, const Map *composed) {
  int64_t values[32], middle[8];
  assert_int_equal(
      composed->sources == nullptr, consumer->sources == nullptr && producer->sources == nullptr);
  if (composed->sources == nullptr) return;
  for (uint32_t k = 0; k < map_variable_count(composed); k++) {
    Interval bounds = map_variable(composed, k)->bounds;
    values[k] = random_between(random, bounds.lo, bounds.hi);
  }
  Point whole = map_point(composed, values);
  for (uint32_t k = 0; k < consumer->result_count; k++)
    if (!expr_evaluate(context->pool, consumer->results[k], &whole, &middle[k])) return;
  Point producers = {
      middle, whole.ranges + consumer->range_count, whole.runtimes + consumer->runtime_count};
  for (uint32_t k = 0; k < composed->runtime_count; k++) {
    bool is_first = k < consumer->runtime_count;
    uint32_t i = is_first ? k : k - consumer->runtime_count;
    check_source(context, is_first ? consumer : producer, i, &composed->sources[k],
        is_first ? &whole : &producers, &whole);
  }
}

static void a_composition_has_the_sources_of_both(void **) {
  MapContext *context = map_context_create();
  RandomMaps random = random_of(9);
  uint32_t composed_count = 0;
  for (uint32_t i = 0; i < 20000; i++) {
    MapMark mark = map_context_mark(context);
    const Map *maps[2];
    for (uint32_t k = 0; k < 2; k++)
      maps[k] = (i >> k & 1) == 0 ? sourced_map(context, &random) : random_map(context, &random);
    if (i % 16 >= 12) give_own_variables(context, maps[i % 2], i % 32 >= 16);
    const Map *composed;
    Error error = {};
    if (maps[0]->result_count == maps[1]->dim_count &&
        map_compose(context, maps[0], maps[1], &composed, &error)) {
      composed_count++;
      assert_true(map_is_whole(context, composed));
      check_sources(context, &random, maps[0], maps[1], composed);
    }
    map_context_rewind(context, mark);
  }
  assert_true(composed_count > 1000);
  map_context_destroy(context);
}

static void a_composition_with_no_map_is_none(void **) {
  MapContext *context = map_context_create();
  const Map *plain = map_identity(context, 1, &(int64_t){4}), *composed;
  const Map *empty = map_known_empty(context), *undefined = map_undefined(context);
  const Map *const maps[] = {plain, empty, undefined};
  for (uint32_t i = 0; i < 3; i++)
    for (uint32_t k = 0; k < 3; k++) {
      Error error = {};
      assert_true(map_compose(context, maps[i], maps[k], &composed, &error));
      MapState state = i == 2 || k == 2   ? MAP_UNDEFINED
                       : i == 1 || k == 1 ? MAP_KNOWN_EMPTY
                                          : MAP_PLAIN;
      assert_int_equal(composed->state, state);
    }
  assert_int_equal(map_identity(context, 2, (int64_t[]){3, 0})->state, MAP_KNOWN_EMPTY);
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounds_of_an_operator_are_the_hull),
      cmocka_unit_test(bounds_of_many_are_those_of_each),
      cmocka_unit_test(maps_are_checked_as_defined),
      cmocka_unit_test(a_tree_past_the_limit_is_rejected),
      cmocka_unit_test(each_field_makes_another_map),
      cmocka_unit_test(a_composition_has_the_sources_of_both),
      cmocka_unit_test(a_composition_with_no_map_is_none),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
