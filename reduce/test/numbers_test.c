/* The edits of numbers against a definition: every text of up to four characters of an alphabet,
 * and longer random ones. A finding that no other text shows sees each edit that a pass tries, in
 * its order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/reducer.h"

static constexpr size_t longest_numbers = 200;
static constexpr uint32_t most_numbers = 100, most_edits = 20'000;

typedef struct NumberWord {
  size_t begin, end;
  uint64_t value;
} NumberWord;

/* The characters that a number cannot follow; a number cannot stand before those from the third on.
 */
static const char joins_before[] = "_%.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/* Numbers are maximal runs of digits of at most 2^63 - 1, beside no letter, before no point, and
 * after no letter, point, underscore or percent sign. */
static uint32_t number_words(const char *text, NumberWord *words) {
  uint32_t count = 0;
  size_t length = strlen(text), end;
  for (size_t at = 0; at < length; at = end + 1) {
    uint64_t value = 0;
    bool fits = true;
    for (end = at; end < length && strchr("0123456789", text[end]) != nullptr; end++) {
      uint64_t digit = (uint64_t)(text[end] - '0');
      fits &= value <= ((uint64_t)INT64_MAX - digit) / 10;
      if (fits) value = value * 10 + digit;
    }
    if (end == at || !fits) continue;
    char before[2] = {at == 0 ? ' ' : text[at - 1]}, after[2] = {end == length ? ' ' : text[end]};
    bool is_joined =
        strstr(joins_before, before) != nullptr || strstr(joins_before + 2, after) != nullptr;
    if (!is_joined) words[count++] = (NumberWord){at, end, value};
  }
  return count;
}

typedef struct NumberEdits {
  uint32_t count;
  Arena *arena;
  const char **texts;
} NumberEdits;

/* A text in which the numbers of these values that lie in the part are other ones. */
static void expect_edit(NumberEdits *edits, const char *text, const uint64_t from[2],
    const uint64_t to[2], size_t begin, size_t end) {
  NumberWord words[most_numbers];
  uint32_t count = number_words(text, words);
  char edited[8 * longest_numbers];
  size_t length = 0, at = 0;
  for (uint32_t i = 0; i < count; i++) {
    bool is_inside = words[i].begin >= begin && words[i].begin < end;
    if (!is_inside || (words[i].value != from[0] && words[i].value != from[1])) continue;
    uint64_t value = words[i].value == from[0] ? to[0] : to[1];
    memcpy(edited + length, text + at, words[i].begin - at);
    length += words[i].begin - at;
    length += (size_t)sprintf(edited + length, "%llu", (unsigned long long)value);
    at = words[i].end;
  }
  strcpy(edited + length, text + at);
  assert_true(edits->count < most_edits);
  edits->texts[edits->count++] = arena_text(edits->arena, edited, strlen(edited));
}

/* 1, 2 and 0 if they are smaller; then, above 3, the value less its half, rounded up, less a
 * quarter, and so on, less 1 last. */
static uint32_t smaller_numbers(uint64_t value, uint64_t *to) {
  uint32_t count = 0;
  if (value > 1) to[count++] = 1;
  if (value > 2) to[count++] = 2;
  if (value > 0) to[count++] = 0;
  if (value <= 3) return count;
  uint64_t part = (value + 1) / 2;
  while (part > 1) {
    to[count++] = value - part;
    part /= 2;
  }
  to[count++] = value - 1;
  return count;
}

/* Of a pair: 1, 2, 0, the half and one less; the last two are above 2. */
static uint32_t fewer_numbers(uint64_t value, uint64_t *to) {
  uint32_t count = 0;
  if (value > 1) to[count++] = 1;
  if (value > 2) to[count++] = 2;
  to[count++] = 0;
  if (value / 2 > 2) to[count++] = value / 2;
  if (value - 1 > 2) to[count++] = value - 1;
  return count;
}

/* The first 24 values but 0, the largest first. */
static uint32_t large_values(const char *text, uint64_t *values) {
  NumberWord words[most_numbers];
  uint32_t words_count = number_words(text, words), count = 0;
  for (uint32_t i = 0; i < words_count && count < 24; i++) {
    bool is_new = words[i].value != 0;
    for (uint32_t k = 0; k < i; k++) is_new &= words[k].value != words[i].value;
    if (is_new) values[count++] = words[i].value;
  }
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = i + 1; k < count; k++)
      if (values[k] > values[i]) {
        uint64_t other = values[i];
        values[i] = values[k];
        values[k] = other;
      }
  return count;
}

static void expect_everywhere(NumberEdits *edits, const char *text) {
  uint64_t values[24], to[80];
  uint32_t count = large_values(text, values);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t ways = smaller_numbers(values[i], to);
    for (uint32_t w = 0; w < ways; w++)
      expect_edit(
          edits, text, (uint64_t[]){values[i], values[i]}, (uint64_t[]){to[w], to[w]}, 0, SIZE_MAX);
  }
}

static void expect_pairs(NumberEdits *edits, const char *text) {
  uint64_t values[24], to[2][5];
  uint32_t count = large_values(text, values);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = i + 1; k < count; k++) {
      uint32_t ways[] = {fewer_numbers(values[i], to[0]), fewer_numbers(values[k], to[1])};
      for (uint32_t second = 0; second < ways[1]; second++)
        for (uint32_t first = 0; first < ways[0]; first++)
          expect_edit(edits, text, (uint64_t[]){values[i], values[k]},
              (uint64_t[]){to[0][first], to[1][second]}, 0, SIZE_MAX);
    }
}

