/* Values of operations whose elements are parts of other elements: bitcasts between widths,
 * branches selected by a number, scatters with `xor`, selected elements of windows. */
#include "oracle/equivalence/test/values_cases.h"
#include "oracle/equivalence/test/values_modules.h"

#define WORDS "a = u32[2] parameter(0)\nb = u8[2,4] bitcast-convert(a)\n"
#define LAST_BYTE WORDS "s = u8[2,1] slice(b), slice={[0:2], [3:4]}\nROOT r = u8[2] reshape(s)"
#define SHIFTED(by) \
  "a = u32[2] parameter(0)\nc = u32[] constant(" by ")\nb = u32[2] broadcast(c), dimensions={}\n" \
  "s = u32[2] shift-right-logical(a, b)\nROOT r = u8[2] convert(s)"
#define HALVES(first, second) \
  "a = s16[3,2] parameter(0)\nf = s16[3,1] slice(a), slice={[0:3], [" first "]}\n" \
  "g = s16[3,1] slice(a), slice={[0:3], [" second \
  "]}\nb = s16[3,2] concatenate(f, g), dimensions={1}\n" \
  "ROOT r = f32[3] bitcast-convert(b)"
#define BRANCHES(order) \
  M("x {\nROOT p = s32[2] parameter(0)\n}\ny {\np = s32[2] parameter(0)\nROOT n = s32[2] negate(p)\n}\n" \
    "z {\np = s32[2] parameter(0)\nROOT n = s32[2] not(p)\n}\n", \
      "i = s32[] parameter(0)\na = s32[2] parameter(1)\n" \
      "ROOT r = s32[2] conditional(i, a, a, a), branch_computations={" order "}")
/* The last branch runs if the index is out of range. */
#define CHOSEN(out_of_range) \
  E("i = s32[] parameter(0)\na = s32[2] parameter(1)\nn = s32[2] negate(a)\nm = s32[2] not(a)\n" \
    "c = s32[] constant(0)\nd = s32[] constant(1)\nis0 = pred[] compare(i, c), direction=EQ\n" \
    "is1 = pred[] compare(i, d), direction=" out_of_range \
    "\nb0 = pred[2] broadcast(is0), dimensions={}\n" \
    "b1 = pred[2] broadcast(is1), dimensions={}\ns = s32[2] select(b1, n, m)\nROOT r = s32[2] select(b0, a, s)")
#define FLIPS(indices) \
  M("flip {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT s = s32[] xor(x, y)\n}\n", \
      "a = s32[4] parameter(0)\nu = s32[2] parameter(1)\ni = s32[2,1] constant(" indices ")\n" \
      "ROOT r = s32[4] scatter(a, i, u), update_window_dims={}, inserted_window_dims={0}, " \
      "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=flip")
/* Two updates by an extremum at the places `indices`, and the same one after the other. */
#define EXTREMA(type, opcode, indices) \
  M("most {\nx = " type "[] parameter(0)\ny = " type "[] parameter(1)\nROOT s = " type \
    "[] " opcode "(x, y)\n}\n", \
      "a = " type "[2] parameter(0)\nu = " type "[2] parameter(1)\ni = s32[2,1] constant(" indices \
      ")\nROOT r = " type \
      "[2] scatter(a, i, u), update_window_dims={}, inserted_window_dims={0}, " \
      "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=most")
#define EXTREMA_WRITTEN(type, opcode, first, second) \
  E("a = " type "[2] parameter(0)\nu = " type "[2] parameter(1)\n" \
    "x = " type "[1] slice(a), slice={[0:1]}\ny = " type "[1] slice(a), slice={[1:2]}\n" \
    "v = " type "[1] slice(u), slice={[0:1]}\nw = " type "[1] slice(u), slice={[1:2]}\n" \
    "l = " type "[1] " opcode "(x, " first ")\nm = " type "[1] " opcode "(" second ")\n" \
    "ROOT r = " type "[2] concatenate(" \
    "m, y), dimensions={0}")
#define EXTREMA_APART(type, opcode) \
  E("a = " type "[2] parameter(0)\nu = " type "[2] parameter(1)\nROOT r = " type "[2] " opcode \
    "(a, u)")
