/* Contractions at all pairs of precisions: two contractions with different precisions are never the
 * same, and each is the same as itself. If the operands are exchanged, the precisions must be
 * exchanged too. */
#include <string.h>

#include "core/hlo/test/precision_rows.h"
#include "oracle/symbolic/precision.h"
#include "oracle/equivalence/test/values_cases.h"

#define DOT_AT \
  "a = f32[2,3] parameter(0)\nb = f32[3,2] parameter(1)\n" \
  "ROOT r = f32[2,2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}"
#define TURNED_AT \
  "a = f32[2,3] parameter(0)\nb = f32[3,2] parameter(1)\n" \
  "ROOT r = f32[2,2] dot(b, a), lhs_contracting_dims={0}, rhs_contracting_dims={1}"
#define TRANSPOSED_AT \
  "a = f32[2,3] parameter(0)\nb = f32[3,2] parameter(1)\n" \
  "d = f32[2,2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}%s%s\n" \
  "ROOT r = f32[2,2] transpose(d), dimensions={1,0}"
#define CONVOLUTION_AT \
  "a = f32[1,4,2] parameter(0)\nb = f32[2,2,2] parameter(1)\n" \
  "ROOT r = f32[1,3,2] convolution(a, b), window={size=2}, dim_labels=b0f_0io->b0f"

#define FACTORS "HloModule m\nENTRY e {\na = f32[2] parameter(0)\nb = f32[2] constant({3, 5})\n"
#define FACTORS_AT \
  FACTORS "ROOT d = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}%s%s\n}\n"
#define CONVERTED_AT \
  FACTORS \
  "w = f64[2] convert(a)\nc = f32[2] convert(w)\n" \
  "d = f32[] dot(c, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}%s%s\n" \
  "o = f32[] constant(1)\nROOT r = f32[] multiply(d, o)\n}\n"

static const Computation *contraction_at(
    OracleFixture *bench, const char *lines, const PrecisionRow *row) {
  return values_case_entry(
      bench, arena_printf(bench->arena, "HloModule m\nENTRY e {\n%s%s%s\n}\n", lines,
                 *row->text == 0 ? "" : ", operand_precision=", row->text));
}

static void precisions_are_told_apart(void **) {
  static const char *const contractions[] = {DOT_AT, CONVOLUTION_AT};
  static constexpr size_t count = sizeof precision_rows / sizeof *precision_rows;
  for (size_t code = 0; code < 2 * count * count; code++) {
    const PrecisionRow *one = &precision_rows[code / 2 % count],
                       *other = &precision_rows[code / 2 / count];
    OracleFixture bench = bench_create();
    ValuesVerdict verdict;
    const Computation *before = contraction_at(&bench, contractions[code % 2], one),
                      *after = contraction_at(&bench, contractions[code % 2], other);
    oracle_values_query(
        oracle_values_create(bench.arena, before, after, &(ValuesLimits){}), 0, &verdict);
    bool is_same = verdict.answer == REASON_EXACT;
    if (is_same && strcmp(one->meaning, other->meaning) != 0)
      fail_msg("'%s' and '%s' are the same", one->text, other->text);
    bool is_default = strcmp(one->meaning, "default default") == 0;
    if (!is_same && (one == other || (is_default && strcmp(one->meaning, other->meaning) == 0)))
      fail_msg("'%s' and '%s': %s", one->text, other->text, verdict.reason);
    bench_destroy(&bench);
  }
}

