/* Random maps of few points split into parts: what shares a variable, directly or through others,
 * is one part; the results of the map are the product of the parts' images, each of which is also
 * the image of the part as a map of its own; and a limit below the number of points is one. */
#include "core/analysis/parts.h"

#include "core/map/evaluate.h"
#include "core/map/points.h"
#include "core/simplify/test/test_world.h"

#include <stdlib.h>

static constexpr uint32_t most_nodes = 16, most_rows = 4096;

static const Map *draw_parted(SimplifyFixture *world) {
  RandomMaps *random = &world->random;
  for (;;) {
    Map *map = map_create(world->context, (uint32_t)random_between(random, 0, 3),
        (uint32_t)random_between(random, 0, 2), (uint32_t)random_between(random, 0, 1),
        (uint32_t)random_between(random, 0, 3), (uint32_t)random_between(random, 0, 2));
    for (uint32_t i = 0; i < map_variable_count(map); i++) {
      int64_t lo = random_between(random, -2, 2);
      map_variable(map, i)->bounds = (Interval){lo, lo + random_between(random, 0, 3)};
    }
    for (uint32_t i = 0; i < map->result_count; i++)
      map->results[i] = random_expr(world->context, random, map, 1);
    for (uint32_t i = 0; i < map->constraint_count; i++) {
      int64_t lo = random_between(random, -3, 3);
      map->constraints[i] = (Constraint){
          random_expr(world->context, random, map, 2), {lo, lo + random_between(random, 0, 5)}};
    }
    Error error = {};
    if (!map_check(world->context, map, &error)) continue;
    if (map_variable_count(map) > 0 && random_between(random, 0, 4) == 0)
      map_variable(map, 0)->bounds.hi = map_variable(map, 0)->bounds.lo - 1;
    return map;
  }
}

static bool names_number(const MapContext *context, const Map *map, Expr expr, uint32_t number) {
  ExprNode node = *expr_node(context->pool, expr);
  if (node.op == EXPR_CONST) return false;
  if (node.op == EXPR_VAR) return map_first_number(map, node.var_kind) + node.var_index == number;
  return names_number(context, map, node.left, number) ||
         names_number(context, map, node.right, number);
}

/* Variables, results and constraints, in this order; whether a chain connects two of them. */
static uint32_t connect_nodes(
    const MapContext *context, const Map *map, bool connected[most_nodes][most_nodes]) {
  uint32_t variables = map_variable_count(map), results = variables + map->result_count,
           count = results + map->constraint_count;
  assert_true(count <= most_nodes);
  for (uint32_t i = 0; i < count; i++) connected[i][i] = true;
  for (uint32_t i = variables; i < count; i++)
    for (uint32_t v = 0; v < variables; v++) {
      Expr expr = i < results ? map->results[i - variables] : map->constraints[i - results].expr;
      connected[i][v] = connected[v][i] = names_number(context, map, expr, v);
    }
  for (uint32_t k = 0; k < count; k++)
    for (uint32_t i = 0; i < count; i++)
      for (uint32_t j = 0; j < count; j++) connected[i][j] |= connected[i][k] && connected[k][j];
  return count;
}

/* The part of each node. */
static void check_partition(
    const MapContext *context, const Map *map, const Parts *parts, uint32_t *part_of) {
  bool connected[most_nodes][most_nodes] = {};
  uint32_t count = connect_nodes(context, map, connected), seen = 0, last = 0;
  uint32_t variables = map_variable_count(map);
  bool is_last = false;
  for (uint32_t p = 0; p < parts->count; p++) {
    const Part *part = &parts->items[p];
    for (uint32_t i = 0; i < part->variable_count; i++, seen++) {
      uint32_t number = map_first_number(map, part->variables[i].kind) + part->variables[i].index;
      Interval bounds = map_variable(map, number)->bounds;
      part_of[number] = p;
      assert_true(
          part->variables[i].bounds.lo == bounds.lo && part->variables[i].bounds.hi == bounds.hi);
    }
    for (uint32_t i = 0; i < part->result_count; i++, seen++)
      part_of[variables + part->results[i]] = p;
    for (uint32_t i = 0; i < part->constraint_count; i++, seen++)
      part_of[variables + map->result_count + part->constraints[i]] = p;
    if (part->result_count == 0) is_last = true;
    else {
      assert_true(!is_last && (p == 0 || part->results[0] > last));
      last = part->results[0];
    }
  }
  assert_int_equal(seen, count);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < count; k++)
      assert_int_equal(part_of[i] == part_of[k], connected[i][k]);
}

