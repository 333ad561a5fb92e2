/* The judges of the algebra detect wrong answers: each row has one right and one wrong answer about
 * the same map, at small and large sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/map/text.h"
#include "judge/algebra/algebra.h"
#include "judge/obligations/obligation.h"

typedef struct AlgebraProveRow {
  AlgebraOperation operation;
  int64_t numbers[3];
  uint32_t number_count;
  const char *map, *right, *wrong;
} AlgebraProveRow;

static const AlgebraProveRow rows[] = {
    {ALGEBRA_SUB_MAP, {1, 0}, 2, "(d0)[s0] -> (d0, s0), domain: d0 in [0, 3], s0 in [0, 9]",
        "(d0)[s0] -> (s0, d0), domain: d0 in [0, 3], s0 in [0, 9]",
        "(d0)[s0] -> (d0, s0), domain: d0 in [0, 3], s0 in [0, 9]"},
    {ALGEBRA_SUB_MAP, {1, 0}, 2,
        "(d0, d1) -> (d0, d1), domain: d0 in [0, 999999], d1 in [0, 999999], d0 + d1 in [5, 900000]",
        "(d0, d1) -> (d1, d0), domain: d0 in [0, 999999], d1 in [0, 999999], d0 + d1 in [5, 900000]",
        "(d0, d1) -> (d1, d0), domain: d0 in [0, 999999], d1 in [0, 999999]"},
    {ALGEBRA_RANGES_TO_DIMS, {}, 0,
        "(d0)[s0]{rt0} -> (s0 + rt0, d0), domain: d0 in [0, 3], s0 in [0, 6], rt0 in [0, 2], d0 + s0 in [1, 8]",
        "(d0, d1){rt0} -> (d1 + rt0, d0), domain: d0 in [0, 3], d1 in [0, 6], rt0 in [0, 2], d0 + d1 in [1, 8]",
        "(d0, d1){rt0} -> (d1 + rt0, d0), domain: d0 in [0, 3], d1 in [0, 6], rt0 in [0, 2], d0 + d1 in [1, 7]"},
    {ALGEBRA_DROP_DIMS, {}, 0,
        "(d0, d1, d2)[s0] -> (d2 + s0), domain: d0 in [0, 3], d1 in [0, 4], d2 in [0, 5], s0 in [0, 6], d1 + d2 in [1, 7]",
        "(d0, d1)[s0] -> (d1 + s0), domain: d0 in [0, 4], d1 in [0, 5], s0 in [0, 6], d0 + d1 in [1, 7]",
        "(d0, d1)[s0] -> (d1 + s0), domain: d0 in [0, 3], d1 in [0, 5], s0 in [0, 6], d0 + d1 in [1, 7]"},
    {ALGEBRA_RANGES_TO_DIMS, {}, 0,
        "(d0)[s0]{rt0} -> (s0 + rt0, d0), domain: d0 in [0, 9999], s0 in [0, 6], rt0 in [0, 299], d0 + s0 in [1, 8]",
        "(d0, d1){rt0} -> (d1 + rt0, d0), domain: d0 in [0, 9999], d1 in [0, 6], rt0 in [0, 299], d0 + d1 in [1, 8]",
        "(d0, d1){rt0} -> (d1 + rt0, d0), domain: d0 in [0, 9999], d1 in [0, 6], rt0 in [0, 299], d0 + d1 in [1, 7]"},
    {ALGEBRA_DROP_DIMS, {}, 0,
        "(d0, d1, d2)[s0] -> (d2 + s0), domain: d0 in [0, 9999], d1 in [0, 4999], d2 in [0, 5999], s0 in [0, 6], d1 + d2 in [1, 7]",
        "(d0, d1)[s0] -> (d1 + s0), domain: d0 in [0, 4999], d1 in [0, 5999], s0 in [0, 6], d0 + d1 in [1, 7]",
        "(d0, d1)[s0] -> (d1 + s0), domain: d0 in [0, 4999], d1 in [0, 5999], s0 in [0, 6], d0 + d1 in [1, 6]"},
    {ALGEBRA_DROP_DIMS, {}, 0, "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [3, 2]",
        "KNOWN EMPTY", "(d0) -> (d0), domain: d0 in [0, 9]"},
    {ALGEBRA_IMAGE, {}, 0, "(d0) -> (d0 * -3, d0 mod 5), domain: d0 in [-4, 100]",
        "[-300, 12], [0, 4]", "[-300, 12], [0, 3]"},
    {ALGEBRA_IMAGE, {}, 0, "(d0) -> (d0 * -3, d0 mod 5), domain: d0 in [-4, 10000000000]",
        "[-30000000000, 12], [0, 4]", "[-29999999999, 12], [0, 4]"},
    {ALGEBRA_IMAGE, {}, 0, "(d0) -> (d0 * -3, d0 mod 5), domain: d0 in [-4, 10000000000]",
        "[-30000000000, 13], [-1, 5]", "[-30000000000, 12], [0, 3]"},
    {ALGEBRA_INJECTIVE, {}, 0, "(d0) -> (d0 mod 8), domain: d0 in [3, 10]", "yes", "no"},
    {ALGEBRA_INJECTIVE, {}, 0, "(d0) -> (d0 mod 8), domain: d0 in [3, 11]", "no", "yes"},
    {ALGEBRA_INJECTIVE, {}, 0,
        "(d0, d1) -> (d0 * 65536 + d1), domain: d0 in [0, 65535], d1 in [0, 65535]", "yes", "no"},
    {ALGEBRA_INJECTIVE, {}, 0,
        "(d0, d1) -> (d0 * 65536 + d1), domain: d0 in [0, 65535], d1 in [0, 65536]", "no", "yes"},
    {ALGEBRA_INJECTIVE, {}, 0,
        "(d0)[s0] -> (d0), domain: d0 in [0, 65535], s0 in [0, 65535], d0 - s0 in [3, 3]", "yes",
        "no"},
    {ALGEBRA_INJECTIVE, {}, 0, "(d0){rt0} -> (d0), domain: d0 in [0, 65535], rt0 in [0, 1]", "no",
        "yes"},
    {ALGEBRA_POINTS, {}, 0, "(d0) -> (d0), domain: d0 in [0, 9], d0 mod 3 in [0, 0]", "4", "3"},
    {ALGEBRA_POINTS, {}, 0, "(d0) -> (d0), domain: d0 in [0, 9999999], d0 mod 3 in [0, 0]",
        "3333334", "3333333"},
    {ALGEBRA_BIJECTIVE, {8}, 1, "(d0) -> (d0 mod 8), domain: d0 in [3, 10]", "yes", "no"},
    {ALGEBRA_BIJECTIVE, {8}, 1, "(d0) -> (d0 mod 8), domain: d0 in [3, 9]", "no", "yes"},
    {ALGEBRA_INVERSE, {}, 0, "(d0) -> (d0 * 2 + 1), domain: d0 in [0, 9]",
        "(d0) -> (d0 floordiv 2), domain: d0 in [1, 19], d0 mod 2 in [1, 1]",
        "(d0) -> (d0 floordiv 2), domain: d0 in [0, 19], d0 mod 2 in [1, 1], d0 in [0, 17]"},
    {ALGEBRA_DROP_UNUSED, {}, 0,
        "(d0)[s0, s1] -> (d0 + s1), domain: d0 in [0, 3], s0 in [0, 2], s1 in [0, 1]",
        "(d0)[s0] -> (d0 + s0), domain: d0 in [0, 3], s0 in [0, 1]",
        "(d0)[s0] -> (d0 + s0), domain: d0 in [0, 3], s0 in [0, 2]"},
    {ALGEBRA_DROP_UNUSED, {}, 0,
        "(d0)[s0]{rt0, rt1, rt2} -> (d0 + rt1), domain: d0 in [0, 3], s0 in [0, 2], rt0 in [4, 7], rt1 in [9, 12], rt2 in [0, 1]",
        "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [9, 12]",
        "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [4, 7]"},
    {ALGEBRA_DROP_UNUSED, {}, 0,
        "(d0){rt0, rt1} -> (d0 + rt1), domain: d0 in [0, 99999], rt0 in [4, 7], rt1 in [9, 12]",
        "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 99999], rt0 in [9, 12]",
        "(d0) -> (d0 + 9), domain: d0 in [0, 99999]"},
#define SOURCED(ranges, bounds, source, index) \
  "(d0)" ranges "{rt0} -> (rt0, d0), domain: d0 in [0, 3]" bounds ", rt0 in [0, 2]\n" \
  "runtime variables:\nrt0: " source "; (d0)" ranges " -> (d0, " index \
  "), domain: d0 in [0, 3]" bounds
    {ALGEBRA_DROP_UNUSED, {}, 0, SOURCED("[s0]", ", s0 in [0, 3]", "a", "1"),
        SOURCED("", "", "a", "1"), SOURCED("", "", "a", "0")},
    {ALGEBRA_DROP_UNUSED, {}, 0, SOURCED("[s0]", ", s0 in [0, 3]", "a", "1"),
        SOURCED("", "", "a", "1"), SOURCED("", "", "b", "1")},
    {ALGEBRA_DROP_UNUSED, {}, 0, SOURCED("[s0]", ", s0 in [0, 3]", "a", "1"),
        SOURCED("", "", "a", "1"), SOURCED("", "", "a clamped to [-1, 5]", "1")},
    {ALGEBRA_RANGES_TO_DIMS, {}, 0, SOURCED("", "", "a", "d0"), SOURCED("", "", "a", "d0"),
        SOURCED("", "", "a", "0")},
};

static const Map *algebra_prove_parsed(Judge *judge, const char *text) {
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map = nullptr;
  Error error = {};
  if (!map_parse(judge->context, &source, &map, &error)) fail_msg("%s: %s", text, error.message);
  return map;
}

/* [lo, hi], [lo, hi] */
static const Interval *bounds_of(Judge *judge, const char *text) {
  Interval *bounds = ARENA_NEW(judge->context->arena, Interval, 4);
  for (uint32_t i = 0; text != nullptr && i < 4; i++) {
    long long lo, hi;
    if (sscanf(text, "[%lld, %lld]", &lo, &hi) != 2) fail_msg("%s", text);
    bounds[i] = (Interval){lo, hi};
    text = strchr(text + 1, '[');
  }
  return bounds;
}

