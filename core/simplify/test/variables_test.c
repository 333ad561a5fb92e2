/* Operations that rescale, move and remove variables, on maps as stated and on random maps. What a
 * removal leaves is defined by a search through all expressions and all points. */
#include "core/base/clock.h"
#include "core/map/evaluate.h"
#include "core/map/points.h"
#include "core/simplify/normal/renew.h"
#include "core/simplify/test/test_world.h"
#include "core/simplify/variables.h"

typedef struct RewrittenRow {
  const char *in, *out;
} RewrittenRow;

static const RewrittenRow rescaled_maps[] = {
    {"(d0)[s0] -> (d0 * 3 + s0), domain: d0 in [0, 9], s0 in [0, 10], s0 mod 4 in [1, 1]",
        "(d0)[s0] -> (d0 * 3 + s0 * 4 + 1), domain: d0 in [0, 9], s0 in [0, 2]"},
    {"()[s0, s1] -> (s0 floordiv 2, s1), domain: s0 in [0, 9], s1 in [5, 20], s0 mod 2 in [0, 0], (s1 - 1) mod 5 in [0, 0]",
        "()[s0, s1] -> (s0, s1 * 5 + 6), domain: s0 in [0, 4], s1 in [0, 2]"},
    {"(d0) -> (d0), domain: d0 in [0, 9], d0 mod 2 in [0, 0]",
        "(d0) -> (d0), domain: d0 in [0, 8], d0 mod 2 in [0, 0]"},
    {"()[s0] -> (s0), domain: s0 in [0, 2], s0 mod 7 in [5, 5]", "KNOWN EMPTY"},
};

static void ranges_are_rescaled(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  for (size_t i = 0; i < sizeof rescaled_maps / sizeof *rescaled_maps; i++) {
    const Map *rescaled;
    Error error = {};
    assert_true(map_rescale(
        world.simplifier, fixture_parse(&world, rescaled_maps[i].in), &rescaled, &error));
    assert_string_equal(fixture_print(&world, rescaled), rescaled_maps[i].out);
  }
  close_world(&world);
}

static void variables_move_and_go(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  const Map *map = fixture_parse(&world,
      "(d0, d1, d2)[s0] -> (d2 + s0, d0), domain: d0 in [0, 3], d1 in [0, 4], d2 in [0, 5], s0 in [0, 6], d2 + s0 in [1, 9]");
  assert_string_equal(fixture_print(&world, map_ranges_to_dims(world.context, map)),
      "(d0, d1, d2, d3) -> (d2 + d3, d0), domain: d0 in [0, 3], d1 in [0, 4], d2 in [0, 5], d3 in [0, 6], d2 + d3 in [1, 9]");
  bool kept[3];
  assert_string_equal(fixture_print(&world, map_drop_dims(world.context, map, kept)),
      "(d0, d1)[s0] -> (d1 + s0, d0), domain: d0 in [0, 3], d1 in [0, 5], s0 in [0, 6], d1 + s0 in [1, 9]");
  assert_true(kept[0] && !kept[1] && kept[2]);
  assert_string_equal(fixture_print(&world, map_sub_map(world.context, map, 1, (uint32_t[]){1})),
      "(d0, d1, d2)[s0] -> (d0), domain: d0 in [0, 3], d1 in [0, 4], d2 in [0, 5], s0 in [0, 6], d2 + s0 in [1, 9]");
  assert_string_equal(
      fixture_print(&world,
          map_drop_dims(world.context,
              fixture_parse(&world, "(d0, d1) -> (d0), domain: d0 in [0, 3], d1 in [0, -1]"),
              nullptr)),
      "KNOWN EMPTY");
  /* an index map with variables of its own keeps no dimension */
  assert_string_equal(
      fixture_print(&world,
          map_drop_dims(world.context,
              fixture_parse(&world,
                  "(d0, d1){rt0} -> (d1, rt0), domain: d0 in [0, 3], d1 in [0, 4], rt0 in [0, 2]\n"
                  "runtime variables:\nrt0: p; (x, y, z) -> (z, x), domain: x in [0, 1], y in [0, 1], z in [0, 1]"),
              nullptr)),
      "(d0){rt0} -> (d0, rt0), domain: d0 in [0, 4], rt0 in [0, 2]\n"
      "runtime variables:\nrt0: p; (x, y, z) -> (z, x), domain: x in [0, 1], y in [0, 1], z in [0, 1]");
  const Map *sourced = fixture_parse(&world,
      "(d0, d1)[s0]{rt0} -> (d1 + rt0 + s0), domain: d0 in [0, 3], d1 in [0, 4], s0 in [0, 1], rt0 in [0, 2]\n"
      "runtime variables:\nrt0: offsets; (d0, d1)[s0]{rt0} -> (d0, s0), domain: d0 in [0, 3], d1 in [0, 4], s0 in [0, 1], rt0 in [0, 2]");
  assert_string_equal(fixture_print(&world, map_ranges_to_dims(world.context, sourced)),
      "(d0, d1, d2){rt0} -> (d1 + rt0 + d2), domain: d0 in [0, 3], d1 in [0, 4], d2 in [0, 1], rt0 in [0, 2]\n"
      "runtime variables:\nrt0: offsets; (d0, d1, d2){rt0} -> (d0, d2), domain: d0 in [0, 3], d1 in [0, 4], d2 in [0, 1], rt0 in [0, 2]");
  close_world(&world);
}

