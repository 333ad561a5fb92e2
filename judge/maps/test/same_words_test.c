/* The words about a judgement of two maps: for every reason, and for every pair of verdicts of the
 * two judges with no, one and many points. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "judge/maps/judge.h"
#include "judge/maps/same.h"

static void reasons_have_their_words(void **) {
  for (uint32_t i = 0; i < verdict_reason_count; i++) {
    VerdictReason reason = (VerdictReason)i;
    const char *wanted = "unknown";
    if (verdict_reason_status(reason) == VERDICT_PROVED) wanted = "proved";
    if (verdict_reason_status(reason) == VERDICT_REFUTED) wanted = "refuted";
    if (reason == REASON_DISSENT) wanted = "disagree";
    assert_string_equal(same_reason_text(reason), wanted);
    assert_int_equal(same_reason_status(reason), verdict_reason_exit(reason));
  }
}

/* An oracle that refutes without a point has compared what the maps state. */
static const char *words_of(
    Arena *arena, VerdictStatus oracle, uint64_t points, VerdictStatus smt) {
  const char *first = arena_printf(
      arena, "enumerated %llu %s", (unsigned long long)points, points == 1 ? "point" : "points");
  if (oracle == VERDICT_REFUTED && points == 0) first = "compared without points";
  const char *second = smt == VERDICT_PROVED ? "proved" : "refuted";
  if (oracle == VERDICT_UNKNOWN) return smt == VERDICT_UNKNOWN ? "nobody" : second;
  return smt == VERDICT_UNKNOWN ? first : arena_printf(arena, "%s and %s", first, second);
}

static void judges_that_decided_are_named(void **) {
  static const VerdictReason reasons[] = {
      REASON_NOT_ASKED, REASON_TOO_LARGE, REASON_EXACT, REASON_DIFFERENT, REASON_LEAVES_INT64};
  static const uint64_t points[] = {0, 1, 2, 64};
  for (uint32_t oracle = 0; oracle < 5; oracle++)
    for (uint32_t smt = 0; smt < 5; smt++)
      for (uint32_t at = 0; at < 4; at++) {
        Arena *arena = arena_create();
        Text text = text_create(arena);
        SameJudgement judgement = {};
        for (uint32_t i = 0; i < judge_count; i++) judgement.by[i] = verdict_begin(arena);
        verdict_mark(&judgement.by[BY_ORACLE], reasons[oracle]);
        verdict_mark(&judgement.by[BY_SMT], reasons[smt]);
        judgement.by[BY_ORACLE].work = points[at];
        same_print_judges(&text, &judgement);
        assert_string_equal(text.bytes, words_of(arena, verdict_reason_status(reasons[oracle]),
                                            points[at], verdict_reason_status(reasons[smt])));
        arena_destroy(arena);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reasons_have_their_words), cmocka_unit_test(judges_that_decided_are_named)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
