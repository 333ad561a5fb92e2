/* Which queries of the algebra are asked about a map that the engine answers rightly: those with
 * the numbers that the map itself gives. */
#include "reduce/shrink_algebra.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/map/evaluate.h"
#include "core/map/points.h"
#include "core/map/test/random_map.h"
#include "core/map/text.h"

static constexpr int64_t most_asked = 4096; /* points, and values of a result */

/* The box that ends at the largest results. False if there is none. */
static bool box_of_results(MapContext *context, const Map *map, int64_t *sizes) {
  int64_t at[8], results[8];
  uint64_t points;
  memset(sizes, 0, 8 * sizeof *sizes);
  if (!map_points_count(map, most_asked, &points)) return false;
  for (bool more = map_points_begin(map, at); more; more = map_points_next(map, at)) {
    Point point = map_point(map, at);
    if (map_evaluate(context, map, &point, results) != POINT_INSIDE) continue;
    for (uint32_t i = 0; i < map->result_count; i++) {
      if (results[i] < 0 || results[i] >= most_asked) return false;
      if (results[i] >= sizes[i]) sizes[i] = results[i] + 1;
    }
  }
  return true;
}

static void right_answers_are_asked_and_not_refuted(void **) {
  static const char asked_nothing[] = "nothing";
  Error error = {};
  Judge *judge = judge_create(nullptr, &error);
  assert_non_null(judge);
  const uint32_t rounds = test_length(400, 120, 30);
  uint32_t boxes = 0, turns = 0;
  for (uint32_t i = 0; i < rounds; i++) {
    MapMark mark = map_context_mark(judge->context);
    RandomMaps random = {.state = i + 1,
        .max_variables = 2,
        .max_depth = 2,
        .max_results = 3,
        .max_constraints = 1,
        .max_coefficient = 5,
        .max_bound = 3};
    const Map *map = random_map(judge->context, &random);
    AlgebraQuery query;
    char witness[400];
    int64_t sizes[8];
    strcpy(witness, asked_nothing);
    assert_false(shrink_algebra(judge, ALGEBRA_BIJECTIVE, map, &query, witness, sizeof witness));
    bool has_box = box_of_results(judge->context, map, sizes);
    assert_int_equal(strcmp(witness, asked_nothing) != 0, has_box);
    if (has_box) {
      boxes++;
      assert_int_equal(query.numbers.count, map->result_count);
      assert_memory_equal(query.numbers.items, sizes, map->result_count * sizeof *sizes);
    }
    strcpy(witness, asked_nothing);
    assert_false(shrink_algebra(judge, ALGEBRA_SUB_MAP, map, &query, witness, sizeof witness));
    assert_int_equal(strcmp(witness, asked_nothing) != 0, map->result_count > 0);
    if (map->result_count > 0) {
      const int64_t ends[] = {map->result_count - 1, 0};
      turns++;
      assert_int_equal(query.numbers.count, 2);
      assert_memory_equal(query.numbers.items, ends, sizeof ends);
    }
    map_context_rewind(judge->context, mark);
  }
  assert_true(boxes > rounds / 5 && boxes < rounds - rounds / 5 && turns > rounds / 2);
  judge_destroy(judge);
}

static void numbers_are_printed_as_they_are_given(void **) {
  Arena *arena = arena_create();
  for (uint32_t count = 0; count < 5; count++)
    for (int64_t first = -2; first < 3; first++) {
      AlgebraNumbers numbers = {}, again = {};
      for (uint32_t i = 0; i < count; i++) *ARENA_PUSH(arena, &numbers) = first + 11 * (int64_t)i;
      const char *text = algebra_numbers_text(arena, &numbers);
      if (count == 0) {
        assert_string_equal(text, "");
        continue;
      }
      assert_int_equal(text[strlen(text) - 1], ' ');
      assert_true(algebra_numbers(arena, text, strlen(text) - 1, &again));
      assert_int_equal(again.count, count);
      assert_memory_equal(again.items, numbers.items, count * sizeof *numbers.items);
    }
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(right_answers_are_asked_and_not_refuted),
      cmocka_unit_test(numbers_are_printed_as_they_are_given),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