/* Constraints that only decide whether the map has points: if decided, they are removed with their
 * variables; undecided ones remain. */
static const RewrittenRow satisfied[] = {
    {"(d0)[s0, s1] -> (d0), domain: d0 in [0, 9], s0 in [0, 9], s1 in [0, 9], s0 + s1 in [3, 3]",
        "(d0) -> (d0), domain: d0 in [0, 9]"},
    {"(d0)[s0, s1] -> (d0), domain: d0 in [0, 9], s0 in [0, 9], s1 in [0, 9], (s0 * 2 + s1 * 4) mod 6 in [5, 5]",
        "KNOWN EMPTY"},
    {"(d0)[s0, s1] -> (d0), domain: d0 in [0, 9], s0 in [5, 9], s1 in [0, 9], s0 + d0 in [3, 6], s0 + s1 in [3, 9]",
        "(d0)[s0, s1] -> (d0), domain: d0 in [0, 9], s0 in [5, 9], s1 in [0, 9], s0 + d0 in [3, 6], s0 + s1 in [3, 9]"},
    {"(d0)[s0, s1] -> (d0 + s1), domain: d0 in [0, 9], s0 in [0, 9], s1 in [0, 9], s0 + s1 in [3, 3]",
        "(d0)[s0, s1] -> (d0 + s1), domain: d0 in [0, 9], s0 in [0, 9], s1 in [0, 9], s0 + s1 in [3, 3]"},
    {"(d0)[s0, s1, s2, s3] -> (d0 + s3), domain: d0 in [0, 9], s0 in [0, 9], s1 in [0, 9], s2 in [1, 9], s3 in [0, 1], s0 - s1 in [7, 7], s2 mod 8 in [0, 0]",
        "(d0)[s0] -> (d0 + s0), domain: d0 in [0, 9], s0 in [0, 1]"},
    {"(d0)[s0, s1] -> (d0), domain: d0 in [0, 9], s0 in [0, 9999999], s1 in [0, 9999999], (s0 * 2 + s1 * 4) mod 6 in [5, 5]",
        "(d0)[s0, s1] -> (d0), domain: d0 in [0, 9], s0 in [0, 9999999], s1 in [0, 9999999], (s0 * 2 + s1 * 4) mod 6 in [5, 5]"},
};

static void satisfied_constraints_of_dropped_variables_go(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  for (uint32_t i = 0; i < sizeof satisfied / sizeof *satisfied; i++)
    assert_string_equal(fixture_print(&world,
                            map_drop_unused(world.context, fixture_parse(&world, satisfied[i].in))),
        satisfied[i].out);
  close_world(&world);
}

