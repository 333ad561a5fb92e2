/* A user's rules without the engine's: each reason for rejecting a rule, and true rules with every
 * form of a left side, each on texts that match and on texts that nearly match. The simplified map
 * has the same points as the given one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/map/evaluate.h"
#include "core/map/points.h"
#include "core/simplify/test/test_world.h"

static Simplifier *simplifier_alone(SimplifyFixture *world, const char *rule, Error *error) {
  Source *source = ARENA_NEW(world->context->arena, Source, 1);
  RuleSet *rules = ARENA_NEW(world->context->arena, RuleSet, 1);
  *source = (Source){.name = "test", .text = rule, .length = strlen(rule), .first_line = 1};
  if (!rules_parse(world->context->arena, source, rules, error)) {
    error_print(error, stderr);
    fail();
  }
  return simplifier_create(world->context, rules, error);
}

static void a_rule_is_rejected_for_its_reason(void **) {
  static const struct {
    const char *rule, *reason;
  } rows[] = {
      {"rule r (x*y) floordiv c => x when c > 0", "the argument is no linear sum"},
      {"rule r min(x*y, z) => x", "an argument is no linear sum"},
      {"rule r ((x*y) mod c) floordiv m => x when c > 0, m > 0", "an argument is no linear sum"},
      {"rule r min(x, y) floordiv c => x when c > 0", "min and max are matched at the root alone"},
      {"rule r (min(x, y) + z) floordiv c => x when c > 0",
          "min and max are matched at the root alone"},
      {"rule r (x mod c + y mod c + z mod c + w mod c + u mod c) mod c => x mod c when c > 0",
          "too many divisors and coefficients"},
      {"rule r x mod 2 + y mod 2 + z mod 2 + u mod 2 + v mod 2 + w mod 2 => x",
          "too many operators"},
      {"rule r (((((((x mod 2) mod 2) mod 2) mod 2) mod 2) mod 2) mod 2) mod 2 => x",
          "too many divisors and coefficients"},
      {"rule r x mod c + y => y when c > 0", "a free letter in a rule on sums"},
      {"rule r x mod c + 2*a => x when c > 0",
          "an unbound constant summand that is not a letter in a rule on sums"},
      {"rule r x mod c + a + b => x when c > 0",
          "an unbound constant summand that is not a letter in a rule on sums"},
      {"rule r (x + a*b) floordiv c => x floordiv c when c > 0",
          "an unbound constant summand that is not a letter or a multiple of one"},
      {"rule r (x + a + b) floordiv c => x floordiv c when c > 0",
          "an unbound constant summand that is not a letter or a multiple of one"},
      {"rule r (k*x + y + 2*a) floordiv c => y floordiv c when c > 0",
          "a multiple of an unbound constant beside more than one letter"},
      {"rule r (x floordiv c + k*x) mod m => x mod m when c > 0, m > 0",
          "a coefficient of a letter that occurs twice is not bound"},
      {"rule r a*b*(x mod c) + y mod m => x mod c when c > 0, m > 0",
          "the first operator's coefficient is not bound by it"},
      {"rule r a*x - a*(x mod c) => a*c*(x floordiv c) when c > 0",
          "the first operator's coefficient is not bound by it"},
      {"rule r (a*b*x) floordiv c => x when c > 0",
          "an unbound coefficient that is not a single letter"},
      {"rule r min(a*b*x, y) => x", "an unbound coefficient that is not a single letter"},
      {"rule r ((a + 1)*x) floordiv c => x when c > 0",
          "an unbound coefficient that is not a single letter"},
      {"rule r min((c mod 2)*x, y) => x", "an unbound coefficient that is not a single letter"},
      {"rule r min(gcd(a, b)*x, y) => x", "an unbound coefficient that is not a single letter"},
      {"rule r (k*x + m*y) floordiv c => x when c > 0",
          "two letters could match the same summands"},
      {"rule r (x + y + z) floordiv c => x when c > 0",
          "two letters could match the same summands"},
      {"rule r x + y in [a, b] => x in [a, b]", "two letters could match the same summands"},
      {"rule r k*x + x in [a, b] => x in [a ceildiv (k + 1), b floordiv (k + 1)] when k > 0",
          "a letter that occurs twice in one sum"},
      {"rule r (a*x + x) floordiv c => ((a + 1)*x) floordiv c when c > 0",
          "a letter that occurs twice in one sum"},
      {"rule r (a*x + b*x) floordiv c => ((a + b)*x) floordiv c when c > 0",
          "a letter that occurs twice in one sum"},
      {"rule r (a*u + u) mod c => ((a + 1)*u) mod c when c > 0",
          "a letter that occurs twice in one sum"},
      {"rule r x mod c + y mod m => 0 when c > 0, m > 0\n  order: cancels",
          "a rule of order \"cancels\" has one operator on the left"},
      {"rule r x + c in [a, b] => x + c - 1 in [a - 1, b - 1]\n  order: cancels",
          "a rule of order \"cancels\" has one operator on the left"},
      {"rule r u => max(u, u - 1)\n  order: cancels",
          "a rule of order \"cancels\" has one operator on the left"},
      {"rule r min(x, y) => min(x + 1, y + 1) - 1\n  order: sign",
          "a rule of order \"sign\" has a division or constraint on the left"},
      {"rule r x mod c + x floordiv c => x floordiv c + x mod c when c > 0\n  order: sign",
          "a rule of order \"sign\" has a division or constraint on the left"},
      {"rule r u => max(u, u - 1)\n  order: sign",
          "a rule of order \"sign\" has a division or constraint on the left"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    SimplifyFixture world = open_world();
    Error error = {};
    assert_null(simplifier_alone(&world, rows[i].rule, &error));
    assert_int_equal(error.kind, ERROR_UNSUPPORTED);
    const char *reason = strstr(error.message, "matched: ");
    assert_non_null(reason);
    assert_string_equal(reason + strlen("matched: "), rows[i].reason);
    close_world(&world);
  }
}

/* Left sides of 1 to 40 summands or factors, and right sides. */
static void a_rule_of_many_summands_is_rejected(void **) {
  static const struct {
    const char *before, *repeated, *after;
    uint32_t most;
  } rows[] = {
      {"rule r x", " + c", " in [a, b] => x in [a, b]", 12},
      {"rule r min(x", " + c", ", y) => x", 12},
      {"rule r (x", " + c", ") floordiv c => x when c > 0", 12},
      {"rule r min(x, y) => x", " + 1", "", 12},
      {"rule r min(x, y) => x", " * 2", "", 7},
      {"rule r (2", " * 2", "*x) floordiv c => x when c > 0", 6},
      {"rule r x mod c + y mod c => x", " + c", " when c > 0", 12},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (uint32_t n = 1; n <= 40; n++) {
      SimplifyFixture world = open_world();
      Error error = {};
      Text rule = text_create(world.context->arena);
      text_string(&rule, rows[i].before);
      for (uint32_t k = 1; k < n; k++) text_string(&rule, rows[i].repeated);
      text_string(&rule, rows[i].after);
      Simplifier *alone = simplifier_alone(&world, rule.bytes, &error);
      bool is_sum = alone != nullptr || strstr(error.message, "linear sum") == nullptr;
      assert_int_equal(is_sum, n <= rows[i].most);
      simplifier_destroy(alone);
      close_world(&world);
    }
}

static void check_same_points(SimplifyFixture *world, const Map *given, const Map *simplified) {
  int64_t values[8], expected[8] = {}, found[8] = {};
  assert_int_equal(given->result_count, simplified->result_count);
  for (bool more = map_points_begin(given, values); more; more = map_points_next(given, values)) {
    Point point = map_point(given, values);
    PointState state = map_evaluate(world->context, given, &point, expected);
    assert_int_equal(map_evaluate(world->context, simplified, &point, found), state);
    if (state == POINT_INSIDE)
      assert_memory_equal(found, expected, given->result_count * sizeof *found);
  }
}

static void a_rule_fires_where_it_matches(void **) {
  static const struct {
    const char *rule, *given, *simplified;
  } rows[] = {
      {"rule contained x - x mod c => c*(x floordiv c) when c > 0",
          "(d0, d1) -> (d0 - d0 mod 3, d0 + d1 - (d0 + d1) mod 4, d0 - d1 mod 3, d0 - (d0 + d1) mod 3), domain: d0 in [0, 11], d1 in [-5, 6]",
          "(d0, d1) -> ((d0 floordiv 3) * 3, ((d0 + d1) floordiv 4) * 4, d0 - (d1 mod 3), d0 - ((d0 + d1) mod 3)), domain: d0 in [0, 11], d1 in [-5, 6]"},
      {"rule contained x - x mod c => c*(x floordiv c) when c > 0",
          "(d0, d1) -> (d0 * 2 + d1 - d0 mod 3, d0 * 2 - (d0 * 2) mod 3, 5 + d0 - d0 mod 3, -d0 + d0 mod 3, d0 * 2 - (d0 mod 3) * 2), domain: d0 in [0, 11], d1 in [-5, 6]",
          "(d0, d1) -> (d0 * 2 - (d0 mod 3) + d1, ((d0 * 2) floordiv 3) * 3, (d0 floordiv 3) * 3 + 5, (d0 floordiv 3) * -3, (d0 floordiv 3) * 6), domain: d0 in [0, 11], d1 in [-5, 6]"},
      {"rule contained x - x mod c => c*(x floordiv c) when c > 0",
          "(d0, d1) -> (d0 - (d0 + 1) mod 3, d0 + 1 - (d0 + 1) mod 3, d0 * 2 + d1 - (d0 * 2 + d1) mod 5, d0 + d1 - (d0 * 2 + d1) mod 5), domain: d0 in [0, 11], d1 in [-5, 6]",
          "(d0, d1) -> (((d0 + 1) floordiv 3) * 3 - 1, ((d0 + 1) floordiv 3) * 3, ((d0 * 2 + d1) floordiv 5) * 5, d0 - ((d0 * 2 + d1) mod 5) + d1), domain: d0 in [0, 11], d1 in [-5, 6]"},
      {"rule beside ((a*u + y) mod c) - y => a*u - c*((a*u + y) floordiv c) when c > 0",
          "(d0, d1) -> ((d0 + d1) mod 5 - d0, (d0 + d1) mod 5 - d0 - d1), domain: d0 in [0, 11], d1 in [-5, 6]",
          "(d0, d1) -> (d1 - ((d0 + d1) floordiv 5) * 5, ((d0 + d1) floordiv 5) * -5), domain: d0 in [0, 11], d1 in [-5, 6]"},
      {"rule beside (2*u + y) mod c + y in [m, n] => 2*u + 2*y - c*((2*u + y) floordiv c) in [m, n] when c > 0",
          "(d0, d1) -> (d0), domain: d0 in [0, 11], d1 in [-5, 6], (d0 * 2 + d1) mod 5 + d0 * 2 + d1 in [3, 9]",
          "(d0, d1) -> (d0), domain: d0 in [0, 7], d1 in [-5, 6], (d0 * 2 + d1) mod 5 + d0 * 2 + d1 in [3, 9]"},
      {"rule both x mod c + y mod c - x - y => -c*(x floordiv c) - c*(y floordiv c) when c > 0",
          "(d0, d1) -> (d0 mod 5 + d1 mod 5 - d0 - d1, (d0 + d1) mod 5 + d0 mod 5 - d0 - d1), domain: d0 in [0, 11], d1 in [-5, 6]",
          "(d0, d1) -> ((d0 floordiv 5) * -5 - (d1 floordiv 5) * 5, d0 mod 5 + (d0 + d1) mod 5 - d0 - d1), domain: d0 in [0, 11], d1 in [-5, 6]"},
      {"rule shift x mod c + 2*c => x mod c + c + c when c > 0",
          "(d0, d1) -> (d0 mod 3 + 6, (d0 mod 3) * 2 + 12, d0 mod 3 + 7), domain: d0 in [0, 11], d1 in [-5, 6]",
          "(d0, d1) -> (d0 mod 3 + 6, (d0 mod 3) * 2 + 12, d0 mod 3 + 7), domain: d0 in [0, 11], d1 in [-5, 6]"},
      {"rule least min(x, c) => x when hi(x) <= min(c, 9)",
          "(d0, d1) -> (min(d0, 9), min(d0, 8), min(d1, 7), min(d0 + d1, 11)), domain: d0 in [0, 9], d1 in [-5, 6]",
          "(d0, d1) -> (d0, min(8, d0), d1, min(11, d0 + d1)), domain: d0 in [0, 9], d1 in [-5, 6]"},
      {"rule greatest max(x, c) => x when lo(x) >= max(c, -3)",
          "(d0, d1) -> (max(d0, -3), max(d0, 0), max(d0, 1), max(d1, -3), max(d1, -6)), domain: d0 in [0, 9], d1 in [-4, 6]",
          "(d0, d1) -> (d0, d0, max(1, d0), max(-3, d1), max(-6, d1)), domain: d0 in [0, 9], d1 in [-4, 6]"},
      {"rule product min(x, c) => x when hi(x) * 2 <= c * 2, lo(x) floordiv 2 >= -3, hi(x) mod 4 < 3, c ceildiv 4 < 4",
          "(d0, d1) -> (min(d0, 9), min(d0, 12), min(d0, 13), min(d1, 7), min(d1 - 1, 9)), domain: d0 in [0, 9], d1 in [-6, 6]",
          "(d0, d1) -> (d0, d0, min(13, d0), d1, min(9, d1 - 1)), domain: d0 in [0, 9], d1 in [-6, 6]"},
      {"rule apart (c*x + 5) floordiv c => x + 5 floordiv c when c > 0",
          "(d0, d1) -> ((d0 * 3 + 5) floordiv 3, (d0 * 4 + d1 * 8 + 5) floordiv 4, (d0 * 3 + 4) floordiv 3, (d0 * 3 + d1 + 5) floordiv 3), domain: d0 in [0, 11], d1 in [-5, 6]",
          "(d0, d1) -> (d0 + 1, d0 + d1 * 2 + 1, (d0 * 3 + 4) floordiv 3, (d0 * 3 + d1 + 5) floordiv 3), domain: d0 in [0, 11], d1 in [-5, 6]"},
      {"rule common min(x + y, x + z) => x + min(y, z)",
          "(d0, d1) -> (min(d0 + d1, d0 + 3), min(d0 + d1, d0 + d1 * 2), min(d0, d1), min(d0 * 2 + d1, d0 + 1), min(d0 - d1, 4 - d1)), domain: d0 in [0, 11], d1 in [-5, 6]",
          "(d0, d1) -> (min(3, d1) + d0, min(0, d1) + d0 + d1, min(d0, d1), min(1, d0 + d1) + d0, min(4, d0) - d1), domain: d0 in [0, 11], d1 in [-5, 6]"},
      {"rule scaled a*(x mod c) in [m, n] => x mod c in [m ceildiv a, n floordiv a] when c > 0, a > 1",
          "(d0, d1) -> (d0), domain: d0 in [0, 11], d1 in [-5, 6], ((d0 + d1) mod 4) * 3 in [2, 7]",
          "(d0, d1) -> (d0), domain: d0 in [0, 11], d1 in [-5, 6], (d0 + d1) mod 4 in [1, 2]"},
      {"rule scaled a*(x mod c) in [m, n] => x mod c in [m ceildiv a, n floordiv a] when c > 0, a > 1",
          "(d0, d1) -> (d0), domain: d0 in [0, 11], d1 in [-5, 6], (d0 + d1) mod 4 in [2, 3]",
          "(d0, d1) -> (d0), domain: d0 in [0, 11], d1 in [-5, 6], (d0 + d1) mod 4 in [2, 3]"},
      {"rule divides (c*x + y) mod c => y mod c when c > 0",
          "(d0, d1) -> ((d0 * 6 + d1) mod 3, (d0 * 4 + d1 * 2) mod 4, (d0 * 3 + 7) mod 3, d0 mod 5), domain: d0 in [0, 11], d1 in [-5, 6]",
          "(d0, d1) -> (d1 mod 3, (d1 * 2) mod 4, 7 mod 3, d0 mod 5), domain: d0 in [0, 11], d1 in [-5, 6]"},
      {"rule factors (c*x) floordiv (c*k) => x floordiv k when c > 1, k > 0",
          "(d0, d1) -> ((d0 * 6) floordiv 9, (d0 * 6 + d1 * 4) floordiv 8, (d0 * 6 + d1) floordiv 9, (d0 * 2) floordiv 3), domain: d0 in [0, 11], d1 in [-5, 6]",
          "(d0, d1) -> ((d0 * 2) floordiv 3, (d0 * 3 + d1 * 2) floordiv 4, (d0 * 6 + d1) floordiv 9, (d0 * 2) floordiv 3), domain: d0 in [0, 11], d1 in [-5, 6]"},
      {"rule nested ((x floordiv a) + y) floordiv b => (x + a*y) floordiv (a*b) when a > 0, b > 0",
          "(d0, d1) -> ((d0 floordiv 3 + d1) floordiv 2, (d0 floordiv 3 + (d1 floordiv 2) * 5 + 1) floordiv 7, ((d0 floordiv 3) * 2 + d1) floordiv 2), domain: d0 in [0, 11], d1 in [-5, 6]",
          "(d0, d1) -> ((d0 + d1 * 3) floordiv 6, ((d1 floordiv 2) * 15 + d0 + 3) floordiv 21, ((d0 floordiv 3) * 2 + d1) floordiv 2), domain: d0 in [0, 11], d1 in [-5, 6]"},
      {"rule unit (a*u + x) mod c => ((a mod c)*u + x) mod c when c > 0, a >= c",
          "(d0, d1) -> ((d0 * 7 + d1) mod 3, (d0 * 7 + d1 * 8) mod 5, (d0 * 2 + d1) mod 3), domain: d0 in [0, 11], d1 in [-5, 6]",
          "(d0, d1) -> ((d0 + d1) mod 3, (d0 * 2 + d1 * 3) mod 5, (d0 * 2 + d1) mod 3), domain: d0 in [0, 11], d1 in [-5, 6]"},
      {"rule same x mod c => x mod c + c - c when c > 0\n  order: cancels",
          "(d0, d1) -> (d0 mod 3 + d1, d1 - d0 mod 3), domain: d0 in [0, 11], d1 in [-5, 6]",
          "(d0, d1) -> (d0 mod 3 + d1, d1 - (d0 mod 3)), domain: d0 in [0, 11], d1 in [-5, 6]"},
      {"rule doubled min(2*x, 2*y) => 2*min(x, y)\n  order: text",
          "(d0, d1) -> (min(d0 * 2, d1 * 2), min(d0 * 2, d1 * 2) + d0 mod 3, max(min(d0 * 2, d1 * 2), 4)), domain: d0 in [0, 11], d1 in [-5, 6], min(d0 * 2, d1 * 2) in [-8, 9]",
          "(d0, d1) -> (min(d0, d1) * 2, d0 mod 3 + min(d0, d1) * 2, max(4, min(d0, d1) * 2)), domain: d0 in [0, 11], d1 in [-4, 6], min(d0, d1) * 2 in [-8, 9]"},
      {"rule as-long max(u, v) => max(u, v + v - v)\n  order: text",
          "(d0, d1) -> (max(d0, d1)), domain: d0 in [0, 11], d1 in [-5, 6]",
          "(d0, d1) -> (max(d0, d1)), domain: d0 in [0, 11], d1 in [-5, 6]"},
      {"rule waits x mod c + y floordiv c => y floordiv c + x mod c + 0*c when lo(x) < hi(y), c != 2",
          "(d0, d1) -> (d0 mod 3 + d1 floordiv 3, d0 mod 2 + d1 floordiv 2), domain: d0 in [0, 11], d1 in [-5, 6]",
          "(d0, d1) -> (d0 mod 3 + d1 floordiv 3, d0 mod 2 + d1 floordiv 2), domain: d0 in [0, 11], d1 in [-5, 6]"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    SimplifyFixture world = open_world();
    Error error = {};
    Simplifier *alone = simplifier_alone(&world, rows[i].rule, &error);
    const Map *given = fixture_parse(&world, rows[i].given), *simplified;
    assert_non_null(alone);
    assert_true(simplify_map(alone, given, nullptr, &simplified, nullptr, &error));
    assert_string_equal(fixture_print(&world, simplified), rows[i].simplified);
    check_same_points(&world, given, simplified);
    simplifier_destroy(alone);
    close_world(&world);
  }
}

/* The rule is true, and its right side has a sum on which it fires again. */
static void a_rule_that_fires_in_its_result_ends(void **) {
  static const char *rule =
      "rule grows -(x mod a) => (-x) mod a - a*((x mod a + a - 1) floordiv a) when a > 0";
  static const char *texts[] = {
      "(d0) -> (-(d0 mod 3)), domain: d0 in [0, 5]",
      "(d0, d1) -> (d1 mod 4 - (d0 mod 3) * 2 - d1 mod 5), domain: d0 in [0, 5], d1 in [0, 9]",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    SimplifyFixture world = open_world();
    Error error = {};
    Simplifier *alone = simplifier_alone(&world, rule, &error);
    const Map *simplified;
    assert_non_null(alone);
    assert_false(simplify_map(
        alone, fixture_parse(&world, texts[i]), nullptr, &simplified, nullptr, &error));
    assert_int_equal(error.kind, ERROR_LIMIT);
    simplifier_destroy(alone);
    close_world(&world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rule_that_fires_in_its_result_ends),
      cmocka_unit_test(a_rule_is_rejected_for_its_reason),
      cmocka_unit_test(a_rule_of_many_summands_is_rejected),
      cmocka_unit_test(a_rule_fires_where_it_matches),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
