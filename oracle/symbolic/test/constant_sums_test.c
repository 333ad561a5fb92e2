/* Folds of constants. If no order changes the result, the fold is a constant. Every other fold
 * stays a fold, and differs from each constant only as a term. */
#include "oracle/equivalence/test/values_cases.h"
#include "oracle/equivalence/test/values_modules.h"

#define CONSTANTS_FOLDED(type, function, init, values, count) \
  "HloModule m\nf {\nx = " type "[] parameter(0)\ny = " type "[] parameter(1)\nROOT s = " type \
  "[] " function "(x, y)\n}\nENTRY e {\na = " type "[" count "] constant({" values "})\nz = " type \
  "[] constant(" init ")\nROOT r = " type "[] reduce(a, z), dimensions={0}, to_apply=f\n}\n"
#define CONSTANT(type, value) E("ROOT r = " type "[] constant(" value ")")

#define PRODUCT(factors) CONSTANTS_FOLDED("f32", "multiply", "1", factors, "3")

static const ValuesCase rows[] = {
    {"sum_of_small_floats", CONSTANTS_FOLDED("f32", "add", "0", "1, 2.5, -7", "3"),
        CONSTANT("f32", "-3.5"), "same values"},
    {"sum_of_small_floats_that_is_another", CONSTANTS_FOLDED("f32", "add", "0", "1, 2.5, -7", "3"),
        CONSTANT("f32", "3.5"), "different"},
    {"sum_of_all_digits", CONSTANTS_FOLDED("f32", "add", "0", "8388607, 8388608, 1", "3"),
        CONSTANT("f32", "16777216"), "same values"},
    {"sum_of_more_than_all_digits", CONSTANTS_FOLDED("f32", "add", "0", "16777216, 1, 1", "3"),
        CONSTANT("f32", "16777218"), "same reads"},
    {"sum_of_digits_that_cancel", CONSTANTS_FOLDED("f32", "add", "1", "16777216, -16777216", "2"),
        CONSTANT("f32", "1"), "unknown"},
    {"sum_of_halves_past_the_range", CONSTANTS_FOLDED("f16", "add", "0", "65504, 32, -32", "3"),
        CONSTANT("f16", "65504"), "unknown"},
    {"sum_of_minus_zeros", CONSTANTS_FOLDED("f32", "add", "-0", "-0, -0", "2"),
        CONSTANT("f32", "-0"), "same values"},
    {"sum_of_zeros_of_both_signs", CONSTANTS_FOLDED("f32", "add", "-0", "-0, 0", "2"),
        CONSTANT("f32", "0"), "same values"},
    {"sum_of_an_infinity", CONSTANTS_FOLDED("f32", "add", "0", "inf, 1", "2"),
        CONSTANT("f32", "inf"), "same reads"},
    {"product_of_floats_depends_on_the_order",
        CONSTANTS_FOLDED("f32", "multiply", "1", "3, 5", "2"), CONSTANT("f32", "15"), "same reads"},
    {"product_past_the_range_in_one_order", PRODUCT("3e38, 10, 0.001"), CONSTANT("f32", "3e36"),
        "unknown"},
    {"product_past_the_range_from_its_end", PRODUCT("0.001, 10, 3e38"), CONSTANT("f32", "1"),
        "unknown"},
    {"product_that_vanishes_in_one_order", PRODUCT("1e-30, 1e-30, 1e35"), CONSTANT("f32", "1"),
        "unknown"},
    {"product_of_zero_past_the_range_in_one_order", PRODUCT("0, 3e38, 10"), CONSTANT("f32", "1"),
        "unknown"},
    {"product_of_an_infinity_that_vanishes_in_one_order", PRODUCT("1e-30, 1e-30, inf"),
        CONSTANT("f32", "1"), "unknown"},
    {"product_of_halves_past_the_range",
        CONSTANTS_FOLDED("f16", "multiply", "1", "300, 300, 0.5", "3"), CONSTANT("f16", "45000"),
        "unknown"},
    {"product_within_the_range", PRODUCT("3e30, 10, 0.001"), CONSTANT("f32", "3"), "different"},
    {"product_past_the_range_in_every_order", PRODUCT("3e38, 10, 1"), CONSTANT("f32", "1"),
        "different"},
    {"product_that_vanishes_in_every_order", PRODUCT("1e-30, 1e-30, 1"), CONSTANT("f32", "1"),
        "different"},
    {"product_of_an_infinity", PRODUCT("inf, 0.5, 1"), CONSTANT("f32", "1"), "different"},
    {"product_of_integers_that_wraps", CONSTANTS_FOLDED("u8", "multiply", "1", "100, 3", "2"),
        CONSTANT("u8", "45"), "different"},
    {"largest_of_constants", CONSTANTS_FOLDED("f32", "maximum", "-inf", "1, 7, -3", "3"),
        CONSTANT("f32", "7"), "same values"},
    {"largest_of_zeros_of_both_signs", CONSTANTS_FOLDED("f32", "maximum", "-0", "0, -1", "2"),
        CONSTANT("f32", "0"), "unknown"},
    {"sum_of_bytes_that_wraps", CONSTANTS_FOLDED("u8", "add", "200", "100, 3", "2"),
        CONSTANT("u8", "47"), "same values"},
};

static void folds_of_constants_are_constants(void **) {
  assert_int_equal(values_cases_faults(sizeof rows / sizeof *rows, rows, nullptr), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(folds_of_constants_are_constants)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