#define SELECTED(direction, window, size) \
  M("keep {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT s = pred[] compare(x, y), direction=" direction \
    "\n}\n" ADD_S32, \
      "a = s32[4] parameter(0)\nb = s32[" size "] parameter(1)\nz = s32[] constant(0)\n" \
      "ROOT r = s32[4] select-and-scatter(a, b, z), window={" window \
      "}, select=keep, scatter=add")
/* Disjoint windows of two elements, written out. */
#define WRITTEN(direction) \
  E("a = s32[4] parameter(0)\nb = s32[2] parameter(1)\nx = s32[2,2] reshape(a)\n" \
    "f0 = s32[2,1] slice(x), slice={[0:2], [0:1]}\nf = s32[2] reshape(f0)\n" \
    "g0 = s32[2,1] slice(x), slice={[0:2], [1:2]}\ng = s32[2] reshape(g0)\n" \
    "k = pred[2] compare(f, g), direction=" direction "\nc = s32[] constant(0)\n" \
    "z = s32[2] broadcast(c), dimensions={}\nu = s32[2] select(k, b, z)\nv = s32[2] select(k, z, b)\n" \
    "u1 = s32[2,1] reshape(u)\nv1 = s32[2,1] reshape(v)\nw = s32[2,2] concatenate(u1, v1), dimensions={1}\n" \
    "ROOT r = s32[4] reshape(w)")

static const ValuesCase parts_rows[] = {
    {"bytes_joined_again", E(WORDS "ROOT r = u32[2] bitcast-convert(b)"),
        E("ROOT a = u32[2] parameter(0)"), "same values"},
    {"bytes_joined_the_other_way_round",
        E(WORDS "v = u8[2,4] reverse(b), dimensions={1}\nROOT r = u32[2] bitcast-convert(v)"),
        E("ROOT a = u32[2] parameter(0)"), "different"},
    {"bytes_of_the_other_word",
        E(WORDS "v = u8[2,4] reverse(b), dimensions={0}\nROOT r = u32[2] bitcast-convert(v)"),
        E("a = u32[2] parameter(0)\nROOT r = u32[2] reverse(a), dimensions={0}"), "same values"},
    {"highest_byte", E(LAST_BYTE), E(SHIFTED("24")), "same reads"},
    {"highest_byte_but_one", E(LAST_BYTE), E(SHIFTED("16")), "different"},
    {"halves_of_a_float", E(HALVES("0:1", "1:2")),
        E("a = s16[3,2] parameter(0)\nROOT r = f32[3] bitcast-convert(a)"), "same values"},
    {"halves_of_a_float_exchanged", E(HALVES("1:2", "0:1")),
        E("a = s16[3,2] parameter(0)\nROOT r = f32[3] bitcast-convert(a)"), "different"},
    {"bytes_of_a_word_with_another_sign",
        E(WORDS "v = s8[2,4] bitcast-convert(b)\nROOT r = s32[2] bitcast-convert(v)"),
        E("a = u32[2] parameter(0)\nROOT r = s32[2] bitcast-convert(a)"), "same reads"},
    {"sign_of_a_half",
        E("a = bf16[2] parameter(0)\nb = u16[2] bitcast-convert(a)\nc = u16[] constant(15)\n"
          "d = u16[2] broadcast(c), dimensions={}\nROOT r = u16[2] shift-right-logical(b, d)"),
        E("a = bf16[2] parameter(0)\nb = u16[2] bitcast-convert(a)\nc = u16[] constant(14)\n"
          "d = u16[2] broadcast(c), dimensions={}\nROOT r = u16[2] shift-right-logical(b, d)"),
        "different"},
    {"halves_of_a_byte_have_no_order",
        E("a = u8[2] parameter(0)\nb = u4[2,2] bitcast-convert(a)\ns = u4[2,1] slice(b), slice={[0:2], [0:1]}\n"
          "ROOT r = u4[2] reshape(s)"),
        E("a = u8[2] parameter(0)\nb = u4[2,2] bitcast-convert(a)\ns = u4[2,1] slice(b), slice={[0:2], [1:2]}\n"
          "ROOT r = u4[2] reshape(s)"),
        "unknown"},
    {"branches_by_number", BRANCHES("x, y, z"), CHOSEN("EQ"), "same values"},
    {"branches_below_the_first", BRANCHES("x, y, z"), CHOSEN("LE"), "different"},
    {"branches_past_the_last", BRANCHES("x, y, z"), CHOSEN("GE"), "different"},
    {"branches_exchanged", BRANCHES("x, y, z"), BRANCHES("x, z, y"), "different"},
    {"flips_in_another_order", FLIPS("{{1}, {1}}"), FLIPS("{{1}, {1}}"), "same values"},
    {"flips_of_another_element", FLIPS("{{1}, {2}}"), FLIPS("{{2}, {1}}"), "different"},
    {"greater_floats_in_one_element", EXTREMA("f32", "maximum", "{{0}, {0}}"),
        EXTREMA_WRITTEN("f32", "maximum", "v", "l, w"), "same reads"},
    {"greater_floats_in_the_other_order", EXTREMA("f32", "maximum", "{{0}, {0}}"),
        EXTREMA_WRITTEN("f32", "maximum", "w", "l, v"), "same reads"},
    {"greater_floats_but_one", EXTREMA("f32", "maximum", "{{0}, {0}}"),
        EXTREMA_WRITTEN("f32", "maximum", "v", "l, v"), "different"},
    {"smaller_floats_in_one_element", EXTREMA("f32", "minimum", "{{0}, {0}}"),
        EXTREMA_WRITTEN("f32", "minimum", "v", "l, w"), "same reads"},
    {"greater_floats_in_two_elements", EXTREMA("f32", "maximum", "{{0}, {1}}"),
        EXTREMA_APART("f32", "maximum"), "same values"},
    {"greater_integers_in_one_element", EXTREMA("s32", "maximum", "{{0}, {0}}"),
        EXTREMA_WRITTEN("s32", "maximum", "v", "l, w"), "same values"},
    {"greater_floats_and_themselves", EXTREMA("f32", "maximum", "{{0}, {0}}"),
        EXTREMA("f32", "maximum", "{{0}, {0}}"), "same values"},
    {"greater_constants_in_one_element",
        M("most {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] maximum(x, y)\n}\n",
            "a = f32[1] constant({1})\nu = f32[2] constant({3, 2})\ni = s32[2,1] constant({{0}, {0}})\n"
            "ROOT r = f32[1] scatter(a, i, u), update_window_dims={}, inserted_window_dims={0}, "
            "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=most"),
        E("ROOT a = f32[1] constant({3})"), "same values"},
    {"selected_in_windows", SELECTED("GE", "size=2 stride=2", "2"), WRITTEN("GE"), "same reads"},
    {"selected_the_other_of_equal_ones", SELECTED("GE", "size=2 stride=2", "2"), WRITTEN("GT"),
        "different"},
    {"selected_the_smallest", SELECTED("GE", "size=2 stride=2", "2"),
        SELECTED("LE", "size=2 stride=2", "2"), "different"},
    {"selected_in_windows_that_meet", SELECTED("GE", "size=2", "3"), SELECTED("GE", "size=2", "3"),
        "same values"},
    {"selected_behind_other_padding", SELECTED("GE", "size=2 stride=2 pad=1_1", "3"),
        SELECTED("GE", "size=3 stride=2 pad=1_2", "3"), "different"},
};

