/* A difference that rounding can explain refutes nothing, and every other difference still refutes.
 * The error bound of an operation holds for all numbers within the errors of its operands. */
#include "oracle/values/rounding.h"

#include <math.h>

#include "oracle/equivalence/test/values_cases.h"
#include "oracle/equivalence/test/values_modules.h"

#define X "x = f32[] parameter(0)\n"
#define Y "y = f32[] parameter(1)\n"
#define SCALED X "c = f32[] constant(41)\nd = f32[] divide(x, c)\nm = f32[] multiply(d, c)\n"
#define OF_M(type, rest) E(SCALED "ROOT r = " type "[] " rest)
#define OF_X(type, rest) E(X "ROOT r = " type "[] " rest)
#define BY_INVERSE(rest) \
  E(X "c = f32[] constant(41)\none = f32[] constant(1)\nd = f32[] divide(one, c)\n" \
      "m = f32[] multiply(x, d)\nROOT r = f32[] " rest)
#define OF_EXP_LOG E(X "l = f32[] log(x)\nm = f32[] exponential(l)\nROOT r = f32[] floor(m)")
#define TABLE "p = s32[12] parameter(0)\nx = f32[] parameter(1)\n"
#define FROM_TABLE(of) \
  "i = s32[] convert(" of ")\nROOT s = s32[1] dynamic-slice(p, i), dynamic_slice_sizes={1}"
#define LOST "l = f32[] subtract(m, x)\nk = f32[] constant(1000000)\n"

static const ValuesCase rounded[] = {
    {"floor", OF_M("f32", "floor(m)"), OF_X("f32", "floor(x)"), "same reads"},
    {"ceil", OF_M("f32", "ceil(m)"), OF_X("f32", "ceil(x)"), "same reads"},
    {"half to even",
        E(SCALED "h = f32[] constant(0.5)\na = f32[] add(m, h)\n"
                 "ROOT r = f32[] round-nearest-even(a)"),
        E(X "h = f32[] constant(0.5)\na = f32[] add(x, h)\n"
            "ROOT r = f32[] round-nearest-even(a)"),
        "same reads"},
    {"half away from zero",
        E(SCALED "h = f32[] constant(0.5)\na = f32[] add(m, h)\n"
                 "ROOT r = f32[] round-nearest-afz(a)"),
        E(X "h = f32[] constant(0.5)\na = f32[] add(x, h)\n"
            "ROOT r = f32[] round-nearest-afz(a)"),
        "same reads"},
    {"sign", E(SCALED "l = f32[] subtract(m, x)\nROOT r = f32[] sign(l)"),
        E(X "d = f32[] subtract(x, x)\nROOT r = f32[] sign(d)"), "same reads"},
    {"compare", OF_M("pred", "compare(m, x), direction=EQ"),
        OF_X("pred", "compare(x, x), direction=EQ"), "same reads"},
    {"a choice by it",
        E(SCALED "p = pred[] compare(m, x), direction=LT\nz = f32[] constant(0)\n"
                 "ROOT r = f32[] select(p, z, x)"),
        E(X "p = pred[] compare(x, x), direction=LT\nz = f32[] constant(0)\n"
            "ROOT r = f32[] select(p, z, x)"),
        "same reads"},
    {"convert", OF_M("s32", "convert(m)"), OF_X("s32", "convert(x)"), "same reads"},
    {"convert to a flag", E(SCALED "l = f32[] subtract(m, x)\nROOT r = pred[] convert(l)"),
        E(X "d = f32[] subtract(x, x)\nROOT r = pred[] convert(d)"), "same reads"},
    {"an offset",
        E(TABLE "c = f32[] constant(41)\nd = f32[] divide(x, c)\n"
                "m = f32[] multiply(d, c)\n" FROM_TABLE("m")),
        E(TABLE FROM_TABLE("x")), "same reads"},
    {"bits", OF_M("s32", "bitcast-convert(m)"), OF_X("s32", "bitcast-convert(x)"), "same reads"},
    {"a quotient by a difference",
        E(SCALED "l = f32[] subtract(m, x)\nROOT r = f32[] divide(x, l)"),
        E(X "d = f32[] subtract(x, x)\nROOT r = f32[] divide(x, d)"), "same reads"},
    {"a difference that is scaled", E(SCALED LOST "ROOT r = f32[] multiply(l, k)"),
        E(X "m = f32[] add(x, x)\nl = f32[] subtract(m, x)\n"
            "d = f32[] subtract(l, x)\nk = f32[] constant(1000000)\n"
            "ROOT r = f32[] multiply(d, k)"),
        "same reads"},
    {"remainder", E(SCALED Y "ROOT r = f32[] remainder(m, y)"),
        E(X Y "ROOT r = f32[] remainder(x, y)"), "same reads"},
    {"a function and its inverse", OF_EXP_LOG, OF_X("f32", "floor(x)"), "same reads"},
    {"a root squared", E(X "q = f32[] sqrt(x)\nm = f32[] multiply(q, q)\nROOT r = s8[] convert(m)"),
        OF_X("s8", "convert(x)"), "same reads"},
    {"a product of constants",
        E(X "c = f32[] constant(2.2)\nk = f32[] constant(5)\na = f32[] multiply(x, k)\n"
            "b = f32[] multiply(c, k)\nd = f32[] subtract(a, b)\nROOT r = f32[] floor(d)"),
        E(X "c = f32[] constant(2.2)\nk = f32[] constant(5)\na = f32[] subtract(x, c)\n"
            "b = f32[] multiply(a, k)\nROOT r = f32[] floor(b)"),
        "same reads"},
    {"a limit that is nearly reached",
        E(X "t = f32[] tanh(x)\na = f32[] abs(t)\nROOT r = s8[] convert(a)"),
        E(X "z = f32[] subtract(x, x)\nROOT r = s8[] convert(z)"), "same reads"},
};

