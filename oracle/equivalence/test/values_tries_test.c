/* Values that the tried inputs of oracle/values must distinguish, and values that are used so often
 * that their sum would be too large as a tree. */
#include "core/base/test/length.h"
#include "oracle/equivalence/test/values_cases.h"
#include "oracle/equivalence/test/values_modules.h"

#define TWICE(op, from, to) #to " = s32[] " #op "(" #from ", " #from ")\n"
#define TWICE_7(op, a, b, c, d, e, f, g, h) \
  TWICE(op, a, b) \
  TWICE(op, b, c) \
  TWICE(op, c, d) TWICE(op, d, e) TWICE(op, e, f) TWICE(op, f, g) TWICE(op, g, h)
#define TWICE_21(op) \
  "a = s32[] parameter(0)\n" TWICE_7(op, a, b, c, d, e, f, g, h) TWICE_7(op, h, i, j, k, l, m, n, \
      o) TWICE_7(op, o, p, q, r, s, t, u, v) "ROOT w = s32[] " #op "(v, v)"
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
#define TABLE \
  E("p = f32[12] parameter(0)\ni = s32[] parameter(1)\n" \
    "ROOT s = f32[1] dynamic-slice(p, i), dynamic_slice_sizes={1}")
#define TABLE_BUT(from, to, rest, length) \
  E("p = f32[12] parameter(0)\ni = s32[] parameter(1)\na = f32[" from \
    "] slice(p), slice={[0:" from "]}\nb = f32[1] slice(p), slice={[" to ":" rest \
    "]}\nc = f32[" length "] slice(p), slice={[" to \
    ":12]}\nt = f32[12] concatenate(a, b, c), dimensions={0}\n" \
    "ROOT s = f32[1] dynamic-slice(t, i), dynamic_slice_sizes={1}")

/* Fifty flags, of which one is set. */
#define FLAG_OF_50(at) \
  E("i = s32[] parameter(0)\nx = s32[] parameter(1)\nn = s32[50] iota(), iota_dimension=0\n" \
    "k = s32[] constant(" at ")\nc = s32[50] broadcast(k), dimensions={}\n" \
    "q = pred[50] compare(n, c), direction=EQ\nv = s32[50] convert(q)\n" \
    "s = s32[1] dynamic-slice(v, i), dynamic_slice_sizes={1}\nb = s32[1] reshape(x)\n" \
    "ROOT r = s32[1] multiply(s, b)")

#define OF(name, op, type) \
  #name " {\nx = " type "[] parameter(0)\ny = " type "[] parameter(1)\nROOT z = " type "[] " #op \
        "(x, y)\n}\n"
#define NOT_ALL(init) \
  M(OF(all, and, "pred"), "x = pred[5] parameter(0)\nn = pred[5] not(x)\nt = pred[] " init \
                          "\na = pred[] reduce(n, t), dimensions={0}, to_apply=all\n" \
                          "ROOT r = pred[] not(a)")
#define ANY(init) \
  M(OF(any, or, "pred"), "x = pred[5] parameter(0)\nf = pred[] " init \
                         "\nROOT r = pred[] reduce(x, f), dimensions={0}, to_apply=any")
#define SUM(init) \
  M(OF(sum, add, "u8"), "x = u8[2] parameter(0)\nz = u8[] constant(" init \
                        ")\nROOT r = u8[] reduce(x, z), dimensions={0}, to_apply=sum")
#define XOR(type) \
  E("x = " type "[3] parameter(0)\ny = " type "[3] parameter(1)\nROOT r = " type "[3] xor(x, y)")
#define OR_LESS_AND(type) \
  E("x = " type "[3] parameter(0)\ny = " type "[3] parameter(1)\na = " type \
    "[3] or(x, y)\nb = " type "[3] and(x, y)\nROOT r = " type "[3] subtract(a, b)")
#define FLAG_BESIDE_FOLD \
  "x = pred[5] parameter(0)\ny = pred[] parameter(1)\n" \
  "a = pred[] reduce(x, y), dimensions={0}, to_apply=all\nb = pred[1] reshape(a)\n"
