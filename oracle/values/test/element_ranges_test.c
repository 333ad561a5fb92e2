/* What is known of a sum's summands and of a product's factors, and when an infinity is an
 * overflow, each against a definition of its own over small lists. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/values/element.h"

/* Sums, products, quotients and conversions of finite operands, a divisor other than zero: their
 * exact result is finite, so that an infinity is an overflow. */
static void infinities_of_finite_operands_are_overflows(void **state) {
  (void)state;
  static const double numbers[] = {0, 2, (double)INFINITY, -(double)INFINITY, (double)NAN};
  for (uint32_t opcode = 0; opcode < opcode_count; opcode++)
    for (int result = 0; result < 6; result++)
      for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++) {
          const int at[] = {result, a, b};
          Element parts[3];
          for (int i = 0; i < 3; i++)
            parts[i] = at[i] < 5 ? element_of_real(TYPE_f32, numbers[at[i]])
                                 : element_of_integer(TYPE_s32, 3);
          parts[0].real = result < 5 ? numbers[result] : (double)INFINITY;
          bool is_infinite = result == 2 || result == 3, is_finite = a % 5 < 2 && b % 5 < 2;
          bool overflows = false;
          switch (opcode) {
            case HLO_ADD:
            case HLO_SUBTRACT:
            case HLO_MULTIPLY:
            case HLO_CONVERT: overflows = is_infinite && is_finite; break;
            case HLO_DIVIDE: overflows = is_infinite && is_finite && parts[2].real != 0; break;
            default: break;
          }
          assert_int_equal(
              element_has_overflowed((Opcode)opcode, 2, &parts[1], &parts[0]), overflows);
        }
}

/* The largest power of two that divides all numbers, found by trial. */
static double grain_of(uint32_t count, const double *numbers) {
  double grain = (double)INFINITY;
  for (uint32_t i = 0; i < count; i++)
    for (double power = 0x1p20; numbers[i] != 0 && isfinite(numbers[i]); power /= 2)
      if (fmod(numbers[i], power) == 0) {
        grain = power < grain ? power : grain;
        break;
      }
  return grain;
}

static void ranges_of_summands_are_those_of_the_list(void **state) {
  (void)state;
  static const double numbers[] = {0, 1, -1, 0.75, -6, 0x1.8p-20, 1024, -0x1p19, (double)INFINITY,
      -(double)INFINITY, (double)NAN, 3};
  uint64_t seed = 20261219;
  for (uint32_t trial = 0; trial < 3000; trial++) {
    double summands[5], partial[5], sum = 0;
    SummandRange range = no_summands, wanted = {.count = trial % 6};
    for (uint32_t i = 0; i < wanted.count; i++) {
      seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      summands[i] = numbers[(seed >> 33) % (trial % 2 == 0 ? 8 : 12)];
      sum += summands[i];
      partial[i] = sum;
      element_add_summand(&range, summands[i], sum);
    }
    for (uint32_t i = 0; i < wanted.count; i++) {
      wanted.has_infinite |= !isfinite(summands[i]);
      if (!isfinite(summands[i])) continue;
      wanted.total += fabs(summands[i]);
      if (fabs(summands[i]) > wanted.largest) wanted.largest = fabs(summands[i]);
      if (isfinite(partial[i]) && fabs(partial[i]) > wanted.largest)
        wanted.largest = fabs(partial[i]);
    }
    assert_int_equal(range.count, wanted.count);
    assert_int_equal(range.has_infinite, wanted.has_infinite);
    assert_true(range.total == wanted.total && range.largest == wanted.largest);
    assert_true(range.grain == grain_of(wanted.count, summands));
  }
}

