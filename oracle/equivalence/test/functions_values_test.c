/* Functions that differ in the order of their operands. In a map each of them is another function,
 * unless it is one of integers: which NaN a float operation returns may depend on the order. A fold
 * has no order if its function is one operation that commutes. A fold of several inputs is a fold
 * of one where a result depends on that alone. */
#include "oracle/equivalence/test/values_cases.h"

#define FUNCTION(name, type, operation) \
  name " {\n a = " type "[] parameter(0)\n b = " type "[] parameter(1)\n ROOT c = " type \
       "[] " operation "\n}\n"
#define MAPPED(type, operation) \
  "HloModule m\n" FUNCTION("f", type, operation) "ENTRY e {\n x = " type \
                                                 "[2] parameter(0)\n y = " type \
                                                 "[2] parameter(1)\n ROOT r = " type \
                                                 "[2] map(x, y), dimensions={0}, to_apply=f\n}\n"
#define FOLDED(type, operation, operand) \
  "HloModule m\n" FUNCTION("f", type, \
      operation) "ENTRY e {\n x = " type "[2] parameter(0)\n z = " type \
                 "[] constant(0)\n v = " type "[2] reverse(x), dimensions={0}\n" \
                 " ROOT r = " type "[] reduce(" operand ", z), dimensions={0}, to_apply=f\n}\n"
/* The function is no operation of its two arguments. */
#define CHAINED_FOLD(type, operation) \
  "HloModule m\nf {\n a = " type "[] parameter(0)\n b = " type "[] parameter(1)\n s = " type \
  "[] " operation "\n ROOT c = " type "[] abs(s)\n}\nENTRY e {\n x = " type \
  "[2] parameter(0)\n z = " type "[] constant(0)\n ROOT r = " type \
  "[] reduce(x, z), dimensions={0}, to_apply=f\n}\n"
#define GATHERED(operation) \
  "HloModule m\n" FUNCTION("f", "f32", \
      operation) "ENTRY e {\n x = f32[2] parameter(0)\n" \
                 " ROOT r = f32[2] all-reduce(x), replica_groups={{0,1}}, to_apply=f\n}\n"
#define SCATTERED(operation) \
  "HloModule m\n" FUNCTION("f", "f32", \
      operation) "ENTRY e {\n x = f32[2] parameter(0)\n" \
                 " y = f32[1] parameter(1)\n i = s32[1,1] constant({{1}})\n ROOT r = f32[2] scatter(x, i, y), " \
                 "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, " \
                 "index_vector_dim=1, to_apply=f\n}\n"
/* Two updates of one element, and the same additions in an order that is stated. */
#define TWO_UPDATES(type, of, more) \
  "HloModule m\n" FUNCTION("f", type, \
      "add(a, b)") "ENTRY e {\n x = " type "[1] parameter(0)\n" \
                   " y = " type "[2] parameter(1)\n i = s32[2,1] constant({" of \
                   "})\n ROOT r = " type \
                   "[1] scatter(x, i, y), update_window_dims={}, inserted_window_dims={0}, " \
                   "scatter_dims_to_operand_dims={0}, index_vector_dim=1" more ", to_apply=f\n}\n"
#define ADDED(type, second) \
  "HloModule m\nENTRY e {\n x = " type "[1] parameter(0)\n y = " type "[2] parameter(1)\n" \
  " u = " type "[1] slice(y), slice={[0:1]}\n v = " type "[1] slice(y), slice={[1:2]}\n" \
  " s = " type "[1] add(x, u)\n t = " type "[1] add(s, v)\n ROOT r = " type "[1] copy(" second \
  ")\n}\n"
#define NO_UPDATES \
  "HloModule m\n" FUNCTION("f", "f32", \
      "subtract(b, a)") "ENTRY e {\n x = f32[2] parameter(0)\n y = f32[0] parameter(1)\n" \
                        " i = s32[0,1] parameter(2)\n ROOT r = f32[2] scatter(x, i, y), " \
                        "update_window_dims={}, inserted_window_dims={0}, " \
                        "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f\n}\n"
#define NOT_UPDATED \
  "HloModule m\nENTRY e {\n x = f32[2] parameter(0)\n y = f32[0] parameter(1)\n" \
  " i = s32[0,1] parameter(2)\n ROOT r = f32[2] copy(x)\n}\n"
#define ROWS(constants) \
  "HloModule m\n" FUNCTION("f", "f32", \
      "add(a, b)") "ENTRY e {\n p = f32[] parameter(0)\n" \
                   " x = f32[1] constant({0})\n y = f32[3] constant({" constants "})\n" \
                   " i = s32[3,1] constant({{0},{0},{0}})\n ROOT r = f32[1] scatter(x, i, y), " \
                   "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, " \
                   "index_vector_dim=1, to_apply=f\n}\n"