#define CONCATENATED "ROOT r = pred[2] concatenate(b, t), dimensions={0}"
/* Whether (x0 + x1)^2 or the product of two slices is 61, which is no square modulo 256. The first
 * element multiplies x0 and slice `one`, the second x0 and slice `two`. */
#define PRODUCTS(one, two) \
  E("x = u8[2] parameter(0)\nf = u8[1] slice(x), slice={[0:1]}\n" \
    "g = u8[1] slice(x), slice={[1:2]}\ns = u8[1] add(f, g)\nt = u8[1] multiply(s, s)\n" \
    "n = u8[] constant(61)\nm = u8[1] broadcast(n), dimensions={}\n" \
    "c = pred[1] compare(t, m), direction=EQ\no = u8[1] slice(x), slice={" one \
    "}\np = u8[1] multiply(f, o)\nd = pred[1] compare(p, m), direction=EQ\n" \
    "q = pred[1] or(c, d)\ni = u8[1] slice(x), slice={" two \
    "}\nj = u8[1] multiply(f, i)\nk = pred[1] compare(j, m), direction=EQ\n" \
    "l = pred[1] or(c, k)\nROOT r = pred[2] concatenate(q, l), dimensions={0}")
#define IN_F32(lines) \
  E("x = u8[] parameter(0)\nc = f32[] convert(x)\nd = f32[] constant(3)\n" lines \
    "ROOT r = u8[] convert(m)")

#define ABS_SQUARE(type, rest) \
  E("x = " type "[] parameter(0)\nm = " type "[] multiply(x, x)\nROOT r = " type "[] " rest "(m)")
#define SHIFTED(type, op) \
  E("x = " type "[] parameter(0)\no = " type "[] constant(1)\ns = " type \
    "[] shift-left(x, o)\nROOT r = " type "[] " op "(s, o)")
#define PARAMETER(type) E("x = " type "[] parameter(0)\nROOT r = " type "[] copy(x)")
#define XY(type) "x = " type "[] parameter(0)\ny = " type "[] parameter(1)\n"
#define REMAINDER_OF_NEGATIVE(type) \
  E(XY(type) "n = " type "[] negate(x)\nROOT r = " type "[] remainder(n, y)")
#define NEGATIVE_REMAINDER(type) \
  E(XY(type) "n = " type "[] remainder(x, y)\nROOT r = " type "[] negate(n)")
/* Beside a sum of so many elements that few assignments are evaluated. */
#define BESIDE_A_SUM(lines) \
  M(OF(sum, add, "s32"), \
      XY("s32") "v = s32[120000] parameter(2)\nz = s32[] constant(0)\n" lines \
                "s = s32[] reduce(v, z), dimensions={0}, to_apply=sum\nROOT r = s32[] xor(d, s)")
#define QUOTIENT_OF_NEGATIVE(type) \
  E(XY(type) "n = " type "[] negate(y)\nROOT r = " type "[] remainder(n, x)")
#define NEGATIVE_QUOTIENT(type) \
  E(XY(type) "n = " type "[] remainder(y, x)\nROOT r = " type "[] negate(n)")
/* Whether a square is negative of which the root is between 46336 and 46591. */
#define NEGATIVE_SQUARE \
  E("x = s32[] parameter(0)\ne = s32[] constant(8)\nh = s32[] shift-right-logical(x, e)\n" \
    "k = s32[] constant(181)\np = pred[] compare(h, k), direction=EQ\nm = s32[] multiply(x, x)\n" \
    "z = s32[] constant(0)\nq = pred[] compare(m, z), direction=LT\nROOT r = pred[] and(p, q)")

/* Whether the input is the one number whose product with 1234567 is `product`. */
#define AT(type, product) \
  E("x = " type "[] parameter(0)\nc = " type "[] constant(1234567)\nk = " type \
    "[] constant(" product ")\ns = " type "[] multiply(x, c)\n" \
    "ROOT r = pred[] compare(s, k), direction=EQ")