/* Components of one variable each, or one component of all: no pass over all constraints for each
 * component. */
static void many_constraints_of_dropped_variables_go_quickly(void **state) {
  (void)state;
  static constexpr uint32_t count = 20'000;
  SimplifyFixture world = open_world();
  for (uint32_t chained = 0; chained < 2; chained++) {
    Map *map = map_create(world.context, 1, count, 0, 1, count - 1);
    ExprPool *pool = world.context->pool;
    map->results[0] = expr_var(pool, VAR_DIM, 0);
    for (uint32_t i = 0; i < count; i++) map->ranges[i].bounds = (Interval){0, 9};
    for (uint32_t i = 0; i + 1 < count; i++)
      map->constraints[i] = (Constraint){expr_binary(pool, EXPR_ADD, expr_var(pool, VAR_RANGE, i),
                                             expr_var(pool, VAR_RANGE, chained == 0 ? i : i + 1)),
          {0, 9}};
    double start = clock_processor();
    assert_int_equal(map_drop_unused(world.context, map)->range_count, 0);
    assert_true(clock_processor() - start < 2);
  }
  close_world(&world);
}

/* ---- random maps ---- */

static constexpr uint32_t most_of_a_kind = 3;

static const Map *random_index(SimplifyFixture *world, const Map *owner) {
  Map *index = map_copy_variables(world->context->arena, owner, 1, 0);
  index->sources = nullptr;
  index->results[0] = random_expr(world->context, &world->random, owner, 1);
  Error error = {};
  return map_check(world->context, index, &error) ? index : nullptr;
}

static void draw_variables(RandomMaps *random, uint32_t count, Variable *variables) {
  for (uint32_t i = 0; i < count; i++) {
    int64_t lo = random_between(random, -2, 2);
    variables[i].bounds = (Interval){lo, lo + random_between(random, 0, 3)};
  }
}

/* A runtime variable's clamp is sometimes wider than its bounds. */
static void draw_sources(SimplifyFixture *world, Map *map) {
  map->sources = ARENA_NEW(world->context->arena, RuntimeSource, map->runtime_count);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    bool is_wider = random_between(&world->random, 0, 4) == 0;
    Interval bounds = map->runtimes[i].bounds;
    map->sources[i] = (RuntimeSource){
        .name = i == 0 ? "p" : "q", .clamp = {bounds.lo, bounds.hi + (is_wider ? 1 : 0)}};
    if (random_between(&world->random, 0, 2) > 0) map->sources[i].index = random_index(world, map);
  }
}

/* A map of few points, with sources if it has runtime variables, half of the time. */
static const Map *draw_map(SimplifyFixture *world) {
  RandomMaps *random = &world->random;
  for (;;) {
    Map *map = map_create(world->context, (uint32_t)random_between(random, 0, 2),
        (uint32_t)random_between(random, 0, most_of_a_kind), (uint32_t)random_between(random, 0, 2),
        (uint32_t)random_between(random, 0, 2), (uint32_t)random_between(random, 0, 3));
    draw_variables(random, map->dim_count, map->dims);
    draw_variables(random, map->range_count, map->ranges);
    draw_variables(random, map->runtime_count, map->runtimes);
    for (uint32_t i = 0; i < map->result_count; i++)
      map->results[i] = random_expr(world->context, random, map, 1);
    for (uint32_t i = 0; i < map->constraint_count; i++) {
      int64_t lo = random_between(random, -4, 4);
      map->constraints[i] = (Constraint){
          random_expr(world->context, random, map, 2), {lo, lo + random_between(random, 0, 4)}};
    }
    if (map->runtime_count > 0 && random_between(random, 0, 1) == 0) draw_sources(world, map);
    Error error = {};
    if (map_check(world->context, map, &error)) return map;
  }
}

static bool has_variable(const MapContext *context, Expr expr, VarKind kind, uint32_t index) {
  ExprNode node = *expr_node(context->pool, expr);
  if (node.op == EXPR_CONST) return false;
  if (node.op == EXPR_VAR) return node.var_kind == kind && node.var_index == index;
  return has_variable(context, node.left, kind, index) ||
         has_variable(context, node.right, kind, index);
}