#define SUMS(one, two, three) \
  "HloModule m\nENTRY e {\n p = f32[] parameter(0)\n x = f32[1] constant({0})\n" \
  " a = f32[1] constant({" one "})\n b = f32[1] constant({" two "})\n" \
  " c = f32[1] constant({" three "})\n s = f32[1] add(x, a)\n t = f32[1] add(s, b)\n" \
  " ROOT r = f32[1] add(t, c)\n}\n"
/* Two windows, of one element each, select the only element. */
#define WINDOWS(type) \
  "HloModule m\n" FUNCTION("f", type, \
      "add(a, b)") "g {\n a = " type "[] parameter(0)\n b = " type \
                   "[] parameter(1)\n ROOT c = pred[] compare(a, b), direction=GE\n}\nENTRY e {\n x = " type \
                   "[1] parameter(0)\n y = " type "[2] parameter(1)\n z = " type \
                   "[] parameter(2)\n ROOT r = " type \
                   "[1] select-and-scatter(x, y, z), window={size=2 pad=1_1}, select=g, scatter=f\n}\n"
#define PICKED(size) \
  "HloModule m\nENTRY e {\n x = s32[3] parameter(0)\n i = s32[] parameter(1)\n" \
  " ROOT r = s32[] gather(x, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, " \
  "index_vector_dim=0, slice_sizes={" size "}\n}\n"
/* One window of one element, and what the function makes of the initial value and the source. */
#define ONE_WINDOW(type, operation) \
  "HloModule m\n" FUNCTION("f", type, \
      operation) "g {\n a = " type "[] parameter(0)\n b = " type \
                 "[] parameter(1)\n ROOT c = pred[] compare(a, b), direction=GE\n}\nENTRY e {\n x = " type \
                 "[1] parameter(0)\n y = " type "[1] parameter(1)\n z = " type \
                 "[] parameter(2)\n ROOT r = " type \
                 "[1] select-and-scatter(x, y, z), window={size=1}, select=g, scatter=f\n}\n"
#define ONE_COMBINED(type, operation) \
  "HloModule m\nENTRY e {\n x = " type "[1] parameter(0)\n b = " type \
  "[1] parameter(1)\n z = " type "[] parameter(2)\n a = " type "[1] reshape(z)\n ROOT r = " type \
  "[1] " operation "\n}\n"
#define CHAIN(type, first, second) \
  "HloModule m\nENTRY e {\n x = " type "[1] parameter(0)\n y = " type \
  "[2] parameter(1)\n z = " type "[] parameter(2)\n w = " type "[1] reshape(z)\n u = " type \
  "[1] slice(y), slice={[" first "]}\n" \
  " v = " type "[1] slice(y), slice={[" second "]}\n s = " type "[1] add(w, u)\n ROOT r = " type \
  "[1] add(s, v)\n}\n"
#define FOLD_OF_ONE(type, operation) \
  "HloModule m\n" FUNCTION( \
      "f", type, operation) "ENTRY e {\n x = " type "[4,1] parameter(0)\n z = " type \
                            "[] parameter(1)\n ROOT r = " type \
                            "[4] reduce(x, z), dimensions={1}, to_apply=f\n}\n"
/* The fold of an element and a position of padding, and of the element alone. */
#define FOLD_BY(init, operation, fold) \
  "HloModule m\n" FUNCTION( \
      "f", "s32", operation) "ENTRY e {\n x = s32[1] parameter(0)\n" \
                             " y = s32[1,1] reshape(x)\n z = s32[] constant(" init \
                             ")\n ROOT r = s32[1] " fold ", to_apply=f\n}\n"
#define PADDED(init, operation) \
  FOLD_BY(init, operation, "reduce-window(x, z), window={size=2 pad=0_1}")
#define UNPADDED(init, operation) FOLD_BY(init, operation, "reduce(y, z), dimensions={1}")
#define PADDED_ALONE(init, operation) \
  FOLD_BY(init, operation, "reduce-window(x, z), window={size=1 pad=1_-1}")
#define PADDED_BY(value) \
  "HloModule m\nENTRY e {\n x = s32[1] parameter(0)\n ROOT r = s32[1] constant({" value "})\n}\n"
#define DIFFERENCE \
  "f {\n a = s32[] parameter(0)\n b = s32[] parameter(1)\n d = s32[] subtract(a, b)\n" \
  " ROOT c = s32[] abs(d)\n}\n"