static AlgebraAnswer answer_of(Judge *judge, const AlgebraProveRow *row, const char *text) {
  if (row->operation == ALGEBRA_POINTS)
    return (AlgebraAnswer){
        .kind = ALGEBRA_IS_TEXT, .text = text, .points = strtoull(text, nullptr, 10)};
  if (row->operation == ALGEBRA_IMAGE)
    return (AlgebraAnswer){.kind = ALGEBRA_IS_TEXT, .text = text, .bounds = bounds_of(judge, text)};
  if (row->operation == ALGEBRA_INJECTIVE || row->operation == ALGEBRA_BIJECTIVE)
    return (AlgebraAnswer){
        .kind = strcmp(text, "yes") == 0 ? ALGEBRA_IS_TRUE : ALGEBRA_IS_FALSE, .text = ""};
  return (AlgebraAnswer){
      .kind = ALGEBRA_IS_MAP, .map = algebra_prove_parsed(judge, text), .text = ""};
}

/* All judges that decide agree with the answer, and for a small map at least two decide. */
static void judges_agree(
    const AlgebraProveRow *row, const char *text, const SameJudgement *judgement) {
  uint32_t decided = 0;
  for (uint32_t i = 0; i < judge_count; i++) {
    if (!verdict_decides(&judgement->by[i])) continue;
    decided++;
    if (judgement->by[i].status != verdict_reason_status(judgement->reason))
      fail_msg("%s, %s: %s", row->map, text, judge_row((JudgeId)i)->name);
  }
  bool is_listed = verdict_decides(&judgement->by[BY_LISTING]);
  if (is_listed && decided < 2) fail_msg("%s, %s: the list alone decides", row->map, text);
}