#define NEVER(type) E("x = " type "[] parameter(0)\nROOT r = pred[] constant(false)")
/* Whether x is 65536, and the product of y with 1234567 is `number`. */
#define AT_BOTH(number) \
  E(XY("s64") "c = s64[] constant(65536)\np = pred[] compare(x, c), direction=EQ\n" \
              "k = s64[] constant(" number ")\no = s64[] constant(1234567)\n" \
              "s = s64[] multiply(y, o)\nq = pred[] compare(s, k), direction=EQ\n" \
              "ROOT r = pred[] and(p, q)")
#define BITS_BY(width) \
  E("x = s" width "[] parameter(0)\np = s" width "[] popcnt(x)\nw = s" width "[] constant(" width \
    ")\nROOT r = s" width "[] divide(p, w)")
/* The power of x, or of the constants 3 or -1. */
#define POWER(type, of, exponent) \
  E("x = " type "[] parameter(0)\nk = " type "[] constant(3)\no = " type \
    "[] constant(1)\nm = " type "[] negate(o)\nn = " type "[] constant(" exponent \
    ")\nROOT r = " type "[] power(" of ", n)")
/* How often a loop runs until its count reaches n, of an input k. */
#define COUNTS_TO(lines) \
  M("body {\np = (s32[], s32[]) parameter(0)\ni = s32[] get-tuple-element(p), index=0\n" \
    "n = s32[] get-tuple-element(p), index=1\no = s32[] constant(1)\nj = s32[] add(i, o)\n" \
    "ROOT t = (s32[], s32[]) tuple(j, n)\n}\nmore {\np = (s32[], s32[]) parameter(0)\n" \
    "i = s32[] get-tuple-element(p), index=0\nn = s32[] get-tuple-element(p), index=1\n" \
    "ROOT c = pred[] compare(i, n), direction=LT\n}\n", \
      "k = s32[] parameter(0)\nz = s32[] constant(0)\nm = s32[] maximum(k, z)\n" lines \
      "t = (s32[], s32[]) tuple(z, n)\nw = (s32[], s32[]) while(t), condition=more, body=body\n" \
      "ROOT r = s32[] get-tuple-element(w), index=0")
#define COUNTS_PAST(number) COUNTS_TO("f = s32[] constant(" number ")\nn = s32[] add(m, f)\n")
/* Two elements of four bits joined to a byte, with its bits in c, and parted. */
#define HALVES(constant) \
  E("x = u4[2] parameter(0)\n" constant \
    "b = u8[] bitcast-convert(x)\nd = u8[] or(b, c)\nROOT r = u4[2] bitcast-convert(d)")
#define NOTHING_OF(type) E("x = " type "[] parameter(0)\nROOT r = " type "[] subtract(x, x)")

