/* The drivers of choices against definitions: sequences of choices from byte strings, which other
 * bytes follow, and from given numbers; and all ranges near zero. */
#include "core/base/choices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static constexpr size_t most_bytes = 20;

/* The bits of a string from `at` on, lowest first; 0 past the end. */
static uint64_t bits_from(const uint8_t *bytes, size_t size, size_t at, uint32_t count) {
  uint64_t number = 0;
  for (uint32_t i = 0; i < count; i++, at++)
    if (at < 8 * size && (bytes[at / 8] >> at % 8 & 1) != 0) number |= UINT64_C(1) << i;
  return number;
}

static uint32_t width_in_bits(uint64_t count) {
  static constexpr uint64_t most[] = {1, 2, 4, 16, 256, UINT64_MAX};
  static constexpr uint32_t widths[] = {0, 1, 2, 4, 8, 64};
  uint32_t i = 0;
  while (count > most[i]) i++;
  return widths[i];
}

static void strings_are_read_by_bytes_and_by_bits(void **) {
  static constexpr uint64_t counts[] = {
      1, 2, 3, 4, 5, 15, 16, 17, 255, 256, 257, UINT64_C(1) << 40, UINT64_MAX};
  RandomChoices random = choices_of_seed(7);
  for (uint32_t round = 0; round < 4000; round++) {
    uint8_t bytes[most_bytes];
    size_t size = round % (most_bytes - 8), at_bytes = 0, at_bits = 0;
    for (size_t i = 0; i < most_bytes; i++)
      bytes[i] = i < size ? (uint8_t)choose(&random.choices, 256) : 0xff;
    ByteChoices by_bytes = choices_of_bytes(bytes, size), by_bits = choices_of_bits(bytes, size);
    for (uint32_t k = 0; k < 12; k++) {
      uint64_t count = counts[choose(&random.choices, sizeof counts / sizeof *counts)];
      uint32_t eight = count > 256 ? 64 : 8, width = width_in_bits(count);
      assert_true(
          choose(&by_bytes.choices, count) == bits_from(bytes, size, 8 * at_bytes, eight) % count);
      assert_true(
          choose(&by_bits.choices, count) == bits_from(bytes, size, at_bits, width) % count);
      at_bytes += eight / 8;
      at_bits += width;
      assert_true(by_bytes.at == (at_bytes < size ? at_bytes : size));
      assert_true(by_bits.at == (at_bits < 8 * size ? at_bits : 8 * size));
    }
  }
}

static void given_numbers_are_chosen_where_there_is_a_choice(void **) {
  static constexpr uint64_t values[] = {3, 1, 4, 1};
  for (size_t count = 0; count <= 4; count++) {
    GivenChoices given = choices_given(values, count);
    for (size_t k = 0; k < 6; k++) {
      assert_int_equal(choose(&given.choices, 1), 0);
      assert_int_equal(choose(&given.choices, 5), k < count ? values[k] : 0);
    }
  }
}

/* 0, -1, 1, -2, 2 and so on, as far as they are in the range; else upwards. */
static void numbers_near_zero_come_first(void **) {
  for (int64_t lo = -7; lo <= 7; lo++)
    for (int64_t hi = lo; hi <= 7; hi++) {
      uint64_t number = 0;
      for (int64_t size = 0; size <= 7 && lo <= 0 && hi >= 0; size++)
        for (int64_t sign = size == 0 ? 1 : -1; sign <= 1; sign += 2) {
          if (sign * size < lo || sign * size > hi) continue;
          GivenChoices given = choices_given(&number, 1);
          assert_int_equal(choose_near_zero(&given.choices, lo, hi), sign * size);
          number++;
        }
      for (; number <= (uint64_t)(hi - lo); number++) {
        GivenChoices given = choices_given(&number, 1);
        assert_int_equal(choose_near_zero(&given.choices, lo, hi), lo + (int64_t)number);
      }
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strings_are_read_by_bytes_and_by_bits),
      cmocka_unit_test(given_numbers_are_chosen_where_there_is_a_choice),
      cmocka_unit_test(numbers_near_zero_come_first),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
