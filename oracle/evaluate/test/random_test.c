/* Random maps: the oracle's evaluation is compared with the engine's, point by point, and
 * comparisons of maps with the plain definition. */
#include "core/map/evaluate.h"
#include "core/map/test/random_map.h"
#include "oracle/test/test_module.h"

static const Map *random_draw(OracleFixture *bench, RandomMaps *random) {
  return random_map(bench->maps, random);
}

/* Converts the map's variables to the form of the engine's evaluation. */
static PointState engine_point(
    const OracleFixture *bench, const Map *map, const int64_t *values, int64_t *results) {
  Point point = map_point(map, values);
  return map_evaluate(bench->maps, map, &point, results);
}

static void compare_at(OracleFixture *bench, const Program *program, RandomMaps *random) {
  const Map *map = program->map;
  int64_t *slots = ARENA_NEW(bench->arena, int64_t, program->slot_count);
  int64_t *results = ARENA_NEW(bench->arena, int64_t, map->result_count);
  for (uint32_t i = 0; i < program->variable_count; i++)
    slots[i] = program->box[i].lo > program->box[i].hi
                   ? 0
                   : random_between(random, program->box[i].lo, program->box[i].hi);
  PointState state = engine_point(bench, map, slots, results);
  PointAnswer answer = program_point(program, slots, 0);
  assert_true((state == POINT_OUTSIDE) == (answer == ANSWER_OUTSIDE));
  assert_true((state == POINT_INSIDE) == (answer == ANSWER_INSIDE));
  for (uint32_t i = 0; i < map->result_count && answer == ANSWER_INSIDE; i++)
    assert_int_equal(results[i], slots[program->results[i]]);
}

/* map_check accepts the maps, so neither evaluation leaves int64. */
static void both_evaluations_agree(void **state) {
  (void)state;
  RandomMaps shapes[] = {{.state = 1,
                             .max_variables = 4,
                             .max_depth = 5,
                             .max_results = 3,
                             .max_constraints = 2,
                             .max_coefficient = 20,
                             .max_bound = 12},
      {.state = 2,
          .max_variables = 6,
          .max_depth = 8,
          .max_results = 4,
          .max_constraints = 3,
          .max_coefficient = 1000,
          .max_bound = 100000},
      {.state = 3,
          .max_variables = 2,
          .max_depth = 3,
          .max_results = 2,
          .max_constraints = 1,
          .max_coefficient = INT64_C(1) << 40,
          .max_bound = INT64_C(1) << 22}};
  for (uint32_t shape = 0; shape < 3; shape++)
    for (int i = 0; i < 2000; i++) {
      OracleFixture bench = {.arena = arena_create(), .maps = map_context_create()};
      const Map *map = random_draw(&bench, &shapes[shape]);
      if (map->state == MAP_PLAIN) {
        Program program;
        program_compile(&program, bench.arena, bench.maps, map, nullptr);
        for (int k = 0; k < 20; k++) compare_at(&bench, &program, &shapes[shape]);
      }
      map_context_destroy(bench.maps);
      arena_destroy(bench.arena);
    }
}

/* Compares membership and results at every point of a small box, by the engine's evaluation. */
static bool same_by_definition(
    const OracleFixture *bench, const Map *a, const Map *b, const Box *box) {
  int64_t values[64], a_results[8], b_results[8];
  for (int64_t point = 0; point < box->points; point++) {
    box_point(box, point, values);
    PointState a_state = engine_point(bench, a, values, a_results),
               b_state = engine_point(bench, b, values, b_results);
    if ((a_state == POINT_INSIDE) != (b_state == POINT_INSIDE)) return false;
    for (uint32_t i = 0; a_state == POINT_INSIDE && i < a->result_count; i++)
      if (a_results[i] != b_results[i]) return false;
  }
  return true;
}

/* The map with one of its numbers changed: a bound, an end of a constraint, or a result. */
static const Map *random_changed(OracleFixture *bench, const Map *map, RandomMaps *random) {
  Map *copy = map_copy(bench->maps->arena, map);
  uint64_t kind = random_next(random) % 4;
  if (kind == 0 && map->dim_count > 0) copy->dims[0].bounds.hi++;
  if (kind == 1 && map->constraint_count > 0) copy->constraints[0].in.lo++;
  if (kind == 2 && map->result_count > 0)
    copy->results[0] = expr_binary(bench->maps->pool, EXPR_ADD, copy->results[0],
        expr_const(bench->maps->pool, (int64_t)(random_next(random) % 2)));
  Error leaves_int64 = {};
  return map_check(bench->maps, copy, &leaves_int64) ? copy : map;
}

static void same_map_is_the_definition(void **state) {
  (void)state;
  RandomMaps random = {.state = 7,
      .max_variables = 3,
      .max_depth = 4,
      .max_results = 2,
      .max_constraints = 2,
      .max_coefficient = 9,
      .max_bound = 4};
  uint32_t answers[3] = {};
  for (int i = 0; i < 3000; i++) {
    OracleFixture bench = bench_create();
    const Map *map = random_draw(&bench, &random);
    if (map->state == MAP_PLAIN) {
      const Map *other = random_changed(&bench, map, &random);
      Verdict verdict;
      Error error = {};
      Box box;
      hull_of(&box, bench.arena, map, other);
      assert_true(box_count(&box, 1 << 14));
      assert_true(oracle_same_map(bench.oracle, map, other, 1 << 14, &verdict, &error));
      assert_int_equal(
          verdict.status == VERDICT_PROVED, same_by_definition(&bench, map, other, &box));
      answers[verdict.status]++;
      bool was_same = verdict.status == VERDICT_PROVED;
      assert_true(oracle_same_relation(bench.oracle, map, other, 1 << 20, &verdict, &error));
      if (was_same) assert_int_equal(verdict.status, VERDICT_PROVED);
    }
    bench_destroy(&bench);
  }
  assert_true(answers[VERDICT_PROVED] > 100 && answers[VERDICT_REFUTED] > 100 &&
              answers[VERDICT_UNKNOWN] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_evaluations_agree),
      cmocka_unit_test(same_map_is_the_definition),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