static int row_width;

static int compare_result_rows(const void *a, const void *b) {
  const int64_t *x = a, *y = b;
  for (int i = 0; i < row_width; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

/* The distinct results of a map in ascending order; 1 row of no numbers for a point without
 * results. */
static uint32_t enumerate_rows(const MapContext *context, const Map *map, int64_t *rows) {
  int64_t values[8], results[3];
  uint32_t count = 0, width = map->result_count, kept = 0;
  for (bool more = map_points_begin(map, values); more; more = map_points_next(map, values)) {
    Point point = map_point(map, values);
    PointState state = map_evaluate(context, map, &point, results);
    assert_int_not_equal(state, POINT_OVERFLOW);
    if (state != POINT_INSIDE) continue;
    assert_true(count < most_rows);
    if (width > 0) memcpy(rows + count * width, results, width * sizeof *rows);
    count++;
  }
  if (width == 0) return count > 0;
  row_width = (int)width;
  qsort(rows, count, width * sizeof *rows, compare_result_rows);
  for (uint32_t i = 0; i < count; i++)
    if (i == 0 || compare_result_rows(rows + i * width, rows + (i - 1) * width) != 0)
      memmove(rows + kept++ * width, rows + i * width, width * sizeof *rows);
  return kept;
}

static uint64_t points_of_part(const Part *part) {
  uint64_t points = 1;
  for (uint32_t i = 0; i < part->variable_count; i++) {
    Interval bounds = part->variables[i].bounds;
    points *= bounds.lo > bounds.hi ? 0 : (uint64_t)(bounds.hi - bounds.lo + 1);
  }
  return points;
}

/* Returns the number of rows of the part's image. */
static uint32_t check_part(SimplifyFixture *world, const Map *map, const Part *part) {
  static int64_t rows[3 * most_rows];
  MapContext *context = world->context;
  const Map *own = part_map(context, map, part);
  PartImage image;
  Error error = {};
  bool has_point;
  uint64_t points = points_of_part(part);
  assert_int_equal(map_variable_count(own), part->variable_count);
  assert_int_equal(own->dim_count, part->variable_count);
  uint32_t count = enumerate_rows(context, own, rows);
  assert_true(part_image(context, map, part, points + 1, &image, &error));
  assert_int_equal(image.count, count);
  if (count > 0 && part->result_count > 0)
    assert_memory_equal(image.rows, rows, count * part->result_count * sizeof *rows);
  assert_true(part_has_point(context, map, part, points + 1, &has_point, &error));
  assert_int_equal(has_point, count > 0);
  for (uint64_t limit = points > 2 ? points - 2 : 0; limit <= points; limit++) {
    Error of_limit = {};
    bool is_within = limit >= points;
    assert_int_equal(part_image(context, map, part, limit, &image, &of_limit), is_within);
    assert_int_equal(of_limit.kind, is_within ? ERROR_NONE : ERROR_LIMIT);
  }
  return count;
}

static void parts_are_a_product(void **) {
  static int64_t rows[3 * most_rows];
  SimplifyFixture world = open_world();
  uint32_t several = 0, empty = 0;
  world.random = (RandomMaps){.state = 20261209, .max_coefficient = 4};
  for (uint32_t i = 0; i < 2000; i++) {
    MapMark mark = map_context_mark(world.context);
    const Map *map = draw_parted(&world);
    uint32_t part_of[most_nodes] = {}, product = 1;
    Parts parts = parts_of(world.context, map);
    check_partition(world.context, map, &parts, part_of);
    for (uint32_t p = 0; p < parts.count; p++) product *= check_part(&world, map, &parts.items[p]);
    assert_int_equal(enumerate_rows(world.context, map, rows), product);
    several += parts.count > 2;
    empty += product == 0;
    map_context_rewind(world.context, mark);
  }
  assert_true(several > 300 && empty > 100 && empty < 1500);
  close_world(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_a_product)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
