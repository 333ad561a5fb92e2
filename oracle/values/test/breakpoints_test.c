/* Breakpoints of 8-bit integers that are shifted, converted or clamped, against all values of the
 * type: every value that reaches a breakpoint is one, and besides these only the values on both
 * sides of a boundary of the type. */
#include "oracle/values/breakpoints.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static bool is_breakpoint(const IntervalSet *breaks, Wide value) {
  for (uint32_t i = 0; i < breaks->count; i++)
    if (breaks->lo[i] <= value && value <= breaks->hi[i]) return true;
  return false;
}

static uint32_t random_below(uint64_t *random, uint32_t end) {
  *random = *random * 6364136223846793005 + 1442695040888963407;
  return (uint32_t)(*random >> 33) % end;
}

/* Up to three intervals of the `count` values from `lowest` on. */
static IntervalSet sample_breakpoints(uint64_t *random, Wide lowest, uint32_t count) {
  IntervalSet breaks = {};
  for (uint32_t i = random_below(random, 4); i > 0; i--) {
    uint32_t first = random_below(random, count), left = count - first;
    Wide lo = lowest + first;
    breakpoints_add(&breaks, lo, lo + random_below(random, left < 6 ? left : 6));
  }
  return breaks;
}

/* The value of the type that has the lowest 8 bits of x. */
static Wide value_of(ElementType type, Wide x) {
  return type == TYPE_s8 ? (Wide)(int8_t)(int64_t)x : (Wide)(uint8_t)(int64_t)x;
}

static void shifts_wrap_around(void **state) {
  (void)state;
  uint64_t random = 1;
  for (int round = 0; round < 2000; round++) {
    ElementType type = round % 2 == 0 ? TYPE_s8 : TYPE_u8;
    Wide lowest = type == TYPE_s8 ? -128 : 0, constant = (Wide)random_below(&random, 600) - 300;
    IntervalSet breaks = sample_breakpoints(&random, lowest, 256);
    IntervalSet moved = breakpoints_shifted(&breaks, type, constant);
    for (Wide x = lowest; x < lowest + 256; x++) {
      Wide to = value_of(type, x + constant);
      bool is_end = to == lowest || to == lowest + 255;
      if (is_breakpoint(&moved, x) != (is_breakpoint(&breaks, to) || is_end))
        fail_msg("%d by %d", (int)x, (int)constant);
    }
    assert_false(is_breakpoint(&moved, lowest - 1) || is_breakpoint(&moved, lowest + 256));
  }
}

static void clamped_values_ask_inside_the_ends(void **state) {
  (void)state;
  uint64_t random = 2;
  for (int round = 0; round < 500; round++) {
    IntervalSet breaks = sample_breakpoints(&random, -128, 256);
    Wide lowest = (Wide)random_below(&random, 200) - 100,
         highest = lowest + random_below(&random, 90);
    IntervalSet moved = breakpoints_within(&breaks, lowest, highest);
    for (Wide x = -200; x < 200; x++)
      assert_true(is_breakpoint(&moved, x) ==
                  (is_breakpoint(&breaks, x) && x >= lowest && x <= highest));
  }
}

/* The types by width and sign, and the conversions that keep different values different. */
static void conversions_ask_for_what_is_converted(void **state) {
  (void)state;
  static const ElementType types[] = {TYPE_s8, TYPE_u8, TYPE_s16, TYPE_u16, TYPE_s4, TYPE_u4};
  static const Wide lowest[] = {-128, 0, -32768, 0, -8, 0},
                    counts[] = {256, 256, 65536, 65536, 16, 16};
  uint64_t random = 3;
  for (int round = 0; round < 720; round++) {
    int from = round % 6, to = round / 6 % 6;
    IntervalSet breaks = sample_breakpoints(&random, lowest[to], (uint32_t)counts[to]), moved;
    bool done = breakpoints_converted(&breaks, types[from], types[to], &moved);
    assert_true(done == (counts[from] <= counts[to]));
    for (Wide x = lowest[from]; done && x < lowest[from] + counts[from]; x++) {
      Wide converted = (x - lowest[to] + 2 * counts[to]) % counts[to] + lowest[to];
      bool is_beside = (lowest[from] < lowest[to] && (x == lowest[to] || x == lowest[to] - 1)) ||
                       (lowest[from] + counts[from] > lowest[to] + counts[to] &&
                           (x == lowest[to] + counts[to] || x == lowest[to] + counts[to] - 1));
      assert_true(is_breakpoint(&moved, x) == (is_breakpoint(&breaks, converted) || is_beside));
    }
  }
}

static void pred_has_no_breakpoints(void **state) {
  (void)state;
  IntervalSet breaks = {}, moved;
  breakpoints_add(&breaks, 0, 0);
  assert_false(breakpoints_converted(&breaks, TYPE_s32, TYPE_pred, &moved));
  assert_false(breakpoints_converted(&breaks, TYPE_pred, TYPE_pred, &moved));
  assert_true(breakpoints_converted(&breaks, TYPE_pred, TYPE_s32, &moved));
  assert_true(is_breakpoint(&moved, 0) && !is_breakpoint(&moved, 1));
}

/* An empty interval and one inside of another add nothing. Past the capacity the set is full, and
 * so are sets that are derived from it. */
static void sets_are_full_past_their_capacity(void **state) {
  (void)state;
  IntervalSet breaks = {};
  breakpoints_add(&breaks, 5, 4);
  assert_int_equal(breaks.count, 0);
  for (uint32_t i = 0; i < breakpoints_most; i++) {
    breakpoints_add(&breaks, 10 * i, 10 * i + 3);
    breakpoints_add(&breaks, 10 * i, 10 * i + 3);
    breakpoints_add(&breaks, 10 * i + 1, 10 * i + 2);
    assert_int_equal(breaks.count, i + 1);
  }
  assert_false(breaks.is_full);
  breakpoints_add(&breaks, 15, 15);
  assert_true(breaks.is_full);
  IntervalSet moved = breakpoints_within(&breaks, 0, 9);
  assert_true(moved.is_full);
  moved = breakpoints_shifted(&breaks, TYPE_s32, 1);
  assert_true(moved.is_full);
  assert_true(breakpoints_converted(&breaks, TYPE_s32, TYPE_s64, &moved) && moved.is_full);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shifts_wrap_around),
      cmocka_unit_test(clamped_values_ask_inside_the_ends),
      cmocka_unit_test(conversions_ask_for_what_is_converted),
      cmocka_unit_test(pred_has_no_breakpoints),
      cmocka_unit_test(sets_are_full_past_their_capacity),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
