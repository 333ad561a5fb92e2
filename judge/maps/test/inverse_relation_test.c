/* The inverse relation has the exchanged pairs: inverted twice it is the given relation, inverted
 * once the expected one. */
#include "judge/maps/inverse_relation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/map/text.h"
#include "oracle/oracle.h"

static const Map *inverse_relation_parse(MapContext *context, const char *text) {
  const Map *map;
  Error error = {};
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  if (!map_parse(context, &source, &map, &error)) fail_msg("%s: %s", text, error.message);
  return map;
}

static const Map *turn(MapContext *context, const Map *map, uint32_t rank, const int64_t *sizes) {
  const Map *inverse;
  Error error = {};
  if (!relation_inverse(context, map, rank, sizes, &inverse, &error)) fail_msg("%s", error.message);
  return inverse;
}

static VerdictStatus compare(MapContext *context, const Map *a, const Map *b) {
  Oracle *oracle = oracle_create(context, nullptr);
  Verdict verdict;
  Error error = {};
  assert_true(oracle_same_relation(oracle, a, b, 1 << 20, &verdict, &error));
  oracle_destroy(oracle);
  return verdict.status;
}

static const struct {
  const char *map, *inverse, *wrong;
  uint32_t rank, from_rank;
  int64_t sizes[3], from[3];
} rows[] = {
    {"(d0) -> (-d0 + 3), domain: d0 in [0, 3]", "(d0) -> (-d0 + 3), domain: d0 in [0, 3]",
        "(d0) -> (d0), domain: d0 in [0, 3]", 1, 1, {4}, {4}},
    {"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 2], d1 in [0, 3], s0 in [0, 4]",
        "(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 2], d1 in [0, 4], s0 in [0, 3]",
        "(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 2], d1 in [0, 4], s0 in [0, 2]", 2, 2, {3, 5},
        {3, 4}},
    {"(d0) -> (d0 * 2 + 1), domain: d0 in [0, 3]",
        "(d0) -> ((d0 - 1) floordiv 2), domain: d0 in [1, 7], (d0 - 1) mod 2 in [0, 0]",
        "(d0) -> ((d0 - 1) floordiv 2), domain: d0 in [1, 7]", 1, 1, {9}, {4}},
    {"(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]",
        "(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]",
        "(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 6]", 2, 1, {4, 8}, {32}},
    {"(d0)[s0] -> (s0, s0), domain: d0 in [0, 2], s0 in [1, 2]",
        "(d0, d1)[s0] -> (s0), domain: d0 in [1, 2], d1 in [0, 3], s0 in [0, 2], d0 - d1 in [0, 0]",
        "(d0, d1)[s0] -> (s0), domain: d0 in [0, 3], d1 in [0, 3], s0 in [0, 2], d0 - d1 in [0, 0]",
        2, 1, {4, 4}, {3}},
    {"(d0)[s0] -> (s0, s0), domain: d0 in [0, 2], s0 in [0, 3]",
        "(d0, d1)[s0] -> (s0), domain: d0 in [0, 3], d1 in [0, 3], s0 in [0, 2], d0 - d1 in [0, 0]",
        "(d0, d1)[s0] -> (s0), domain: d0 in [0, 3], d1 in [0, 3], s0 in [0, 2]", 2, 1, {4, 4},
        {3}},
    {"(d0) -> (), domain: d0 in [0, 5], d0 mod 2 in [0, 0]",
        "()[s0] -> (s0), domain: s0 in [0, 5], s0 mod 2 in [0, 0]",
        "()[s0] -> (s0), domain: s0 in [0, 5]", 0, 1, {0}, {6}},
    {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 2], rt0 in [0, 5]",
        "(d0){rt0} -> (d0 - rt0), domain: d0 in [0, 7], rt0 in [0, 5], d0 - rt0 in [0, 2]",
        "(d0){rt0} -> (d0 - rt0), domain: d0 in [0, 7], rt0 in [0, 5], d0 - rt0 in [0, 3]", 1, 1,
        {8}, {3}},
};

static void inverted_once_and_twice(void **) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    MapContext *context = map_context_create();
    const Map *map = inverse_relation_parse(context, rows[i].map);
    const Map *inverse = turn(context, map, rows[i].rank, rows[i].sizes);
    assert_int_equal(inverse->dim_count, rows[i].rank);
    assert_int_equal(compare(context, inverse, inverse_relation_parse(context, rows[i].inverse)),
        VERDICT_PROVED);
    assert_int_equal(
        compare(context, inverse, inverse_relation_parse(context, rows[i].wrong)), VERDICT_REFUTED);
    assert_int_equal(compare(context, turn(context, inverse, rows[i].from_rank, rows[i].from), map),
        VERDICT_PROVED);
    map_context_destroy(context);
  }
}

static void another_rank_is_rejected(void **) {
  MapContext *context = map_context_create();
  const Map *inverse;
  Error error = {};
  assert_false(relation_inverse(
      context, inverse_relation_parse(context, rows[0].map), 2, rows[1].sizes, &inverse, &error));
  assert_int_equal(error.kind, ERROR_INPUT);
  assert_true(
      turn(context, inverse_relation_parse(context, "KNOWN EMPTY"), 1, rows[0].sizes)->state ==
      MAP_KNOWN_EMPTY);
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverted_once_and_twice),
      cmocka_unit_test(another_rank_is_rejected),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
