/* The rule language: accepted texts, rejected texts with the position of the error, and that every
 * printed rule parses back to itself. */
#include "core/rules/rule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/clock.h"
#include "core/base/test/test_arena.h"

static bool text_parse(const char *text, RuleSet *rules, Error *error) {
  Source source = {.name = "t.rules", .text = text, .length = strlen(text), .first_line = 1};
  *rules = (RuleSet){};
  *error = (Error){};
  return rules_parse(arena, &source, rules, error);
}

static const char *text_printed(const Rule *rule) {
  Text text = text_create(arena);
  rule_print(&text, rule);
  return text.bytes;
}

static void assert_prints_back(const char *text) {
  RuleSet rules, again;
  Error error;
  if (!text_parse(text, &rules, &error)) fail_msg("%s: %s", text, error.message);
  assert_int_equal(rules.count, 1);
  const char *first = text_printed(&rules.items[0]);
  if (!text_parse(first, &again, &error)) fail_msg("%s: %s", first, error.message);
  assert_string_equal(first, text_printed(&again.items[0]));
}

static void sums_and_signs_print_back(void **state) {
  (void)state;
  RuleSet rules;
  Error error;
  assert_true(text_parse(
      "rule r\n x - y - -3 - 2*x*-1 + -x*c - (y - 1) => x*(y + -1) mod (c*2) - 4", &rules, &error));
  Text text = text_create(arena);
  side_print(&text, &rules.items[0], &rules.items[0].left);
  text_string(&text, " => ");
  side_print(&text, &rules.items[0], &rules.items[0].right);
  assert_string_equal(text.bytes, "x - y + 3 - -(2*x) + -x*c - (y - 1) => x*(y - 1) mod (c*2) - 4");
}

static void every_form_prints_back(void **state) {
  (void)state;
  static const char *const texts[] = {
      "rule a (c*x + y) floordiv c => x + y floordiv c when c > 0",
      "rule b x mod c => x when 0 <= lo(x), hi(x) < c order: nodes near-miss: 0 <= lo(x), hi(x) <= c",
      "rule b x mod c => x\nwhen 0 <= lo(x), hi(x) < c\norder: nodes fall\nscope: c in [1, 64]\nexample: (d0) -> (d0)",
      "rule c x + c in [a, b] => x in [a - c, b - c]\nnear-miss: x in [a + c, b - c]",
      "rule d min(x, max(y, c)) ceildiv k / 3 => x*gcd(c, k + 1) - lo(y) when k mod 3 == 0, c != -9223372036854775808",
      "rule e x - -9223372036854775808 + 3*-1 + -(-(x)) => -9223372036854775808 - x",
      "rule f x mod (-c) floordiv (2*-1) => -(3)",
      "rule g -(x mod c) mod c - (x - y)*c => --x",
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) assert_prints_back(texts[i]);
}

/* Appends a random term of the rule language, at most `depth` deep. */
static void random_term(Text *text, int depth, bool is_divisor) {
  static const char *const leaves[] = {
      "c", "k2", "7", "-3", "0", "-9223372036854775808", "x", "y1", "z", "-x"};
  static const char *const operators[] = {" + ", " - ", "*", " floordiv ", " ceildiv ", " mod "};
  int choice = rand() % 10;
  if (depth == 0 || choice < 2) {
    text_string(text, leaves[rand() % (is_divisor ? 6 : 10)]);
    return;
  }
  if (choice < 4) {
    text_string(text, choice == 2 ? "min(" : "-(");
    random_term(text, depth - 1, is_divisor);
    if (choice == 2) {
      text_string(text, ", ");
      random_term(text, depth - 1, is_divisor);
    }
    text_string(text, ")");
    return;
  }
  int op = rand() % 6;
  text_string(text, "(");
  random_term(text, depth - 1, is_divisor);
  text_string(text, ")");
  text_string(text, operators[op]);
  text_string(text, "(");
  random_term(text, depth - 1, is_divisor || op > 2);
  text_string(text, ")");
}