#define DIFFERENCES \
  "HloModule m\n" DIFFERENCE "ENTRY e {\n x = s32[3] parameter(0)\n z = s32[] constant(0)\n" \
  " ROOT r = s32[] reduce(x, z), dimensions={0}, to_apply=f\n}\n"
#define DIFFERENCE_CHAIN(one, two, three) \
  "HloModule m\nENTRY e {\n x = s32[3] parameter(0)\n z = s32[1] constant({0})\n" \
  " u = s32[1] slice(x), slice={[" one "]}\n v = s32[1] slice(x), slice={[" two "]}\n" \
  " w = s32[1] slice(x), slice={[" three "]}\n d = s32[1] subtract(z, u)\n e1 = s32[1] abs(d)\n" \
  " g = s32[1] subtract(e1, v)\n h = s32[1] abs(g)\n i = s32[1] subtract(h, w)\n" \
  " j = s32[1] abs(i)\n ROOT r = s32[] reshape(j)\n}\n"
#define FOUR_DIFFERENCES \
  "HloModule m\n" DIFFERENCE "ENTRY e {\n x = s32[4] parameter(0)\n z = s32[] constant(0)\n" \
  " ROOT r = s32[] reduce(x, z), dimensions={0}, to_apply=f\n}\n"
#define FOUR_IN_TWO_HALVES \
  "HloModule m\n" DIFFERENCE "ENTRY e {\n x = s32[4] parameter(0)\n z = s32[] constant(0)\n" \
  " y = s32[2,2] reshape(x)\n h = s32[2] reduce(y, z), dimensions={1}, to_apply=f\n" \
  " ROOT r = s32[] reduce(h, z), dimensions={0}, to_apply=f\n}\n"
/* A sum of s8, computed in s32. */
#define PROMOTED(lines) \
  "HloModule m\nf {\n a = s8[] parameter(0)\n b = s8[] parameter(1)\n c = s32[] convert(a)\n" \
  " d = s32[] convert(b)\n s = s32[] add(c, d)\n ROOT r = s8[] convert(s)\n}\nENTRY e {\n" \
  " x = s8[2,2] parameter(0)\n p = s8[] parameter(1)\n" lines " ROOT t = s8[] copy(r)\n}\n"
#define ELEMENT(which) \
  "HloModule m\nENTRY e {\n x = u8[2] parameter(0)\n s = u8[1] slice(x), slice={[" which "]}\n" \
  " ROOT r = u8[] reshape(s)\n}\n"
#define TWO_FOLDS \
  "HloModule m\nf {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n c = f32[] parameter(2)\n" \
  " d = f32[] parameter(3)\n s = f32[] add(a, c)\n t = f32[] maximum(b, d)\n" \
  " ROOT r = (f32[], f32[]) tuple(s, t)\n}\nENTRY e {\n x = f32[2] parameter(0)\n" \
  " y = f32[2] parameter(1)\n z = f32[] constant(0)\n" \
  " q = (f32[], f32[]) reduce(x, y, z, z), dimensions={0}, to_apply=f\n" \
  " ROOT r = f32[] get-tuple-element(q), index=0\n}\n"
#define ONE_FOLD(operation) \
  "HloModule m\n" FUNCTION( \
      "f", "f32", operation) "ENTRY e {\n x = f32[2] parameter(0)\n" \
                             " y = f32[2] parameter(1)\n z = f32[] constant(0)\n" \
                             " ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=f\n}\n"
/* A reduction of two inputs with one element each, and one of its results in other words. */
#define PAIR_OF_ONE(operation, result) \
  "HloModule m\nf {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n c = f32[] parameter(2)\n" \
  " d = f32[] parameter(3)\n k = f32[] add(b, d)\n s = f32[] " operation \
  "\n ROOT r = (f32[], f32[]) tuple(s, k)\n}\nENTRY e {\n x = f32[1] parameter(0)\n" \
  " y = f32[1] parameter(1)\n i = f32[] parameter(2)\n j = f32[] parameter(3)\n" \
  " q = (f32[], f32[]) reduce(x, y, i, j), dimensions={0}, to_apply=f\n" \
  " ROOT r = f32[] get-tuple-element(q), index=" result "\n}\n"
#define ONCE(operation) \
  "HloModule m\nENTRY e {\n x = f32[1] parameter(0)\n y = f32[1] parameter(1)\n" \
  " i = f32[] parameter(2)\n j = f32[] parameter(3)\n a = f32[] reshape(x)\n" \
  " b = f32[] reshape(y)\n s = f32[] add(j, b)\n ROOT r = f32[] " operation "\n}\n"