static const ValuesCase exact[] = {
    {"floor and ceil", OF_X("f32", "floor(x)"), OF_X("f32", "ceil(x)"), "different"},
    {"sign and the number", OF_X("f32", "sign(x)"), OF_X("f32", "copy(x)"), "different"},
    {"the comparisons at equal numbers", E(X Y "ROOT r = pred[] compare(x, y), direction=LT"),
        E(X Y "ROOT r = pred[] compare(x, y), direction=LE"), "different"},
    {"both ways of rounding a half",
        E(X "h = f32[] constant(0.5)\n"
            "m = f32[] multiply(x, h)\nROOT r = f32[] round-nearest-even(m)"),
        E(X "h = f32[] constant(0.5)\n"
            "m = f32[] multiply(x, h)\nROOT r = f32[] round-nearest-afz(m)"),
        "different"},
    {"the next integer, of a rounded number", OF_M("f32", "floor(m)"),
        E(X "f = f32[] floor(x)\no = f32[] constant(1)\nROOT r = f32[] add(f, o)"), "different"},
    {"a comparison with what is far",
        E(SCALED "a = f32[] add(x, x)\n"
                 "ROOT r = pred[] compare(m, a), direction=LT"),
        OF_X("pred", "compare(x, x), direction=LT"), "different"},
    {"the bits of both zeros",
        E("x = s32[] parameter(0)\nf = f32[] convert(x)\nn = f32[] negate(f)\n"
          "z = f32[] subtract(n, n)\nROOT r = s32[] bitcast-convert(z)"),
        E("x = s32[] parameter(0)\nf = f32[] convert(x)\nz = f32[] subtract(f, f)\n"
          "n = f32[] negate(z)\nROOT r = s32[] bitcast-convert(n)"),
        "different"},
    {"a NaN and a number", OF_X("f32", "copy(x)"), E(X "ROOT c = f32[] constant(nan)"),
        "different"},
    {"a pole and none", E(X "z = f32[] constant(0)\nROOT r = f32[] divide(x, z)"),
        OF_X("f32", "copy(x)"), "different"},
    {"an exact root", E(X "q = f32[] multiply(x, x)\ns = f32[] sqrt(q)\nROOT r = f32[] floor(s)"),
        E(X "a = f32[] abs(x)\no = f32[] constant(1)\n"
            "s = f32[] add(a, o)\nROOT r = f32[] floor(s)"),
        "different"},
    {"the first zeros of an odd function",
        E(X "t = f32[] tanh(x)\nz = f32[] constant(0)\nROOT r = pred[] compare(t, z), "
            "direction=GT"),
        E(X "t = f32[] tanh(x)\nz = f32[] constant(0)\nROOT r = pred[] compare(t, z), "
            "direction=GE"),
        "different"},
    {"an integer that floats do not represent",
        E("x = s32[] parameter(0)\nf = f32[] convert(x)\nROOT r = s32[] convert(f)"),
        E("x = s32[] parameter(0)\nROOT r = s32[] copy(x)"), "different"},
    {"a large product is infinite", E(X "q = f32[] multiply(x, x)\nROOT r = f32[] sqrt(q)"),
        OF_X("f32", "abs(x)"), "different"},
};

