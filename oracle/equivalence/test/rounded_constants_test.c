/* At grade fast, a difference between folded constants refutes only if rounding cannot explain it.
 * A difference refutes only at grade exact if a number left the range of its type, or if the sign
 * of a zero decides it. */
#include "oracle/equivalence/test/values_cases.h"
#include "oracle/equivalence/test/values_modules.h"

#define HUGE_AND_ONE "a = f32[] constant(1e8)\nb = f32[] constant(1)\nc = f32[] constant(-1e8)\n"
#define HUGE_FIRST HUGE_AND_ONE "s = f32[] add(a, c)\nt = f32[] add(s, b)\n"
#define ONE_FIRST HUGE_AND_ONE "s = f32[] add(a, b)\nt = f32[] add(s, c)\n"
#define LINES_OF(type, value) \
  "a = " type "[1] constant({1e8})\nb = " type "[1] constant({1})\nc = " type \
  "[1] constant({-1e8})\nz = " type "[1] constant({" value "})\n"
#define BESIDE(value, first, second) \
  E(LINES_OF("f32", value) "s = f32[1] add(a, " first ")\nt = f32[1] add(s, " second \
                           ")\nROOT r = f32[2] concatenate(t, z), dimensions={0}")
/* The product vanishes, and its error does not. */
#define BESIDE_LARGE \
  "s = f32[] constant(1e-30)\nt = f32[] constant(1e-20)\nz = f32[] multiply(s, t)\n" \
  "l = f32[] constant(1e30)\na = f32[] add(z, l)\n"
#define SCALAR(type, value) E("ROOT r = " type "[] constant(" value ")")
#define PAST_ONE(type, value) \
  E("c = " type "[] constant(" value ")\nk = " type "[] constant(1)\nm = " type \
    "[] add(c, k)\nROOT d = " type "[] subtract(m, k)")
#define PAST "c = f32[] constant(1.7e38)\nk = f32[] constant(3)\nm = f32[] multiply(c, k)\n"
#define PAST_RANGE(rest) E(PAST rest)
#define P "p = f32[] parameter(0)\n"
#define THIRD(numerator) \
  E("a = bf16[] constant(" numerator ")\nb = bf16[] constant(3)\nROOT q = bf16[] divide(a, b)")
#define OVER_ITSELF "a = f32[] constant(2.2)\nb = f32[] constant(5)\nm = f32[] multiply(a, b)\n"

#define ZERO(sign, rest) E("z = f32[] constant(" sign "0)\nk = f32[] constant(5)\n" rest)
#define POLE(sign, rest) ZERO(sign, "d = f32[] divide(k, z)\n" rest)

/* Each is explained by rounding, so that it refutes at grade exact alone. */
static const ValuesCase rounded[] = {
    {"a sum in another order", E(ONE_FIRST "ROOT r = f32[] copy(t)"),
        E(HUGE_FIRST "ROOT r = f32[] copy(t)"), "same reads"},
    {"a small number that one takes up", SCALAR("f16", "5.9604645e-08"),
        PAST_ONE("f16", "5.9604645e-08"), "same reads"},
    {"a factor that one takes up", E(P "c = f32[] constant(1e-10)\nROOT r = f32[] multiply(p, c)"),
        E(P "c = f32[] constant(1e-10)\nk = f32[] constant(1)\nm = f32[] add(c, k)\n"
            "d = f32[] subtract(m, k)\nROOT r = f32[] multiply(p, d)"),
        "same reads"},
    {"a small error beside a large number", SCALAR("f32", "1e-30"),
        E(BESIDE_LARGE "d = f32[] subtract(a, l)\nROOT q = f32[] divide(d, t)"), "same reads"},
    {"a small error beside a negative number", SCALAR("f32", "1e-30"),
        E(BESIDE_LARGE "n = f32[] negate(a)\nd = f32[] add(n, l)\nm = f32[] negate(d)\n"
                       "ROOT q = f32[] divide(m, t)"),
        "same reads"},
    {"a number through bf16", SCALAR("f32", "0.1"),
        E("c = f32[] constant(0.1)\nh = bf16[] convert(c)\nROOT r = f32[] convert(h)"),
        "same reads"},
    {"a comparison of it",
        E(ONE_FIRST "h = f32[] constant(0.5)\nROOT r = pred[] compare(t, h), "
                    "direction=GT"),
        E(HUGE_FIRST "h = f32[] constant(0.5)\nROOT r = pred[] compare(t, h), direction=GT"),
        "same reads"},
    {"an integer of it", E(ONE_FIRST "ROOT r = s32[] convert(t)"),
        E(HUGE_FIRST "ROOT r = s32[] convert(t)"), "same reads"},
    {"the largest of it and a number",
        E(ONE_FIRST "h = f32[] constant(0.5)\nROOT r = f32[] maximum(t, h)"),
        E(HUGE_FIRST "h = f32[] constant(0.5)\nROOT r = f32[] maximum(t, h)"), "same reads"},
};