static VerdictReason reason_of(Judge *judge, const AlgebraProveRow *row, const char *text) {
  AlgebraQuery query = {.operation = row->operation,
      .numbers = {.count = row->number_count, .items = (int64_t *)row->numbers},
      .maps = {algebra_prove_parsed(judge, row->map)}};
  AlgebraAnswer answer = answer_of(judge, row, text);
  SameJudgement judgement;
  algebra_prove(judge, &query, &answer, &judgement);
  if (judgement.reason != REASON_EXACT && judgement.reason != REASON_DIFFERENT)
    print_error("%s: %s\n", row->map, judgement.text);
  judges_agree(row, text, &judgement);
  return judgement.reason;
}

static void right_answers_are_proved_and_wrong_ones_refuted(void **) {
  Error error = {};
  Judge *judge = judge_create(nullptr, &error);
  assert_non_null(judge);
  uint32_t faults = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    bool is_right = reason_of(judge, &rows[i], rows[i].right) == REASON_EXACT &&
                    reason_of(judge, &rows[i], rows[i].wrong) == REASON_DIFFERENT;
    if (!is_right) print_error("%s\n", rows[i].map);
    faults += !is_right;
  }
  judge_destroy(judge);
  assert_int_equal(faults, 0);
}

/* The engine's own answers about the same maps; one of them is unknown. */
static void the_engine_is_right_about_them(void **) {
  Error error = {};
  Judge *judge = judge_create(nullptr, &error);
  assert_non_null(judge);
  uint32_t open = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    AlgebraQuery query = {.operation = rows[i].operation,
        .numbers = {.count = rows[i].number_count, .items = (int64_t *)rows[i].numbers},
        .maps = {algebra_prove_parsed(judge, rows[i].map)}};
    AlgebraAnswer answer;
    SameJudgement judgement;
    algebra_answer(judge, &query, &answer, &error);
    algebra_prove(judge, &query, &answer, &judgement);
    open += answer.kind == ALGEBRA_IS_OPEN;
    assert_int_equal(judgement.reason, answer.kind == ALGEBRA_IS_OPEN ? REASON_OPEN : REASON_EXACT);
  }
  judge_destroy(judge);
  assert_int_equal(open, 1);
}

