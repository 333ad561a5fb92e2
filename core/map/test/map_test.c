/* Maps: round trips through text, evaluation against bounds, composition against composition of
 * points, garbage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/map/bounds.h"
#include "core/map/compose.h"
#include "core/map/evaluate.h"
#include "core/map/test/random_map.h"
#include "core/map/text.h"

static const Map *map_parse_text(MapContext *context, const char *text, Error *error) {
  Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map;
  return map_parse(context, &source, &map, error) ? map : nullptr;
}

static char *map_print_again(MapContext *context, const Map *map, MapStyle style) {
  Text text = text_create(context->arena);
  map_print(&text, context, map, style);
  return text.bytes;
}

/* Without `out` the text is printed as it is. */
typedef struct MapRow {
  const char *in, *out;
} MapRow;

static const MapRow texts[] = {
    {"KNOWN EMPTY", nullptr},
    {" UNDEFINED ", "UNDEFINED"},
    {"() -> ()", nullptr},
    {"()->(7)", "() -> (7)"},
    {"(d0) -> (d0 / 8, d0 mod 8), domain: d0 in [0, 31]",
        "(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]"},
    {"(d0, d1) -> ()\ndomain:\nd0 in [0, 1]\nd1 in [0, 3]",
        "(d0, d1) -> (), domain: d0 in [0, 1], d1 in [0, 3]"},
    {"(th_x)[s0] -> (th_x - 3 - s0*2),\ndomain:\nth_x in [0, 9],\ns0 in [-2, 4],\n",
        "(th_x)[s0] -> (th_x - 3 - s0 * 2), domain: th_x in [0, 9], s0 in [-2, 4]"},
    {"(runtime) -> (runtime), domain:\nruntime in [0, 9]\nruntime mod 2 in [0, 0]",
        "(runtime) -> (runtime), domain: runtime in [0, 9], runtime mod 2 in [0, 0]"},
    {"(a)[b]{c} -> (-a + 16, min(a, max(b, c ceilDiv 3))), domain: a in [0,1], b in [0,1], c in [0,1], a+b in [0,1], (a-1) mod 2 in [0,0]",
        "(a)[b]{c} -> (-a + 16, min(a, max(b, c ceildiv 3))), domain: a in [0, 1], b in [0, 1], c in [0, 1], (a - 1) mod 2 in [0, 0], a + b in [0, 1]"},
    {"(d0) -> ((d0 mod 4) floordiv 2 * 3), domain: d0 in [-9223372036854775808, 9223372036854775807]",
        "(d0) -> (((d0 mod 4) floordiv 2) * 3), domain: d0 in [-9223372036854775808, 9223372036854775807]"},
    {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 3]\nruntime variables:\n\nrt0: off, of [2]; (d0) -> (), domain: d0 in [0, 9]",
        "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 3]\nruntime variables:\nrt0: off, of [2]; (d0){rt0} -> (), domain: d0 in [0, 9], rt0 in [0, 3]"},
    {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 3]\nruntime variables:\nrt0: i, m={n=\"a;b\\\";c\"}; (d0) -> (), domain: d0 in [0, 9]",
        "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 3]\nruntime variables:\nrt0: i, m={n=\"a;b\\\";c\"}; (d0){rt0} -> (), domain: d0 in [0, 9], rt0 in [0, 3]"},
    {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 3]\nruntime variables:\nrt0: i, it\"s; (d0) -> (), domain: d0 in [0, 9]",
        "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 3]\nruntime variables:\nrt0: i, it\"s; (d0){rt0} -> (), domain: d0 in [0, 9], rt0 in [0, 3]"},
    {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 3]\nruntime variables:\nrt0: i \"a\\; (d0) -> (), domain: d0 in [0, 9]",
        "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 3]\nruntime variables:\nrt0: i \"a\\; (d0){rt0} -> (), domain: d0 in [0, 9], rt0 in [0, 3]"},
    /* Variables of an index map go by name. */
    {"(d0, d1){rt0} -> (rt0), domain: d0 in [0, 9], d1 in [0, 9], rt0 in [0, 3]\nruntime variables:\nrt0: off; (d1) -> (d1), domain: d1 in [0, 9]",
        "(d0, d1){rt0} -> (rt0), domain: d0 in [0, 9], d1 in [0, 9], rt0 in [0, 3]\nruntime variables:\nrt0: off; (d0, d1){rt0} -> (d1), domain: d0 in [0, 9], d1 in [0, 9], rt0 in [0, 3]"},
    {"(d0, d1){rt0} -> (rt0), domain: d0 in [0, 9], d1 in [0, 9], rt0 in [0, 3]\nruntime variables:\nrt0: off; (d1, d0) -> (d1, d0), domain: d1 in [0, 9], d0 in [0, 9]",
        "(d0, d1){rt0} -> (rt0), domain: d0 in [0, 9], d1 in [0, 9], rt0 in [0, 3]\nruntime variables:\nrt0: off; (d0, d1){rt0} -> (d1, d0), domain: d0 in [0, 9], d1 in [0, 9], rt0 in [0, 3]"},
    {"(x, y){rt0} -> (rt0), domain: x in [0, 9], y in [0, 9], rt0 in [0, 3]\nruntime variables:\nrt0: off; (y) -> (y), domain: y in [0, 9]",
        "(x, y){rt0} -> (rt0), domain: x in [0, 9], y in [0, 9], rt0 in [0, 3]\nruntime variables:\nrt0: off; (x, y){rt0} -> (y), domain: x in [0, 9], y in [0, 9], rt0 in [0, 3]"},
    {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [1, 3]\nruntime variables:\nrt0: off  clamped to [0,5] ; (d0){rt0} -> (), domain: d0 in [0, 9], rt0 in [1, 3]",
        "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [1, 3]\nruntime variables:\nrt0: off clamped to [0, 5]; (d0){rt0} -> (), domain: d0 in [0, 9], rt0 in [1, 3]"},
    {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [1, 3]\nruntime variables:\nrt0: off clamped to [1, 3]; (d0){rt0} -> (), domain: d0 in [0, 9], rt0 in [1, 3]",
        "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [1, 3]\nruntime variables:\nrt0: off; (d0){rt0} -> (), domain: d0 in [0, 9], rt0 in [1, 3]"},
    {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [1, 3]\nruntime variables:\nrt0: off clamped to [-9223372036854775808, 9223372036854775807]; (d0){rt0} -> (), domain: d0 in [0, 9], rt0 in [1, 3]",
        nullptr},
    {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [1, 3]\nruntime variables:\nrt0: c[clamped to [2]; (d0){rt0} -> (), domain: d0 in [0, 9], rt0 in [1, 3]",
        nullptr},
    {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [1, 3]\nruntime variables:\nrt0: reclamped to [0, 5] or [2]; (d0){rt0} -> (), domain: d0 in [0, 9], rt0 in [1, 3]",
        nullptr},
};