static bool is_in_results(const MapContext *context, const Map *map, VarKind kind, uint32_t index) {
  bool is_in = false;
  for (uint32_t i = 0; i < map->result_count; i++)
    is_in |= has_variable(context, map->results[i], kind, index);
  return is_in;
}

static bool is_in_index(
    const MapContext *context, const Map *map, uint32_t runtime, VarKind kind, uint32_t index) {
  return map->sources != nullptr && map->sources[runtime].index != nullptr &&
         is_in_results(context, map->sources[runtime].index, kind, index);
}

/* ---- what remains ---- */

typedef struct Remains {
  const MapContext *context;
  const Map *map;
  bool tied[most_of_a_kind][most_of_a_kind]; /* a chain of constraints connects the ranges */
  bool is_free[most_of_a_kind];              /* no other variable is in the component */
  bool constraint[3], range[most_of_a_kind], runtime[2];
  bool is_empty;
} Remains;

static bool has_range(const Remains *remains, uint32_t constraint, uint32_t range) {
  return has_variable(
      remains->context, remains->map->constraints[constraint].expr, VAR_RANGE, range);
}

/* The constraint has a variable of another kind. */
static bool has_another(const Remains *remains, uint32_t constraint) {
  bool has = false;
  for (VarKind kind = VAR_DIM; kind <= VAR_RUNTIME; kind += VAR_RUNTIME - VAR_DIM)
    for (uint32_t i = 0; i < map_kind_count(remains->map, kind); i++)
      has |= has_variable(remains->context, remains->map->constraints[constraint].expr, kind, i);
  return has;
}

static void find_components(Remains *remains) {
  const Map *map = remains->map;
  bool is_fixed[most_of_a_kind] = {};
  for (uint32_t a = 0; a < map->range_count; a++) {
    remains->tied[a][a] = true;
    is_fixed[a] = is_in_results(remains->context, map, VAR_RANGE, a);
    for (uint32_t i = 0; i < map->runtime_count; i++)
      is_fixed[a] |= is_in_index(remains->context, map, i, VAR_RANGE, a);
    for (uint32_t c = 0; c < map->constraint_count; c++) {
      is_fixed[a] |= has_range(remains, c, a) && has_another(remains, c);
      for (uint32_t b = 0; b < map->range_count; b++)
        remains->tied[a][b] |= has_range(remains, c, a) && has_range(remains, c, b);
    }
  }
  for (uint32_t turn = 0; turn < most_of_a_kind; turn++)
    for (uint32_t a = 0; a < map->range_count; a++)
      for (uint32_t b = 0; b < map->range_count; b++)
        for (uint32_t c = 0; c < map->range_count; c++)
          remains->tied[a][b] |= remains->tied[a][c] && remains->tied[c][b];
  for (uint32_t a = 0; a < map->range_count; a++) {
    remains->is_free[a] = true;
    for (uint32_t b = 0; b < map->range_count; b++)
      if (remains->tied[a][b] && is_fixed[b]) remains->is_free[a] = false;
  }
}

/* The first range variable of the constraint; range_count if it has none. */
static uint32_t first_range(const Remains *remains, uint32_t constraint) {
  uint32_t range = 0;
  while (range < remains->map->range_count && !has_range(remains, constraint, range)) range++;
  return range;
}

/* Some point of the box satisfies all constraints of the range variable's component. */
static bool component_has_point(const Remains *remains, uint32_t range) {
  const Map *map = remains->map;
  int64_t values[2 + most_of_a_kind + 2];
  for (bool more = map_points_begin(map, values); more; more = map_points_next(map, values)) {
    Point point = map_point(map, values);
    bool holds = true;
    for (uint32_t c = 0; c < map->constraint_count; c++) {
      uint32_t first = first_range(remains, c);
      int64_t value = 0;
      if (first == map->range_count || !remains->tied[range][first]) continue;
      assert_true(expr_evaluate(remains->context->pool, map->constraints[c].expr, &point, &value));
      holds &= map->constraints[c].in.lo <= value && value <= map->constraints[c].in.hi;
    }
    if (holds) return true;
  }
  return false;
}