/* At every grade. */
static const ValuesCase different[] = {
    {"one and two", SCALAR("f32", "1"), SCALAR("f32", "2"), "different"},
    {"a difference of 64", SCALAR("f32", "1e8"), SCALAR("f32", "100000064"), "different"},
    {"a sum that is off by more", E(ONE_FIRST "ROOT r = f32[] copy(t)"), SCALAR("f32", "1000"),
        "different"},
    {"a sum in f16 that is off by more", PAST_ONE("f16", "0.1"), SCALAR("f16", "1"), "different"},
    {"a quotient in bf16 that is off by more", THIRD("1"), SCALAR("bf16", "0.5"), "different"},
    {"two quotients in bf16", THIRD("1"), THIRD("2"), "different"},
    {"literals beside a sum", BESIDE("0", "b", "c"), BESIDE("1", "c", "b"), "different"},
    {"literals beside the same sum", BESIDE("0", "b", "c"), BESIDE("1", "b", "c"), "different"},
    {"a factor that is off by more", E(P "c = f32[] constant(0.01)\nROOT r = f32[] multiply(p, c)"),
        E(P "c = f32[] constant(1e-10)\nk = f32[] constant(1)\nm = f32[] add(c, k)\n"
            "d = f32[] subtract(m, k)\nROOT r = f32[] multiply(p, d)"),
        "different"},
    {"a comparison with what is far",
        E(OVER_ITSELF "h = f32[] constant(10)\nROOT r = pred[] compare(m, h), direction=GT"),
        E(OVER_ITSELF "h = f32[] constant(10)\nROOT r = pred[] compare(m, h), direction=LT"),
        "different"},
    {"integers after a sum",
        E(OVER_ITSELF "h = f32[] constant(0.5)\ns = f32[] add(m, h)\n"
                      "ROOT r = s32[] convert(s)"),
        E("ROOT r = s32[] constant(12)"), "different"},
    {"an infinity that is stated", SCALAR("f32", "inf"), SCALAR("f32", "1"), "different"},
    {"the largest of a pole and a number, and no number", POLE("", "ROOT r = f32[] maximum(d, k)"),
        SCALAR("f32", "nan"), "different"},
    {"the angle of zeros, and no number", E("z = f32[] constant(0)\nROOT r = f32[] atan2(z, z)"),
        SCALAR("f32", "nan"), "different"},
    {"the angle of zeros of a parameter, and another angle",
        E(P "z = f32[] constant(0)\na = f32[] multiply(p, z)\nROOT r = f32[] atan2(a, a)"),
        E(P "ROOT r = f32[] constant(100)"), "different"},
    {"a small error beside a large number, and one", SCALAR("f32", "1"),
        E(BESIDE_LARGE "ROOT d = f32[] subtract(a, l)"), "different"},
    {"a pole of a parameter", E(P "z = f32[] constant(0)\nROOT r = f32[] divide(p, z)"),
        E(P "ROOT r = f32[] copy(p)"), "different"},
    {"the size of a pole",
        E(P "z = f32[] constant(0)\nd = f32[] divide(p, z)\nROOT r = f32[] abs(d)"),
        E(P "ROOT r = f32[] abs(p)"), "different"},
    {"the inverse of a pole",
        E("a = f32[] constant(1)\nz = f32[] constant(0)\nd = f32[] divide(a, z)\n"
          "ROOT r = f32[] divide(a, d)"),
        SCALAR("f32", "1"), "different"},
    {"a pole", E("a = f32[] constant(1)\nz = f32[] constant(0)\nROOT r = f32[] divide(a, z)"),
        SCALAR("f32", "1"), "different"},
};