/* Nested quotients over d0, `levels` deep: 4 operators and operands a level. */
static const Map *tower(MapContext *context, uint32_t levels) {
  Text text = text_create(context->arena);
  Error error = {};
  text_string(&text, "(d0) -> (");
  for (uint32_t i = 0; i < levels; i++) text_string(&text, "(");
  text_string(&text, "d0");
  for (uint32_t i = 0; i < levels; i++) text_string(&text, " + 1) floordiv 2");
  text_string(&text, "), domain: d0 in [0, 9]");
  const Map *map = map_parse_text(context, text.bytes, &error);
  assert_non_null(map);
  return map;
}

static void long_expressions_print_short_for_people(void **state) {
  (void)state;
  MapContext *context = map_context_create();
  for (uint32_t levels = 1; levels <= 3000; levels += levels < 60 ? 1 : 500) {
    const Map *map = tower(context, levels);
    Text whole = text_create(context->arena), cut = text_create(context->arena);
    expr_print(&whole, context, map, map->results[0], MAP_STYLE_LINE);
    expr_print_short(&cut, context, map, map->results[0], MAP_STYLE_LINE);
    if (1 + 4 * levels <= 200) assert_string_equal(cut.bytes, whole.bytes);
    if (1 + 4 * levels > 250) assert_non_null(strstr(cut.bytes, "..."));
    assert_true(cut.length < 1000);
    assert_string_equal(cut.bytes + cut.length - strlen(" + 1) floordiv 2"), " + 1) floordiv 2");
  }
  map_context_destroy(context);
}

