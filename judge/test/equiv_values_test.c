/* How two judges of values combine: a proof decides where the oracle does not, a contradiction
 * decides nothing, and different terms refute nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "judge/graphs/equiv_values.h"

typedef struct EquivValuesRow {
  const char *name;
  VerdictReason oracle;
  VerdictStatus proof;
  const char *text, *judges;
  Status status;
} EquivValuesRow;

static const EquivValuesRow rows[] = {
    {"both_prove", REASON_EXACT, VERDICT_PROVED, "same values", "oracle+smt", STATUS_PROVED},
    {"evaluated_and_proved", REASON_DIFFERENT, VERDICT_PROVED, "disagree", "oracle", STATUS_BAD},
    {"evaluated_and_refuted", REASON_DIFFERENT, VERDICT_REFUTED, "different", "oracle",
        STATUS_REFUTED},
    {"too_large_and_proved", REASON_OPEN, VERDICT_PROVED, "same values", "smt", STATUS_PROVED},
    {"other_terms_and_proved", REASON_SAME_READS, VERDICT_PROVED, "same values", "smt",
        STATUS_PROVED},
    {"by_laws_alone", REASON_EXACT, VERDICT_REFUTED, "same values", "oracle", STATUS_PROVED},
    {"terms_alone", REASON_OPEN, VERDICT_REFUTED, "unknown", "nobody", STATUS_UNDECIDED},
    {"nobody_knows", REASON_OPEN, VERDICT_UNKNOWN, "unknown", "nobody", STATUS_UNDECIDED},
};

static void verdicts_are_joined(void **) {
  uint32_t failed = 0;
  Arena *arena = arena_create();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const EquivValuesRow *row = &rows[i];
    EquivValuesVerdict verdict = {.values.answer = row->oracle, .proof = verdict_begin(arena)};
    VerdictReason reason = row->proof == VERDICT_PROVED    ? REASON_EXACT
                           : row->proof == VERDICT_REFUTED ? REASON_DIFFERENT
                                                           : REASON_OPEN;
    verdict_decide(&verdict.proof, reason, "the sentence");
    equiv_values_join(&verdict);
    const char *text = equiv_values_text(verdict.answer),
               *judges = verdict.judges == nullptr ? "nobody" : verdict.judges;
    Status status = equiv_values_status(verdict.answer);
    bool holds =
        strcmp(text, row->text) == 0 && strcmp(judges, row->judges) == 0 && status == row->status;
    if (!holds) print_message("%s: %s by %s, status %d\n", row->name, text, judges, status);
    failed += !holds;
  }
  arena_destroy(arena);
  assert_int_equal(failed, 0);
}

/* Reasons that no judge sets never pass. */
static void what_is_no_answer_is_not_proved(void **) {
  for (uint32_t i = 0; i < verdict_reason_count; i++) {
    const char *text = equiv_values_text((VerdictReason)i);
    assert_string_not_equal(text, "");
    if (i != REASON_EXACT)
      assert_int_not_equal(equiv_values_status((VerdictReason)i), STATUS_PROVED);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(verdicts_are_joined), cmocka_unit_test(what_is_no_answer_is_not_proved)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
