/* A literal of a float is the nearest number of its type, in terms as in evaluation. */
#include "oracle/equivalence/test/values_cases.h"
#include "oracle/equivalence/test/values_modules.h"

#define LITERAL(type, text) \
  E("x = " type "[] parameter(0)\nc = " type "[] constant(" text ")\nROOT r = " type \
    "[] multiply(x, c)")
#define SAME(type, one, other) \
  {type " " one " and " other, LITERAL(type, one), LITERAL(type, other), "same values"}
#define APART(type, one, other, answer) \
  {type " " one " and " other, LITERAL(type, one), LITERAL(type, other), answer}

static const ValuesCase rows[] = {SAME("f32", "0.1", "0.100000001490116"),
    APART("f32", "0.1", "0.10000001", "same reads"), SAME("f32", "16777217", "16777216"),
    APART("f32", "16777218", "16777216", "different"), SAME("f64", "0.1", "0.10000000000000001"),
    APART("f64", "0.1", "0.100000001490116", "same reads"), SAME("bf16", "1.0001", "1"),
    SAME("bf16", "1.00390625", "1"), SAME("bf16", "1.01171875", "1.015625"),
    APART("bf16", "1.0078125", "1", "different"), SAME("bf16", "257", "256"),
    APART("bf16", "258", "256", "different"), SAME("f16", "2049", "2048"),
    APART("f16", "2050", "2048", "same reads"), SAME("f16", "1e-8", "0"),
    APART("f16", "-1e-8", "0", "same reads"), SAME("f8e4m3fn", "17", "16"),
    SAME("f8e4m3fn", "16.0", "16"), APART("f8e4m3fn", "18", "16", "unknown"),
    SAME("f8e4m3fn", "464", "448"), SAME("f8e5m2", "-61439", "-57344"), SAME("f8e5m2", "9", "8"),
    APART("f8e5m2", "10", "8", "unknown"), SAME("f8e3m4", "1.02", "1"),
    /* f16 and bf16 are rounded to f32 first, which may be half-way between two numbers. */
    SAME("f16", "1.000488281251", "1"), APART("f16", "1.0005", "1", "different"),
    SAME("bf16", "1.00390625000001", "1"), APART("bf16", "1.00391", "1", "different"),
    SAME("f4e2m1fn", "2.4", "2"), APART("f4e2m1fn", "3", "2", "unknown"),
    /* It has no infinity. */
    SAME("f4e2m1fn", "100", "6"), SAME("f4e2m1fn", "-7", "-6"),
    APART("f4e2m1fn", "7", "-6", "unknown")};

#define COMPUTED(lines) \
  E("p = f32[] parameter(0)\nz = f32[] constant(0)\nn = f32[] divide(z, z)\nm = f32[] negate(n)\n" lines)
#define CONVERTED(from, text, type) \
  E("p = f32[] parameter(0)\nc = " from "[] constant(" text ")\nROOT r = " type "[] convert(c)")
#define STATED(type, text) E("p = f32[] parameter(0)\nROOT r = " type "[] constant(" text ")")

/* A NaN that is computed has an unknown sign. bf16 and f16 are rounded at once or by f32. */
static const ValuesCase computed[] = {
    {"bits_of_a_negated_nan", COMPUTED("ROOT r = s32[] bitcast-convert(m)"),
        COMPUTED("ROOT r = s32[] bitcast-convert(n)"), "same reads"},
    {"a_negated_nan", COMPUTED("ROOT r = f32[] copy(m)"), COMPUTED("ROOT r = f32[] add(n, z)"),
        "same reads"},
    {"a_double_rounded_twice", CONVERTED("f64", "1.00390625000001", "bf16"),
        STATED("bf16", "1.0078125"), "unknown"},
    {"a_double_rounded_twice_down", CONVERTED("f64", "1.00390625000001", "bf16"),
        STATED("bf16", "1"), "unknown"},
    {"a_double_rounded_alike", CONVERTED("f64", "1.004", "bf16"), STATED("bf16", "1.0078125"),
        "same values"},
    {"an_integer_rounded_twice", CONVERTED("s32", "16842753", "bf16"), STATED("bf16", "16777216"),
        "unknown"},
    {"a_small_integer", CONVERTED("s32", "257", "bf16"), STATED("bf16", "256"), "same values"},
};

static void computed_constants_have_the_value_of_every_platform(void **) {
  ValuesLimits limits = {.grade = LAW_EXACT};
  assert_int_equal(values_cases_faults(sizeof computed / sizeof *computed, computed, &limits), 0);
}

/* Only grade `exact` tells the payloads and the signs of NaNs apart. */
static void nans_are_one_at_weaker_grades(void **) {
  static const ValuesCase exact[] = {APART("f32", "nan", "-nan", "same reads"),
      APART("f16", "nan", "nan(0x201)", "same reads"), APART("f32", "nan", "1", "different")},
                          ieee[] = {SAME("f32", "nan", "-nan"), SAME("f16", "nan", "nan(0x201)"),
                              APART("f32", "nan", "1", "different")};
  assert_int_equal(values_cases_faults(3, exact, &(ValuesLimits){.grade = LAW_EXACT}), 0);
  assert_int_equal(values_cases_faults(3, ieee, &(ValuesLimits){.grade = LAW_IEEE}), 0);
}

static void literals_are_rounded_to_their_types(void **state) {
  (void)state;
  assert_int_equal(
      values_cases_faults(sizeof rows / sizeof *rows, rows, &(ValuesLimits){.grade = LAW_EXACT}),
      0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(literals_are_rounded_to_their_types),
      cmocka_unit_test(computed_constants_have_the_value_of_every_platform),
      cmocka_unit_test(nans_are_one_at_weaker_grades)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