static void text_prints_what_is_meant(void **state) {
  (void)state;
  MapContext *context = map_context_create();
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Error error = {};
    const Map *map = map_parse_text(context, texts[i].in, &error);
    if (map == nullptr) error_print(&error, stderr);
    assert_non_null(map);
    const char *once = map_print_again(context, map, MAP_STYLE_LINE);
    assert_string_equal(once, texts[i].out == nullptr ? texts[i].in : texts[i].out);
    for (MapStyle style = MAP_STYLE_LINE; style <= MAP_STYLE_XLA; style++)
      assert_true(map_identical(
          context, map, map_parse_text(context, map_print_again(context, map, style), &error)));
  }
  map_context_destroy(context);
}

static const MapRow errors[] = {
    {"", "1:1: error: expected a map: '(' before its dimensions, and the text ends"},
    {"(d0) -> (d0)", "1:13: error: expected 'domain:', and the text ends"},
    {"(d0) -> (d1), domain: d0 in [0, 1]", "1:10: error: unknown name 'd1'"},
    {"(d0) -> (d0), domain: d0 in [0, 1]\nthe operand is read",
        "2:1: error: unknown name 'the' in a line below the map; an empty line ends the map"},
    {"(d0) -> (d0), domain: d0 in [0, 1]\nmin(d1, 1) in [0, 1]", "2:5: error: unknown name 'd1'"},
    {"(d0) -> (d0), domain: d0 in [0, 1]\nruntime variable:", "2:1: error: unknown name 'runtime'"},
    {"(d0) -> (d0), domain: d0 in [0, 1], the in [0, 1]", "1:37: error: unknown name 'the'"},
    {"(d0, d0) -> (), domain: d0 in [0, 1]", "1:6: error: a variable is named twice"},
    {"(d0) -> (d0 floordiv 0), domain: d0 in [0, 1]",
        "1:22: error: the divisor of floordiv must be a positive constant"},
    {"(d0) -> (3 mod d0), domain: d0 in [0, 1]",
        "1:16: error: the divisor of mod must be a positive constant"},
    {"(d0) -> (d0 ceildiv -2), domain: d0 in [0, 1]",
        "1:21: error: the divisor of ceildiv must be a positive constant"},
    {"(d0, d1) -> (),\ndomain:\nd0 in [0, 1],\nd2 in [0, 1]",
        "4:1: error: expected the bounds of 'd1', found 'd2'"},
    {"(d0) -> (d0 mod (2), domain: d0 in [0, 1]", "1:22: error: expected ')' before 'domain:'"},
    {"(d0) -> (), domain: d0 in [0, 9223372036854775808]", "1:31: error: the integer leaves int64"},
    {"(d0) -> (), domain: d0 in [0, 1] trailing", "1:34: error: expected ','"},
    {"(d0) -> (d0 * 2), domain: d0 in [0, 9223372036854775807]",
        "1:1: error: result 0 can leave int64 on the domain"},
    {"(d0) -> (d0 # 2), domain: d0 in [0, 9]", "1:13: error: expected ',' or ')' after a result"},
    {"KNOWN EMPTY (", "1:13: error: expected the end of the map"},
    {"(){rt0} -> (), domain: rt0 in [1, 3]\nruntime variables:\nrt0: o clamped to [5]; ()",
        "3:21: error: expected ','"},
    {"(){rt0} -> (), domain: rt0 in [1, 3]\nruntime variables:\nrt0: o clamped to [3, 1]; ()",
        "3:19: error: expected a clamp with a value"},
    {"(){rt0} -> (), domain: rt0 in [1, 3]\nruntime variables:\nrt0: o clamped to [0, x]; ()",
        "3:23: error: expected an integer"},
    {"(){rt0} -> (), domain: rt0 in [1, 3]\nruntime variables:\nrt0: o clamped to [0, 9223372036854775808]; ()",
        "3:23: error: the integer leaves int64"},
};

static void errors_name_their_location(void **state) {
  (void)state;
  MapContext *context = map_context_create();
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    Error error = {};
    assert_null(map_parse_text(context, errors[i].in, &error));
    char text[1024];
    error_format(&error, text, sizeof text);
    *strchr(text, '\n') = 0;
    assert_string_equal(text + strlen("test:"), errors[i].out);
  }
  map_context_destroy(context);
}

static size_t map_rounds(size_t many) { return getenv("AFFIRM_FEW") != nullptr ? many / 50 : many; }

