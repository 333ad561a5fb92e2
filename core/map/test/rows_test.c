/* Maps, one row at a time: points at each bound, lists that are missing, styles, and expressions
 * without a map around them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "core/map/evaluate.h"
#include "core/map/lines.h"
#include "core/map/text.h"

static const Map *parse_row(MapContext *context, const char *text) {
  Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map;
  Error error = {};
  if (!map_parse(context, &source, &map, &error)) error_print(&error, stderr);
  assert_int_equal(error.kind, ERROR_NONE);
  return map;
}

static char *print_row(MapContext *context, const Map *map, MapStyle style) {
  Text text = text_create(context->arena);
  map_print(&text, context, map, style);
  return text.bytes;
}

/* One bound after the other is left by one. */
static void a_point_is_inside_every_bound(void **) {
  MapContext *context = map_context_create();
  const Map *map = parse_row(context,
      "(d0)[s0]{rt0} -> (d0 + s0 + rt0), domain: d0 in [1, 3], s0 in [2, 5], rt0 in [-1, 4]");
  static const Interval bounds[] = {{1, 3}, {2, 5}, {-1, 4}};
  for (uint32_t at = 0; at < 3; at++)
    for (int64_t value = bounds[at].lo - 1; value <= bounds[at].hi + 1; value++) {
      int64_t values[] = {2, 3, 0}, result;
      values[at] = value;
      bool inside = bounds[at].lo <= value && value <= bounds[at].hi;
      Point point = {.dims = &values[0], .ranges = &values[1], .runtimes = &values[2]};
      assert_int_equal(
          map_evaluate(context, map, &point, &result), inside ? POINT_INSIDE : POINT_OUTSIDE);
      assert_int_equal(map_has_point(map, values), inside);
      if (inside) assert_int_equal(result, values[0] + values[1] + values[2]);
    }
  map_context_destroy(context);
}

static void a_list_that_has_items_is_there(void **) {
  MapContext *context = map_context_create();
  const Map *map = parse_row(context,
      "(d0)[s0]{rt0} -> (d0), domain: d0 in [0, 3], s0 in [0, 5], rt0 in [0, 4], d0 + s0 in [0, 5]");
  assert_true(map_is_whole(context, map));
  assert_true(map_is_whole(context, &(Map){.state = MAP_PLAIN}));
  assert_true(map_is_whole(context, &(Map){.state = MAP_KNOWN_EMPTY}));
  assert_false(map_is_whole(context, &(Map){.state = MAP_KNOWN_EMPTY, .result_count = 1}));
  Map without[] = {*map, *map, *map, *map, *map, *map};
  without[0].dims = without[1].ranges = without[2].runtimes = nullptr;
  without[3].results = nullptr;
  without[4].constraints = nullptr;
  without[5].dim_count = 0;
  for (uint32_t i = 0; i < 6; i++) assert_false(map_is_whole(context, &without[i]));
  map_context_destroy(context);
}

static void each_style_has_its_words(void **) {
  MapContext *context = map_context_create();
  const Map *map =
      parse_row(context, "(d0) -> (d0 floordiv 8, d0 ceildiv 8, d0 mod 8), domain: d0 in [0, 31]");
  assert_string_equal(print_row(context, map, MAP_STYLE_XLA),
      "(d0) -> (d0 / 8, d0 ceildiv 8, d0 mod 8), domain: d0 in [0, 31]");
  assert_string_equal(print_row(context, map, MAP_STYLE_LINE),
      "(d0) -> (d0 floordiv 8, d0 ceildiv 8, d0 mod 8), domain: d0 in [0, 31]");
  map_context_destroy(context);
}

/* A byte 0 is a byte of its line, which is not blank. */
static void lines_have_all_their_bytes(void **) {
  static const char text[] = "(d0)\0x\n \t\n\0y\n# z\n(d1)\n domain:\0z\nOutput 0 operand 1.2: \r\n"
                             "Operand 0 output 0: (d0)\nOutput 0\nOutput 0 operand 1:\0\n";
  static const struct {
    const char *bytes;
    size_t length;
    bool is_skipped;
  } rows[] = {{"(d0)\0x", 6, false}, {" \t", 2, true}, {"\0y", 2, false}, {"# z", 3, true},
      {"(d1)\n domain:\0z", 15, false}, {"Output 0 operand 1.2: \r", 23, true},
      {"Operand 0 output 0: (d0)", 24, false}, {"Output 0", 8, false},
      {"Output 0 operand 1:\0", 20, false}};
  Arena *arena = arena_create();
  Source source = {.name = "lines", .text = text, .length = sizeof text - 1, .first_line = 1};
  MapLines lines = {.source = &source, .number = 1};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_true(lines.at < source.length);
    Source line = map_lines_next(arena, &lines);
    assert_int_equal(line.first_line, i < 5 ? i + 1 : i + 2); /* the fifth has two lines */
    assert_int_equal(line.length, rows[i].length);
    assert_memory_equal(line.text, rows[i].bytes, line.length);
    assert_true(map_line_is_skipped(&line) == rows[i].is_skipped);
  }
  assert_true(lines.at >= source.length);
  arena_destroy(arena);
}

static void an_expression_alone_has_the_usual_names(void **) {
  static const struct {
    const char *text;
    VarKind kind;
    uint32_t index;
  } rows[] = {{"d0", VAR_DIM, 0}, {"s7", VAR_RANGE, 7}, {"rt0", VAR_RUNTIME, 0},
      {"d12", VAR_DIM, 12}, {"rt305", VAR_RUNTIME, 305}, {"s123456", VAR_RANGE, 123456}};
  static const char *const unknown[] = {
      "d", "s", "rt", "r0", "t0", "x0", "dx", "d1x", "s1234567", "rtx", "rt0a"};
  MapContext *context = map_context_create();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Source source = {.text = rows[i].text, .length = strlen(rows[i].text), .first_line = 1};
    Expr expr;
    Error error = {};
    assert_true(expr_parse(context, &source, &expr, &error));
    assert_true(expr_same(expr, expr_var(context->pool, rows[i].kind, rows[i].index)));
  }
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    Source source = {.text = unknown[i], .length = strlen(unknown[i]), .first_line = 1};
    Expr expr;
    Error error = {};
    assert_false(expr_parse(context, &source, &expr, &error));
    assert_non_null(strstr(error.message, "unknown name"));
  }
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_point_is_inside_every_bound),
      cmocka_unit_test(a_list_that_has_items_is_there),
      cmocka_unit_test(each_style_has_its_words),
      cmocka_unit_test(lines_have_all_their_bytes),
      cmocka_unit_test(an_expression_alone_has_the_usual_names),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