static const ValuesCase past_range[] = {
    {"a product past the range", PAST_RANGE("ROOT d = f32[] divide(m, k)"), SCALAR("f32", "1.7e38"),
        "same reads"},
    {"its inverse", PAST_RANGE("o = f32[] constant(1e38)\nROOT d = f32[] divide(o, m)"),
        SCALAR("f32", "0.196"), "same reads"},
    {"a comparison of it",
        PAST_RANGE("d = f32[] divide(m, k)\nROOT r = pred[] compare(d, m), "
                   "direction=LT"),
        E("ROOT r = pred[] constant(true)"), "unknown"},
    {"a NaN of it and zero",
        E(P PAST "z = f32[] multiply(m, p)\nd = f32[] divide(z, k)\nh = f32[] constant(1e30)\n"
                 "ROOT r = pred[] compare(d, h), direction=LT"),
        E(P "k = f32[] constant(1.7e38)\nz = f32[] multiply(p, k)\nh = f32[] constant(1e30)\n"
            "ROOT r = pred[] compare(z, h), direction=LT"),
        "same reads"},
    {"a parameter past the range",
        E(P "k = f32[] constant(3e38)\nm = f32[] multiply(p, k)\nh = f32[] constant(1e38)\n"
            "ROOT d = f32[] divide(m, h)"),
        E(P "k = f32[] constant(3)\nROOT m = f32[] multiply(p, k)"), "same reads"},
    {"whether a parameter is past the range",
        E(P "k = f32[] constant(3e38)\nm = f32[] multiply(p, k)\nROOT i = pred[] is-finite(m)"),
        E(P "ROOT i = pred[] is-finite(p)"), "same reads"},
};

#define PRODUCTS \
  "v = f32[1] broadcast(d), dimensions={}\nw = f32[1] broadcast(k), dimensions={}\n" \
  "s = f32[] dot(v, w), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n" \
  "ROOT r = f32[] maximum(s, k)"
#define ZERO_OF(line, rest) \
  E(P "o = f32[] constant(0)\nk = f32[] constant(5)\n" line "d = f32[] divide(k, z)\n" rest)

static const ValuesCase zero_signs[] = {
    {"a pole", POLE("", "ROOT r = f32[] copy(d)"), POLE("-", "ROOT r = f32[] copy(d)"),
        "same reads"},
    {"the largest of a pole and a number", POLE("", "ROOT r = f32[] maximum(d, k)"),
        POLE("-", "ROOT r = f32[] maximum(d, k)"), "same reads"},
    {"a number that a pole may exceed", POLE("", "ROOT r = f32[] maximum(d, k)"),
        SCALAR("f32", "5"), "same reads"},
    {"a comparison of a pole", POLE("", "ROOT r = pred[] compare(d, k), direction=GT"),
        POLE("-", "ROOT r = pred[] compare(d, k), direction=GT"), "same reads"},
    {"the largest of a sum of products of a pole and a number", POLE("", PRODUCTS),
        POLE("-", PRODUCTS), "same reads"},
    {"a product with zero of what a pole may exceed",
        POLE("-", "m = f32[] maximum(d, k)\nv = f32[1] broadcast(m), dimensions={}\n"
                  "w = f32[1] broadcast(z), dimensions={}\n"
                  "s = f32[] dot(v, w), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n"
                  "n = f32[] negate(s)\nROOT r = pred[] compare(n, k), direction=LT"),
        E("ROOT r = pred[] constant(false)"), "unknown"},
    {"the bits of a zero", ZERO("", "ROOT r = s32[] bitcast-convert(z)"),
        ZERO("-", "ROOT r = s32[] bitcast-convert(z)"), "same reads"},
    {"the bits of a zero of a parameter",
        E(P "o = f32[] constant(0)\nz = f32[] multiply(p, o)\nROOT r = s32[] bitcast-convert(z)"),
        E(P "o = f32[] constant(-0)\nz = f32[] multiply(p, o)\nROOT r = s32[] bitcast-convert(z)"),
        "same reads"},
    {"the highest byte of a zero of a parameter",
        E(P "o = f32[] constant(0)\nz = f32[] multiply(p, o)\nb = u8[4] bitcast-convert(z)\n"
            "ROOT r = u8[1] slice(b), slice={[3:4]}"),
        E(P "o = f32[] constant(-0)\nz = f32[] multiply(p, o)\nb = u8[4] bitcast-convert(z)\n"
            "ROOT r = u8[1] slice(b), slice={[3:4]}"),
        "same reads"},
    {"a pole of a difference and of a negative",
        ZERO_OF("z = f32[] subtract(o, p)\n", "ROOT r = f32[] maximum(d, k)"),
        ZERO_OF("z = f32[] negate(p)\n", "ROOT r = f32[] maximum(d, k)"), "same reads"},
    {"which operand a pole selects",
        ZERO_OF("z = f32[] multiply(p, o)\n",
            "c = pred[] compare(d, k), direction=GT\nROOT r = f32[] select(c, k, o)"),
        ZERO_OF("q = f32[] negate(p)\nz = f32[] multiply(q, o)\n",
            "c = pred[] compare(d, k), direction=GT\nROOT r = f32[] select(c, k, o)"),
        "same reads"},
};

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static uint32_t faults_at(
    LawGrade grade, size_t count, const ValuesCase *rows, const char *wanted) {
  uint32_t faults = 0;
  for (size_t i = 0; i < count; i++) {
    ValuesCase row = rows[i];
    if (wanted != nullptr) row.answer = wanted;
    faults += values_cases_faults(1, &row, &(ValuesLimits){.grade = grade});
  }
  return faults;
}