static void rounding_alone_refutes_nothing(void **state) {
  (void)state;
  assert_int_equal(values_cases_faults(sizeof rounded / sizeof *rounded, rounded, nullptr), 0);
}

static void exact_arithmetic_refutes(void **state) {
  (void)state;
  static const ValuesCase by_inverse[] = {
      {"a product with an inverse", OF_M("f32", "floor(d)"), BY_INVERSE("floor(m)"), "same reads"}};
  assert_int_equal(values_cases_faults(1, by_inverse, nullptr), 0);
  assert_int_equal(
      values_cases_faults(sizeof exact / sizeof *exact, exact, &(ValuesLimits){.grade = LAW_EXACT}),
      0);
}

static bool applied_element(Opcode opcode, uint32_t count, const Element *operands, Element *made) {
  Shape shape = {.type = TYPE_f64};
  Instruction instruction = {.opcode = opcode, .shape = &shape, .operand_count = count};
  return element_apply(&instruction, count, operands, made);
}

/* A number between 0 and 1. */
static double next_fraction(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) * 0x1p-53;
}

/* Operands with errors, beside poles and jumps too. */
static void draw_operands(uint64_t *seed, Element operands[2]) {
  static const double errors[] = {0, 1e-6, 0.01, 0.5, 3};
  for (int i = 0; i < 2; i++) {
    operands[i] = element_of_real(TYPE_f64, trunc(next_fraction(seed) * 32 - 16) / 4);
    operands[i].error = errors[(int)(next_fraction(seed) * 5)];
  }
}

static void check_bound(Opcode opcode, uint32_t count, uint64_t *seed) {
  Element operands[2], result, moved;
  draw_operands(seed, operands);
  if (!applied_element(opcode, count, operands, &result)) return;
  for (int try = 0; try < 20; try++) {
    Element inside[2] = {operands[0], operands[1]};
    for (uint32_t i = 0; i < count; i++) {
      if (operands[i].error > 0)
        inside[i].real += (2 * next_fraction(seed) - 1) * operands[i].error;
      inside[i].error = 0;
    }
    if (!applied_element(opcode, count, inside, &moved)) continue;
    double distance = moved.real - result.real;
    if (isinf(result.error) || (isnan(moved.real) && isnan(result.real))) continue;
    if (!(fabs(distance) <= result.error * (1 + 1e-9) || moved.real == result.real))
      fail_msg("%s of %g +- %g, %g +- %g: %g +- %g, and %g of %g, %g", opcode_name(opcode),
          operands[0].real, operands[0].error, operands[1].real, operands[1].error, result.real,
          result.error, moved.real, inside[0].real, inside[1].real);
  }
}

static void errors_are_bounds(void **state) {
  (void)state;
  static const Opcode unary[] = {HLO_NEGATE, HLO_ABS, HLO_FLOOR, HLO_CEIL, HLO_SIGN,
      HLO_ROUND_NEAREST_EVEN, HLO_ROUND_NEAREST_AFZ, HLO_EXPONENTIAL, HLO_EXPONENTIAL_MINUS_ONE,
      HLO_LOG, HLO_LOG_PLUS_ONE, HLO_LOGISTIC, HLO_SQRT, HLO_RSQRT, HLO_CBRT, HLO_TANH, HLO_SINE,
      HLO_COSINE, HLO_TAN, HLO_ERF};
  static const Opcode binary[] = {HLO_ADD, HLO_SUBTRACT, HLO_MULTIPLY, HLO_DIVIDE, HLO_MAXIMUM,
      HLO_MINIMUM, HLO_POWER, HLO_REMAINDER, HLO_ATAN2};
  uint64_t seed = 1;
  for (int round = 0; round < 2000; round++) {
    for (size_t i = 0; i < sizeof unary / sizeof *unary; i++) check_bound(unary[i], 1, &seed);
    for (size_t i = 0; i < sizeof binary / sizeof *binary; i++) check_bound(binary[i], 2, &seed);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rounding_alone_refutes_nothing),
      cmocka_unit_test(exact_arithmetic_refutes), cmocka_unit_test(errors_are_bounds)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