/* Sizes of another number than the results are rejected; a map without points has no results. */
static void bijective_takes_a_size_of_each_result(void **) {
  static const struct {
    const char *map;
    uint32_t results;
  } maps[] = {{"() -> ()", 0}, {"(d0) -> (d0), domain: d0 in [0, 3]", 1},
      {"(d0) -> (d0 floordiv 2, d0 mod 2), domain: d0 in [0, 3]", 2}};
  static const int64_t sizes[] = {2, 2, 2};
  Error none = {};
  Judge *judge = judge_create(nullptr, &none);
  assert_non_null(judge);
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
    for (uint32_t count = 0; count < 4; count++) {
      AlgebraQuery query = {.operation = ALGEBRA_BIJECTIVE,
          .numbers = {.count = count, .items = (int64_t *)sizes},
          .maps = {algebra_prove_parsed(judge, maps[i].map)}};
      AlgebraAnswer answer;
      Error error = {};
      algebra_answer(judge, &query, &answer, &error);
      bool is_rejected = answer.kind == ALGEBRA_IS_REJECTED;
      assert_int_equal(is_rejected, count != maps[i].results);
      assert_int_equal(is_rejected, error.kind == ERROR_INPUT);
    }
  judge_destroy(judge);
}

/* A result that would leave int64 at a point that is not there leaves nothing. */
static void a_map_without_points_has_no_results(void **) {
  static const char *const maps[] = {"(d0) -> (d0 * 4611686018427387904), domain: d0 in [5, 4]",
      "(d0) -> (d0 * 4611686018427387904), domain: d0 in [9223372036854775807, 4]",
      "(d0)[s0] -> (d0 + s0), domain: d0 in [0, 3], s0 in [1, 0]", "KNOWN EMPTY"};
  Error error = {};
  Judge *judge = judge_create(nullptr, &error);
  assert_non_null(judge);
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
    AlgebraQuery query = {
        .operation = ALGEBRA_IMAGE, .maps = {algebra_prove_parsed(judge, maps[i])}};
    AlgebraAnswer answer;
    SameJudgement judgement;
    algebra_answer(judge, &query, &answer, &error);
    assert_int_equal(answer.kind, ALGEBRA_IS_TEXT);
    assert_string_equal(answer.text, "nothing");
    assert_null(answer.bounds);
    assert_int_equal(error.kind, ERROR_NONE);
    algebra_prove(judge, &query, &answer, &judgement);
    assert_int_equal(judgement.reason, REASON_EXACT);
  }
  judge_destroy(judge);
}

