/* The list of all points ends where the budget of a question is spent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/map/text.h"
#include "judge/algebra/algebra.h"
#include "judge/obligations/obligation.h"

static const Map *budget_map(Judge *judge, const char *text) {
  Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map = nullptr;
  Error error = {};
  assert_true(map_parse(judge->context, &source, &map, &error));
  return map;
}

static uint32_t looks_before_stop;

static bool stops_late(void) { return looks_before_stop == 0 || looks_before_stop-- == 0; }

/* A stop is seen at the first of the listed points, and between two choices of dropped
 * variables. */
static void a_spent_budget_ends_a_list_and_its_choices(void **) {
  static const char *const words[] = {"listing points: interrupted", "interrupted"};
  Error error = {};
  Judge *judge = judge_create(nullptr, &error);
  const char *text = "(d0, d1, d2) -> (d2), domain: d0 in [0, 1], d1 in [0, 1], d2 in [0, 1]";
  AlgebraQuery query = {.operation = ALGEBRA_DROP_DIMS, .maps = {budget_map(judge, text)}};
  AlgebraAnswer answer = {
      .kind = ALGEBRA_IS_MAP, .map = budget_map(judge, "(d0) -> (d0), domain: d0 in [0, 1]")};
  Obligation obligation = {.kind = OBLIGATION_DERIVED, .query = &query, .answer = &answer};
  for (uint32_t i = 0; i < 2; i++) {
    Verdict verdict = verdict_begin(judge->context->arena);
    judge->stop = stops_late;
    looks_before_stop = i;
    judge_by_listing(judge, &obligation, &verdict);
    assert_int_equal(verdict.reason, REASON_OPEN);
    assert_string_equal(verdict_text(&verdict), words[i]);
  }
  Verdict verdict = verdict_begin(judge->context->arena);
  judge->stop = nullptr;
  judge_by_listing(judge, &obligation, &verdict);
  assert_int_equal(verdict.reason, REASON_EXACT);
  judge_destroy(judge);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_spent_budget_ends_a_list_and_its_choices)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