static void a_million_random_maps_read_back(void **state) {
  (void)state;
  MapContext *context = map_context_create();
  RandomMaps random = {.state = 1,
      .max_variables = 5,
      .max_depth = 5,
      .max_results = 3,
      .max_constraints = 2,
      .max_coefficient = 40,
      .max_bound = 30};
  for (size_t i = 0; i < map_rounds(1000000); i++) {
    MapMark mark = map_context_mark(context);
    const Map *map = random_map(context, &random);
    const char *once = map_print_again(context, map, (MapStyle)(i % 3));
    Error error = {};
    const Map *again = map_parse_text(context, once, &error);
    if (again == nullptr) error_print(&error, stderr);
    assert_non_null(again);
    assert_true(map_identical(context, map, again));
    assert_string_equal(map_print_again(context, again, (MapStyle)(i % 3)), once);
    map_context_rewind(context, mark);
  }
  map_context_destroy(context);
}

static void draw_point(
    RandomMaps *random, const Map *map, int64_t *dims, int64_t *ranges, int64_t *runtimes) {
  for (uint32_t i = 0; i < map->dim_count; i++)
    dims[i] = random_between(random, map->dims[i].bounds.lo, map->dims[i].bounds.hi);
  for (uint32_t i = 0; i < map->range_count; i++)
    ranges[i] = random_between(random, map->ranges[i].bounds.lo, map->ranges[i].bounds.hi);
  for (uint32_t i = 0; i < map->runtime_count; i++)
    runtimes[i] = random_between(random, map->runtimes[i].bounds.lo, map->runtimes[i].bounds.hi);
}

static void bounds_contain_every_value(void **state) {
  (void)state;
  MapContext *context = map_context_create();
  RandomMaps random = {.state = 2,
      .max_variables = 3,
      .max_depth = 4,
      .max_results = 2,
      .max_coefficient = 9,
      .max_bound = 12};
  for (size_t i = 0; i < map_rounds(100000); i++) {
    MapMark mark = map_context_mark(context);
    const Map *map = random_map(context, &random);
    for (uint32_t r = 0; r < map->result_count; r++) {
      Interval bounds;
      assert_true(expr_bounds(context, map, map->results[r], &bounds));
      int64_t dims[8], ranges[8], runtimes[8], value;
      for (int draw = 0; draw < 8; draw++) {
        draw_point(&random, map, dims, ranges, runtimes);
        Point point = {.dims = dims, .ranges = ranges, .runtimes = runtimes};
        assert_true(expr_evaluate(context->pool, map->results[r], &point, &value));
        assert_true(bounds.lo <= value && value <= bounds.hi);
      }
    }
    map_context_rewind(context, mark);
  }
  map_context_destroy(context);
}

/* The composed map at a point equals the producer at the consumer's results. The point is inside
 * its domain exactly if both are inside theirs. */
static void check_composition(MapContext *context, RandomMaps *random, const Map *consumer,
    const Map *producer, const Map *composed) {
  int64_t dims[8], ranges[16], runtimes[16], middle[8], expected[8], results[8];
  draw_point(random, composed, dims, ranges, runtimes);
  Point first = {.dims = dims, .ranges = ranges, .runtimes = runtimes};
  Point second = {.dims = middle,
      .ranges = ranges + consumer->range_count,
      .runtimes = runtimes + consumer->runtime_count};
  PointState inside = map_evaluate(context, consumer, &first, middle);
  if (inside == POINT_INSIDE) inside = map_evaluate(context, producer, &second, expected);
  assert_int_equal(map_evaluate(context, composed, &first, results), inside);
  if (inside == POINT_INSIDE && composed->result_count > 0)
    assert_memory_equal(results, expected, composed->result_count * sizeof *results);
}

static void composition_agrees_with_points(void **state) {
  (void)state;
  MapContext *context = map_context_create();
  RandomMaps random = {.state = 3,
      .max_variables = 4,
      .max_depth = 3,
      .max_results = 3,
      .max_constraints = 2,
      .max_coefficient = 6,
      .max_bound = 9};
  size_t composed_count = 0;
  for (size_t i = 0; i < map_rounds(300000); i++) {
    MapMark mark = map_context_mark(context);
    const Map *consumer = random_map(context, &random), *producer = random_map(context, &random),
              *composed;
    Error error = {};
    if (consumer->result_count != producer->dim_count) {
      assert_false(map_compose(context, consumer, producer, &composed, &error));
    } else {
      bool fits = map_compose(context, consumer, producer, &composed, &error);
      assert_true(fits || error.kind == ERROR_OVERFLOW);
      for (int draw = 0; fits && draw < 4; draw++)
        check_composition(context, &random, consumer, producer, composed);
      composed_count += fits;
    }
    map_context_rewind(context, mark);
  }
  assert_in_range(composed_count, map_rounds(300000) / 20, map_rounds(300000));
  map_context_destroy(context);
}