static void find_constraints(Remains *remains) {
  for (uint32_t c = 0; c < remains->map->constraint_count; c++) {
    uint32_t first = first_range(remains, c);
    remains->constraint[c] = first == remains->map->range_count || !remains->is_free[first];
    if (!remains->constraint[c] && !component_has_point(remains, first)) remains->is_empty = true;
  }
}

static bool is_used(const Remains *remains, VarKind kind, uint32_t index) {
  const Map *map = remains->map;
  bool used = is_in_results(remains->context, map, kind, index);
  for (uint32_t c = 0; c < map->constraint_count; c++)
    used |= remains->constraint[c] &&
            has_variable(remains->context, map->constraints[c].expr, kind, index);
  for (uint32_t i = 0; i < map->runtime_count; i++)
    used |= remains->runtime[i] && is_in_index(remains->context, map, i, kind, index);
  return used;
}

static Remains remains_of(const MapContext *context, const Map *map) {
  Remains remains = {.context = context, .map = map};
  find_components(&remains);
  find_constraints(&remains);
  for (uint32_t turn = 0; turn < 3; turn++)
    for (uint32_t i = 0; i < map->runtime_count; i++) {
      bool is_restricted =
          map->sources != nullptr && (map->runtimes[i].bounds.lo > map->sources[i].clamp.lo ||
                                         map->runtimes[i].bounds.hi < map->sources[i].clamp.hi);
      remains.runtime[i] |= is_restricted || is_used(&remains, VAR_RUNTIME, i);
    }
  for (uint32_t i = 0; i < map->range_count; i++)
    remains.range[i] = is_used(&remains, VAR_RANGE, i);
  return remains;
}

/* ---- comparisons ---- */

static int64_t value_at(
    const MapContext *context, Expr expr, const Map *map, const int64_t *values) {
  Point point = map_point(map, values);
  int64_t value = 0;
  assert_true(expr_evaluate(context->pool, expr, &point, &value));
  return value;
}

/* `place[i]`: the number in `made` of the variable with number i in `map`, or -1. At each point of
 * the given map, the results, the constraints that remain and the index maps have the same
 * values. */
static void check_values(const MapContext *context, const Map *map, const Map *made,
    const int32_t *place, const bool *constraint) {
  int64_t values[8], moved[8] = {};
  uint32_t count = map_variable_count(map);
  for (uint32_t i = 0; i < count; i++) {
    if (place[i] < 0) continue;
    Interval a = map_variable(map, i)->bounds, b = map_variable(made, (uint32_t)place[i])->bounds;
    assert_true(a.lo == b.lo && a.hi == b.hi);
  }
  assert_int_equal(made->result_count, map->result_count);
  for (bool more = map_points_begin(map, values); more; more = map_points_next(map, values)) {
    for (uint32_t i = 0; i < count; i++)
      if (place[i] >= 0) moved[place[i]] = values[i];
    for (uint32_t i = 0; i < map->result_count; i++)
      assert_true(value_at(context, map->results[i], map, values) ==
                  value_at(context, made->results[i], made, moved));
    uint32_t at = 0;
    for (uint32_t c = 0; c < map->constraint_count; c++) {
      if (constraint != nullptr && !constraint[c]) continue;
      const Constraint *a = &map->constraints[c], *b = &made->constraints[at++];
      assert_true(a->in.lo == b->in.lo && a->in.hi == b->in.hi);
      assert_true(
          value_at(context, a->expr, map, values) == value_at(context, b->expr, made, moved));
    }
    assert_int_equal(at, made->constraint_count);
    for (uint32_t i = 0; map->sources != nullptr && i < map->runtime_count; i++) {
      int32_t to = place[map_first_number(map, VAR_RUNTIME) + i];
      if (to < 0) continue;
      const RuntimeSource *a = &map->sources[i],
                          *b = &made->sources[to - (int32_t)map_first_number(made, VAR_RUNTIME)];
      assert_string_equal(a->name, b->name);
      assert_int_equal(a->index == nullptr, b->index == nullptr);
      if (a->index != nullptr)
        assert_true(value_at(context, a->index->results[0], map, values) ==
                    value_at(context, b->index->results[0], made, moved));
    }
  }
}