/* Whether the box has a point is seen in every dimension, and its size may leave int64. */
static void boxes_of_too_many_points_are_not_evaluated(void **) {
  static const struct {
    const char *bounds[3];
    VerdictReason reason; /* of the statement that there are no points */
  } boxes[] = {{{"[0, 4294967295]", "[0, 4294967295]", "[0, 0]"}, REASON_TOO_LARGE},
      {{"[1, 8589934592]", "[0, 2147483647]", "[3, 3]"}, REASON_TOO_LARGE},
      {{"[0, 8589934591]", "[0, 8589934591]", "[0, 8589934591]"}, REASON_TOO_LARGE},
      {{"[0, 8589934592]", "[0, 0]", "[0, 0]"}, REASON_TOO_LARGE},
      {{"[-9223372036854775808, 9223372036854775807]",
           "[-9223372036854775808, 9223372036854775807]",
           "[-9223372036854775808, 9223372036854775807]"},
          REASON_TOO_LARGE},
      {{"[0, 99999]", "[0, 99999]", "[1, 0]"}, REASON_EXACT},
      {{"[9223372036854775807, -9223372036854775808]",
           "[-9223372036854775808, 9223372036854775807]",
           "[9223372036854775807, -9223372036854775808]"},
          REASON_EXACT},
      {{"[0, 9]", "[0, 9]", "[0, 9]"}, REASON_DIFFERENT}};
  Error error = {};
  Judge *judge = judge_create(nullptr, &error);
  assert_non_null(judge);
  for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
    for (uint32_t turn = 0; turn < 3; turn++) {
      const char *const *bounds = boxes[i].bounds;
      const char *text = arena_printf(judge->context->arena,
          "(d0)[s0]{rt0} -> (), domain: d0 in %s, s0 in %s, rt0 in %s", bounds[turn],
          bounds[(turn + 1) % 3], bounds[(turn + 2) % 3]);
      AlgebraQuery query = {
          .operation = ALGEBRA_POINTS, .maps = {algebra_prove_parsed(judge, text)}};
      AlgebraAnswer answer = {.kind = ALGEBRA_IS_TEXT, .text = "0"};
      Verdict verdict = verdict_begin(judge->context->arena);
      Obligation obligation = algebra_obligation(&query, &answer, 0);
      judge_by_evaluation(judge, &obligation, &verdict);
      if (verdict.reason != boxes[i].reason) fail_msg("%s: %s", text, verdict_text(&verdict));
    }
  judge_destroy(judge);
}

static bool evaluation_stops(void) { return true; }

static void an_evaluation_ends_with_the_time(void **) {
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){.smt.stop = evaluation_stops}, &error);
  assert_non_null(judge);
  AlgebraQuery query = {.operation = ALGEBRA_POINTS,
      .maps = {algebra_prove_parsed(judge, "(d0) -> (d0), domain: d0 in [0, 9]")}};
  AlgebraAnswer answer = {.kind = ALGEBRA_IS_TEXT, .text = "10"};
  Verdict verdict = verdict_begin(judge->context->arena);
  Obligation obligation = algebra_obligation(&query, &answer, 0);
  judge_by_evaluation(judge, &obligation, &verdict);
  assert_int_equal(verdict.reason, REASON_OPEN);
  assert_string_equal(verdict_text(&verdict), "evaluating points: interrupted");
  judge_destroy(judge);
}

/* All judges agree that nothing is only nothing, in whatever form it is given. */
static void maps_without_points_are_alike(void **) {
  static const AlgebraOperation operations[] = {ALGEBRA_DROP_UNUSED, ALGEBRA_DROP_DIMS,
      ALGEBRA_RESCALE, ALGEBRA_SUB_MAP, ALGEBRA_RANGES_TO_DIMS, ALGEBRA_INVERSE};
  static const char *const maps[] = {"(d0) -> (d0), domain: d0 in [0, 2]",
      "(d0) -> (d0), domain: d0 in [0, 2], d0 * 2 in [5, 6]", "KNOWN EMPTY"};
  Error error = {};
  Judge *judge = judge_create(nullptr, &error);
  assert_non_null(judge);
  for (uint32_t i = 0; i < sizeof operations / sizeof *operations; i++)
    for (uint32_t from = 0; from < 3; from++)
      for (uint32_t to = 0; to < 3; to++) {
        AlgebraQuery query = {.operation = operations[i],
            .numbers = {.count = 1, .items = (int64_t[]){0}},
            .maps = {algebra_prove_parsed(judge, maps[from])}};
        AlgebraAnswer answer = {
            .kind = ALGEBRA_IS_MAP, .map = algebra_prove_parsed(judge, maps[to]), .text = ""};
        SameJudgement judgement;
        algebra_prove(judge, &query, &answer, &judgement);
        VerdictReason wanted = (from == 0) == (to == 0) ? REASON_EXACT : REASON_DIFFERENT;
        if (judgement.reason != wanted || !verdict_decides(&judgement.by[BY_LISTING]))
          fail_msg("%s, from %s to %s: %s", algebra_row(operations[i])->text, maps[from], maps[to],
              judgement.text);
      }
  judge_destroy(judge);
}

