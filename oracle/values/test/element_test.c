/* Single elements: bits of floats against the machine's floats, rounding against the nearest of all
 * values of a type, arithmetic of f32 against the machine's, and when two elements differ. */
#include "oracle/values/element.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/values/bits.h"

/* The value of a 16-bit code: of bf16 the upper half of a float. */
static double value_of_code(ElementType type, uint16_t code) {
  uint32_t bits = (uint32_t)code << 16;
  float upper;
  _Float16 half;
  memcpy(&upper, &bits, sizeof upper);
  memcpy(&half, &code, sizeof half);
  return type == TYPE_bf16 ? (double)upper : (double)half;
}

static bool is_same(double a, double b) {
  return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

static void check_code(ElementType type, uint64_t code, double value) {
  Element element = {};
  uint64_t bits = 0;
  assert_true(element_of_bits(type, code, &element));
  assert_true(element.is_known && element.is_exact && !element.is_rounded && !element.is_coarse);
  assert_true(is_same(element.real, value));
  assert_true(element_bits(&element, &bits) == !isnan(value));
  if (!isnan(value)) assert_true(bits == code);
}

static void codes_of_floats_are_their_bits(void **state) {
  (void)state;
  for (uint32_t code = 0; code < 1 << 16; code++) {
    check_code(TYPE_f16, code, value_of_code(TYPE_f16, (uint16_t)code));
    check_code(TYPE_bf16, code, value_of_code(TYPE_bf16, (uint16_t)code));
  }
  for (uint64_t i = 0; i < 40000; i++) {
    uint32_t single = (uint32_t)(i * 107374 + i % 3);
    uint64_t wide = i * UINT64_C(461168601842738) + i % 3;
    float of_single;
    double of_wide;
    memcpy(&of_single, &single, sizeof single);
    memcpy(&of_wide, &wide, sizeof wide);
    check_code(TYPE_f32, single, (double)of_single);
    check_code(TYPE_f64, wide, of_wide);
  }
}

/* The code of the nearest value, the even one of two; the code after the largest is infinity. */
static double nearest(ElementType type, double value) {
  uint16_t best = 0, infinity = type == TYPE_bf16 ? 0x7f80 : 0x7c00;
  double distance = (double)INFINITY;
  for (uint16_t code = 0; code <= infinity; code++) {
    double next = code < infinity     ? value_of_code(type, code)
                  : type == TYPE_bf16 ? 0x1p128
                                      : 0x1p16;
    double away = fabs(next - fabs(value));
    if (away < distance || (away == distance && code % 2 == 0)) best = code, distance = away;
  }
  return copysign(best == infinity ? (double)INFINITY : value_of_code(type, best), value);
}

static void check_rounding(ElementType type, double value) {
  Element element = element_of_real(type, value);
  double expected = nearest(type, value);
  if (!is_same(element.real, expected)) fail_msg("%a is %a, not %a", value, element.real, expected);
  assert_true(element.is_rounded == (expected != value));
  assert_true(element.is_coarse == element.is_rounded);
}

static void reals_are_rounded_to_the_nearest(void **state) {
  (void)state;
  static const double values[] = {0, 1, 0.1, 3.14159, 65504, 65519.99, 65520, 65535, 1e5, 0x1p-14,
      0x1.ffcp-15, 0x1p-24, 0x1p-25, 0x1.8p-24, 0x1.1p-25, 0x1.8p-25, 0x1p-30, 257, 258, 259, 2049,
      2051, 0x1.01p0, 0x1.03p0, 0x1.02p0, 0x1.fep127, 0x1.fefp127, 0x1.ffp127, 0x1p-126, 0x1p-133,
      0x1p-134, 0x1.8p-133, 0x1.4p-127, 0x1.0018p1, 0x1.0008p0, 1023.75, 0x1.554p-3, 0x1.556p-3};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    for (int sign = -1; sign < 2; sign += 2) {
      check_rounding(TYPE_f16, sign * values[i]);
      check_rounding(TYPE_bf16, sign * values[i]);
      Element single = element_of_real(TYPE_f32, sign * values[i]);
      assert_true(single.real == (double)(float)(sign * values[i]));
      assert_true(single.is_rounded == (single.real != sign * values[i]) && !single.is_coarse);
      Element wide = element_of_real(TYPE_f64, sign * values[i]);
      assert_true(wide.real == sign * values[i] && !wide.is_rounded && !wide.is_coarse);
    }
  assert_false(element_of_real(TYPE_f8e5m2, 1).is_known);
  assert_true(isinf(element_of_real(TYPE_f16, (double)INFINITY).real));
  assert_false(element_of_constant(TYPE_f16, 0x3fb999999999999a).is_rounded); /* 0.1 */
}

/* --- arithmetic --- */

static const double reals[] = {0, -0.0, 1, -1, 2, 0.5, 3, -3, 0.1, 7.25, -7.75, 2.5, 3.5, -2.5, 0.3,
    16777216, 16777217, -1e10, (double)INFINITY, -(double)INFINITY, (double)NAN};
static constexpr size_t real_count = sizeof reals / sizeof *reals;

static Element applied_elements(
    Opcode opcode, ElementType type, uint32_t count, const Element *operands, bool *is_applied) {
  Shape shape = {.type = type};
  Instruction instruction = {.opcode = opcode, .shape = &shape, .operand_count = count};
  Element result = {};
  *is_applied = element_apply(&instruction, count, operands, &result);
  return result;
}

static Element of_reals(Opcode opcode, double a, double b, double c, uint32_t count) {
  bool is_applied;
  Element operands[] = {
      element_of_real(TYPE_f32, a), element_of_real(TYPE_f32, b), element_of_real(TYPE_f32, c)};
  for (int i = 0; i < 3; i++) operands[i].is_rounded = operands[i].is_coarse = false;
  Element result = applied_elements(opcode, TYPE_f32, count, operands, &is_applied);
  assert_true(is_applied);
  return result;
}

/* Whether the float is the exact result, by the remainder in 64 bits more than the operands need.
 */
static bool is_exact(Opcode opcode, float a, float b, float result) {
  long double x = a, y = b, z = result;
  if (isnan(result) || isinf(result)) return false;
  if (opcode == HLO_DIVIDE) return z * y == x;
  return z == (opcode == HLO_ADD ? x + y : opcode == HLO_SUBTRACT ? x - y : x * y);
}

static void arithmetic_of_floats_is_the_machines(void **state) {
  (void)state;
  static const Opcode opcodes[] = {HLO_ADD, HLO_SUBTRACT, HLO_MULTIPLY, HLO_DIVIDE};
  for (size_t i = 0; i < real_count; i++)
    for (size_t k = 0; k < real_count; k++) {
      float a = (float)reals[i], b = (float)reals[k];
      const float results[] = {a + b, a - b, a * b, a / b};
      for (int op = 0; op < 4; op++) {
        Element result = of_reals(opcodes[op], reals[i], reals[k], 0, 2);
        assert_true(is_same(result.real, (double)results[op]));
        assert_true(result.is_exact && !result.is_coarse);
        assert_true(result.is_rounded == !is_exact(opcodes[op], a, b, results[op]));
      }
    }
}

static void single_operands(void **state) {
  (void)state;
  for (size_t i = 0; i < real_count; i++) {
    float a = (float)reals[i];
    double sign = isnan(a) ? (double)NAN : a > 0 ? 1 : a < 0 ? -1 : (double)a;
    assert_true(is_same(of_reals(HLO_NEGATE, reals[i], 0, 0, 1).real, (double)-a));
    assert_true(is_same(of_reals(HLO_ABS, reals[i], 0, 0, 1).real, (double)fabsf(a)));
    assert_true(is_same(of_reals(HLO_FLOOR, reals[i], 0, 0, 1).real, (double)floorf(a)));
    assert_true(is_same(of_reals(HLO_CEIL, reals[i], 0, 0, 1).real, (double)ceilf(a)));
    assert_true(is_same(of_reals(HLO_SIGN, reals[i], 0, 0, 1).real, sign));
    assert_true(is_same(of_reals(HLO_REAL, reals[i], 0, 0, 1).real, (double)a));
    assert_true(is_same(of_reals(HLO_IMAG, reals[i], 0, 0, 1).real, 0));
    double away = isfinite(a) ? (double)(a < 0 ? ceilf(a - 0.5F) : floorf(a + 0.5F)) : (double)a;
    if (fabsf(a) < 1e6F || isnan(a))
      assert_true(of_reals(HLO_ROUND_NEAREST_AFZ, reals[i], 0, 0, 1).real == away || isnan(a));
    bool is_applied;
    Element operand = element_of_real(TYPE_f32, reals[i]);
    Element flag = applied_elements(HLO_IS_FINITE, TYPE_pred, 1, &operand, &is_applied);
    assert_true(is_applied && flag.integer == (a - a == 0));
  }
  static const double halves[][2] = {
      {0.5, 0}, {1.5, 2}, {2.5, 2}, {-0.5, 0}, {-1.5, -2}, {2.25, 2}};
  for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
    assert_true(of_reals(HLO_ROUND_NEAREST_EVEN, halves[i][0], 0, 0, 1).real == halves[i][1]);
}

/* Each function at 0.5 (and 0.25), by its series to nine digits. */
static void functions_have_their_values(void **state) {
  (void)state;
  static const struct {
    Opcode opcode;
    double at, value;
  } rows[] = {{HLO_EXPONENTIAL, 0.5, 1.648721271}, {HLO_EXPONENTIAL_MINUS_ONE, 0.5, 0.648721271},
      {HLO_LOG, 0.5, -0.693147181}, {HLO_LOG_PLUS_ONE, 0.5, 0.405465108},
      {HLO_LOGISTIC, 0.5, 0.622459331}, {HLO_SQRT, 0.25, 0.5}, {HLO_RSQRT, 0.25, 2},
      {HLO_CBRT, 0.125, 0.5}, {HLO_TANH, 0.5, 0.462117157}, {HLO_SINE, 0.5, 0.479425539},
      {HLO_COSINE, 0.5, 0.877582562}, {HLO_TAN, 0.5, 0.546302490}, {HLO_ERF, 0.5, 0.520499878}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Element result = of_reals(rows[i].opcode, rows[i].at, 0, 0, 1);
    if (fabs(result.real - rows[i].value) > 1e-7) fail_msg("%s", opcode_name(rows[i].opcode));
    assert_true(!result.is_exact && result.is_rounded && !result.is_coarse);
  }
  assert_true(fabs(of_reals(HLO_ATAN2, 1, 2, 0, 2).real - 0.463647609) < 1e-7);
  assert_true(of_reals(HLO_POWER, 2, 3, 0, 2).real == 8);
  assert_true(of_reals(HLO_REMAINDER, -7.25, 2, 0, 2).real == -1.25);
}

/* A NaN is the result if an operand is one; zeros of different signs have no stated extremum. */
static void extrema_and_clamps_of_floats(void **state) {
  (void)state;
  for (size_t i = 0; i < real_count; i++)
    for (size_t k = 0; k < real_count; k++) {
      double a = (double)(float)reals[i], b = (double)(float)reals[k];
      Element operands[] = {element_of_real(TYPE_f32, a), element_of_real(TYPE_f32, b)};
      bool is_open = a == 0 && b == 0 && signbit(a) != signbit(b), is_applied;
      bool has_nan = isnan(a) || isnan(b);
      Element most = applied_elements(HLO_MAXIMUM, TYPE_f32, 2, operands, &is_applied);
      assert_true(is_applied == !is_open);
      if (is_applied) assert_true(has_nan ? isnan(most.real) : most.real == (a > b ? a : b));
      Element least = applied_elements(HLO_MINIMUM, TYPE_f32, 2, operands, &is_applied);
      assert_true(is_applied == !is_open);
      if (is_applied) assert_true(has_nan ? isnan(least.real) : least.real == (a > b ? b : a));
    }
  for (int lo = -2; lo < 3; lo++)
    for (int x = -3; x < 4; x++)
      for (int hi = lo; hi < 3; hi++)
        assert_true(of_reals(HLO_CLAMP, lo, x, hi, 3).real == (x < lo ? lo : x > hi ? hi : x));
}

static void clamps_of_zeros_are_open(void **state) {
  (void)state;
  static const struct {
    double lo, x, hi;
    bool is_open;
  } rows[] = {{0, -0.0, 1, true}, {-0.0, 0, 1, true}, {-1, 0, -0.0, true}, {-1, -0.0, 0, true},
      {-1, -2, 0, false}, {0, 0, 1, false}, {-0.0, -0.0, 1, false}, {0, -1, -0.0, true},
      {-0.0, -1, 0, true}, {-1, 0, 0, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Element operands[] = {element_of_real(TYPE_f32, rows[i].lo),
        element_of_real(TYPE_f32, rows[i].x), element_of_real(TYPE_f32, rows[i].hi)};
    bool is_applied;
    (void)applied_elements(HLO_CLAMP, TYPE_f32, 3, operands, &is_applied);
    assert_true(is_applied == !rows[i].is_open);
  }
}

static void comparisons_of_floats(void **) {
  static const char *const names[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
  Shape shape = {.type = TYPE_pred};
  Attribute attributes[2] = {{.name = "direction"}, {.name = "type", .text = "TOTALORDER"}};
  Instruction compare = {.opcode = HLO_COMPARE, .shape = &shape, .operand_count = 2};
  compare.attributes = attributes;
  for (size_t i = 0; i < real_count; i++)
    for (size_t k = 0; k < real_count; k++) {
      double a = (double)(float)reals[i], b = (double)(float)reals[k];
      Element operands[] = {element_of_real(TYPE_f32, a), element_of_real(TYPE_f32, b)}, result;
      bool has_nan = isnan(a) || isnan(b), below = !has_nan && a < b, above = !has_nan && a > b;
      bool equal = !has_nan && !below && !above;
      const bool expected[] = {equal, !equal, below, below || equal, above, above || equal};
      for (int name = 0; name < 6; name++) {
        attributes[0].text = names[name];
        compare.attribute_count = 1;
        assert_true(element_apply(&compare, 2, operands, &result));
        assert_true(result.type == TYPE_pred && result.integer == expected[name]);
        compare.attribute_count = 2;
        assert_true(
            element_apply(&compare, 2, operands, &result) == (!has_nan && (a != 0 || b != 0)));
        assert_true(result.integer == expected[name]);
      }
    }
}

static void conversions_between_integers_and_floats(void **state) {
  (void)state;
  static const struct {
    ElementType to;
    double from;
    bool is_applied;
    int64_t value;
  } rows[] = {{TYPE_s32, 2.9, true, 2}, {TYPE_s32, -2.9, true, -2}, {TYPE_s8, 127.5, true, 127},
      {TYPE_s8, 128, false, 0}, {TYPE_s8, -128.5, true, -128}, {TYPE_s8, -129, false, 0},
      {TYPE_u8, 255.5, true, 255}, {TYPE_u8, -1, false, 0}, {TYPE_u8, -0.5, true, 0},
      {TYPE_u64, -1, false, 0}, {TYPE_s64, 1e18, true, 1000000000000000000},
      {TYPE_s64, 1e19, false, 0}, {TYPE_s32, (double)NAN, false, 0},
      {TYPE_s32, (double)INFINITY, false, 0}, {TYPE_pred, 0.5, true, 1}, {TYPE_pred, 0, true, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    bool is_applied;
    Element operand = element_of_real(TYPE_f64, rows[i].from);
    Element result = applied_elements(HLO_CONVERT, rows[i].to, 1, &operand, &is_applied);
    assert_true(is_applied == rows[i].is_applied);
    if (is_applied) assert_true(result.integer == rows[i].value && result.type == rows[i].to);
  }
  static const int64_t integers[] = {0, 1, -1, 255, 256, 257, 2049, 65504, 16777217, -16777219,
      INT64_C(1) << 53, (INT64_C(1) << 53) + 1, INT64_MAX, INT64_MIN};
  for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
    bool is_applied;
    Element signed_one = element_of_integer(TYPE_s64, integers[i]),
            unsigned_one = element_of_integer(TYPE_u64, integers[i]);
    Element result = applied_elements(HLO_CONVERT, TYPE_f32, 1, &signed_one, &is_applied);
    assert_true(is_applied && result.real == (double)(float)integers[i] && !result.is_coarse);
    result = applied_elements(HLO_CONVERT, TYPE_f32, 1, &unsigned_one, &is_applied);
    assert_true(is_applied && result.real == (double)(float)(uint64_t)integers[i]);
    result = applied_elements(HLO_CONVERT, TYPE_f64, 1, &signed_one, &is_applied);
    assert_true(is_applied && result.real == (double)integers[i]);
    result = applied_elements(HLO_CONVERT, TYPE_f16, 1, &signed_one, &is_applied);
    assert_true(is_applied == (fabs((double)integers[i]) < 0x1p53));
    if (is_applied) assert_true(is_same(result.real, nearest(TYPE_f16, (double)integers[i])));
    bool is_rounded_once = fabs((double)integers[i]) <= 0x1p24 && isfinite(result.real);
    if (is_applied)
      assert_true(result.is_coarse == (result.real != (double)integers[i] && !is_rounded_once));
  }
}

static void a_selection_is_its_operand(void **state) {
  (void)state;
  for (int flag = 0; flag < 2; flag++) {
    bool is_applied;
    Element operands[] = {element_of_integer(TYPE_pred, flag), element_of_real(TYPE_f32, 1.5),
        element_of_real(TYPE_f32, 2.5)};
    operands[1].is_stated_nan = true;
    Element result = applied_elements(HLO_SELECT, TYPE_f32, 3, operands, &is_applied);
    assert_true(is_applied && result.real == (flag == 1 ? 1.5 : 2.5) && result.is_exact);
    operands[2].is_known = false;
    (void)applied_elements(HLO_SELECT, TYPE_f32, 3, operands, &is_applied);
    assert_false(is_applied);
  }
}

/* What an operand is marked with, its result is marked with; that a NaN is stated, only if it is
 * one. */
static void marks_of_operands_stay(void **state) {
  (void)state;
  for (int at = 0; at < 2; at++)
    for (int mark = 0; mark < 5; mark++) {
      bool is_applied;
      Element operands[] = {element_of_real(TYPE_f32, 1), element_of_real(TYPE_f32, 2)};
      if (mark == 2) operands[at].real = (double)NAN;
      operands[at].is_rounded = mark == 0;
      operands[at].is_coarse = mark == 1;
      operands[at].is_stated_nan = mark == 2 || mark == 4;
      operands[at].is_exact = mark != 3;
      Element result = applied_elements(HLO_ADD, TYPE_f32, 2, operands, &is_applied);
      assert_true(is_applied && result.is_rounded == (mark == 0 || mark == 2) &&
                  result.is_coarse == (mark == 1));
      assert_true(result.is_stated_nan == (mark == 2) && result.is_exact == (mark != 3));
    }
}

/* --- sums of products --- */

static void products_are_added(void **state) {
  (void)state;
  for (int64_t sum = -3; sum < 4; sum++)
    for (int64_t a = -3; a < 4; a++)
      for (int64_t b = -3; b < 4; b++) {
        Element integers[] = {element_of_integer(TYPE_s8, 40 * sum),
            element_of_integer(TYPE_s8, 9 * a), element_of_integer(TYPE_s8, 9 * b)};
        Element floats[] = {element_of_real(TYPE_f32, (double)sum),
            element_of_real(TYPE_f32, (double)a), element_of_real(TYPE_f32, (double)b)};
        Element result = element_multiply_add(TYPE_s8, &integers[0], &integers[1], &integers[2]);
        assert_int_equal(result.integer, (int8_t)(40 * sum + 81 * a * b));
        result = element_multiply_add(TYPE_f32, &floats[0], &floats[1], &floats[2]);
        assert_true(result.real == (double)(sum + a * b) && !result.is_rounded);
        Element flags[] = {element_of_integer(TYPE_pred, sum & 1),
            element_of_integer(TYPE_pred, a & 1), element_of_integer(TYPE_pred, b & 1)};
        result = element_multiply_add(TYPE_pred, &flags[0], &flags[1], &flags[2]);
        assert_int_equal(result.integer, (sum & 1) != 0 || ((a & 1) != 0 && (b & 1) != 0));
      }
  for (int unknown = 0; unknown < 3; unknown++) {
    Element parts[3];
    for (int i = 0; i < 3; i++) parts[i] = element_of_real(TYPE_f32, 1);
    parts[unknown].is_known = false;
    assert_false(element_multiply_add(TYPE_f32, &parts[0], &parts[1], &parts[2]).is_known);
  }
}

static void factors_are_converted(void **state) {
  (void)state;
  Element negative = element_factor(TYPE_f32, element_of_integer(TYPE_s64, -5)),
          large = element_factor(TYPE_f32, element_of_integer(TYPE_u64, -5)),
          odd = element_factor(TYPE_f32, element_of_integer(TYPE_s32, 16777217));
  assert_true(negative.real == -5 && !negative.is_coarse);
  assert_true(large.real == 0x1p64 && large.is_coarse && odd.real == 0x1p24 && odd.is_coarse);
  assert_int_equal(element_factor(TYPE_s32, element_of_integer(TYPE_u64, -5)).integer, -5);
  assert_false(element_factor(TYPE_s32, negative).is_known);
  assert_false(element_factor(TYPE_pred, element_of_integer(TYPE_s8, 2)).is_known);
}

static void products_keep_marks(void **state) {
  (void)state;
  for (int at = 0; at < 3; at++)
    for (int mark = 0; mark < 3; mark++) {
      Element parts[3];
      for (int i = 0; i < 3; i++) parts[i] = element_of_real(TYPE_f32, 2);
      parts[at].is_rounded = mark == 0;
      parts[at].is_coarse = mark == 1;
      parts[at].is_exact = mark != 2;
      Element result = element_multiply_add(TYPE_f32, &parts[0], &parts[1], &parts[2]);
      assert_true(result.real == 6 && result.is_rounded == (mark == 0));
      assert_true(result.is_coarse == (mark == 1) && result.is_exact == (mark != 2));
    }
  Element one = element_of_real(TYPE_f32, 1), large = element_of_real(TYPE_f32, 0x1p30),
          odd = element_of_real(TYPE_f32, 0x1.000002p0), none = element_of_real(TYPE_f32, 0);
  assert_true(element_multiply_add(TYPE_f32, &one, &large, &one).is_rounded);
  assert_true(element_multiply_add(TYPE_f32, &none, &odd, &odd).is_rounded);
  assert_false(element_multiply_add(TYPE_f32, &none, &odd, &one).is_rounded);
}

/* --- differences --- */

static Element real_of(double value) { return element_of_real(TYPE_f32, value); }

static void check_differs(
    Element a, Element b, bool differs, bool differs_exactly, bool overflows) {
  assert_true(elements_differ(&a, &b) == differs && elements_differ(&b, &a) == differs);
  assert_true(elements_differ_exactly(&a, &b) == differs_exactly);
  assert_true(elements_differ_exactly(&b, &a) == differs_exactly);
  assert_true(elements_differ_by_overflow(&a, &b) == overflows);
  assert_true(elements_differ_by_overflow(&b, &a) == overflows);
}

static void differences_are_more_than_rounding(void **state) {
  (void)state;
  double inf = (double)INFINITY, nan = (double)NAN;
  check_differs(
      element_of_integer(TYPE_s32, 1), element_of_integer(TYPE_s32, 2), true, true, false);
  check_differs(
      element_of_integer(TYPE_s32, 2), element_of_integer(TYPE_s32, 2), false, false, false);
  check_differs(real_of(1), real_of(2), true, true, false);
  check_differs(real_of(1), real_of(1), false, false, false);
  check_differs(real_of(1000), real_of(1000.125), false, true, false); /* 2^-13 of the value */
  check_differs(real_of(1000), real_of(1000.5), true, true, false);
  check_differs(real_of(0), real_of(0x1p-17), false, true, false);
  check_differs(real_of(0), real_of(0x1p-16), true, true, false);
  check_differs(element_of_real(TYPE_bf16, 8), element_of_real(TYPE_bf16, 9), false, true, false);
  check_differs(element_of_real(TYPE_bf16, 8), element_of_real(TYPE_bf16, 9.5), true, true, false);
  check_differs(element_of_real(TYPE_f16, 8), element_of_real(TYPE_f16, 9), false, true, false);
  check_differs(real_of(inf), real_of(1), true, false, true);
  check_differs(real_of(inf), real_of(-inf), true, true, false);
  check_differs(real_of(inf), real_of(inf), false, false, false);
  check_differs(real_of(nan), real_of(1), false, false, false);
  check_differs(real_of(nan), real_of(nan), false, false, false);
  check_differs(real_of(nan), real_of(inf), false, false, false);
}

static void differences_need_what_is_known(void **state) {
  (void)state;
  Element a = real_of(1), b = real_of(5), large = real_of((double)INFINITY),
          nan = real_of((double)NAN);
  Element unknown = a, coarse = a, rounded = a, inexact = large;
  unknown.is_known = false;
  coarse.is_coarse = true;
  rounded.is_rounded = true;
  inexact.is_exact = false;
  check_differs(unknown, b, false, false, false);
  check_differs(unknown, large, false, false, false);
  check_differs(coarse, b, false, false, false);
  check_differs(coarse, large, false, false, false);
  check_differs(rounded, b, true, false, false);
  check_differs(rounded, large, true, false, true);
  check_differs(inexact, a, false, false, true);
  check_differs(inexact, real_of(-(double)INFINITY), false, false, false);
  nan.is_stated_nan = true;
  check_differs(nan, a, true, false, false);
  a.is_stated_nan = true; /* no NaN: the mark has no meaning beside a number */
  check_differs(a, real_of(1), false, false, false);
  check_differs(a, real_of((double)NAN), false, false, false);
}

/* A sum is coarse if the rounding of its summands may be half of what another order explains. */
static void sums_that_cancel_are_coarse(void **state) {
  (void)state;
  static const struct {
    ElementType type;
    double sum, largest;
    uint32_t count;
    bool is_coarse;
  } rows[] = {{TYPE_f32, 1, 1, 4, false}, {TYPE_f32, 1, 0x1p9, 4, false},
      {TYPE_f32, 1, 0x1p10, 4, true}, {TYPE_f32, 0, 1, 4, false}, {TYPE_f32, 0, 0x1p7, 4, true},
      {TYPE_f32, -1, 0x1p9, 4, false}, {TYPE_bf16, 1, 4, 3, false}, {TYPE_bf16, 1, 6, 3, true},
      {TYPE_f32, 1, 0x1p9, 40, true}, {TYPE_f32, 1, (double)INFINITY, 2, true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Element sum = element_of_real(rows[i].type, rows[i].sum);
    sum.is_rounded = true;
    SummandRange range = {.count = rows[i].count, .largest = rows[i].largest};
    element_end_sum(&sum, &range);
    if (sum.is_coarse != rows[i].is_coarse) fail_msg("row %zu", i);
  }
  Element exact = element_of_real(TYPE_f32, 1), unknown = {.type = TYPE_f32, .is_rounded = true},
          whole = element_of_integer(TYPE_s32, 1);
  whole.is_rounded = true;
  SummandRange range = {.count = 4, .largest = 1e30, .total = 4e30, .grain = 0x1p97};
  element_end_sum(&exact, &range);
  element_end_sum(&unknown, &range);
  element_end_sum(&whole, &range);
  assert_false(exact.is_coarse || unknown.is_coarse || whole.is_coarse || exact.is_rounded);
}

/* A sum is exact in any order if the magnitudes of all summands fit the digits above their lowest
 * bit. Each row is summed from its first summand on; none rounds in this order. */
static void sums_may_round_in_another_order(void **state) {
  (void)state;
  static const struct {
    double summands[4];
    bool is_rounded;
  } rows[] = {{{1e30, -1e30, 1, 0}, true}, {{1e6, -1e6, 1, 0}, false}, {{0, 0, 0, 0}, false},
      {{0x1p23, -0x1p23, 1, 0}, true}, {{0x1p22, -0x1p22, 1, 0}, false},
      {{0x1p22, -0x1p22, 0.5, 0.5}, true}, {{0.375, -0.25, 0.125, 3}, false},
      {{0x1p-140, 0x1p-120, 0, 0}, false}, {{0x1p-140, -0x1p-100, 0x1p-100, 0}, true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    SummandRange range = no_summands;
    double value = 0;
    for (uint32_t k = 0; k < 4; k++) {
      value += rows[i].summands[k];
      element_add_summand(&range, rows[i].summands[k], value);
    }
    Element sum = element_of_real(TYPE_f32, value);
    assert_false(sum.is_rounded);
    element_end_sum(&sum, &range);
    if (sum.is_rounded != rows[i].is_rounded) fail_msg("row %zu", i);
  }
}

/* --- parts and texts --- */

static void parts_are_joined_again(void **state) {
  (void)state;
  static const struct {
    ElementType whole, part;
    uint32_t count;
  } rows[] = {{TYPE_u32, TYPE_u8, 4}, {TYPE_s64, TYPE_s16, 4}, {TYPE_f32, TYPE_u16, 2},
      {TYPE_f64, TYPE_f32, 2}, {TYPE_u16, TYPE_s8, 2}};
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
    Element whole, joined, parts[4];
    uint64_t bits = UINT64_C(0x4142c3d445465748), all = 0, of_part;
    uint32_t width = element_type_bits(rows[row].part), count = rows[row].count;
    if (count * width < 64) bits &= (UINT64_C(1) << (count * width)) - 1;
    assert_true(element_of_bits(rows[row].whole, bits, &whole));
    whole.is_exact = row % 2 == 0;
    for (uint32_t i = 0; i < count; i++) {
      assert_true(element_part(rows[row].part, i, &whole, &parts[i]));
      assert_true(element_bits(&parts[i], &of_part) && parts[i].is_exact == (row % 2 == 0));
      all |= of_part << (i * width);
    }
    assert_true(all == bits);
    assert_true(element_join(rows[row].whole, count, parts, &joined));
    assert_true(joined.integer == whole.integer && is_same(joined.real, whole.real));
    assert_true(joined.is_exact == whole.is_exact && joined.type == rows[row].whole);
    parts[count - 1].is_known = false;
    assert_false(element_join(rows[row].whole, count, parts, &joined));
  }
}

static void texts_parse_as_the_same_number(void **state) {
  (void)state;
  Arena *arena = arena_create();
  static const double values[] = {0.1, 1.0 / 3, 1e-30, 16777217, 0.5, 123456.789, 1e300};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    for (int wide = 0; wide < 2; wide++) {
      Text text = text_create(arena);
      Element element = element_of_real(wide ? TYPE_f64 : TYPE_f32, values[i]);
      element_print(&text, element);
      assert_true(strtod(text.bytes, nullptr) == element.real ||
                  (float)strtod(text.bytes, nullptr) == (float)element.real);
      if (wide) assert_true(strtod(text.bytes, nullptr) == element.real);
      assert_true(strlen(text.bytes) < 26);
    }
  static const struct {
    ElementType type;
    int64_t value;
    const char *text;
  } rows[] = {{TYPE_u64, -1, "18446744073709551615"}, {TYPE_s64, -1, "-1"}, {TYPE_u8, 255, "255"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Text text = text_create(arena);
    element_print(&text, element_of_integer(rows[i].type, rows[i].value));
    assert_string_equal(text.bytes, rows[i].text);
  }
  Text half = text_create(arena), nan = text_create(arena);
  element_print(&half, real_of(0.5));
  element_print(&nan, real_of((double)NAN));
  assert_string_equal(half.bytes, "0.5");
  assert_string_equal(nan.bytes, "nan");
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(codes_of_floats_are_their_bits),
      cmocka_unit_test(reals_are_rounded_to_the_nearest),
      cmocka_unit_test(arithmetic_of_floats_is_the_machines),
      cmocka_unit_test(single_operands),
      cmocka_unit_test(functions_have_their_values),
      cmocka_unit_test(extrema_and_clamps_of_floats),
      cmocka_unit_test(clamps_of_zeros_are_open),
      cmocka_unit_test(comparisons_of_floats),
      cmocka_unit_test(conversions_between_integers_and_floats),
      cmocka_unit_test(a_selection_is_its_operand),
      cmocka_unit_test(marks_of_operands_stay),
      cmocka_unit_test(products_are_added),
      cmocka_unit_test(factors_are_converted),
      cmocka_unit_test(products_keep_marks),
      cmocka_unit_test(differences_are_more_than_rounding),
      cmocka_unit_test(differences_need_what_is_known),
      cmocka_unit_test(sums_may_round_in_another_order),
      cmocka_unit_test(sums_that_cancel_are_coarse),
      cmocka_unit_test(parts_are_joined_again),
      cmocka_unit_test(texts_parse_as_the_same_number),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
