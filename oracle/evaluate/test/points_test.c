/* The enumeration that skips excluded points finds the same points as a full enumeration, in the
 * same order, with the same steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/map/text.h"
#include "oracle/evaluate/points.h"

static const Map *read_map(MapContext *context, const char *text) {
  const Map *map;
  Error error = {};
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  if (!map_parse(context, &source, &map, &error)) fail_msg("%s: %s", text, error.message);
  return map;
}

/* Runs both enumerations side by side; returns the number of points. */
static int64_t walk_both(MapContext *context, Arena *arena, const Map *map) {
  Program program;
  program_compile(&program, arena, context, map, nullptr);
  assert_true(program.is_narrow);
  Box box = {.count = map_first_number(map, VAR_RUNTIME), .of = program.box};
  assert_true(box_count(&box, 1 << 20));
  uint64_t unknown = (UINT64_C(1) << map->runtime_count) - 1;
  int64_t *all = ARENA_NEW(arena, int64_t, program.slot_count + 1),
          *some = ARENA_NEW(arena, int64_t, program.slot_count + 1), count = 0;
  Points points;
  points_create(&points, arena, &program, &box);
  bool has_point = points_first(&points, some);
  for (int64_t point = 0; point < box.points; point++) {
    box_point(&box, point, all);
    if (program_point(&program, all, unknown) != ANSWER_INSIDE) continue;
    assert_true(has_point);
    assert_memory_equal(all, some, box.count * sizeof *all);
    for (uint32_t i = 0; i < program.step_count; i++)
      if (program.steps[i].runtimes == 0)
        assert_int_equal(all[program.steps[i].slot], some[program.steps[i].slot]);
    has_point = points_next(&points, some);
    count++;
  }
  assert_false(has_point);
  return count;
}

static void points_are_those_that_hold(void **) {
  static const struct {
    const char *map;
    int64_t count;
  } rows[] = {
      {"() -> (), domain:", 1},
      {"(){rt0} -> (rt0), domain: rt0 in [0, 3]", 1},
      {"(d0)[s0] -> (d0 + s0), domain: d0 in [0, 4], s0 in [-2, 2]", 25},
      {"(d0)[s0] -> (d0), domain: d0 in [0, 4], s0 in [0, 4], d0 + s0 in [3, 3]", 4},
      {"(d0, d1)[s0] -> (s0), domain: d0 in [0, 3], d1 in [0, 3], s0 in [0, 3], d0 in [2, 9], d1 - d0 in [0, 0], s0 + d0 in [4, 9]",
          5},
      {"(d0)[s0]{rt0} -> (s0), domain: d0 in [0, 5], s0 in [0, 2], rt0 in [0, 3], d0 - rt0 in [0, 1], d0 mod 2 in [0, 0]",
          9},
      {"(d0)[s0] -> (d0), domain: d0 in [0, 4], s0 in [0, 4], d0 * 0 + 1 in [2, 2]", 0},
      {"(d0)[s0] -> (d0), domain: d0 in [0, 4], s0 in [0, -1]", 0},
      {"(d0, d1, d2) -> (d0), domain: d0 in [0, 6], d1 in [-3, 3], d2 in [0, 6], d0 floordiv 2 + d1 in [0, 1], (d2 + d1) ceildiv 3 in [1, 1]",
          42},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    MapContext *context = map_context_create();
    Arena *arena = arena_create();
    Program program;
    const Map *map = read_map(context, rows[i].map);
    program_compile(&program, arena, context, map, nullptr);
    if (!program.has_empty_box) assert_int_equal(walk_both(context, arena, map), rows[i].count);
    else assert_int_equal(rows[i].count, 0);
    arena_destroy(arena);
    map_context_destroy(context);
  }
}

/* Constraints over every subset of four variables, with every bound in a small range. */
static void every_small_set_of_constraints_agrees(void **) {
  MapContext *context = map_context_create();
  for (uint32_t variables = 1; variables < 256; variables++)
    for (int bound = -1; bound <= 3; bound++) {
      Arena *arena = arena_create();
      MapMark mark = map_context_mark(context);
      char text[400];
      int length = snprintf(text, sizeof text,
          "(d0, d1)[s0, s1] -> (d0), domain: d0 in [0, 2], d1 in [-1, 1], s0 in [0, 2], s1 in [1, 2]");
      for (uint32_t half = 0; half < 2; half++)
        length += snprintf(text + length, sizeof text - (size_t)length,
            ", d0 * %u + d1 * %u + s0 * %u + s1 * %u in [%d, %d]", variables >> (4 * half) & 1,
            variables >> (4 * half + 1) & 1, variables >> (4 * half + 2) & 1,
            variables >> (4 * half + 3) & 1, bound, bound + (int)half);
      (void)walk_both(context, arena, read_map(context, text));
      map_context_rewind(context, mark);
      arena_destroy(arena);
    }
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_are_those_that_hold),
      cmocka_unit_test(every_small_set_of_constraints_agrees),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