static void operands_are_exchanged_with_their_precisions(void **) {
  static constexpr size_t count = sizeof precision_rows / sizeof *precision_rows;
  uint32_t exchanged = 0, apart = 0;
  for (size_t code = 0; code < count * count; code++) {
    const PrecisionRow *one = &precision_rows[code % count], *other = &precision_rows[code / count];
    OracleFixture bench = bench_create();
    ValuesVerdict verdict;
    const Computation *before = contraction_at(&bench, TURNED_AT, one),
                      *after = values_case_entry(&bench,
                          arena_printf(bench.arena,
                              "HloModule m\nENTRY e {\n" TRANSPOSED_AT "\n}\n",
                              *other->text == 0 ? "" : ", operand_precision=", other->text));
    oracle_values_query(
        oracle_values_create(bench.arena, before, after, &(ValuesLimits){}), 0, &verdict);
    bool is_same = verdict.answer == REASON_EXACT;
    if (is_same && !precision_is_exchanged(one->meaning, other->meaning))
      fail_msg("'%s' and '%s', exchanged, are the same", one->text, other->text);
    bool is_evaluated = strncmp(one->meaning, "packed", strlen("packed")) != 0;
    if (!is_same && is_evaluated && one == other &&
        precision_is_exchanged(one->meaning, one->meaning))
      fail_msg("'%s', exchanged: %s", one->text, verdict.reason);
    exchanged += is_same;
    apart += is_same && strcmp(one->meaning, other->meaning) != 0;
    bench_destroy(&bench);
  }
  assert_true(exchanged >= 20 && apart >= 2);
}

/* A law that changes one factor may change which of the two is the smaller term. */
static void factors_are_sorted_after_laws(void **) {
  static const char *const precisions[] = {
      "", "{default}", "{highest,highest}", "{default,highest}"};
  for (size_t code = 0; code < 2 * sizeof precisions / sizeof *precisions; code++) {
    OracleFixture bench = bench_create();
    ValuesVerdict verdict;
    const char *text = precisions[code / 2];
    const Computation *graphs[2];
    for (size_t side = 0; side < 2; side++)
      graphs[side] = values_case_entry(
          &bench, arena_printf(bench.arena, (code + side) % 2 == 0 ? FACTORS_AT : CONVERTED_AT,
                      *text == 0 ? "" : ", operand_precision=", text));
    oracle_values_query(
        oracle_values_create(bench.arena, graphs[0], graphs[1], &(ValuesLimits){.grade = LAW_IEEE}),
        0, &verdict);
    if (verdict.answer != REASON_EXACT) fail_msg("'%s' %zu: not the same", text, code % 2);
    bench_destroy(&bench);
  }
}

static void texts_have_their_precision(void **) {
  for (size_t i = 0; i < sizeof precision_rows / sizeof *precision_rows; i++) {
    const Attribute attribute = {.name = "operand_precision", .text = precision_rows[i].text};
    const char *meaning = precision_rows[i].meaning;
    OperandPrecision wanted = strstr(meaning, "packed") != nullptr ? PRECISION_OTHER
                              : strstr(meaning, "high") != nullptr ? PRECISION_HIGHER
                                                                   : PRECISION_DEFAULT;
    assert_int_equal(operand_precision(&attribute), wanted);
  }
  static const char *const others[] = {"{highes,default}", "{highestt}", "{hig}", "{default/**/}",
      "{/*highest*/default,default}", "{defaul}", "{high high_}", "x"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_int_equal(
        operand_precision(&(Attribute){.name = "operand_precision", .text = others[i]}),
        PRECISION_OTHER);
  assert_int_equal(operand_precision(nullptr), PRECISION_DEFAULT);
}

static VerdictReason passed_answer(const char *const row[2], const char *type) {
  OracleFixture bench = bench_create();
  ValuesVerdict verdict;
  oracle_values_query(
      oracle_values_create(bench.arena,
          values_case_entry(&bench, passing_module(bench.arena, row, type)),
          values_case_entry(&bench, "HloModule m\nENTRY e {\nROOT p = f32[1,2] parameter(0)\n}\n"),
          &(ValuesLimits){}),
      0, &verdict);
  bench_destroy(&bench);
  return verdict.answer;
}

static void what_is_passed_on_in_another_type_may_be_rounded(void **) {
  for (size_t i = 0; i < sizeof passing_rows / sizeof *passing_rows; i++) {
    if (passed_answer(passing_rows[i], "bf16") != REASON_OPEN)
      fail_msg("%s of a rounded operand", passing_rows[i][0]);
    if (passed_answer(passing_rows[i], "f32") != REASON_EXACT)
      fail_msg("%s of the operand", passing_rows[i][0]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(precisions_are_told_apart),
      cmocka_unit_test(what_is_passed_on_in_another_type_may_be_rounded),
      cmocka_unit_test(operands_are_exchanged_with_their_precisions),
      cmocka_unit_test(factors_are_sorted_after_laws),
      cmocka_unit_test(texts_have_their_precision),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