static void check_drop_unused(SimplifyFixture *world, const Map *map, uint32_t *seen) {
  Remains remains = remains_of(world->context, map);
  const Map *made = map_drop_unused(world->context, map);
  seen[0] += remains.is_empty;
  assert_int_equal(made->state, remains.is_empty ? MAP_KNOWN_EMPTY : MAP_PLAIN);
  if (remains.is_empty) return;
  int32_t place[8];
  uint32_t at = 0, constraints = 0;
  for (uint32_t i = 0; i < map->dim_count; i++) place[i] = (int32_t)at++;
  for (uint32_t i = 0; i < map->range_count; i++)
    place[map->dim_count + i] = remains.range[i] ? (int32_t)at++ : -1;
  for (uint32_t i = 0; i < map->runtime_count; i++)
    place[map_first_number(map, VAR_RUNTIME) + i] = remains.runtime[i] ? (int32_t)at++ : -1;
  assert_int_equal(map_variable_count(made), at);
  assert_int_equal(made->dim_count, map->dim_count);
  for (uint32_t c = 0; c < map->constraint_count; c++) constraints += remains.constraint[c];
  seen[1] += constraints < map->constraint_count;
  seen[2] += at < map_variable_count(map);
  check_values(world->context, map, made, place, remains.constraint);
}

static void check_drop_dims(SimplifyFixture *world, const Map *map, uint32_t *seen) {
  bool kept[2] = {}, used[2] = {};
  int32_t place[8];
  uint32_t at = 0;
  for (uint32_t i = 0; i < map_variable_count(map); i++) {
    if (i < map->dim_count) {
      used[i] = is_in_results(world->context, map, VAR_DIM, i);
      for (uint32_t c = 0; c < map->constraint_count; c++)
        used[i] |= has_variable(world->context, map->constraints[c].expr, VAR_DIM, i);
      for (uint32_t r = 0; r < map->runtime_count; r++)
        used[i] |= is_in_index(world->context, map, r, VAR_DIM, i);
    }
    place[i] = i < map->dim_count && !used[i] ? -1 : (int32_t)at++;
  }
  const Map *made = map_drop_dims(world->context, map, kept);
  assert_int_equal(map_variable_count(made), at);
  assert_int_equal(made->range_count, map->range_count);
  assert_int_equal(made->runtime_count, map->runtime_count);
  for (uint32_t i = 0; i < map->dim_count; i++) assert_int_equal(kept[i], used[i]);
  check_values(world->context, map, made, place, nullptr);
  seen[3] += made->dim_count < map->dim_count;
}

static void check_moves(SimplifyFixture *world, const Map *map) {
  static const uint32_t orders[][2] = {{0, 1}, {1, 0}, {1, 1}};
  int32_t place[8];
  for (int32_t i = 0; i < 8; i++) place[i] = i;
  const Map *made = map_ranges_to_dims(world->context, map);
  assert_int_equal(made->dim_count, map_first_number(map, VAR_RUNTIME));
  assert_int_equal(made->range_count, 0);
  check_values(world->context, map, made, place, nullptr);
  for (uint32_t i = 0; map->result_count == 2 && i < 3; i++) {
    const Map *sub = map_sub_map(world->context, map, 2, orders[i]);
    for (uint32_t k = 0; k < 2; k++)
      assert_true(expr_same(sub->results[k], map->results[orders[i][k]]));
  }
}

