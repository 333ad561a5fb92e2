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
        "nesting: not judged (the parts before it are never equal)"},
    {"rule already-lighter x ceildiv c => (x + c - 1) floordiv c when c > 0\n order: weight, then constants",
        "untidy: not judged (the parts before it are never equal)"},
    {"rule lighter-or-turned x ceildiv c => -((-x) floordiv c) when c > 0\n order: sign",
        "sign-of-x: not judged (the parts before it are never equal)"},
    {"rule no-instance x ceildiv c => (x + c - 1) floordiv c when c > 0, c < 0\n order: weight, then constants",
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
    {"rule below-nothing x in [a, b] => x in [a, b - 1] when b < a\n order: ends",
        "ends: REFUTED at b = 0, a = 1"},
    {"rule in-itself x mod c => (x + c) mod c when c > 0\n order: text",
        "inside-1: REFUTED at weight of x = 1"},
    {"rule in-itself-turned x floordiv c => (x + c) floordiv c - 1 when c > 0\n order: text, turned",
        "inside-1: REFUTED at weight of x = 1"},
    {"rule in-its-argument x mod c => (x mod c) mod (2*c) when c > 0\n order: cancels",
        "inside-1: REFUTED at weight of x = 1"},
    {"rule in-itself-again min(x, y) => min(x + 1, y + 1) - 1\n order: lighter",
        "inside-1: REFUTED at"},
    {"rule common-part min(x + y, x + z) => min(y, z) + x\n order: lighter", "DECREASES"},
    {"rule beside-others min(x ceildiv c, y ceildiv c) => min(x, y) ceildiv c when c > 0\n order: divisors",
        "nesting: REFUTED at"},
    {"rule joined min(2*u, y) => min(u, y) when hi(y) <= lo(u), hi(y) <= 2*lo(u)\n order: coefficients",
        "DECREASES"},
    {"rule named-as-a-weight (k90*x) mod c => ((k90 - c)*x) mod c when c > 0, max(2*k90, 1 - k90) > c\n order: coefficients",
        "the name k90 is that of a measure"},
    {"rule named-as-added (x + m70) mod c => x mod c when c > 0, m70 == c\n order: text",
        "the name m70 is that of a measure"},
    {"rule spins min(x, y) => min(x + 1, y + 1) - 1\n order: sign",
        "\"sign\" is about a division or a constraint"},
    {"rule sum-turns x floordiv c + y => y - (c - x - 1) floordiv c when c > 0\n order: sign",
        "\"sign\" is about a division or a constraint"},
    {"rule no-condition x mod c => c - 1 - (-x - 1) mod c when c > 0\n order: weight, then sign",
        "\"sign\" is a condition only if no other part is named"},
    {"rule constant-turns c mod k => c mod k when k > 0\n order: sign",
        "\"sign\" is about a division or a constraint"},
    {"rule inner-turns k*(x floordiv c) in [a, b] => -k*((c - x - 1) floordiv c) in [a, b] when c > 0, k < 0\n order: sign",
        "an operator in a sum whose signs turn"},
    {"rule two-divisions -(x mod c) - (y mod c) + 2*c - 2 in [a, b] => (-x - 1) mod c + (-y - 1) mod c in [a, b] when c > 1\n order: constants",
        "a side has more operators than one division"},
    {"rule no-letter c mod k in [a, b] => c mod k in [a, b] when k > 0\n order: sign",
        "nothing to prove"},
    {"rule cancels-nothing x + c in [a, b] => x + c - 1 in [a - 1, b - 1]\n order: cancels",
        "\"cancels\" is about one operator"},
    {"rule cancels-a-letter u => max(u, u - 1)\n order: cancels",
        "\"cancels\" is about one operator"},
    {"rule end-stays x in [a, b] => x in [lo(x), b] when a <= lo(x)\n order: ends",
        "ends: REFUTED at"},
    {"rule once-less (x mod c) - x + y in [a, b] => y - c*(x floordiv c) in [a, b] when c > 0\n order: weight",
        "weight: REFUTED at weight of x = 1, weight of the sum with a letter twice = 0"},
    {"rule once-less ((x mod c) - x + y) floordiv b => (y - c*(x floordiv c)) floordiv b when c > 0, b > 0\n order: weight",
        "weight: REFUTED at weight of x = 1"},
    {"rule leaves (x mod c) + x + a in [m, n] => (x mod c) + x in [m - a, n - a] when c > 0, a != 0\n order: constants",
        "constants: REFUTED at a = 1, constant of x = -1"},
    {"rule leaves (x mod c) + y + a in [m, n] => (x mod c) + y in [m - a, n - a] when c > 0, a != 0\n order: constants",
        "DECREASES"},
    {"rule no-factor ((k*x + y) mod c) + a*x + b*y in [a, b] => (2*k*x + 2*y) mod (2*c) in [a, b] when c > 0, a == 0, b == 0\n order: weight",
        "weight: REFUTED at"},
    {"rule no-factor (x mod c) + a*x in [a, b] => x mod c in [a, b] when c > 0, a == 0, b == 0\n order: weight",
        "factor-of-x: REFUTED at a = 0"},
    {"rule factor (x mod c) + a*x in [a, b] => x + a*x - c*(lo(x) floordiv c) in [a, b] when c > 0, a > 0, lo(x) floordiv c == hi(x) floordiv c\n order: weight",
        "DECREASES"},
    {"rule common-to-one min(x + y, x + a) => x + min(y, a)\n order: weight", "weight: REFUTED at"},
    {"rule common-with-operator min(x + y mod c, x) => x + min(y mod c, 0) when c > 0\n order: weight",
        "weight: REFUTED at"},
    {"rule inner-operator ((x floordiv a) + y) floordiv c => ((x floordiv a) - y) floordiv c when a > 0, c > 0\n order: constants",
        "REFUTED at"},
};