static void random_rules_print_back(void **state) {
  (void)state;
  srand(7);
  for (int i = 0; i < 3000; i++) {
    ArenaMark mark = arena_mark(arena);
    Text text = text_create(arena);
    text_string(&text, "rule r (x + y1 + z + c + k2) + ");
    random_term(&text, 4, false);
    text_string(&text, " => ");
    random_term(&text, 4, false);
    assert_prints_back(text.bytes);
    arena_rewind(arena, mark);
  }
}

static void letters_are_numbered_by_first_occurrence(void **state) {
  (void)state;
  RuleSet rules;
  Error error;
  assert_true(text_parse("rule r (k*y + x) floordiv c => y when c == k", &rules, &error));
  const Rule *rule = &rules.items[0];
  assert_int_equal(rule->constant_count, 2);
  assert_int_equal(rule->expr_count, 2);
  assert_string_equal(rule->constants[0], "k");
  assert_string_equal(rule->constants[1], "c");
  assert_string_equal(rule->exprs[0], "y");
  assert_int_equal(rule->guard_count, 1);
  assert_int_equal(rule->line, 1);
}

static void scopes_are_ranges_of_constants(void **state) {
  (void)state;
  RuleSet rules;
  Error error;
  assert_true(text_parse(
      "rule r x*c + k => k + x*c scope: c in [1, 64],\n k in [-3, 9] # so\n near-miss: x", &rules,
      &error));
  const Rule *rule = &rules.items[0];
  assert_int_equal(rule->scope_count, 2);
  assert_int_equal(rule->scopes[1].letter, 1);
  assert_true(rule->scopes[1].lo == -3 && rule->scopes[1].hi == 9);
  assert_string_equal(rule->scope, "c in [1, 64], k in [-3, 9]");
}

typedef struct Bad {
  const char *text;
  uint32_t line, column;
  const char *message;
} Bad;

