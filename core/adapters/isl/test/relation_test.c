/* isl as a judge: given pairs, random maps against enumeration (the same map, a changed one),
 * emitted text parsed again, and a limited budget of operations. Skipped, with a message, if isl is
 * not installed. */
#include "core/adapters/isl/relation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/map/points.h"
#include "core/map/test/each_map.h"
#include "core/map/evaluate.h"
#include "core/map/test/random_map.h"
#include "core/map/text.h"

static constexpr uint32_t most = 8;

static void relation_must(bool done, const Error *error) {
  if (!done) error_print(error, stderr);
  assert_true(done);
}

static const Map *relation_parse(MapContext *context, const char *text) {
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map = nullptr;
  Error error = {};
  relation_must(map_parse(context, &source, &map, &error), &error);
  return map;
}

static void text_is_schedule_and_domain(void **) {
  MapContext *context = map_context_create();
  Text text = text_create(context->arena);
  Error error = {};
  const Map *maps[] = {
      relation_parse(context,
          "(d0)[s0] -> (d0 floordiv 3 + s0 mod 4, min(d0, 5) * -2), domain: d0 in [0, 9], s0 in [-1, 2], d0 + s0 in [3, 7]"),
      relation_parse(context, "() -> ()"),
      relation_parse(context, "KNOWN EMPTY"),
  };
  const char *names[] = {"a-b", nullptr, "7"};
  relation_must(relation_emit(context, nullptr, 3, names, maps, &text, &error), &error);
  assert_string_equal(text.bytes,
      "domain := {\n"
      "  S0[d0, s0] : 0 <= d0 <= 9 and -1 <= s0 <= 2 and 3 <= (d0 + s0) <= 7;\n"
      "  S1[];\n"
      "  S2[] : 1 = 0\n"
      "};\n"
      "schedule := {\n"
      "  S0[d0, s0] -> [0, d0, s0];\n"
      "  S1[] -> [1];\n"
      "  S2[] -> [2]\n"
      "};\n"
      "reads := {\n"
      "  S0[d0, s0] -> a_b[(floor((d0)/3) + ((s0) mod 4)), (-2 * min(d0, 5))];\n"
      "  S1[] -> map1[];\n"
      "  S2[] -> m7[]\n"
      "};\n");
  if (relation_available()) {
    VerdictStatus answer;
    relation_must(
        relation_text_same(context, nullptr, 3, names, maps, text.bytes, 0, &answer, &error),
        &error);
    assert_int_equal(answer, VERDICT_PROVED);
  }
  Text next = text_create(context->arena);
  RelationPart part = {.first = 3, .suffix = "_2"};
  relation_must(relation_emit(context, &part, 1, nullptr, &maps[1], &next, &error), &error);
  assert_string_equal(next.bytes, "domain_2 := {\n  S3[]\n};\nschedule_2 := {\n  S3[] -> [3]\n};\n"
                                  "reads_2 := {\n  S3[] -> map3[]\n};\n");
  text_string(&text, next.bytes);
  if (relation_available()) {
    VerdictStatus answer;
    relation_must(
        relation_text_same(context, &part, 1, nullptr, &maps[1], text.bytes, 0, &answer, &error),
        &error);
    assert_int_equal(answer, VERDICT_PROVED);
  }
  map_context_destroy(context);
}

typedef struct Stated {
  const char *a, *b;
  bool same_relation, same_map;
} Stated;