/* An infinite sum is stated by an infinite summand, unless the finite ones may overflow first. */
static void infinite_sums_are_coarse_unless_a_summand_is_infinite(void **state) {
  (void)state;
  static const double totals[] = {0, 1, 0x1p127, 0x1p128, 0x1p200};
  static const double sums[] = {(double)INFINITY, -(double)INFINITY, (double)NAN};
  for (size_t i = 0; i < 5; i++)
    for (int flags = 0; flags < 4; flags++)
      for (int s = 0; s < 3; s++) {
        Element sum = element_of_real(TYPE_f32, sums[s]);
        sum.is_coarse = flags % 2 == 1;
        SummandRange range = {.count = 2, .total = totals[i], .has_infinite = flags >= 2};
        element_end_sum(&sum, &range);
        assert_int_equal(sum.is_coarse, flags % 2 == 1 || flags < 2 || totals[i] > 0x1p127);
        assert_false(sum.is_rounded);
        assert_true(sum.error == 0);
      }
}

/* What is lost is at most the lowest digit of the largest number, for each summand. */
static void rounding_sums_add_to_their_error(void **state) {
  (void)state;
  static const ElementType types[] = {TYPE_f16, TYPE_bf16, TYPE_f32, TYPE_f64};
  static const int digits[] = {11, 8, 24, 53};
  for (int type = 0; type < 4; type++)
    for (uint32_t count = 1; count < 6; count++)
      for (int power = -4; power < 8; power++) {
        Element sum = element_of_real(types[type], 1);
        sum.is_rounded = true;
        sum.error = 0.125;
        double largest = pow(2, power), lost = 0;
        for (uint32_t i = 0; i < count; i++) lost += largest / pow(2, digits[type]);
        SummandRange range = {
            .count = count, .largest = largest, .total = count * largest, .grain = 0x1p-80};
        element_end_sum(&sum, &range);
        assert_true(sum.is_rounded && sum.error == 0.125 + lost);
        double explained = type == 0 || type == 1 ? 0.125 + 1e-5 : 0x1p-12 + 1e-5;
        assert_int_equal(sum.is_coarse, lost > explained / 2);
      }
}

/* Some order of the factors leaves the range of the type, and then comes back: the large ones
 * first, or the small ones. */
static void products_that_may_leave_the_range_are_coarse(void **state) {
  (void)state;
  static const double factors[] = {
      0, 1, -1, 2, -0.5, 0x1p70, -0x1p-70, 0x1p-90, 0x1p100, (double)INFINITY, -0x1p30, 0x1p-10};
  uint64_t seed = 20261220;
  uint32_t coarse = 0;
  for (uint32_t trial = 0; trial < 4000; trial++) {
    FactorRange range = no_factors;
    double above = 1, below = 1;
    bool has_above = false, has_below = false;
    for (uint32_t i = 0; i < trial % 5; i++) {
      seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      double factor = factors[(seed >> 33) % 12], size = factor < 0 ? -factor : factor;
      element_add_factor(&range, factor);
      if (size > 1) has_above = true;
      if (size < 1) has_below = true;
      if (size > 1 && size < (double)INFINITY) above *= size;
      if (size > 0 && size < 1) below *= size;
    }
    Element product = element_of_real(TYPE_f32, 1), unknown = {.type = TYPE_f32},
            whole = element_of_integer(TYPE_s32, 1);
    bool leaves = (above >= 0x1p128 && has_below) || (below < 0x1p-126 && has_above);
    element_end_product(&product, &range);
    element_end_product(&unknown, &range);
    element_end_product(&whole, &range);
    assert_int_equal(product.is_coarse, leaves);
    assert_false(unknown.is_coarse || whole.is_coarse);
    coarse += leaves;
  }
  assert_true(coarse > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(infinities_of_finite_operands_are_overflows),
      cmocka_unit_test(ranges_of_summands_are_those_of_the_list),
      cmocka_unit_test(infinite_sums_are_coarse_unless_a_summand_is_infinite),
      cmocka_unit_test(rounding_sums_add_to_their_error),
      cmocka_unit_test(products_that_may_leave_the_range_are_coarse)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