static void expect_in_place(NumberEdits *edits, const char *text) {
  NumberWord words[most_numbers];
  uint32_t count = number_words(text, words);
  for (uint32_t i = 0; i < count; i++) {
    uint64_t to[80], value[] = {words[i].value, words[i].value};
    size_t line = 0, next = 0;
    for (size_t at = 0; at < words[i].begin; at++)
      if (text[at] == '\n') line = at + 1;
    for (next = words[i].end; text[next] != 0 && text[next] != '\n';) next++;
    uint32_t ways = smaller_numbers(words[i].value, to);
    for (uint32_t w = 0; w < ways; w++) {
      uint64_t both[] = {to[w], to[w]};
      expect_edit(edits, text, value, both, words[i].begin, words[i].begin + 1);
      expect_edit(edits, text, value, both, line, next);
    }
  }
}

typedef struct NumberTrials {
  const char *text;
  const NumberEdits *edits;
  uint32_t tried;
} NumberTrials;

static bool is_next_edit(void *state, const char *text, size_t length) {
  NumberTrials *trials = state;
  if (trials->tried >= trials->edits->count) fail_msg("%s\ntoo much: %s", trials->text, text);
  if (strcmp(text, trials->edits->texts[trials->tried]) != 0)
    fail_msg("%s\ntried: %s\nwanted: %s", trials->text, text, trials->edits->texts[trials->tried]);
  assert_int_equal(strlen(text), length);
  trials->tried++;
  return false;
}

static void check_number_edits(const char *text) {
  static const struct {
    Pass *pass;
    void (*expect)(NumberEdits *edits, const char *text);
  } passes[] = {{pass_number_everywhere, expect_everywhere}, {pass_number_pairs, expect_pairs},
      {pass_number_in_place, expect_in_place}};
  static const char *texts[most_edits];
  for (uint32_t i = 0; i < 3; i++) {
    Arena *arena = arena_create();
    NumberEdits edits = {.arena = arena, .texts = texts};
    passes[i].expect(&edits, text);
    NumberTrials trials = {.text = text, .edits = &edits};
    Reduction reduction = {
        .still_shows = is_next_edit, .state = &trials, .most_trials = UINT32_MAX};
    Reducer reducer = {.arena = arena, .reduction = &reduction, .text = text};
    assert_false(passes[i].pass(&reducer));
    if (trials.tried != edits.count) fail_msg("%s\nnot tried: %s", text, edits.texts[trials.tried]);
    assert_ptr_equal(reducer.text, text);
    assert_int_equal(reduction.trials, edits.count);
    assert_int_equal(reduction.accepted, 0);
    arena_destroy(arena);
  }
}

static void short_texts_have_their_edits(void **) {
  static const char letters[] = "0159 a.%_\n-";
  static constexpr uint32_t letter_count = sizeof letters - 1;
  for (uint32_t length = 0; length <= 4; length++) {
    uint32_t all = 1;
    for (uint32_t i = 0; i < length; i++) all *= letter_count;
    for (uint32_t code = 0; code < all; code++) {
      char text[5] = "";
      for (uint32_t i = 0, rest = code; i < length; i++, rest /= letter_count)
        text[i] = letters[rest % letter_count];
      check_number_edits(text);
    }
  }
}

static void long_texts_have_their_edits(void **) {
  static const char *const words[] = {"9223372036854775807", "9223372036854775808", "00", "07",
      "1000", "s32", "3.5", "d1", "%p0", "x_2", "\n", "=", "12a", "18446744073709551617"};
  uint64_t state = 20261218;
  for (uint32_t round = 0; round < 60; round++) {
    char text[longest_numbers] = "";
    for (uint32_t count = round % 12 == 0 ? 40 : 6; count > 0; count--) {
      state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      uint32_t drawn = (uint32_t)(state >> 40);
      bool is_word = drawn % 3 == 0 && round % 12 != 0;
      char small[8];
      snprintf(small, sizeof small, "%u", drawn / 3 % (round % 12 == 0 ? 99 : 9));
      const char *word = is_word ? words[drawn / 3 % (sizeof words / sizeof *words)] : small;
      if (strlen(text) + strlen(word) + 2 >= longest_numbers) break;
      strcat(text, word);
      strcat(text, " ");
    }
    check_number_edits(text);
  }
}

/* ---- what is taken, and when a pass ends ---- */

static bool keeps_sum(void *state, const char *text, size_t) {
  NumberWord words[most_numbers];
  uint32_t count = number_words(text, words);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += words[i].value;
  return count == 3 && sum >= *(uint64_t *)state;
}

/* Whatever the order of edits, no single number of the result can be smaller. */
static void no_number_of_the_result_can_be_smaller(void **) {
  for (uint64_t a = 0; a < 6; a++)
    for (uint64_t b = 0; b < 6; b++)
      for (uint64_t c = 0; c < 6; c++)
        for (uint64_t least = 0; least <= a + b + c; least += 2) {
          Arena *arena = arena_create();
          char text[64];
          snprintf(text, sizeof text, "[%llu,%llu]\n%llu", (unsigned long long)a,
              (unsigned long long)b, (unsigned long long)c);
          Reduction reduction = {.still_shows = keeps_sum, .state = &least, .most_trials = 10'000};
          Reducer reducer = {.arena = arena, .reduction = &reduction, .text = text};
          static Pass *const passes[] = {pass_number_everywhere, pass_number_in_place};
          reducer_run(&reducer, passes, 2);
          NumberWord words[most_numbers];
          assert_int_equal(number_words(reducer.text, words), 3);
          assert_true(keeps_sum(&least, reducer.text, 0));
          assert_int_equal(words[0].value + words[1].value + words[2].value, least);
          assert_true(reduction.trials < 10'000);
          arena_destroy(arena);
        }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_texts_have_their_edits),
      cmocka_unit_test(long_texts_have_their_edits),
      cmocka_unit_test(no_number_of_the_result_can_be_smaller),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
