/* Compares the numbering with sequences that are listed by running the generator repeatedly. */
#include "generate/numbering.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* A number of steps; each chooses a pair whose second number is not above the first. With
 * `rejects`, a pair of twos is rejected, and so is a 0 after a 3, so that first choices after a
 * join can be rejected. The choices after a step depend on its number and on whether a 3 was
 * chosen. */
typedef struct Steps {
  uint32_t steps;
  bool joins, rejects;
  uint64_t made; /* the case as a number */
} Steps;

static void steps_generate(void *generator, Choices *choices) {
  Steps *steps = generator;
  bool had_three = false;
  steps->made = 1;
  for (uint32_t i = 0; i < steps->steps; i++) {
    if (steps->joins) choices_join(choices, &(ChoiceKey){2, {i, had_three}});
    uint64_t a = choose(choices, had_three ? 2 : 4), b = choose(choices, a + 1);
    if (steps->rejects && (a == 2 ? b == 2 : a == 0 && had_three)) choices_reject(choices);
    had_three |= a == 3;
    steps->made = steps->made * 16 + a * 4 + b;
  }
}

/* Advances to the next sequence, by the counts of the last run. */
typedef struct Odometer {
  Choices choices;
  uint64_t values[32], counts[32];
  uint32_t count, at;
  bool is_rejected;
} Odometer;

static uint64_t odometer_choose(Choices *choices, uint64_t count) {
  Odometer *odometer = (Odometer *)choices;
  if (odometer->at == odometer->count) odometer->values[odometer->count++] = 0;
  odometer->counts[odometer->at] = count;
  return odometer->values[odometer->at++];
}
static void odometer_reject(Choices *choices) { ((Odometer *)choices)->is_rejected = true; }

static bool odometer_next(Odometer *odometer) {
  for (; odometer->count > 0; odometer->count--)
    if (++odometer->values[odometer->count - 1] < odometer->counts[odometer->count - 1])
      return true;
  return false;
}

static uint64_t check_steps(Steps steps) {
  static const ChoiceDriver driver = {.choose = odometer_choose, .reject = odometer_reject};
  Arena *arena = arena_create();
  ChoiceNumbering *numbering = numbering_create(arena);
  const ChoiceKey key = {1, {7}};
  uint64_t count = numbering_count(numbering, &key, steps_generate, &steps), k = 0;
  Odometer odometer = {.choices = {&driver}};
  do {
    odometer.at = 0;
    odometer.is_rejected = false;
    steps_generate(&steps, &odometer.choices);
    if (odometer.is_rejected) continue;
    uint64_t wanted = steps.made;
    Sequence sequence;
    assert_true(k < count);
    numbering_at(numbering, &key, k++, &sequence);
    GivenChoices given = choices_given(sequence.values, sequence.count);
    steps_generate(&steps, &given.choices);
    assert_int_equal(steps.made, wanted);
  } while (odometer_next(&odometer));
  assert_int_equal(k, count);
  arena_destroy(arena);
  return count;
}

static void numbers_are_those_of_listed_sequences(void **) {
  assert_int_equal(check_steps((Steps){.steps = 1}), 1 + 2 + 3 + 4);
  for (uint32_t steps = 1; steps <= 4; steps++)
    for (uint32_t how = 0; how < 4; how++) {
      Steps all = {.steps = steps, .joins = how % 2 != 0, .rejects = how / 2 != 0};
      uint64_t with = check_steps(all);
      all.joins = !all.joins;
      assert_int_equal(check_steps(all), with);
    }
}

/* Twenty steps have more than 10^10 cases, which are counted without being listed. */
static void long_sequences_are_counted_after_joins(void **) {
  Steps steps = {.steps = 20, .joins = true};
  Arena *arena = arena_create();
  ChoiceNumbering *numbering = numbering_create(arena);
  const ChoiceKey key = {1, {7}};
  uint64_t count = numbering_count(numbering, &key, steps_generate, &steps), without = 1, with = 0;
  for (uint32_t i = 0; i < 20; i++) {
    with = with * 3 + without * 4;
    without *= 6;
  }
  assert_int_equal(count, with + without);
  Sequence sequence;
  numbering_at(numbering, &key, count - 1, &sequence);
  GivenChoices given = choices_given(sequence.values, sequence.count);
  steps_generate(&steps, &given.choices);
  assert_int_equal(sequence.values[0], 3);
  assert_int_equal(sequence.values[1], 3);
  for (uint32_t i = 2; i < sequence.count; i++) assert_int_equal(sequence.values[i], 1);
  arena_destroy(arena);
}

static void numbers_near_zero_are_all_and_the_small_ones_first(void **) {
  for (int64_t lo = -4; lo <= 4; lo++)
    for (int64_t hi = lo; hi <= 4; hi++) {
      int64_t before = 0;
      uint32_t seen = 0;
      for (uint64_t k = 0; k <= (uint64_t)(hi - lo); k++) {
        GivenChoices given = choices_given(&k, 1);
        int64_t number = choose_near_zero(&given.choices, lo, hi);
        assert_in_range(number + 8, (uint64_t)(lo + 8), (uint64_t)(hi + 8));
        seen |= 1u << (number + 8);
        if (lo <= 0 && hi >= 0 && k > 0) assert_true(number * number >= before * before);
        before = number;
      }
      assert_int_equal(__builtin_popcount(seen), hi - lo + 1);
    }
}

static void bytes_and_seeds_stay_below_the_count(void **) {
  uint8_t bytes[64];
  memset(bytes, 0xf7, sizeof bytes);
  ByteChoices some = choices_of_bytes(bytes, sizeof bytes);
  ByteChoices bits = choices_of_bits(bytes, sizeof bytes);
  RandomChoices random = choices_of_seed(5);
  for (uint64_t count = 1; count < 1'000'000; count = count * 3 + 1)
    assert_true(choose(&some.choices, count) < count && choose(&bits.choices, count) < count &&
                choose(&random.choices, count) < count);
  ByteChoices none = choices_of_bytes(nullptr, 0);
  assert_int_equal(choose(&none.choices, 100), 0);
}

/* 1, 2, 4 and 8 bits, lowest first; a single alternative takes none. */
static void bits_are_taken_from_the_lowest_on(void **) {
  const uint8_t bytes[] = {0b0110'10'1'0, 0b1111'0011};
  ByteChoices bits = choices_of_bits(bytes, sizeof bytes);
  assert_int_equal(choose(&bits.choices, 2), 0);
  assert_int_equal(choose(&bits.choices, 1), 0);
  assert_int_equal(choose(&bits.choices, 2), 1);
  assert_int_equal(choose(&bits.choices, 4), 0b10);
  assert_int_equal(choose(&bits.choices, 16), 0b0110);
  assert_int_equal(choose(&bits.choices, 200), 0b1111'0011 - 200);
  assert_int_equal(choose(&bits.choices, 200), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_those_of_listed_sequences),
      cmocka_unit_test(long_sequences_are_counted_after_joins),
      cmocka_unit_test(numbers_near_zero_are_all_and_the_small_ones_first),
      cmocka_unit_test(bytes_and_seeds_stay_below_the_count),
      cmocka_unit_test(bits_are_taken_from_the_lowest_on),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
