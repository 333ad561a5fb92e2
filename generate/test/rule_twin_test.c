/* Derived negative variants are in a fixed order and describe the change. */
#include "generate/rule_twin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static Arena *arena;

static Rule rule_of(const char *text) {
  Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  RuleSet rules = {};
  Error error = {};
  assert_true(rules_parse(arena, &source, &rules, &error));
  assert_int_equal(rules.count, 1);
  return rules.items[0];
}

/* The right side and the guards of each variant, in order. */
static const char *twins(const char *text) {
  Rule rule = rule_of(text), twin;
  const char *what;
  Text out = text_create(arena);
  for (uint32_t i = 0; i < rule_twin_limit(&rule); i++) {
    if (!rule_twin(arena, &rule, i, &twin, &what)) continue;
    text_string(&out, "[");
    side_print(&out, &twin, &twin.right);
    for (uint32_t k = 0; k < twin.guard_count; k++) {
      text_string(&out, k == 0 ? " when " : ", ");
      guard_print(&out, &twin, &twin.guards[k]);
    }
    text_string(&out, "]");
  }
  return out.bytes;
}

static void guards_leave_and_weaken_first(void **) {
  assert_string_equal(twins("rule r\n  x mod c => x when c > 0, 0 <= lo(x), c != 3"),
      "[x when 0 <= lo(x), c != 3][x when c > 0, c != 3][x when c > 0, 0 <= lo(x)]"
      "[x when c >= 0, 0 <= lo(x), c != 3][x when c > 0, 0 <= lo(x) + 1, c != 3]"
      "[x + 1 when c > 0, 0 <= lo(x), c != 3][x - 1 when c > 0, 0 <= lo(x), c != 3]");
}

static void numbers_and_signs_of_the_right_side_follow(void **) {
  assert_string_equal(
      twins("rule r\n  x + y => 2*x + y"), "[3*x + y][1*x + y][2*x - y][2*x + y + 1][2*x + y - 1]");
  assert_string_equal(twins("rule r\n  x in [a, b] => x in [a, 4]"),
      "[x in [a, 5]][x in [a, 3]][x in [a, 4 + 1]][x in [a + 1, 4]]");
}

static void the_rule_itself_is_none_of_its_twins(void **) {
  Rule rule = rule_of("rule r\n  x + c => c + x when c > 2"), twin;
  const char *what;
  assert_false(rule_twin(arena, &rule, rule_twin_limit(&rule), &twin, &what));
  assert_null(strstr(twins("rule r\n  x + c => c + x when c > 2"), "[c + x when c > 2]"));
}

static int twin_begin(void **) {
  arena = arena_create();
  return 0;
}

static int twin_end(void **) {
  arena_destroy(arena);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(guards_leave_and_weaken_first),
      cmocka_unit_test(numbers_and_signs_of_the_right_side_follow),
      cmocka_unit_test(the_rule_itself_is_none_of_its_twins)};
  return cmocka_run_group_tests(tests, twin_begin, twin_end);
}
