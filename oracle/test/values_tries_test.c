/* Values that the tries of oracle/values must separate, and values that are used so often that
 * their sum as a tree would be too large. */
#include "oracle/test/values_cases.h"
#include "oracle/test/values_modules.h"

#define TWICE(op, from, to) #to " = s32[] " #op "(" #from ", " #from ")\n"
#define TWICE_7(op, a, b, c, d, e, f, g, h) \
  TWICE(op, a, b) \
  TWICE(op, b, c) \
  TWICE(op, c, d) TWICE(op, d, e) TWICE(op, e, f) TWICE(op, f, g) TWICE(op, g, h)
#define TWICE_21(op) \
  "a = s32[] parameter(0)\n" TWICE_7(op, a, b, c, d, e, f, g, h) \
      TWICE_7(op, h, i, j, k, l, m, n, o) TWICE_7(op, o, p, q, r, s, t, u, v) \
          "ROOT w = s32[] " #op "(v, v)"
#define X "x = f32[] parameter(0)\n"
#define PICKS(low, high) \
  "p = pred[] parameter(0)\na = f32[] constant(" low ")\nb = f32[] constant(" high \
  ")\nROOT s = f32[] select(p, a, b)"

#define LAST "last {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT z = s32[] copy(y)\n}\n"
#define FOLD(lines) \
  M(LAST, "x = s32[3] parameter(0)\nz = s32[] constant(0)\n" lines \
          "ROOT r = s32[] reduce(v, z), dimensions={0}, to_apply=last")
#define LAST16 \
  "last {\nx = bf16[] parameter(0)\ny = bf16[] parameter(1)\nROOT z = bf16[] copy(y)\n}\n"
#define ELEMENT(of) \
  E("x = s32[3] parameter(0)\ny = s32[1] slice(x), slice={" of "}\nROOT r = s32[] reshape(y)")

/* The table after it has the element `to` in the place of element `from`, and the slice is of one
 * element at an offset. */
#define TABLE E("p = f32[12] parameter(0)\ni = s32[] parameter(1)\n" \
                "ROOT s = f32[1] dynamic-slice(p, i), dynamic_slice_sizes={1}")
#define TABLE_BUT(from, to, rest, length) \
  E("p = f32[12] parameter(0)\ni = s32[] parameter(1)\na = f32[" from "] slice(p), slice={[0:" \
    from "]}\nb = f32[1] slice(p), slice={[" to ":" rest "]}\nc = f32[" length \
    "] slice(p), slice={[" to ":12]}\nt = f32[12] concatenate(a, b, c), dimensions={0}\n" \
    "ROOT s = f32[1] dynamic-slice(t, i), dynamic_slice_sizes={1}")

static const ValuesCase rows[] = {
    {"each offset is tried, 1", TABLE, TABLE_BUT("1", "2", "3", "10"), "different"},
    {"each offset is tried, 2", TABLE, TABLE_BUT("2", "3", "4", "9"), "different"},
    {"each offset is tried, 5", TABLE, TABLE_BUT("5", "6", "7", "6"), "different"},
    {"each offset is tried, 7", TABLE, TABLE_BUT("7", "8", "9", "4"), "different"},
    {"each offset is tried, 10", TABLE, TABLE_BUT("10", "11", "12", "1"), "different"},
    {"a value doubled 22 times is a product", E(TWICE_21(add)),
        E("a = s32[] parameter(0)\nc = s32[] constant(4194304)\nROOT m = s32[] multiply(a, c)"),
        "same values"},
    {"and no other product", E(TWICE_21(add)),
        E("a = s32[] parameter(0)\nc = s32[] constant(4194303)\nROOT m = s32[] multiply(a, c)"),
        "different"},
    {"a value squared 22 times is no square", E(TWICE_21(multiply)),
        E("a = s32[] parameter(0)\nROOT m = s32[] multiply(a, a)"), "different"},
    {"infinities of both signs differ", E(X "ROOT c = f32[] constant(inf)"),
        E(X "ROOT c = f32[] constant(-inf)"), "different"},
    {"an infinity is itself", E(X "ROOT c = f32[] constant(inf)"),
        E(X "ROOT c = f32[] constant(inf)"), "same values"},
    {"arms that are infinite are not exchanged", E(PICKS("inf", "-inf")),
        E(PICKS("-inf", "inf")), "different"},
    {"zero is tried for every input", E("x = s32[] parameter(0)\nROOT r = s32[] divide(x, x)"),
        E("x = s32[] parameter(0)\nROOT r = s32[] constant(1)"), "different"},
    {"the order of a fold refutes nothing", FOLD("v = s32[3] copy(x)\n"), ELEMENT("[0:1]"),
        "fewer reads"},
    {"from either end", FOLD("v = s32[3] copy(x)\n"), ELEMENT("[2:3]"), "fewer reads"},
    {"nor by a difference that is smaller than the tolerance",
        M(LAST16, "x = bf16[3] parameter(0)\nz = bf16[] constant(0)\n"
                  "ROOT r = bf16[] reduce(x, z), dimensions={0}, to_apply=last"),
        E("x = bf16[3] parameter(0)\ny = bf16[1] slice(x), slice={[0:1]}\n"
          "ROOT r = bf16[] reshape(y)"),
        "fewer reads"},
    {"a value that no order gives refutes a fold", FOLD("v = s32[3] add(x, x)\n"),
        E("x = s32[3] parameter(0)\nROOT r = s32[] constant(7)"), "different"},
    {"a literal of bf16 is the value that it is rounded to",
        E("x = bf16[] parameter(0)\nc = bf16[] constant(0.04468)\nROOT r = bf16[] multiply(x, c)"),
        E("x = bf16[] parameter(0)\nc = bf16[] constant(0.04468)\nROOT r = bf16[] add(x, c)"),
        "different"},
    {"past the elements that are evaluated nothing is said",
        E("x = u8[8193] parameter(0)\nROOT r = u8[8193] add(x, x)"),
        E("x = u8[8193] parameter(0)\ni = s32[8193] iota(), iota_dimension=0\n"
          "k = s32[] constant(8192)\nl = s32[8193] broadcast(k), dimensions={}\n"
          "p = pred[8193] compare(i, l), direction=LT\nz = u8[8193] subtract(x, x)\n"
          "o = u8[] constant(1)\nq = u8[8193] broadcast(o), dimensions={}\n"
          "s = u8[8193] select(p, z, q)\ny = u8[8193] add(x, s)\nROOT r = u8[8193] add(y, x)"),
        "unknown"},
};

static void tries_separate_what_differs(void **state) {
  (void)state;
  assert_int_equal(values_cases_faults(
                       sizeof rows / sizeof *rows, rows, &(ValuesLimits){.grade = LAW_EXACT}),
      0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tries_separate_what_differs)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
