/* Range variables that only one constraint mentions: with both signs, at the smallest width that
 * leaves no hole and one below, and in cases where they must remain. Random maps keep their
 * relation. */
#include "core/index/fusion/project.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/map/evaluate.h"
#include "core/map/points.h"
#include "core/map/text.h"

#define DOMAIN ", domain: d0 in [0, 20], s0 in [1, 3], "

/* The second is nullptr if the map does not change. */
static const char *const rows[][2] = {
    {"(d0)[s0] -> (d0)" DOMAIN "d0 + s0 * 2 in [6, 7]", "(d0)[s0] -> (d0)" DOMAIN "d0 in [0, 5]"},
    {"(d0)[s0] -> (d0)" DOMAIN "d0 - s0 * 2 in [6, 7]", "(d0)[s0] -> (d0)" DOMAIN "d0 in [8, 13]"},
    {"(d0)[s0] -> (d0)" DOMAIN "d0 + s0 * 2 in [6, 6]", nullptr},
    {"(d0)[s0] -> (d0)" DOMAIN "d0 - s0 * 2 in [6, 6]", nullptr},
    {"(d0)[s0] -> (d0)" DOMAIN "d0 + s0 * 5 in [6, 10]", "(d0)[s0] -> (d0)" DOMAIN "d0 in [-9, 5]"},
    {"(d0)[s0] -> (d0)" DOMAIN "d0 - s0 * 5 in [6, 10]",
        "(d0)[s0] -> (d0)" DOMAIN "d0 in [11, 25]"},
    {"(d0)[s0] -> (d0)" DOMAIN "d0 + s0 * 5 in [6, 9]", nullptr},
    {"(d0)[s0] -> (d0)" DOMAIN "d0 - s0 * 5 in [6, 9]", nullptr},
    {"(d0)[s0] -> (d0), domain: d0 in [0, 20], s0 in [3, 3], d0 + s0 * 5 in [16, 16]",
        "(d0)[s0] -> (d0), domain: d0 in [0, 20], s0 in [3, 3], d0 in [1, 1]"},
    {"(d0)[s0] -> (d0)" DOMAIN "d0 mod 4 + s0 in [2, 2]",
        "(d0)[s0] -> (d0)" DOMAIN "d0 mod 4 in [-1, 1]"},
    {"(d0)[s0] -> (d0)" DOMAIN "(d0 + s0) mod 4 + s0 in [2, 2]", nullptr},
    {"(d0)[s0] -> (d0)" DOMAIN "d0 + s0 in [2, 2], d0 mod 2 + s0 in [0, 3]", nullptr},
    {"(d0)[s0] -> (s0)" DOMAIN "d0 + s0 in [2, 2]", nullptr},
    {"(d0)[s0] -> (d0)" DOMAIN "d0 + s0 in [3, 2]", nullptr},
    {"(d0)[s0] -> (d0)" DOMAIN "s0 mod 3 in [1, 1]", nullptr},
    {"(d0)[s0, s1] -> (d0)" DOMAIN "s1 in [0, 1], d0 + s0 * 2 + s1 in [6, 7]",
        "(d0)[s0, s1] -> (d0)" DOMAIN "s1 in [0, 1], d0 in [-1, 5]"},
    {"(d0)[s0]{rt0} -> (d0)" DOMAIN
     "rt0 in [0, 9], d0 + rt0 + s0 in [2, 2]\nruntime variables:\nrt0: i; (d0)[s0]{rt0} -> (s0)" DOMAIN
     "rt0 in [0, 9]",
        nullptr},
};

static const Map *project_parse(MapContext *context, const char *text) {
  const Map *map;
  Error error = {};
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  if (!map_parse(context, &source, &map, &error)) fail_msg("%s: %s", text, error.message);
  return map;
}

static void a_range_in_one_constraint_is_removed(void **) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    MapContext *context = map_context_create();
    const Map *map = project_parse(context, rows[i][0]), *projected;
    Error error = {};
    assert_true(map_project(context, map, &projected, &error));
    Text text = text_create(context->arena);
    map_print(&text, context, projected, MAP_STYLE_LINE);
    if (rows[i][1] == nullptr
            ? projected != map
            : !map_identical(context, projected, project_parse(context, rows[i][1])))
      fail_msg("row %zu: %s", i, text.bytes);
    map_context_destroy(context);
  }
}