static const Stated stated[] = {
    {"(d0) -> (d0 mod 8), domain: d0 in [0, 8]", "(d0) -> (d0), domain: d0 in [0, 8]", false,
        false},
    {"(d0) -> (d0 mod 8), domain: d0 in [0, 7]", "(d0) -> (d0), domain: d0 in [0, 7]", true, true},
    {"(d0)[s0] -> (d0 + s0), domain: d0 in [0, 7], s0 in [0, 3]",
        "(d0)[s0] -> (d0 + 3 - s0), domain: d0 in [0, 7], s0 in [0, 3]", true, false},
    {"(d0)[s0] -> (d0), domain: d0 in [0, 7], s0 in [0, 3]",
        "(d0)[s0] -> (d0), domain: d0 in [0, 7], s0 in [0, 2]", true, false},
    {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 7], rt0 in [0, 3]",
        "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 7], rt0 in [0, 4]", false, false},
    {"(d0) -> (d0 ceildiv 3, max(d0, 4)), domain: d0 in [-9, 9]",
        "(d0) -> (-(-d0 floordiv 3), -min(-d0, -4)), domain: d0 in [-9, 9]", true, true},
    {"(d0, d1) -> (d0 * 4611686018427387904 floordiv 2), domain: d0 in [0, 1], d1 in [0, 1]",
        "(d0, d1) -> (d0 * 2305843009213693952), domain: d0 in [0, 1], d1 in [0, 1]", true, true},
    {"(d0) -> (d0), domain: d0 in [0, 7], d0 in [8, 9]", "KNOWN EMPTY", true, true},
    {"KNOWN EMPTY", "(d0) -> (d0), domain: d0 in [0, 7]", false, false},
    {"KNOWN EMPTY", "KNOWN EMPTY", true, true},
    {"() -> (3)", "() -> (4)", false, false},
    {"(d0) -> ((d0 * 1099511627776 + 5) floordiv 8), domain: d0 in [0, 1099511]",
        "(d0) -> (d0 * 137438953472), domain: d0 in [0, 1099511]", true, true},
};

static void stated_pairs_are_judged(void **) {
  if (!relation_available()) skip();
  print_message("isl %s", relation_version());
  for (size_t i = 0; i < sizeof stated / sizeof *stated; i++) {
    MapContext *context = map_context_create();
    const Map *a = relation_parse(context, stated[i].a), *b = relation_parse(context, stated[i].b);
    RelationReport report;
    Error error = {};
    relation_must(relation_same(context, a, b, 0, &report, &error), &error);
    assert_int_equal(report.answer, stated[i].same_relation ? VERDICT_PROVED : VERDICT_REFUTED);
    assert_int_equal(report.has_point, !stated[i].same_relation);
    relation_must(relation_same_map(context, a, b, 0, &report, &error), &error);
    assert_int_equal(report.answer, stated[i].same_map ? VERDICT_PROVED : VERDICT_REFUTED);
    map_context_destroy(context);
  }
}

static bool same_by_walking(MapContext *context, const Map *a, const Map *b) {
  int64_t values[most], left[most], right[most];
  bool same = true;
  for (bool more = map_points_begin(a, values); more && same; more = map_points_next(a, values)) {
    Point point = map_point(a, values);
    PointState in_a = map_evaluate(context, a, &point, left),
               in_b = map_evaluate(context, b, &point, right);
    same = in_a == in_b &&
           (in_a != POINT_INSIDE || memcmp(left, right, a->result_count * sizeof *left) == 0);
  }
  return same;
}

/* The witness is inside one map with the claimed result, and not in the other. */
static void check_witness(
    MapContext *context, const Map *a, const Map *b, const RelationReport *report) {
  int64_t results[most];
  assert_true(report->has_point);
  const Map *holder = report->only_in_first ? a : b, *other = report->only_in_first ? b : a;
  Point point = map_point(a, report->in);
  assert_int_equal(map_evaluate(context, holder, &point, results), POINT_INSIDE);
  assert_memory_equal(results, report->out, holder->result_count * sizeof *results);
  if (map_evaluate(context, other, &point, results) == POINT_INSIDE)
    assert_memory_not_equal(results, report->out, holder->result_count * sizeof *results);
}

/* The same variables, with one result or one constraint changed; bounds never become wider. */
static const Map *relation_changed(MapContext *context, RandomMaps *random, const Map *map) {
  Map *other = map_copy(context->arena, map);
  if (map->result_count > 0 && random_between(random, 0, 1) == 0)
    other->results[0] = random_expr(context, random, map, 2);
  else
    map_add_constraint(context->arena, other,
        (Constraint){random_expr(context, random, map, 2), {-3, random_between(random, -3, 60)}});
  Error error = {};
  return map_check(context, other, &error) ? other : map;
}

