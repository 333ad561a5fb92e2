/* The join of verdicts: every pair and triple of reasons, against the rule as it is stated rather
 * than as it is computed; and the table of reasons. */
#include "core/base/verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static Verdict verdict_of(VerdictReason reason, VerdictScope scope) {
  Verdict verdict = {.scope = scope};
  verdict_mark(&verdict, reason);
  return verdict;
}

/* For sets A and B: -1 if the reason states that A lacks something, +1 if it states that A lacks
 * nothing, else 0. */
static int states_complete(VerdictReason reason) {
  switch (verdict_reason_status(reason)) {
    case VERDICT_PROVED: return 1;
    case VERDICT_UNKNOWN: return reason == REASON_CONTAINS ? 1 : 0;
    case VERDICT_REFUTED:
      return reason == REASON_EXTRA                                ? 1
             : reason == REASON_DISSENT || reason == REASON_BROKEN ? 0
                                                                   : -1;
  }
  return 0;
}

static int states_tight(VerdictReason reason) {
  if (reason == REASON_COVERS) return 0; /* whether the claimed surplus exists is open */
  return reason == REASON_EXTRA ? -1 : verdict_reason_status(reason) == VERDICT_PROVED ? 1 : 0;
}

static void two_contradict_where_one_affirms_what_the_other_denies(void **) {
  for (uint32_t i = 0; i < verdict_reason_count; i++)
    for (uint32_t k = 0; k < verdict_reason_count; k++) {
      VerdictReason x = (VerdictReason)i, y = (VerdictReason)k;
      Verdict a = verdict_of(x, SCOPE_WHOLE), b = verdict_of(y, SCOPE_WHOLE);
      Join join = verdict_join(2, (const Verdict *const[]){&a, &b});
      bool dissent =
          states_complete(x) * states_complete(y) < 0 || states_tight(x) * states_tight(y) < 0;
      if (join.is_dissent != dissent)
        fail_msg("%s and %s", verdict_reason_name(x), verdict_reason_name(y));
      if (dissent) assert_int_equal(join.reason, REASON_DISSENT);
    }
}

/* A third verdict counts like the first two, in any order. */
static void the_third_of_three_is_heard(void **) {
  Verdict open = verdict_of(REASON_TOO_LARGE, SCOPE_WHOLE),
          exact = verdict_of(REASON_EXACT, SCOPE_WHOLE),
          wrong = verdict_of(REASON_WRONG, SCOPE_WHOLE);
  Join join = verdict_join(3, (const Verdict *const[]){&open, &open, &exact});
  assert_false(join.is_dissent);
  assert_int_equal(join.reason, REASON_EXACT);
  assert_int_equal(join.a, 2);
  assert_int_equal(join.decided, 1);
  join = verdict_join(3, (const Verdict *const[]){&exact, &open, &wrong});
  assert_true(join.is_dissent);
  assert_int_equal(join.a, 0);
  assert_int_equal(join.b, 2);
  assert_int_equal(verdict_reason_exit(join.reason), 1);
  join = verdict_join(3, (const Verdict *const[]){&open, &exact, &wrong});
  if (!join.is_dissent) fail_msg("the second and the third are not compared");
  assert_int_equal(join.a, 1);
}

static void unknown_never_passes(void **) {
  for (uint32_t i = 0; i < verdict_reason_count; i++) {
    VerdictReason reason = (VerdictReason)i;
    bool is_proved = verdict_reason_status(reason) == VERDICT_PROVED;
    assert_int_equal(verdict_reason_exit(reason) == 0, is_proved);
    assert_true(verdict_reason_sentence(reason)[0] != 0);
    Verdict one = verdict_of(reason, SCOPE_WHOLE);
    Join join = verdict_join(1, (const Verdict *const[]){&one});
    assert_int_equal(verdict_reason_status(join.reason) == VERDICT_PROVED, is_proved);
    if (is_proved) assert_int_equal(join.reason, reason);
  }
}

static void a_sample_proves_nothing_and_may_refute(void **) {
  Verdict sampled = verdict_of(REASON_EXACT, SCOPE_SAMPLE),
          extra = verdict_of(REASON_EXTRA, SCOPE_SAMPLE),
          wrong = verdict_of(REASON_WRONG, SCOPE_SAMPLE),
          exact = verdict_of(REASON_EXACT, SCOPE_WHOLE);
  assert_int_equal(sampled.status, VERDICT_UNKNOWN);
  assert_int_equal(extra.status, VERDICT_UNKNOWN);
  assert_int_equal(wrong.status, VERDICT_REFUTED);
  assert_false(verdict_decides(&sampled));
  assert_int_equal(verdict_join(1, (const Verdict *const[]){&sampled}).decided, 0);
  assert_false(verdict_join(2, (const Verdict *const[]){&extra, &exact}).is_dissent);
  assert_true(verdict_join(2, (const Verdict *const[]){&wrong, &exact}).is_dissent);
}

static void a_sentence_and_a_witness_are_kept_whole(void **) {
  Arena *arena = arena_create();
  Verdict verdict = verdict_begin(arena);
  assert_string_equal(verdict_text(&verdict), "");
  assert_int_equal(verdict.reason, REASON_NOT_ASKED);
  char words[2001];
  memset(words, 'x', 2000);
  words[2000] = 0;
  verdict_decide(&verdict, REASON_DIFFERENT, "%s", words);
  assert_string_equal(verdict_text(&verdict), words);
  int64_t point[] = {3, -4};
  verdict_point(&verdict, 2, point);
  point[0] = 0;
  assert_int_equal(verdict.point[0], 3);
  arena_destroy(arena);
}

static void each_reason_has_a_name_of_its_own(void **) {
  assert_string_equal(verdict_reason_name(REASON_NOT_ASKED), "NOT_ASKED");
  assert_string_equal(verdict_reason_name(REASON_EXTRA), "EXTRA");
  for (uint32_t i = 0; i < verdict_reason_count; i++)
    for (uint32_t k = 0; k < i; k++)
      assert_string_not_equal(
          verdict_reason_name((VerdictReason)i), verdict_reason_name((VerdictReason)k));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_contradict_where_one_affirms_what_the_other_denies),
      cmocka_unit_test(the_third_of_three_is_heard),
      cmocka_unit_test(unknown_never_passes),
      cmocka_unit_test(a_sample_proves_nothing_and_may_refute),
      cmocka_unit_test(a_sentence_and_a_witness_are_kept_whole),
      cmocka_unit_test(each_reason_has_a_name_of_its_own),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