/* ---- random maps ---- */

typedef struct ProjectDraw {
  uint64_t state;
} ProjectDraw;

static int64_t draw_between(ProjectDraw *draw, int64_t lo, int64_t hi) {
  draw->state = draw->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return lo + (int64_t)((draw->state >> 33) % (uint64_t)(hi - lo + 1));
}

/* A sum of multiples of some variables, sometimes with a remainder of one of them. */
static void draw_sum(ProjectDraw *draw, Text *text) {
  static const char *const variables[] = {"d0", "d1", "s0", "s1", "s2"};
  uint32_t terms = (uint32_t)draw_between(draw, 1, 3);
  for (uint32_t i = 0; i < terms; i++) {
    const char *variable = variables[draw_between(draw, 0, 4)];
    int64_t factor = draw_between(draw, -3, 4);
    if (draw_between(draw, 0, 6) == 0)
      text_printf(text, "%s%s mod 3", i > 0 ? " + " : "", variable);
    else text_printf(text, "%s%s * (%lld)", i > 0 ? " + " : "", variable, (long long)factor);
  }
}

static const Map *draw_projected(ProjectDraw *draw, MapContext *context) {
  Text text = text_create(context->arena);
  bool has_range = draw_between(draw, 0, 3) == 0;
  text_printf(&text, "(d0, d1)[s0, s1, s2] -> (%s%s), domain: d0 in [0, 4], d1 in [-1, 2]",
      has_range ? "s2 + " : "", draw_between(draw, 0, 1) == 0 ? "d0" : "d0 * 2 + d1");
  for (uint32_t i = 0; i < 3; i++) {
    int64_t lo = draw_between(draw, -2, 2);
    text_printf(&text, ", s%u in [%lld, %lld]", i, (long long)lo,
        (long long)(lo + draw_between(draw, 0, 3)));
  }
  uint32_t constraints = (uint32_t)draw_between(draw, 1, 3);
  for (uint32_t i = 0; i < constraints; i++) {
    int64_t lo = draw_between(draw, -6, 6);
    text_string(&text, ", ");
    draw_sum(draw, &text);
    text_printf(
        &text, " in [%lld, %lld]", (long long)lo, (long long)(lo + draw_between(draw, 0, 6)));
  }
  return project_parse(context, text.bytes);
}

/* Whether each result from -32 to 31 is reached at the dimensions. */
static void reached_by(const MapContext *context, const Map *map, bool reached[5][4][64]) {
  int64_t values[5], result;
  memset(reached, 0, 5 * 4 * 64);
  for (bool more = map_points_begin(map, values); more; more = map_points_next(map, values)) {
    Point point = map_point(map, values);
    if (map_evaluate(context, map, &point, &result) != POINT_INSIDE) continue;
    assert_true(result >= -32 && result < 32);
    reached[values[0]][values[1] + 1][result + 32] = true;
  }
}

/* The same relation, whatever is removed. */
static void projections_keep_the_relation(void **) {
  ProjectDraw draw = {.state = 20261206};
  uint32_t changed = 0;
  for (uint32_t i = 0; i < 1500; i++) {
    MapContext *context = map_context_create();
    const Map *map = draw_projected(&draw, context), *projected;
    Error error = {};
    static bool before[5][4][64], after[5][4][64];
    assert_true(map_project(context, map, &projected, &error));
    reached_by(context, map, before);
    reached_by(context, projected, after);
    if (memcmp(before, after, sizeof before) != 0) {
      Text text = text_create(context->arena);
      map_print(&text, context, map, MAP_STYLE_LINE);
      text_string(&text, "\n");
      map_print(&text, context, projected, MAP_STYLE_LINE);
      fail_msg("%s", text.bytes);
    }
    changed += projected != map;
    map_context_destroy(context);
  }
  assert_true(changed > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_range_in_one_constraint_is_removed),
      cmocka_unit_test(projections_keep_the_relation)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
