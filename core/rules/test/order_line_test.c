/* All `order:` lines of up to three words, of which some are no parts, joined in right and in wrong
 * ways: a line is read if it is a condition, or if all its words are parts and all joints are. */
#include "core/rules/order_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static const char *const words[] = {"weight", "nesting", "divisors", "coefficients", "ends", "sign",
    "late", "constants", "cancels", "text", "lighter", "weigh", "weights", "", "Weight", " ends"};
static const char *const joints[] = {", then ", ", ", ",then ", " then "};
static constexpr uint32_t word_count = sizeof words / sizeof *words,
                          joint_count = sizeof joints / sizeof *joints;

static bool is_part(uint32_t word) { return word < PARTS; }

static void check_line(const uint32_t *word, const uint32_t *joint, uint32_t count) {
  char line[120];
  int length = snprintf(line, sizeof line, "%s", words[word[0]]);
  bool all_are_parts = is_part(word[0]), last_is_part = is_part(word[0]);
  for (uint32_t i = 1; i < count; i++) {
    length += snprintf(
        line + length, sizeof line - (size_t)length, "%s%s", joints[joint[i]], words[word[i]]);
    all_are_parts &= is_part(word[i]) && joint[i] == 0;
    last_is_part = is_part(word[i]) && joint[i] == 0;
  }
  bool is_condition = count == 1 && strcmp(words[word[0]], "cancels") == 0;
  is_condition |= count == 1 && strcmp(words[word[0]], "text") == 0;
  is_condition |= count == 1 && strcmp(words[word[0]], "lighter") == 0;
  if (order_line_parses(line) != (is_condition || all_are_parts)) fail_msg("%s", line);
  OrderPart part;
  if (order_last_part(line, &part) != last_is_part) fail_msg("%s", line);
  if (last_is_part) assert_int_equal(part, word[count - 1]);
}

static void a_line_is_a_condition_or_parts(void **) {
  for (uint32_t a = 0; a < word_count; a++) {
    check_line((uint32_t[]){a}, (uint32_t[]){0}, 1);
    for (uint32_t i = 0; i < word_count * joint_count; i++) {
      uint32_t b = i % word_count, joint = i / word_count;
      check_line((uint32_t[]){a, b}, (uint32_t[]){0, joint}, 2);
      for (uint32_t c = 0; c < word_count; c++)
        check_line((uint32_t[]){a, b, c}, (uint32_t[]){0, joint, (a + c) % joint_count}, 3);
    }
  }
  assert_true(order_line_parses("text, turned"));
  assert_false(order_line_parses("text, turned, then ends") || order_line_parses("turned"));
}

static void the_message_lists_all_words(void **) {
  for (OrderPart part = 0; part < PARTS; ++part) {
    assert_string_equal(order_part_name(part), words[part]);
    assert_non_null(strstr(order_line_words, words[part]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_line_is_a_condition_or_parts),
      cmocka_unit_test(the_message_lists_all_words)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