static void bad_input_is_rejected_at_its_location(void **state) {
  (void)state;
  static const Bad bad[] = {
      {"rule r\n  x mod c => y", 2, 14, "does not bind 'y'"},
      {"rule r\n  x mod c => x when k > 0", 2, 21, "does not bind 'k'"},
      {"rule r\n  x => x when x > 0", 2, 15, "expected a constant, not an expression letter"},
      {"rule r\n  c*x => x when lo(c) > 0", 2, 20, "lo() of a constant"},
      {"rule r\n  c*x => x when hi(7) > 0", 2, 20, "hi() of a constant"},
      {"rule r\n  c*x => x when hi(x + 1) > 0", 2, 22, "expected ')'"},
      {"rule r\n  c*x => x when hi(y) > 0", 2, 20, "does not bind 'y'"},
      {"rule r\n  c => c", 2, 3, "expected an expression letter, not a constant"},
      {"rule r\n  c in [0, 1] => c in [0, 1]", 2, 3,
          "expected an expression letter, not a constant"},
      {"rule r\n  x mod y => x", 2, 9, "expected a constant, not an expression letter: a divisor"},
      {"rule r\n  x mod (y + 1) => x", 2, 10,
          "expected a constant, not an expression letter: a divisor"},
      {"rule r\n  x mod (1 + 2*y) => x", 2, 16,
          "expected a constant, not an expression letter: a divisor"},
      {"rule r\n  x + c => x when c + x > 0", 2, 23,
          "expected a constant, not an expression letter"},
      {"rule r\n  x + c => x when x + c > 0", 2, 19,
          "expected a constant, not an expression letter"},
      {"rule r\n  x + c => gcd(c, x*2)", 2, 19, "gcd() is of constants"},
      {"rule r\n  x + c => gcd(c, gcd(c, 2) + x)", 2, 31, "gcd() is of constants"},
      {"rule r\n  x + lo(x) => x", 2, 7, "cannot be matched"},
      {"rule r\n  x + c => gcd(x, c)", 2, 16, "gcd() is of constants"},
      {"rule r\n  x => x\nrule r\n  x => x", 3, 6, "a second rule of this name"},
      {"rule r\n  x in [0, 1] => x", 2, 18, "right side is not"},
      {"rule r\n  x => x in [0, 1]", 2, 8, "left side is not"},
      {"rule r\n  x + => x", 2, 7, "expected an expression"},
      {"rule r\n  x + c", 2, 8, "expected '=>', not the end"},
      {"rule r\n  x => x extra", 2, 10, "expected 'when', 'rule'"},
      {"rule r\n  x => x when c", 2, 15, "does not bind 'c'"},
      {"rule r\n  x + c => x when c", 2, 20, "expected one of =="},
      {"rule r\n  x + foo => x", 2, 7, "'foo' is no letter"},
      {"rule r\n  x + 9223372036854775808 => x", 2, 7, "does not fit in int64"},
      {"rule r\n  x ^ 2 => x", 2, 5, "unexpected character '^'"},
      {"rule r\n  x \x01 2 => x", 2, 5, "unexpected byte 0x01"},
      {"rule r\n  x mod c => x when 0 <= lo(x) < c", 2, 32, "write two guards"},
      {"rule r\n  x mod c => x near-miss: 0 <= lo(x) < c", 2, 38, "write two guards"},
      {"x => x", 1, 1, "expected 'rule'"},
      {"rule", 1, 5, "a rule needs a name"},
      {"rule r\n  x => x\norder:\n", 3, 1, "expected a text"},
      {"rule r\n  x => x\norder: a\norder: b", 4, 1, "a second one"},
      {"rule r\n  x => x near-miss: x in [0, 1]", 2, 21, "near-miss side"},
      {"rule r\n  (x => x", 2, 6, "expected ')'"},
      {"rule r\n  x*c => x*c\nscope: x in [1, 2]", 3, 8, "a scope is of constant letters"},
      {"rule r\n  x*c => x*c\nscope: k in [1, 2]", 3, 8, "does not bind 'k'"},
      {"rule r\n  x*c => x*c\nscope: c in [2, 1]", 3, 8, "is empty"},
      {"rule r\n  x*c + k => x*c + k\nscope: c in [5, 5], k in [0, 9], c in [4, 6]", 3, 34,
          "a second range of this letter"},
      {"rule r\n  x*c => x*c\nscope: c in [1, n]", 3, 17, "expected an integer"},
      {"rule r\n  x mod 01 => 0", 2, 9, "an integer begins with 0"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    RuleSet rules;
    Error error;
    if (text_parse(bad[i].text, &rules, &error)) fail_msg("accepted: %s", bad[i].text);
    if (strstr(error.message, bad[i].message) == nullptr)
      fail_msg("%s: %s", bad[i].text, error.message);
    if (error.line != bad[i].line || error.column != bad[i].column)
      fail_msg("%s: %s at %u:%u", bad[i].text, error.message, error.line, error.column);
  }
}

static void deep_nesting_is_an_error(void **state) {
  (void)state;
  static const char *const pieces[] = {"(", "-", "x+", "min(x,", "x mod "};
  for (size_t piece = 0; piece < sizeof pieces / sizeof pieces[0]; piece++) {
    Text text = text_create(arena);
    text_string(&text, "rule r ");
    for (int i = 0; i < 100000; i++) text_string(&text, pieces[piece]);
    RuleSet rules;
    Error error;
    assert_false(text_parse(text.bytes, &rules, &error));
    assert_true(error.kind == ERROR_LIMIT || error.kind == ERROR_INPUT);
  }
}

/* A valid text with any one byte changed parses or is rejected, without a read out of bounds (the
 * sanitizers detect one). */
static void garbage_never_crashes(void **state) {
  (void)state;
  static const char text[] =
      "rule r\n (c*x + y) floordiv c => x + gcd(c, 2)*lo(y) when c > 0, c mod 2 == 1\n near-miss: c > 1\nexample: (d0)";
  static const char bytes[] = "()[],+-*/<>=!x c9#\n\x80:";
  char changed[sizeof text];
  srand(11);
  for (int i = 0; i < 20000; i++) {
    ArenaMark mark = arena_mark(arena);
    memcpy(changed, text, sizeof text);
    for (int k = rand() % 4; k >= 0; k--)
      changed[(size_t)rand() % (sizeof text - 1)] = bytes[(size_t)rand() % (sizeof bytes - 1)];
    RuleSet rules = {};
    Error error = {};
    Source source = {
        .name = "g", .text = changed, .length = (size_t)rand() % sizeof text, .first_line = 1};
    if (rules_parse(arena, &source, &rules, &error))
      for (uint32_t k = 0; k < rules.count; k++) assert_prints_back(text_printed(&rules.items[k]));
    else assert_true(error.kind != ERROR_NONE);
    arena_rewind(arena, mark);
  }
}

/* A name ends at a blank, at a comment, or at the end of the text. */
static void a_name_ends_before_a_comment(void **) {
  static const char *const texts[] = {"rule r\n  x => x", "rule r#c\n  x => x",
      "rule r # c\n  x => x", "rule\tr\tx => x", "#c\nrule r#\n  x#c\n => #d\n x"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Source source = {.name = "t", .text = texts[i], .length = strlen(texts[i]), .first_line = 1};
    RuleSet rules = {};
    Error error = {};
    if (!rules_parse(arena, &source, &rules, &error)) fail_msg("%s: %s", texts[i], error.message);
    assert_int_equal(rules.count, 1);
    assert_string_equal(rules.items[0].name, "r");
  }
}

/* Lines are counted from the source's first line, or from 1 if that is not known. */
static void a_rule_knows_its_line(void **) {
  static const char text[] = "# c\nrule a\n  x => x\n\nrule b x => x";
  for (uint32_t first = 0; first < 3; first++) {
    Source source = {.name = "t", .text = text, .length = strlen(text), .first_line = first};
    RuleSet rules = {};
    Error error = {};
    assert_true(rules_parse(arena, &source, &rules, &error));
    uint32_t before = first == 0 ? 0 : first - 1;
    assert_int_equal(rules.items[0].line, before + 2);
    assert_int_equal(rules.items[1].line, before + 5);
  }
}

static void engine_rules_parse(void **state) {
  (void)state;
  RuleSet rules = {};
  Error error = {};
  if (!rules_engine(arena, &rules, &error))
    fail_msg("%s:%u: %s", error.name, error.line, error.message);
  assert_true(rules.count >= 2);
  for (uint32_t i = 0; i < rules.count; i++) {
    assert_prints_back(text_printed(&rules.items[i]));
    if (!rules.items[i].has_negative) fail_msg("%s has no near-miss", rules.items[i].name);
    if (rules.items[i].example == nullptr) fail_msg("%s has no example", rules.items[i].name);
  }
}

static void an_error_names_the_text(void **state) {
  (void)state;
  static const char text[] = "rule a\n  x mod c =>\n";
  static const char *const names[] = {"own.rules", nullptr};
  for (uint32_t i = 0; i < 2; i++) {
    Source source = {.name = names[i], .text = text, .length = strlen(text), .first_line = 1};
    RuleSet rules = {};
    Error error = {};
    assert_false(rules_parse(arena, &source, &rules, &error));
    assert_string_equal(error.name, i == 0 ? "own.rules" : "<input>");
  }
}

/* A name is a letter of one class. It may be declared once more in the same class. */
static void a_name_is_declared_in_one_class(void **state) {
  (void)state;
  static const struct {
    const char *text, *fault; /* nullptr: none */
  } rows[] = {{"constant i constant i rule r i + s => i", "is no letter"},
      {"constant i constant i, j expression s rule r i*s => s*i", nullptr},
      {"constant i; expression i rule r s => s", "a constant already"},
      {"expression s rule r s => s constant j, s", "an expression already"},
      {"constant i, rule rule r i => i", "no word of rules"},
      {"expression mod rule r x => x", "no word of rules"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *own = arena_create();
    RuleSet rules = {};
    RuleFaults faults = {};
    Source source = {.name = "t", .text = rows[i].text, .length = strlen(rows[i].text)};
    rules_parse_statements(own, &source, &rules, &faults);
    assert_int_equal(faults.count > 0, rows[i].fault != nullptr);
    if (faults.count > 0) assert_non_null(strstr(faults.items[0].message, rows[i].fault));
    arena_destroy(own);
  }
}

/* Statements: constructs that a rewrite may not have are accepted and noted, and a fault affects
 * only its own rule. */
static void statements_are_read_and_faults_stay_alone(void **state) {
  (void)state;
  static const char text[] = "rule a x mod c => x + k when c > k\n"
                             "rule b x = y => x rule c lo(x) + y => y + lo(x)\n"
                             "constant i, j; expression s\n"
                             "rule d (i*s) mod j => s when i == j\n"
                             "rule e x $ y => x order: a rule f x => x\n"
                             "rule g x => x when 1 = 1\n"
                             "rule h\nrule i x => x rule j x\n"
                             "rule k 0 in [0, c] => 0 in [0, 0] when c > 0\nrule l c => c\n"
                             "rule m x => x near-miss: k > 0\nrule n x => x scope: k in [1, 2]\n"
                             "rule o x => x + k near-miss: k > 0\n";
  Arena *own = arena_create();
  RuleSet rules = {};
  RuleFaults faults = {};
  Source source = {.name = "t", .text = text, .length = sizeof text - 1};
  rules_parse_statements(own, &source, &rules, &faults);
  static const char *const names[] = {"a", "c", "d", "i", "k", "o"};
  static const char *const reasons[] = {"'k'", "lo()", nullptr, nullptr, "is a constant", "'k'"};
  assert_int_equal(rules.count, 6);
  for (uint32_t i = 0; i < 6; i++) {
    assert_string_equal(rules.items[i].name, names[i]);
    assert_int_equal(rules.items[i].cannot_run != nullptr, reasons[i] != nullptr);
    if (reasons[i] != nullptr) assert_non_null(strstr(rules.items[i].cannot_run, reasons[i]));
    assert_int_equal(rules.items[i].has_declared, i == 2);
  }
  assert_int_equal(rules.items[2].constant_count, 2);
  assert_int_equal(rules.items[2].expr_count, 1);
  static const struct {
    uint32_t line;
    const char *part;
  } wanted[] = {{2, "'=>'"}, {5, "character '$'"}, {6, "write =="}, {8, "expression"}, {9, "'=>'"},
      {10, "only a constant"}, {11, "does not bind 'k'"}, {12, "does not bind 'k'"}};
  assert_int_equal(faults.count, 8);
  for (uint32_t i = 0; i < 8; i++) {
    assert_non_null(strstr(faults.items[i].message, wanted[i].part));
    assert_int_equal(faults.items[i].line, wanted[i].line);
  }
  Error error = {};
  assert_false(rules_parse(own, &source, &rules, &error));
  arena_destroy(own);
}

/* What is skipped after a fault takes time in proportion to its length. */
static void skipping_takes_linear_time(void **) {
  static constexpr size_t length = 400'000;
  static const char *const units[] = {"{", "{\n", "x {\n", "order: \1\n"};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    Arena *own = arena_create();
    RuleSet rules = {};
    RuleFaults faults = {};
    Text text = text_create(own);
    while (text.length < length) text_string(&text, units[i]);
    text_string(&text, "\nrule last x => x\n");
    Source source = {.name = "t", .text = text.bytes, .length = text.length};
    const double start = clock_processor();
    rules_parse_statements(own, &source, &rules, &faults);
    assert_true(clock_processor() - start < 5);
    assert_int_equal(faults.count, 1);
    assert_int_equal(rules.count, 1);
    assert_string_equal(rules.items[0].name, "last");
    arena_destroy(own);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_name_is_declared_in_one_class),
      cmocka_unit_test(statements_are_read_and_faults_stay_alone),
      cmocka_unit_test(skipping_takes_linear_time),
      cmocka_unit_test_setup_teardown(sums_and_signs_print_back, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(every_form_prints_back, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(random_rules_print_back, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(
          letters_are_numbered_by_first_occurrence, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(scopes_are_ranges_of_constants, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(
          bad_input_is_rejected_at_its_location, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(deep_nesting_is_an_error, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(garbage_never_crashes, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(a_name_ends_before_a_comment, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(a_rule_knows_its_line, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(engine_rules_parse, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(an_error_names_the_text, arena_begin, arena_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
