/* How two judges of values combine: a proof decides where the oracle does not, a contradiction
 * decides nothing, and different terms refute nothing. Proofs with laws of two grades agree which
 * random numbers are the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "judge/graphs/equiv_values.h"
#include "judge/test/read_module.h"

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

#define DRAWS(lines) \
  "HloModule m\nENTRY e {\nz = f32[] constant(0)\no = f32[] constant(1)\n" \
  "c = f32[4] rng(z, o), distribution=rng_uniform\n" \
  "d = f32[4] rng(z, o), distribution=rng_uniform\n" lines "\n}\n"
#define SUMS(first, second) \
  DRAWS("x = f32[4] parameter(0)\na = f32[4] add(" first ")\nb = f32[4] add(" second \
        ")\nROOT r = (f32[4], f32[4]) tuple(a, b)")

/* Counts the outputs whose values are equal, at least up to the order of operations. */
static uint32_t outputs_of_one_value(const char *before, const char *after, ValuesLimits limits) {
  Arena *arena = arena_create();
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  EquivValues values;
  Error error = {};
  uint32_t found = 0;
  assert_true(equiv_values_open_parts(
      arena, module_of(arena, before), module_of(arena, after), &limits, smt, &values, &error));
  for (uint32_t i = 0; i < values.leaf_count; i++) {
    EquivValuesVerdict verdict;
    equiv_values_judge(&values, i, &verdict);
    found += verdict.answer == REASON_EXACT || verdict.is_reordered;
  }
  equiv_values_close(&values);
  smt_destroy(smt);
  map_context_destroy(context);
  arena_destroy(arena);
  return found;
}

/* Two draws are independent, so that one draw equals at most one of them, whatever the laws. */
static void a_draw_equals_one_other_at_most(void **) {
  for (LawGrade grade = LAW_NONE; grade <= LAW_FAST; grade++)
    for (int one_judge = 0; one_judge < 2; one_judge++) {
      const ValuesLimits limits = {.grade = grade, .one_judge = one_judge == 1};
      const char *two = DRAWS("ROOT r = (f32[4], f32[4]) tuple(c, d)"),
                 *one = DRAWS("ROOT r = (f32[4], f32[4]) tuple(c, c)");
      assert_int_equal(outputs_of_one_value(two, one, limits), 1);
      assert_int_equal(outputs_of_one_value(one, two, limits), 1);
      assert_int_equal(outputs_of_one_value(two, two, limits), 2);
      if (grade != LAW_NONE)
        assert_int_equal(
            outputs_of_one_value(SUMS("c, x", "d, x"), SUMS("x, c", "d, x"), limits), 2);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts_are_joined),
      cmocka_unit_test(what_is_no_answer_is_not_proved),
      cmocka_unit_test(a_draw_equals_one_other_at_most)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