static void parts_are_values(void **state) {
  (void)state;
  assert_int_equal(values_cases_faults(sizeof parts_rows / sizeof *parts_rows, parts_rows,
                       &(ValuesLimits){.grade = LAW_EXACT}),
      0);
}

/* Where neither the payload of a NaN nor the sign of a zero counts, every order is the same. */
static void extrema_have_no_order_if_all_nans_are_one(void **state) {
  (void)state;
  static const ValuesCase ieee_rows[] = {
      {"in_order", EXTREMA("f32", "maximum", "{{0}, {0}}"),
          EXTREMA_WRITTEN("f32", "maximum", "v", "l, w"), "same values"},
      {"in_the_other_order", EXTREMA("f32", "minimum", "{{0}, {0}}"),
          EXTREMA_WRITTEN("f32", "minimum", "w", "l, v"), "same values"},
      {"sum", EXTREMA("f32", "add", "{{0}, {0}}"), EXTREMA_WRITTEN("f32", "add", "v", "l, w"),
          "same reads"}};
  assert_int_equal(values_cases_faults(sizeof ieee_rows / sizeof *ieee_rows, ieee_rows,
                       &(ValuesLimits){.grade = LAW_IEEE}),
      0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_values),
      cmocka_unit_test(extrema_have_no_order_if_all_nans_are_one)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
