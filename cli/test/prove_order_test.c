/* affirm prove --order: rules with a wrong order line are refuted, each in the part that it
 * violates. */
#include "cli/test/test_command.h"

typedef struct WrongOrder {
  const char *rule, *printed;
} WrongOrder;

static const WrongOrder wrong[] = {
    {"rule no-line x mod c => x when c > 0, 0 <= lo(x), hi(x) < c", "the rule states none"},
    {"rule other-word x mod c => x when c > 0, 0 <= lo(x), hi(x) < c\n order: size",
        "no part of the order has this name"},
    {"rule heavier x mod c => x - c*(x floordiv c) when c > 0\n order: weight",
        "weight: REFUTED at weight of x = 1"},
    {"rule quotient-twice (y + x floordiv a) floordiv c => (a*y + x) floordiv (a*c) + x - x when a > 0, c > 0\n order: nesting",
        "can never hold"},
    {"rule constant-multiple (c*x + y) mod c => y mod c when c > 0\n order: weight",
        "weight: REFUTED at"},
    {"rule deeper (c*x + y) floordiv c => x + (2*y) floordiv (2*c) when c > 0\n order: weight, then divisors",
        "divisors: REFUTED at"},
    {"rule factor-of-one c*x in [a, b] => x in [a ceildiv c, b floordiv c] when c > 0\n order: coefficients",
        "coefficients: REFUTED at c = 1"},
    {"rule tidy-already (x + a) mod c => (x + (a + c floordiv 2) mod c - c floordiv 2) mod c when c > 0\n order: constants",
        "untidy: REFUTED at"},
    {"rule other-remainder (x + a) mod c => x mod c when c > 0, a == c*((a + 1) floordiv c), (a + c floordiv 2) floordiv c != 0\n order: constants",
        "DECREASES"},
    {"rule begins-at-zero (x + a) mod c in [m, n] => (x + a - m) mod c in [0, n - m] when c > 0, m < n, n < c, (m - a) mod c + n - m >= c\n order: late",
        "late: REFUTED at"},
    {"rule wraps (x + a) mod c in [m, n] => x mod c in [(m - a) mod c, (m - a) mod c + n - m] when c > 0, a != 0, 0 <= m, m < n, n < c\n order: constants",
        "late: REFUTED at"},
    {"rule outgrows x in [a, b] => x mod 7 in [a + 1, b]\n order: ends", "weight: REFUTED at"},
    {"rule each-is-asked x in [a, b] => x mod 7 in [a + 1, b]\n order: ends", "  ends: not judged"},
    {"rule overlaps c*(x floordiv c) + (x + c*z) mod c => x mod 5 + z mod 7 when c > 0\n order: weight",
        "weight: REFUTED at"},
    {"rule bound-constant (x + c) mod c => x mod c when c > 0\n order: constants",
        "untidy: REFUTED at"},
    {"rule sign-kept x floordiv c => (x + c - c) floordiv c when c > 0\n order: sign",
        "sign-of-x: REFUTED at weight of x = 1"},
    {"rule end-stays x in [a, b] => x in [lo(x), b] when a <= lo(x)\n order: ends",
        "ends: REFUTED at"},
    {"rule inner-operator ((x floordiv a) + y) floordiv c => ((x floordiv a) - y) floordiv c when a > 0, c > 0\n order: constants",
        "REFUTED at"},
};

static void wrong_orders_are_refuted(void **) {
  uint32_t failed = 0;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char *rules = write_text("t.rules", arena_printf(arena, "%s\n", wrong[i].rule));
    Ran ran = RUN(prove, WORD("--order"), rules);
    const char *all = arena_printf(arena, "%s%s", ran.printed, ran.complained);
    bool is_wrong = strcmp(wrong[i].printed, "DECREASES") != 0;
    if ((ran.status != 0) == is_wrong && strstr(all, wrong[i].printed) != nullptr) continue;
    print_error("%s\n  says %d: %s", wrong[i].rule, ran.status, all);
    failed++;
  }
  assert_int_equal(failed, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_orders_are_refuted)};
  return cmocka_run_group_tests(tests, command_begin, command_end);
}