static const ValuesCase rows[] = {
    {"all ones of 32 bits", BITS_BY("32"), NOTHING_OF("s32"), "different"},
    {"all ones of 64 bits", BITS_BY("64"), NOTHING_OF("s64"), "different"},
    {"-4 alone", AT("s32", "-4938268"), NEVER("s32"), "different"},
    {"100 alone", AT("u32", "123456700"), NEVER("u32"), "different"},
    {"a limit of 16 bits alone", AT("s32", "-697030279"), NEVER("s32"), "different"},
    {"a power of two alone", AT("u64", "5302424889720832"), NEVER("u64"), "different"},
    {"a power of integers is a product", POWER("s32", "x", "3"),
        E("x = s32[] parameter(0)\ns = s32[] multiply(x, x)\nROOT r = s32[] multiply(s, s)"),
        "different"},
    {"a power of constants is a constant", POWER("s32", "k", "3"),
        E("x = s32[] parameter(0)\nROOT r = s32[] constant(27)"), "same values"},
    {"a power wraps", POWER("u8", "k", "6"),
        E("x = u8[] parameter(0)\nROOT r = u8[] constant(217)"), "same values"},
    {"a negative exponent gives 0", POWER("s32", "k", "-1"),
        E("x = s32[] parameter(0)\nROOT r = s32[] constant(0)"), "same values"},
    {"of -1 it has no value", POWER("s32", "m", "-1"),
        E("x = s32[] parameter(0)\nROOT r = s32[] constant(0)"), "unknown"},
    {"nor has an exponent past 63", POWER("s32", "k", "64"),
        E("x = s32[] parameter(0)\nROOT r = s32[] constant(0)"), "unknown"},
    {"a loop runs as often as its inputs say",
        COUNTS_TO("f = s32[] constant(5)\nn = s32[] minimum(k, f)\n"),
        COUNTS_TO("f = s32[] constant(5)\nn = s32[] maximum(k, f)\n"), "different"},
    {"what is equal whenever it ends is not proved equal",
        COUNTS_TO("f = s32[] constant(0)\nn = s32[] add(m, f)\n"),
        E("k = s32[] parameter(0)\nz = s32[] constant(0)\nROOT m = s32[] maximum(k, z)"),
        "unknown"},
    {"of a loop that runs a hundred times nothing is known", COUNTS_PAST("100"), COUNTS_PAST("101"),
        "unknown"},
    {"two halves of a byte are the byte",
        E("x = u4[2] parameter(0)\nb = u8[] bitcast-convert(x)\nROOT r = u4[2] bitcast-convert(b)"),
        E("x = u4[2] parameter(0)\nROOT r = u4[2] copy(x)"), "same values"},
    {"which bits of the byte a half has is not known", HALVES("c = u8[] constant(1)\n"),
        HALVES("c = u8[] constant(0)\n"), "unknown"},
    {"two numbers together", AT_BOTH("-4938268"), E(XY("s64") "ROOT r = pred[] constant(false)"),
        "different"},
    {"a number whose low bits are zero is no number of 32 bits",
        E("x = u64[3] parameter(0)\ny = u64[3] reverse(x), dimensions={0}\n"
          "p = pred[3] convert(y)\nROOT s = u64[3] select(p, y, x)"),
        E("x = u64[3] parameter(0)\ny = u64[3] reverse(x), dimensions={0}\n"
          "n = u32[3] convert(y)\np = pred[3] convert(n)\nROOT s = u64[3] select(p, y, x)"),
        "different"},
    {"a square of 32 bits may be negative", ABS_SQUARE("s32", "abs"), ABS_SQUARE("s32", "copy"),
        "different"},
    {"a square of 64 bits may be negative", ABS_SQUARE("s64", "abs"), ABS_SQUARE("s64", "copy"),
        "different"},
    {"the smallest negative square", NEGATIVE_SQUARE,
        E("x = s32[] parameter(0)\nROOT r = pred[] constant(false)"), "different"},
    {"the highest but one of 32 bits is copied", SHIFTED("u32", "shift-right-arithmetic"),
        PARAMETER("u32"), "different"},
    {"the highest but one of 64 bits is copied", SHIFTED("u64", "shift-right-arithmetic"),
        PARAMETER("u64"), "different"},
    {"the lowest of 16 bits beside a number", REMAINDER_OF_NEGATIVE("s16"),
        NEGATIVE_REMAINDER("s16"), "different"},
    {"the lowest of 32 bits beside a number", REMAINDER_OF_NEGATIVE("s32"),
        NEGATIVE_REMAINDER("s32"), "different"},
    {"the lowest of 64 bits beside a number", REMAINDER_OF_NEGATIVE("s64"),
        NEGATIVE_REMAINDER("s64"), "different"},
    {"a number beside the lowest of 16 bits", QUOTIENT_OF_NEGATIVE("s16"), NEGATIVE_QUOTIENT("s16"),
        "different"},
    {"a number beside the lowest of 32 bits", QUOTIENT_OF_NEGATIVE("s32"), NEGATIVE_QUOTIENT("s32"),
        "different"},
    {"all values of two small inputs are tried", XOR("s8"), OR_LESS_AND("s8"), "same values"},
    {"of larger inputs some are", XOR("s16"), OR_LESS_AND("s16"), "same reads"},
    {"one value of 256 is found",
        E("x = u8[] parameter(0)\nm = u8[] constant(77)\nc = u8[] constant(173)\n"
          "y = u8[] multiply(x, m)\nROOT r = pred[] compare(y, c), direction=EQ"),
        E("x = u8[] parameter(0)\nROOT r = pred[] compare(x, x), direction=NE"), "different"},
    {"all values of five flags are tried, beside neutral elements", NOT_ALL("constant(true)"),
        ANY("constant(false)"), "same values"},
    {"an initial value that is not neutral may be used again", SUM("1"),
        E("x = u8[2] parameter(0)\na = u8[1] slice(x), slice={[0:1]}\n"
          "b = u8[1] slice(x), slice={[1:2]}\nc = u8[1] xor(a, b)\nd = u8[1] and(a, b)\n"
          "e = u8[1] add(c, d)\nf = u8[1] add(e, d)\ng = u8[] reshape(f)\n"
          "o = u8[] constant(1)\nROOT r = u8[] add(g, o)"),
        "same reads"},
    {"a neutral one changes nothing", SUM("0"),
        E("x = u8[2] parameter(0)\na = u8[1] slice(x), slice={[0:1]}\n"
          "b = u8[1] slice(x), slice={[1:2]}\nc = u8[1] xor(a, b)\nd = u8[1] and(a, b)\n"
          "e = u8[1] add(c, d)\nf = u8[1] add(e, d)\nROOT r = u8[] reshape(f)"),
        "same values"},
    {"an input may be any initial value", NOT_ALL("parameter(1)"), ANY("constant(false)"),
        "fewer reads"},
    {"the order of other functions is not known",
        M(OF(less, subtract, "u8"), "x = u8[2] parameter(0)\nz = u8[] constant(0)\n"
                                    "ROOT r = u8[] reduce(x, z), dimensions={0}, to_apply=less"),
        E("x = u8[2] parameter(0)\na = u8[1] slice(x), slice={[0:1]}\n"
          "b = u8[1] slice(x), slice={[1:2]}\nc = u8[1] add(a, b)\nd = u8[] reshape(c)\n"
          "ROOT r = u8[] negate(d)"),
        "same reads"},
    {"nor is the rounding of floats between", IN_F32("m = f32[] multiply(c, d)\n"),
        IN_F32("a = f32[] add(c, c)\nm = f32[] add(a, c)\n"), "same reads"},
    {"an offset past those that are tried", FLAG_OF_50("40"), FLAG_OF_50("41"), "different"},
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
    {"arms that are infinite are not exchanged", E(PICKS("inf", "-inf")), E(PICKS("-inf", "inf")),
        "different"},
    {"a NaN of 16 bits is no number", E("x = bf16[] parameter(0)\nROOT c = bf16[] constant(nan)"),
        E("x = bf16[] parameter(0)\nROOT c = bf16[] constant(1)"), "different"},
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
    {"an input that is an initial value too has all values elsewhere",
        M(OF(all, and, "pred"), FLAG_BESIDE_FOLD "t = pred[1] reshape(y)\n" CONCATENATED),
        M(OF(all, and, "pred"), FLAG_BESIDE_FOLD "t = pred[1] constant({true})\n" CONCATENATED),
        "different"},
    {"elements that use their inputs differently are evaluated each", PRODUCTS("[0:1]", "[0:1]"),
        E("x = u8[2] parameter(0)\nROOT r = pred[2] constant({false, false})"), "same values"},
    {"and a difference in the second is found", PRODUCTS("[0:1]", "[1:2]"),
        E("x = u8[2] parameter(0)\nROOT r = pred[2] constant({false, false})"), "different"},
    {"rounding to 16 bits in every try decides nothing",
        E("x = bf16[] parameter(0)\nc = bf16[] constant(0.3)\ne = bf16[] exponential(c)\n"
          "ROOT r = bf16[] add(e, x)"),
        E("x = bf16[] parameter(0)\nc = bf16[] constant(0.3)\ne = bf16[] exponential(c)\n"
          "ROOT r = bf16[] subtract(e, x)"),
        "unknown"},
    {"past the elements that are evaluated nothing is said",
        E("x = u8[8193] parameter(0)\nROOT r = u8[8193] add(x, x)"),
        E("x = u8[8193] parameter(0)\ni = s32[8193] iota(), iota_dimension=0\n"
          "k = s32[] constant(8192)\nl = s32[8193] broadcast(k), dimensions={}\n"
          "p = pred[8193] compare(i, l), direction=LT\nz = u8[8193] subtract(x, x)\n"
          "o = u8[] constant(1)\nq = u8[8193] broadcast(o), dimensions={}\n"
          "s = u8[8193] select(p, z, q)\ny = u8[8193] add(x, s)\nROOT r = u8[8193] add(y, x)"),
        "unknown"},
};