static const ValuesCase function_cases[] = {
    {"map_of_floats", MAPPED("f32", "add(a, b)"), MAPPED("f32", "add(b, a)"), "same reads"},
    {"map_of_integers", MAPPED("s32", "add(a, b)"), MAPPED("s32", "add(b, a)"), "same values"},
    {"fold_of_floats", FOLDED("f32", "add(a, b)", "x"), FOLDED("f32", "add(b, a)", "v"),
        "same values"},
    /* Where the order of a fold matters, that of the operands does too. */
    {"fold_that_depends_on_order", CHAINED_FOLD("f32", "add(a, b)"),
        CHAINED_FOLD("f32", "add(b, a)"), "same reads"},
    {"fold_that_depends_on_order_itself", CHAINED_FOLD("f32", "add(b, a)"),
        CHAINED_FOLD("f32", "add(b, a)"), "same values"},
    {"fold_of_integers_that_depends_on_order", CHAINED_FOLD("s32", "add(a, b)"),
        CHAINED_FOLD("s32", "add(b, a)"), "same values"},
    {"collective_of_floats", GATHERED("add(a, b)"), GATHERED("add(b, a)"), "same values"},
    {"collective_of_another_function", GATHERED("add(a, b)"), GATHERED("maximum(b, a)"), "unknown"},
    {"scatter_of_floats", SCATTERED("add(a, b)"), SCATTERED("add(b, a)"), "same reads"},
    {"scatter_of_floats_itself", SCATTERED("add(a, b)"), SCATTERED("add(a, b)"), "same values"},
    /* In which order the rows of a scatter are added is not stated. */
    {"rows_of_floats", TWO_UPDATES("f32", "{0},{0}", ""), ADDED("f32", "t"), "same reads"},
    {"rows_of_floats_themselves", TWO_UPDATES("f32", "{0},{0}", ""),
        TWO_UPDATES("f32", "{0},{0}", ", indices_are_sorted=false"), "same values"},
    {"rows_of_integers", TWO_UPDATES("s32", "{0},{0}", ""), ADDED("s32", "t"), "same values"},
    {"one_row_of_floats", TWO_UPDATES("f32", "{0},{1}", ""), ADDED("f32", "s"), "same values"},
    {"unique_rows_of_floats", TWO_UPDATES("f32", "{0},{1}", ", unique_indices=true"),
        ADDED("f32", "s"), "same values"},
    {"rows_of_floats_and_one_addition", TWO_UPDATES("f32", "{0},{0}", ""), ADDED("f32", "s"),
        "different"},
    {"rows_of_constants", ROWS("0.1, 0.2, 0.3"), SUMS("0.1", "0.2", "0.3"), "unknown"},
    {"rows_of_constants_that_overflow", ROWS("3e38, 3e38, -3e38"), SUMS("3e38", "-3e38", "3e38"),
        "unknown"},
    {"rows_of_constants_that_cancel", ROWS("1e30, 1, -1e30"), SUMS("0", "0", "0"), "unknown"},
    {"rows_of_small_constants", ROWS("1, 2, 3"), SUMS("1", "2", "4"), "different"},
    {"windows_of_floats", WINDOWS("f32"), CHAIN("f32", "0:1", "1:2"), "same reads"},
    {"windows_of_floats_turned", WINDOWS("f32"), CHAIN("f32", "1:2", "0:1"), "same reads"},
    {"windows_of_integers", WINDOWS("s32"), CHAIN("s32", "1:2", "0:1"), "same values"},
    {"gather_of_slices_without_elements", PICKED("1"), PICKED("0"), "unknown"},
    {"gather_of_slices_of_one", PICKED("1"), PICKED("1"), "same values"},
    {"window_of_a_sum", ONE_WINDOW("s32", "add(a, b)"), ONE_COMBINED("s32", "add(a, b)"),
        "same values"},
    {"window_of_a_difference", ONE_WINDOW("s32", "subtract(a, b)"),
        ONE_COMBINED("s32", "subtract(a, b)"), "unknown"},
    {"window_of_a_difference_turned", ONE_WINDOW("s32", "subtract(a, b)"),
        ONE_COMBINED("s32", "subtract(b, a)"), "unknown"},
    {"window_of_a_sum_of_floats", ONE_WINDOW("f32", "add(a, b)"), ONE_COMBINED("f32", "add(a, b)"),
        "same reads"},
    /* A fold of one element is its function, as it is written. */
    {"fold_of_one_float", FOLD_OF_ONE("f32", "add(a, b)"), FOLD_OF_ONE("f32", "add(b, a)"),
        "same reads"},
    {"fold_of_one_integer", FOLD_OF_ONE("s32", "add(a, b)"), FOLD_OF_ONE("s32", "add(b, a)"),
        "same values"},
    {"fold_of_one_pair", PAIR_OF_ONE("add(c, a)", "0"), ONCE("add(a, i)"), "same values"},
    {"fold_of_one_pair_turned", PAIR_OF_ONE("add(c, a)", "0"), ONCE("add(i, a)"), "same reads"},
    {"fold_of_one_pair_second", PAIR_OF_ONE("add(c, a)", "1"), ONCE("add(j, b)"), "same values"},
    {"fold_of_one_pair_whole", PAIR_OF_ONE("add(k, a)", "0"), ONCE("add(s, i)"), "same values"},
    {"fold_of_one_pair_whole_turned", PAIR_OF_ONE("add(k, a)", "0"), ONCE("add(i, s)"),
        "same reads"},
    /* A fold of differences may have any order. */
    {"fold_in_some_order", DIFFERENCES, DIFFERENCE_CHAIN("1:2", "0:1", "2:3"), "same reads"},
    {"fold_in_another_order", DIFFERENCES, DIFFERENCE_CHAIN("0:1", "2:3", "1:2"), "same reads"},
    {"fold_in_the_order_of_a_tree", FOUR_DIFFERENCES, FOUR_IN_TWO_HALVES, "same reads"},
    {"sum_in_other_words", PROMOTED(" r = s8[] reduce(x, p), dimensions={0,1}, to_apply=f\n"),
        PROMOTED(" q = s8[2] reduce(x, p), dimensions={1}, to_apply=f\n"
                 " r = s8[] reduce(q, p), dimensions={0}, to_apply=f\n"),
        "same reads"},
    /* Which element is folded last is not stated. */
    {"fold_of_the_last", FOLDED("u8", "or(b, b)", "x"), ELEMENT("1:2"), "fewer reads"},
    {"fold_of_the_first", FOLDED("u8", "or(b, b)", "v"), ELEMENT("1:2"), "fewer reads"},
    {"fold_of_integers", FOLDED("u8", "or(a, b)", "x"), ELEMENT("1:2"), "different"},
    /* Documents differ on whether a position of padding folds the initial value once more. */
    {"padding_of_a_sum", PADDED("0", "add(a, b)"), UNPADDED("0", "add(a, b)"), "same values"},
    {"padding_of_another_sum", PADDED("5", "add(a, b)"), UNPADDED("5", "add(a, b)"), "unknown"},
    {"padding_of_a_maximum", PADDED("5", "maximum(a, b)"), UNPADDED("5", "maximum(a, b)"),
        "same values"},
    {"padding_of_the_first", PADDED("5", "or(a, a)"), UNPADDED("5", "or(a, a)"), "unknown"},
    {"padding_of_the_last", PADDED("0", "add(b, b)"), UNPADDED("0", "add(b, b)"), "unknown"},
    {"padding_of_the_last_itself", PADDED("0", "add(b, b)"), PADDED("0", "add(b, b)"),
        "same values"},
    {"padding_alone_of_the_last", PADDED_ALONE("0", "add(b, b)"), PADDED_BY("0"), "same values"},
    {"padding_alone_that_is_folded", PADDED_ALONE("5", "add(b, b)"), PADDED_BY("5"), "unknown"},
    {"padding_that_is_passed_over", PADDED("5", "copy(a)"), UNPADDED("5", "copy(a)"),
        "same values"},
    {"scatter_of_no_updates", NO_UPDATES, NOT_UPDATED, "same values"},
    {"two_folds", TWO_FOLDS, ONE_FOLD("add(a, b)"), "same values"},
    {"two_folds_and_another", TWO_FOLDS, ONE_FOLD("maximum(a, b)"), "different"},
};

/* Without payloads of NaNs, a sum of one window is a sum; that of several rounds in some order. */
static const ValuesCase windows_at_ieee[] = {
    {"windows_of_floats", WINDOWS("f32"), CHAIN("f32", "0:1", "1:2"), "same reads"},
    {"window_of_a_sum_of_floats", ONE_WINDOW("f32", "add(a, b)"), ONE_COMBINED("f32", "add(a, b)"),
        "same values"},
};

static void functions_are_told_apart(void **) {
  ValuesLimits limits = {.grade = LAW_EXACT};
  assert_int_equal(
      values_cases_faults(sizeof function_cases / sizeof *function_cases, function_cases, &limits),
      0);
  limits.grade = LAW_IEEE;
  assert_int_equal(values_cases_faults(
                       sizeof windows_at_ieee / sizeof *windows_at_ieee, windows_at_ieee, &limits),
      0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(functions_are_told_apart)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