/* A superfluous part is no bad input, but a rule without instances is. */
static void parts_that_are_never_reached_are_open(void **) {
  static const char sides[] = "x ceildiv c => (x + c - 1) floordiv c when c > 0";
  char *late = write_text(
           "late.rules", arena_printf(arena, "rule r %s\n order: weight, then constants\n", sides)),
       *none = write_text(
           "none.rules", arena_printf(arena, "rule r %s, c < 0\n order: constants\n", sides));
  Ran ran = RUN(prove, WORD("--order"), WORD("--json"), late);
  assert_int_equal(ran.status, 2);
  assert_non_null(strstr(ran.printed, "\"answer\":\"unknown\""));
  assert_string_equal(ran.complained, "");
  assert_int_equal(RUN(prove, WORD("--order"), none).status, 3);
}

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

/* The signs of a letter are compared in the remainder and in the sum around it. */
static void each_obligation_has_a_name(void **) {
  char *rules = write_text("t.rules",
      "rule twice ((a*u) mod c) + a*u + k in [m, n] => (((a + 0)*u) mod c) + (a + 0)*u in [m - k, n - k]\n"
      "  when c > 0, k != 0\n  order: constants\n");
  Ran ran = RUN(prove, WORD("--order"), WORD("--certificate"), path_of("names"), rules);
  assert_int_equal(ran.status, 0);
  const char *obligations = read_text(path_of("names/order.rules")),
             *first = strstr(obligations, "rule twice/sign-of-u\n");
  assert_non_null(first);
  assert_null(strstr(first + 1, "rule twice/sign-of-u\n"));
  assert_contains(obligations, "rule twice/sign-of-u-2\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_orders_are_refuted),
      cmocka_unit_test(each_obligation_has_a_name),
      cmocka_unit_test(parts_that_are_never_reached_are_open)};
  return cmocka_run_group_tests(tests, command_begin, command_end);
}