/* Takes more than half of the time of all rows. */
static const ValuesCase large_sum[] = {{"the lowest beside a number, in a large sum",
    BESIDE_A_SUM("n = s32[] negate(x)\nd = s32[] remainder(n, y)\n"),
    BESIDE_A_SUM("n = s32[] remainder(x, y)\nd = s32[] negate(n)\n"), "different"}};

static void tries_beside_a_large_sum_separate(void **) {
  if (test_is_brief()) {
    print_message("skipped: inputs beside a large sum, which the release build tries\n");
    skip();
  }
  assert_int_equal(values_cases_faults(1, large_sum, &(ValuesLimits){.grade = LAW_EXACT}), 0);
}

static void tries_separate_what_differs(void **state) {
  (void)state;
  assert_int_equal(
      values_cases_faults(sizeof rows / sizeof *rows, rows, &(ValuesLimits){.grade = LAW_EXACT}),
      0);
}

typedef struct StoppedCase {
  const char *before, *after, *stopped, *reason;
} StoppedCase;

static const StoppedCase stopped[] = {
    {E("x = c64[] parameter(0)\nROOT r = c64[] add(x, x)"),
        E("x = c64[] parameter(0)\nROOT r = c64[] multiply(x, x)"), "an input of c64",
        "which is not evaluated"},
    {E("x = f32[] parameter(0)\ny = f8e4m3fn[] convert(x)\nROOT r = f32[] convert(y)"),
        E("x = f32[] parameter(0)\nROOT r = f32[] add(x, x)"), "convert of f8e4m3fn",
        "which is not evaluated"},
    {E("x = bf16[] parameter(0)\nc = bf16[] constant(0.3)\ne = bf16[] exponential(c)\n"
       "ROOT r = bf16[] add(e, x)"),
        E("x = bf16[] parameter(0)\nc = bf16[] constant(0.3)\ne = bf16[] exponential(c)\n"
          "ROOT r = bf16[] subtract(e, x)"),
        "exponential of bf16", "whose rounding may depend on the order of operations"},
};