static void random_maps_are_judged_as_by_walking(void **) {
  if (!relation_available()) skip();
  RandomMaps random = {.state = 77,
      .max_variables = 3,
      .max_depth = 3,
      .max_results = 2,
      .max_constraints = 1,
      .max_coefficient = 9,
      .max_bound = 8};
  int same = 0, different = 0, unknown = 0, unsupported = 0;
  for (int i = 0; i < 600; i++) {
    MapContext *context = map_context_create();
    const Map *map = random_map(context, &random), *other = relation_changed(context, &random, map);
    RelationReport report;
    Error error = {};
    if (relation_same_map(context, map, other, 2000000, &report, &error)) {
      bool equal = same_by_walking(context, map, other);
      if (report.answer == VERDICT_UNKNOWN) unknown++;
      else assert_int_equal(report.answer, equal ? VERDICT_PROVED : VERDICT_REFUTED);
      if (report.answer == VERDICT_REFUTED) check_witness(context, map, other, &report);
      same += report.answer == VERDICT_PROVED;
      different += report.answer == VERDICT_REFUTED;
    } else {
      assert_int_equal(error.kind, ERROR_UNSUPPORTED);
      unsupported++;
    }
    map_context_destroy(context);
  }
  print_message("%d same, %d different, %d unknown, %d with a product of variables\n", same,
      different, unknown, unsupported);
  assert_true(same > 50 && different > 50 && unknown < 60);
}

static void random_texts_read_back(void **) {
  if (!relation_available()) skip();
  RandomMaps random = {.state = 5,
      .max_variables = 3,
      .max_depth = 3,
      .max_results = 2,
      .max_constraints = 1,
      .max_coefficient = 9,
      .max_bound = 8};
  int same = 0, changed_seen = 0;
  for (int i = 0; i < 150; i++) {
    MapContext *context = map_context_create();
    const Map *map = random_map(context, &random), *other = relation_changed(context, &random, map);
    Text text = text_create(context->arena);
    Error error = {};
    VerdictStatus answer;
    bool emitted = relation_emit(context, nullptr, 1, nullptr, &map, &text, &error);
    if (emitted && relation_text_same(
                       context, nullptr, 1, nullptr, &map, text.bytes, 2000000, &answer, &error)) {
      assert_int_not_equal(answer, VERDICT_REFUTED);
      same += answer == VERDICT_PROVED;
      if (!same_by_walking(context, map, other) &&
          relation_text_same(
              context, nullptr, 1, nullptr, &other, text.bytes, 2000000, &answer, &error)) {
        assert_int_not_equal(answer, VERDICT_PROVED);
        changed_seen += answer == VERDICT_REFUTED;
      }
    } else assert_int_equal(error.kind, ERROR_UNSUPPORTED);
    map_context_destroy(context);
  }
  print_message("%d texts say their maps, %d say another one\n", same, changed_seen);
  assert_true(same > 80 && changed_seen > 20);
}

typedef struct RelationCorpus {
  int seen, each, same, unknown, unsupported; /* `each`: one in `each` maps is checked */
} RelationCorpus;

static void read_back(
    void *user, MapContext *context, const Map *map, const char *path, uint32_t line) {
  RelationCorpus *corpus = user;
  if (corpus->seen++ % corpus->each != 0) return;
  Text text = text_create(context->arena);
  Error error = {};
  VerdictStatus answer;
  if (!relation_emit(context, nullptr, 1, nullptr, &map, &text, &error) ||
      !relation_text_same(
          context, nullptr, 1, nullptr, &map, text.bytes, 5000000, &answer, &error)) {
    if (error.kind != ERROR_UNSUPPORTED) fail_msg("%s:%u: %s", path, line, error.message);
    corpus->unsupported++;
    return;
  }
  if (answer == VERDICT_REFUTED) fail_msg("%s:%u: the text says another map", path, line);
  corpus->same += answer == VERDICT_PROVED;
  corpus->unknown += answer == VERDICT_UNKNOWN;
}