static char *map_repeated(const char *before, const char *middle, size_t times, const char *after) {
  size_t length = strlen(middle);
  char *text = malloc(strlen(before) + times * length + strlen(after) + 1),
       *end = text + strlen(before);
  assert_non_null(text);
  strcpy(text, before);
  for (size_t i = 0; i < times; i++, end += length) memcpy(end, middle, length);
  strcpy(end, after);
  return text;
}

static void assert_rejected(
    const char *before, const char *middle, size_t times, const char *after) {
  MapContext *context = map_context_create();
  char *text = map_repeated(before, middle, times, after);
  Error error = {};
  assert_null(map_parse_text(context, text, &error));
  assert_in_range(error.kind, ERROR_INPUT, ERROR_LIMIT);
  free(text);
  map_context_destroy(context);
}

static void garbage_is_rejected_in_time(void **state) {
  (void)state;
  assert_rejected("", "(", 10000000, "");
  assert_rejected("(d0) -> (", "(", 100000, "d0");
  assert_rejected("(d0) -> (", "min(", 100000, "d0");
  assert_rejected("(d0) -> (", "-", 100000, "d0");
  assert_rejected("(d0) -> (d0", " + d0", 20000, "), domain: d0 in [0, 1]");
  assert_rejected("(d0) -> (d0", " floordiv 2", 100000, "), domain: d0 in [0, 1]");
}

static void long_sums_and_many_variables_read(void **state) {
  (void)state;
  MapContext *context = map_context_create();
  Error error = {};
  char *text = map_repeated("(d0) -> (d0", " + d0", 10000, "), domain: d0 in [0, 1]");
  assert_non_null(map_parse_text(context, text, &error));
  free(text);
  Text names = text_create(context->arena), bounds = text_create(context->arena);
  for (int i = 0; i < 10000; i++) {
    text_printf(&names, "%sd%d", i == 0 ? "" : ", ", i);
    text_printf(&bounds, "%sd%d in [0, %d]", i == 0 ? "" : ", ", i, i);
  }
  const char *whole =
      arena_printf(context->arena, "(%s) -> (d9999), domain: %s", names.bytes, bounds.bytes);
  const Map *map = map_parse_text(context, whole, &error);
  assert_non_null(map);
  assert_string_equal(map_print_again(context, map, MAP_STYLE_LINE), whole);
  map_context_destroy(context);
}

static void random_bytes_never_crash(void **state) {
  (void)state;
  static const char alphabet[] =
      "(((d0)))[s0]{rt} ->,:domain in [0, 9]mod floordiv ceildiv min max+-*/ 12\n";
  MapContext *context = map_context_create();
  RandomMaps random = {.state = 4};
  char text[65];
  for (size_t i = 0; i < map_rounds(200000); i++) {
    size_t length = (size_t)random_between(&random, 0, 64);
    for (size_t j = 0; j < length; j++)
      text[j] = alphabet[random_next(&random) % (sizeof alphabet - 1)];
    text[length] = 0;
    MapMark mark = map_context_mark(context);
    Error error = {};
    if (map_parse_text(context, text, &error) == nullptr)
      assert_int_not_equal(error.kind, ERROR_NONE);
    map_context_rewind(context, mark);
  }
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_prints_what_is_meant),
      cmocka_unit_test(errors_name_their_location),
      cmocka_unit_test(a_million_random_maps_read_back),
      cmocka_unit_test(bounds_contain_every_value),
      cmocka_unit_test(composition_agrees_with_points),
      cmocka_unit_test(garbage_is_rejected_in_time),
      cmocka_unit_test(long_sums_and_many_variables_read),
      cmocka_unit_test(long_expressions_print_short_for_people),
      cmocka_unit_test(random_bytes_never_crash),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