static void compare_scalars(
    OracleFixture *bench, const char *before, const char *after, ValuesVerdict *verdict) {
  OracleValues *values = oracle_values_create(
      bench->arena, values_case_entry(bench, before), values_case_entry(bench, after), nullptr);
  oracle_values_query(values, 0, verdict);
}

static void the_operation_without_a_value_is_named(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof stopped / sizeof *stopped; i++) {
    OracleFixture bench = bench_create();
    ValuesVerdict verdict;
    compare_scalars(&bench, stopped[i].before, stopped[i].after, &verdict);
    assert_int_equal(verdict.answer, REASON_OPEN);
    assert_string_equal(verdict.stopped, stopped[i].stopped);
    if (strstr(verdict.reason, stopped[i].reason) == nullptr) fail_msg("%s", verdict.reason);
    bench_destroy(&bench);
  }
}

static void a_literal_is_no_input_of_a_witness(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  ValuesVerdict verdict;
  compare_scalars(&bench, E(X "c = f32[] constant(nan)\nROOT r = f32[] add(x, c)"),
      E(X "ROOT r = f32[] add(x, x)"), &verdict);
  assert_int_equal(verdict.answer, REASON_DIFFERENT);
  assert_int_equal(verdict.at.count, 0);
  bench_destroy(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tries_separate_what_differs),
      cmocka_unit_test(tries_beside_a_large_sum_separate),
      cmocka_unit_test(the_operation_without_a_value_is_named),
      cmocka_unit_test(a_literal_is_no_input_of_a_witness)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