static void every_map_of_the_corpus_reads_back(void **) {
  if (!relation_available()) skip();
  RelationCorpus corpus = {.each = (int)test_length(1, 10, 50)};
  each_map(AFFIRM_SOURCE_DIR "/corpus", read_back, &corpus);
  each_map(AFFIRM_DATA_DIR "/print_indexing", read_back, &corpus);
  print_message(
      "%d maps read back the same, %d out of operations, %d have a product of variables or too many quotients, or are UNDEFINED\n",
      corpus.same, corpus.unknown, corpus.unsupported);
  assert_true(corpus.same >= 100 / corpus.each && corpus.unknown < corpus.same / 10);
}

static void a_small_budget_is_unknown(void **) {
  if (!relation_available()) skip();
  MapContext *context = map_context_create();
  const Map *a = relation_parse(context,
      "(d0, d1) -> ((d0 * 7 + d1) floordiv 13 mod 5, min(d0, d1)), domain: d0 in [0, 99], d1 in [0, 99]");
  RelationReport report;
  Error error = {};
  relation_must(relation_same(context, a, a, 50, &report, &error), &error);
  assert_int_equal(report.answer, VERDICT_UNKNOWN);
  relation_must(relation_same(context, a, a, 0, &report, &error), &error);
  assert_int_equal(report.answer, VERDICT_PROVED);
  map_context_destroy(context);
}

/* One quotient of the sum is shared, and counts once. */
static void maps_of_many_quotients_are_not_queried(void **) {
  if (!relation_available()) skip();
  MapContext *context = map_context_create();
  Text text = text_create(context->arena);
  text_string(&text, "(d0) -> (d0 floordiv 2");
  for (uint32_t i = 2; i < 67; i++) text_printf(&text, " + d0 floordiv %u", i);
  text_string(&text, "), domain: d0 in [0, 1]");
  const Map *map = relation_parse(context, text.bytes);
  RelationReport report;
  Error error = {};
  assert_false(relation_same_map(context, map, map, 1, &report, &error));
  assert_int_equal(error.kind, ERROR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "more than 64 quotients"));
  map_context_destroy(context);
}

static void rejections_are_named(void **) {
  if (!relation_available()) skip();
  static const struct {
    const char *a, *b;
    ErrorKind kind;
  } rejected[] = {
      {"UNDEFINED", "KNOWN EMPTY", ERROR_UNSUPPORTED},
      {"(d0) -> (d0), domain: d0 in [0, 1]", "(d0) -> (d0, d0), domain: d0 in [0, 1]", ERROR_INPUT},
      {"(d0, d1) -> (d0 * d1), domain: d0 in [0, 1], d1 in [0, 1]",
          "(d0, d1) -> (d0), domain: d0 in [0, 1], d1 in [0, 1]", ERROR_UNSUPPORTED},
  };
  for (size_t i = 0; i < sizeof rejected / sizeof *rejected; i++) {
    MapContext *context = map_context_create();
    RelationReport report;
    Error error = {};
    assert_false(relation_same(context, relation_parse(context, rejected[i].a),
        relation_parse(context, rejected[i].b), 0, &report, &error));
    assert_int_equal(error.kind, rejected[i].kind);
    map_context_destroy(context);
  }
  MapContext *context = map_context_create();
  const Map *map = relation_parse(context, "(d0) -> (d0), domain: d0 in [0, 1]");
  VerdictStatus answer;
  Error error = {};
  assert_false(relation_text_same(
      context, nullptr, 1, nullptr, &map, "domain := { S0[ }; reads :=", 0, &answer, &error));
  assert_int_equal(error.kind, ERROR_INPUT);
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_is_schedule_and_domain),
      cmocka_unit_test(stated_pairs_are_judged),
      cmocka_unit_test(random_maps_are_judged_as_by_walking),
      cmocka_unit_test(random_texts_read_back),
      cmocka_unit_test(every_map_of_the_corpus_reads_back),
      cmocka_unit_test(a_small_budget_is_unknown),
      cmocka_unit_test(maps_of_many_quotients_are_not_queried),
      cmocka_unit_test(rejections_are_named),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
