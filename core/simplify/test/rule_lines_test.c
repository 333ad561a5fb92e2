/* The lines `order:` and `example:` of one to three rules of a text, right or wrong, in every
 * order: the text is rejected at the place of the first wrong line, with its reason. */
#include "core/simplify/rule_lines.h"

#include "core/simplify/test/test_world.h"

/* A line of a rule; what is wrong is in `wrong`, at its first place in the line. */
typedef struct RuleLine {
  const char *text, *wrong, *reason;
} RuleLine;

static const RuleLine orders[] = {{"", nullptr, nullptr}, {"  order: weight\n", nullptr, nullptr},
    {"  order: weight, then sign\n", nullptr, nullptr},
    {"  order: text, turned\n", nullptr, nullptr},
    {"  order: wait\n", "wait", "not an order: expected parts joined by"},
    {"  order: weight, sign\n", "weight, sign", "not an order: expected parts joined by"}};
static const RuleLine examples[] = {{"", nullptr, nullptr},
    {"  example: (d0) -> (d0), domain: d0 in [0, 9]\n", nullptr, nullptr},
    {"  example: (d0) -> (d0 + ?)\n", "?", "the example is no map: "},
    {"  example: (d0) -> (d0), domain: d9 in [0, 1]\n", "d9", "the example is no map: "}};
static constexpr uint32_t order_count = sizeof orders / sizeof *orders,
                          example_count = sizeof examples / sizeof *examples;

typedef struct Expected {
  Text text;
  const char *reason;           /* nullptr: nothing is wrong */
  uint32_t line, column, width; /* width: of an order */
} Expected;

/* Appends the line; keeps the place of the first wrong one. */
static void expected_append(Expected *expected, const RuleLine *line, uint32_t *number) {
  if (line->text[0] == '\0') return;
  ++*number;
  text_string(&expected->text, line->text);
  if (line->wrong == nullptr || expected->reason != nullptr) return;
  expected->reason = line->reason;
  expected->line = *number;
  expected->column = (uint32_t)(strstr(line->text, line->wrong) - line->text) + 1;
  expected->width = (uint32_t)strlen(line->wrong);
}

static Expected expected_of(Arena *arena, const uint32_t *choices, uint32_t rules) {
  Expected expected = {.text = text_create(arena)};
  uint32_t number = 0;
  for (uint32_t i = 0; i < rules; i++) {
    RuleLine head = {arena_printf(arena, "rule r%u x mod c => x\n", i), nullptr, nullptr};
    expected_append(&expected, &head, &number);
    expected_append(&expected, &orders[choices[i] % order_count], &number);
    expected_append(&expected, &examples[choices[i] / order_count], &number);
  }
  return expected;
}

static void check_rules(const uint32_t *choices, uint32_t count) {
  Arena *arena = arena_create();
  Expected expected = expected_of(arena, choices, count);
  Source source = {
      .name = "r", .text = expected.text.bytes, .length = expected.text.length, .first_line = 1};
  RuleSet rules = {};
  Error error = {};
  if (!rules_parse(arena, &source, &rules, &error))
    fail_msg("%s: %s", expected.text.bytes, error.message);
  assert_int_equal(rules.count, count);
  bool is_right = rules_lines_parse(arena, &source, &rules, &error);
  const char *reason = expected.reason == nullptr ? "" : expected.reason;
  if (is_right != (expected.reason == nullptr) || error.line != expected.line ||
      error.column != expected.column || error.width != expected.width ||
      strncmp(error.message, reason, strlen(reason)) != 0 || strlen(error.message) < strlen(reason))
    fail_msg("%s%u:%u+%u: %s", expected.text.bytes, error.line, error.column, error.width,
        error.message);
  assert_int_equal(error.kind, is_right ? ERROR_NONE : ERROR_INPUT);
  arena_destroy(arena);
}

static void the_first_wrong_line_is_rejected(void **) {
  static constexpr uint32_t all = order_count * example_count;
  for (uint32_t a = 0; a < all; a++) {
    check_rules((uint32_t[]){a}, 1);
    for (uint32_t b = 0; b < all; b++) check_rules((uint32_t[]){a % 4, b, a}, 3);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_wrong_line_is_rejected)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