static void removals_leave_what_is_used(void **) {
  SimplifyFixture world = open_world();
  uint32_t seen[4] = {};
  world.random = (RandomMaps){.state = 20261202, .max_coefficient = 4, .max_bound = 4};
  for (uint32_t i = 0; i < 2500; i++) {
    MapMark mark = map_context_mark(world.context);
    const Map *map = draw_map(&world);
    check_drop_unused(&world, map, seen);
    check_drop_dims(&world, map, seen);
    check_moves(&world, map);
    map_context_rewind(world.context, mark);
  }
  for (uint32_t i = 0; i < 4; i++) assert_true(seen[i] > 30);
  close_world(&world);
}

/* ---- rescaling ---- */

/* Which of the results 0 to 99 the range variables reach at a dimension. */
static void reached_at(const MapContext *context, const Map *map, int64_t dim, bool reached[100]) {
  int64_t values[8], result;
  memset(reached, 0, 100 * sizeof *reached);
  for (bool more = map_points_begin(map, values); more; more = map_points_next(map, values)) {
    Point point = map_point(map, values);
    if (values[0] != dim || map_evaluate(context, map, &point, &result) != POINT_INSIDE) continue;
    assert_true(result >= 0 && result < 100);
    reached[result] = true;
  }
}

/* The relation is the same, and no remainder of a range variable is fixed any more. A map with a
 * quotient rounded up is often kept as it was given, and then no value has the remainder at the
 * ends of the bounds. */
static void remainders_of_ranges_are_rescaled(void **) {
  SimplifyFixture world = open_world();
  RandomMaps random = {.state = 20261203};
  uint32_t empty = 0;
  for (uint32_t i = 0; i < 3000; i++) {
    MapMark mark = map_context_mark(world.context);
    char text[300];
    int64_t numbers[8];
    for (uint32_t k = 0; k < 8; k++) numbers[k] = random_between(&random, 0, 5);
    int64_t lo = numbers[0] - 3, shift = numbers[2] - 2, modulus = numbers[3] + 1,
            residue = random_between(&random, 0, modulus - 1);
    snprintf(text, sizeof text,
        "(d0)[s0, s1] -> (s0 * %d + s1 + d0 + 40), domain: d0 in [0, 2], s0 in [%lld, %lld], "
        "s1 in [0, %lld], (s0 + %lld) mod %lld in [%lld, %lld], s0 + d0 in [-9, %lld]%s%s",
        i % 2 == 0 ? 2 : -3, (long long)lo, (long long)(lo + 2 * numbers[1]), (long long)numbers[4],
        (long long)shift, (long long)modulus, (long long)residue, (long long)residue,
        (long long)(numbers[5] * 3), i % 3 == 0 ? ", (s1 - 1) mod 2 in [1, 1]" : "",
        i % 5 == 0 ? ", d0 ceildiv 3 + s1 in [1, 4]" : "");
    const Map *map = fixture_parse(&world, text), *rescaled, *again;
    Error error = {};
    bool a[100], b[100];
    assert_true(map_rescale(world.simplifier, map, &rescaled, &error));
    assert_true(map_rescale(world.simplifier, rescaled, &again, &error));
    assert_true(map_identical(world.context, rescaled, again));
    empty += rescaled->state == MAP_KNOWN_EMPTY;
    for (int64_t dim = 0; dim <= 2; dim++) {
      reached_at(world.context, map, dim, a);
      reached_at(world.context, rescaled, dim, b);
      if (memcmp(a, b, sizeof a) != 0) fail_msg("%s\n%s", text, fixture_print(&world, rescaled));
    }
    if (strstr(fixture_print(&world, rescaled), "mod") != nullptr)
      fail_msg("%s\n%s", text, fixture_print(&world, rescaled));
    map_context_rewind(world.context, mark);
  }
  assert_true(empty > 20 && empty < 1500);
  close_world(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranges_are_rescaled),
      cmocka_unit_test(satisfied_constraints_of_dropped_variables_go),
      cmocka_unit_test(many_constraints_of_dropped_variables_go_quickly),
      cmocka_unit_test(variables_move_and_go),
      cmocka_unit_test(removals_leave_what_is_used),
      cmocka_unit_test(remainders_of_ranges_are_rescaled),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
