/* The rule that made a simplification wrong is named among rules that fired correctly; other
 * findings name no rule. */
#include "cli/fuzz/fuzz_culprit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/error.h"

static void the_first_wrong_step_names_its_rule(void **) {
  Arena *arena = arena_create();
  RuleSet rules = {};
  Error error = {};
  static const char wrong[] = "rule seeded\n  x mod c => x\n  when c > 0, hi(x) == c\n";
  Source source = {.name = "wrong", .text = wrong, .length = strlen(wrong), .first_line = 1};
  assert_true(rules_engine(arena, &rules, &error) && rules_parse(arena, &source, &rules, &error));
  static const char log[] =
      "INFO: Seed: 1\n\n# fuzz_found_unsound\n# note: becomes (d0)\nsimplify (d0, d1) -> ((d0 * 4 + d1) floordiv 4 + d1 floordiv 4, d0 mod 8), domain: d0 in [0, 8], d1 in [0, 3]\n\n==1== ERROR: libFuzzer: deadly signal\n";
  assert_string_equal(fuzz_culprit(arena, &rules, log), "seeded");
  assert_null(fuzz_culprit(arena, nullptr, log));
  assert_null(fuzz_culprit(arena, &rules,
      "# fuzz_found_order\n# note: n\nsimplify (d0) -> (d0 mod 8), domain: d0 in [0, 8]\n"));
  assert_null(fuzz_culprit(arena, &rules, "# fuzz_found_wrong\n# note: n\nHloModule m\n"));
  assert_null(fuzz_culprit(arena, &rules, "nothing"));
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_wrong_step_names_its_rule)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
