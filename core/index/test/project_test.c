/* Range variables that only one constraint mentions: with both signs, at the smallest width that
 * leaves no hole and one below, and in cases where they must remain. */
#include "core/index/fusion/project.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_range_in_one_constraint_is_removed)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