/* Every runtime variable has one value, so that there is one point. */
static const Map *map_of_runtimes(MapContext *context, uint32_t count, const char *last) {
  Map *map = map_create(context, 0, 0, count, 0, 0);
  map->sources = ARENA_NEW(context->arena, RuntimeSource, count);
  for (uint32_t i = 0; i < count; i++)
    map->sources[i] = (RuntimeSource){.name = i + 1 == count ? last : "a"};
  return map;
}

static void each_of_many_sources_is_compared(void **) {
  static constexpr uint32_t most_columns = 64;
  Error error = {};
  Judge *judge = judge_create(nullptr, &error);
  assert_non_null(judge);
  for (uint32_t count = 1; count <= most_columns + 1; count++)
    for (uint32_t is_other = 0; is_other < 2; is_other++) {
      AlgebraQuery query = {.operation = ALGEBRA_RANGES_TO_DIMS,
          .maps = {map_of_runtimes(judge->context, count, "a")}};
      AlgebraAnswer answer = {.kind = ALGEBRA_IS_MAP,
          .map = map_of_runtimes(judge->context, count, is_other == 1 ? "b" : "a")};
      Obligation obligation = algebra_obligation(&query, &answer, 0);
      Verdict verdict = verdict_begin(judge->context->arena);
      judge_by_listing(judge, &obligation, &verdict);
      assert_int_equal(verdict.reason, count > most_columns ? REASON_OPEN
                                       : is_other == 1      ? REASON_DIFFERENT
                                                            : REASON_EXACT);
    }
  judge_destroy(judge);
}

/* What the judges decide about two maps is the answer, and what they leave open is none. */
static void two_maps_are_answered_by_the_judges(void **) {
  static const char *const maps[] = {"(d0) -> (d0), domain: d0 in [0, 2]",
      "(d0) -> (2 - d0), domain: d0 in [0, 2]", "(d0) -> (d0 + 0), domain: d0 in [0, 2]",
      "(d0)[s0] -> (s0), domain: d0 in [0, 2], s0 in [0, 2]", "UNDEFINED"};
  static constexpr uint32_t count = sizeof maps / sizeof *maps, undefined = count - 1;
  /* A row is a map, a column the map that it is compared with. */
  static const char *const same[] = {"yny", "nyn", "yny"}, *const contained[] = {
                                                               "ynyy", "nyny", "ynyy", "nnny"};
  Error error = {};
  Judge *judge = judge_create(nullptr, &error);
  assert_non_null(judge);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < count; k++) {
      bool is_open = i == undefined || k == undefined,
           is_same = i == k || (!is_open && i < 3 && k < 3 && same[i][k] == 'y'),
           is_contained = !is_open && contained[i][k] == 'y';
      static const AlgebraOperation operations[] = {
          ALGEBRA_SAME, ALGEBRA_SAME_RELATION, ALGEBRA_CONTAINED};
      for (uint32_t op = 0; op < 3; op++) {
        AlgebraQuery query = {.operation = operations[op],
            .maps = {algebra_prove_parsed(judge, maps[i]), algebra_prove_parsed(judge, maps[k])}};
        AlgebraAnswer answer;
        SameJudgement judgement;
        algebra_answer(judge, &query, &answer, &error);
        assert_int_equal(error.kind, ERROR_NONE);
        bool holds = op == 2 ? is_contained : is_same;
        AlgebraKind wanted = is_open ? ALGEBRA_IS_OPEN : holds ? ALGEBRA_IS_TRUE : ALGEBRA_IS_FALSE;
        if (answer.kind != wanted)
          fail_msg(
              "%s %s ; %s: %s", algebra_row(operations[op])->text, maps[i], maps[k], answer.text);
        algebra_prove(judge, &query, &answer, &judgement);
        assert_int_equal(judgement.reason, is_open ? REASON_OPEN
                                           : holds ? REASON_EXACT
                                                   : REASON_DIFFERENT);
      }
    }
  judge_destroy(judge);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(right_answers_are_proved_and_wrong_ones_refuted),
      cmocka_unit_test(the_engine_is_right_about_them),
      cmocka_unit_test(bijective_takes_a_size_of_each_result),
      cmocka_unit_test(a_map_without_points_has_no_results),
      cmocka_unit_test(boxes_of_too_many_points_are_not_evaluated),
      cmocka_unit_test(an_evaluation_ends_with_the_time),
      cmocka_unit_test(maps_without_points_are_alike),
      cmocka_unit_test(each_of_many_sources_is_compared),
      cmocka_unit_test(two_maps_are_answered_by_the_judges),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