static void rounded_constants_refute_by_grade(void **) {
  assert_int_equal(faults_at(LAW_EXACT, COUNT(rounded), rounded, "different"), 0);
  assert_int_equal(faults_at(LAW_IEEE, COUNT(rounded), rounded, "different"), 0);
  assert_int_equal(faults_at(LAW_FAST, COUNT(rounded), rounded, nullptr), 0);
}

static void constants_past_the_range_refute_at_exact(void **) {
  assert_int_equal(faults_at(LAW_EXACT, COUNT(past_range), past_range, "different"), 0);
  assert_int_equal(faults_at(LAW_IEEE, COUNT(past_range), past_range, nullptr), 0);
  assert_int_equal(faults_at(LAW_FAST, COUNT(past_range), past_range, nullptr), 0);
}

static void signs_of_zeros_refute_at_exact(void **) {
  assert_int_equal(faults_at(LAW_EXACT, COUNT(zero_signs), zero_signs, "different"), 0);
  assert_int_equal(faults_at(LAW_IEEE, COUNT(zero_signs), zero_signs, nullptr), 0);
  assert_int_equal(faults_at(LAW_FAST, COUNT(zero_signs), zero_signs, nullptr), 0);
}

static void other_constants_refute_at_every_grade(void **) {
  for (LawGrade grade = LAW_NONE; grade <= LAW_FAST; grade++)
    assert_int_equal(faults_at(grade, COUNT(different), different, nullptr), 0);
}

static VerdictReason answer_at_element(LawGrade grade, const ValuesCase *row) {
  OracleFixture bench = bench_create();
  ValuesVerdict verdict;
  int64_t point[oracle_max_rank] = {};
  OracleValues *values = oracle_values_create(bench.arena, values_case_entry(&bench, row->before),
      values_case_entry(&bench, row->after), &(ValuesLimits){.grade = grade});
  oracle_values_query_at(values, 0, point, &verdict);
  bench_destroy(&bench);
  return verdict.answer;
}

static void rounded_constants_of_one_element_refute_by_grade(void **) {
  for (size_t i = 0; i < COUNT(rounded); i++) {
    assert_int_equal(answer_at_element(LAW_IEEE, &rounded[i]), REASON_DIFFERENT);
    assert_int_equal(answer_at_element(LAW_FAST, &rounded[i]), REASON_OPEN);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rounded_constants_refute_by_grade),
      cmocka_unit_test(constants_past_the_range_refute_at_exact),
      cmocka_unit_test(signs_of_zeros_refute_at_exact),
      cmocka_unit_test(other_constants_refute_at_every_grade),
      cmocka_unit_test(rounded_constants_of_one_element_refute_by_grade)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
