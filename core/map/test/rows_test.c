/* Maps, one row at a time: points at each bound, lists that are missing, styles, and expressions
 * without a map around them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
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

/* Blanks, line ends and comments before the first word of a map do not count. */
static void texts_of_maps_begin_with_their_words(void **) {
  static const char *const blanks[] = {"", " ", "\n", " \t\r\n  ", "# (\n", " #\n\n #x\n "},
                           *const words[] = {"(", "(d0) -> (d0)", "KNOWN EMPTY", "UNDEFINED",
                               "Output 0", "Operand 1"},
                           *const others[] = {"", "d0", "HloModule m", "KNOWN", "Outputs",
                               "Operand", "# (", "x (d0)", "undefined"};
  for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++) {
    char text[64];
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
      snprintf(text, sizeof text, "%s%s", blanks[i], words[k]);
      assert_true(map_lines_begin(&(Source){.text = text, .length = strlen(text)}));
    }
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
      snprintf(text, sizeof text, "%s%s", blanks[i], others[k]);
      assert_false(map_lines_begin(&(Source){.text = text, .length = strlen(text)}));
    }
  }
}

/* An index map whose text leaves out variables of its owner has them all, unless it has one that
 * the owner lacks. It keeps bounds and constraints of its own. */
static void index_maps_are_over_the_variables_of_their_owner(void **) {
  static const struct {
    const char *index;
    bool is_widened;
  } rows[] = {{"(d0)[s0]{rt0} -> (d0), domain: d0 in [0, 9], s0 in [0, 3], rt0 in [0, 2]", true},
      {"(d0)[s0] -> (d0 + s0), domain: d0 in [0, 9], s0 in [0, 3]", true},
      {"(d0) -> (d0), domain: d0 in [0, 9]", true}, {"() -> (7)", true},
      {"()[s0] -> (s0), domain: s0 in [0, 3]", true}, {"(d0) -> (d0), domain: d0 in [0, 8]", true},
      {"(d0) -> (d0), domain: d0 in [1, 9]", true}, {"()[s0] -> (s0), domain: s0 in [0, 4]", true},
      {"(d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [-1, 3]", true},
      {"(){rt0} -> (rt0), domain: rt0 in [0, 2]", true},
      {"(){rt0} -> (rt0), domain: rt0 in [0, 1]", true},
      {"(d0) -> (d0), domain: d0 in [0, 9], d0 mod 2 in [0, 0]", true},
      {"(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 0]", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    MapContext *context = map_context_create();
    const Map *map = parse_row(context,
                  arena_printf(context->arena,
                      "(d0)[s0]{rt0} -> (d0 + s0 + rt0), domain: d0 in [0, 9], s0 in [0, 3], "
                      "rt0 in [0, 2]\nruntime variables:\nrt0: i; %s",
                      rows[i].index)),
              *alone = parse_row(context, rows[i].index), *index = map->sources[0].index;
    assert_non_null(index);
    assert_int_equal(map_same_kinds(index, map), rows[i].is_widened);
    assert_int_equal(index->constraint_count, alone->constraint_count);
    assert_true(expr_same(index->results[0], alone->results[0]));
    assert_int_equal(index->has_own_variables, !rows[i].is_widened);
    for (VarKind kind = VAR_DIM; rows[i].is_widened && kind <= VAR_RUNTIME; kind++) {
      const Map *stated = map_kind_count(alone, kind) > 0 ? alone : map;
      assert_true(map_variables(index, kind)->bounds.lo == map_variables(stated, kind)->bounds.lo &&
                  map_variables(index, kind)->bounds.hi == map_variables(stated, kind)->bounds.hi);
    }
    map_context_destroy(context);
  }
}

/* Any blanks between the tokens of a map, in any number. */
static void blanks_do_not_change_a_map(void **) {
  static const char text[] =
      "( d0 , d1 ) [ s0 ] { rt0 } -> ( d0 floordiv 4 + s0 * -3 , min( d1 , rt0 ) mod 5 ) , domain: "
      "d0 in [ 0 , 9 ] , d1 in [ -2 , 3 ] , s0 in [ 0 , 1 ] , rt0 in [ 0 , 2 ] , d0 + d1 in [ 1 , 8 ]";
  static const char *const blanks[] = {" ", "\t", "\v", "\f", "\r", " \t", "\r\f\v", "  ", "\t \t"};
  static constexpr uint32_t blank_count = sizeof blanks / sizeof *blanks;
  MapContext *context = map_context_create();
  const Map *map = parse_row(context, text);
  for (uint32_t first = 0; first < blank_count; first++)
    for (uint32_t step = 0; step < blank_count; step++) {
      Text changed = text_create(context->arena);
      uint32_t at = first;
      for (size_t i = 0; text[i] != '\0'; i++) {
        if (text[i] != ' ') text_append(&changed, &text[i], 1);
        else text_string(&changed, blanks[(at += step) % blank_count]);
      }
      assert_true(map_identical(context, map, parse_row(context, changed.bytes)));
    }
  map_context_destroy(context);
}

static void a_leaf_is_a_variable_or_a_constant(void **) {
  static const struct {
    const char *map;
    bool has_leaves_only;
  } rows[] = {{"(d0) -> (d0, 3, d0), domain: d0 in [0, 9]", true}, {"() -> ()", true},
      {"(d0)[s0]{rt0} -> (s0, rt0), domain: d0 in [0, 9], s0 in [0, 1], rt0 in [0, 2], s0 in [0, 0]",
          true},
      {"(d0) -> (3, d0 + 1), domain: d0 in [0, 9]", false},
      {"(d0) -> (d0 mod 3, 7), domain: d0 in [0, 9]", false},
      {"(d0) -> (d0), domain: d0 in [0, 9], d0 * 2 in [0, 4]", false},
      {"(d0) -> (d0), domain: d0 in [0, 9], d0 in [0, 4], 5 in [5, 5]", true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    MapContext *context = map_context_create();
    const Map *map = parse_row(context, rows[i].map);
    if (map_has_leaves_only(context, map) != rows[i].has_leaves_only) fail_msg("%s", rows[i].map);
    map_context_destroy(context);
  }
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

/* A comment that contains a bound is a line of its own, also beside the map that it is about. */
static void a_comment_continues_no_map(void **) {
  static const char text[] = "(d0) -> (d0), domain: d0 in [0, 5]\n# here d0 in [0, 5] holds\n"
                             "(d0) -> (d0 + 1), domain:\nd0 in [0, 5]\n \t# rt0 in [0, 5]\n";
  static const struct {
    const char *text;
    bool is_skipped;
  } rows[] = {{"(d0) -> (d0), domain: d0 in [0, 5]", false}, {"# here d0 in [0, 5] holds", true},
      {"(d0) -> (d0 + 1), domain:\nd0 in [0, 5]", false}, {" \t# rt0 in [0, 5]", true}};
  Arena *arena = arena_create();
  Source source = {.name = "lines", .text = text, .length = sizeof text - 1, .first_line = 1};
  MapLines lines = {.source = &source, .number = 1};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Source line = map_lines_next(arena, &lines);
    assert_string_equal(line.text, rows[i].text);
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
      cmocka_unit_test(texts_of_maps_begin_with_their_words),
      cmocka_unit_test(index_maps_are_over_the_variables_of_their_owner),
      cmocka_unit_test(blanks_do_not_change_a_map),
      cmocka_unit_test(a_leaf_is_a_variable_or_a_constant),
      cmocka_unit_test(a_list_that_has_items_is_there),
      cmocka_unit_test(each_style_has_its_words),
      cmocka_unit_test(lines_have_all_their_bytes),
      cmocka_unit_test(a_comment_continues_no_map),
      cmocka_unit_test(an_expression_alone_has_the_usual_names),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
