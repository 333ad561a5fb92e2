/* Texts that the library rejects, with their errors, and names in texts that it accepts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "include/affirm.h"

static AffirmContext *texts;

static int texts_begin(void **) {
  texts = affirm_context_create();
  return texts == nullptr ? -1 : 0;
}
static int texts_end(void **) {
  affirm_context_destroy(texts);
  return 0;
}

static void expect_error_at(uint32_t line, uint32_t column, const char *part) {
  const AffirmError *error = affirm_error(texts);
  assert_int_equal(error->kind, AFFIRM_ERROR_INPUT);
  if (strstr(error->message, part) == nullptr)
    fail_msg("'%s' is not in '%s'", part, error->message);
  assert_int_equal(error->line, line);
  assert_int_equal(error->column, column);
  affirm_error_clear(texts);
}

static const char namesakes[] =
    "HloModule m\n"
    "f { a = f32[4] parameter(0)\n ROOT n = f32[4] negate(a) }\n"
    "g { a = f32[4] parameter(0)\n ROOT n = f32[4] reverse(a), dimensions={0} }\n"
    "ENTRY e {\n p = f32[4] parameter(0)\n x = f32[4] fusion(p), kind=kLoop, calls=f\n"
    " ROOT a = f32[4] fusion(x), kind=kLoop, calls=g\n}\n";

static void names_that_several_have_need_a_computation(void **) {
  const AffirmModule *module = affirm_module_read(texts, "m", namesakes);
  assert_null(affirm_module_find(texts, module, "n"));
  expect_error_at(0, 0, "several computations have an instruction 'n': say f/n or g/n");
  assert_string_equal(
      affirm_instruction_opcode(affirm_module_find(texts, module, "f/n")), "negate");
  assert_string_equal(
      affirm_instruction_opcode(affirm_module_find(texts, module, "g/n")), "reverse");
  assert_ptr_equal(affirm_module_find(texts, module, "a"), affirm_module_root(module));
  assert_string_equal(
      affirm_instruction_opcode(affirm_module_find(texts, module, "g/a")), "parameter");
  assert_null(affirm_module_find(texts, module, "g/x"));
  expect_error_at(0, 0, "there is no instruction g/x");
}

static void a_text_of_two_modules_is_rejected_as_such(void **) {
  assert_null(affirm_module_read(texts, "two",
      "HloModule a\nENTRY e {\n  ROOT p = f32[3] parameter(0)\n}\n\n"
      "HloModule b\nENTRY e {\n  ROOT p = f32[3] parameter(0)\n}\n"));
  expect_error_at(6, 1, "the text has 2 modules, and affirm_module_read takes one");
  assert_null(affirm_module_read(texts, "one", "HloModule a\nENTRY e {\n  ROOT p = q\n}\n"));
  expect_error_at(3, 12, "");
}

/* What `affirm prove` rejects. */
static void lines_of_rules_are_checked(void **) {
  static const char rule[] = "rule r x mod c => x when c > 0, 0 <= lo(x), hi(x) < c\n";
  char text[256];
  snprintf(text, sizeof text, "%s order: frob\n", rule);
  assert_null(affirm_rules_parse(texts, "r", text));
  expect_error_at(2, 9, "not an order: expected parts");
  snprintf(text, sizeof text, "%s example: (d0) -> (d0 mod\n", rule);
  assert_null(affirm_rules_parse(texts, "r", text));
  expect_error_at(2, 26, "the example is no map: ");
  snprintf(text, sizeof text,
      "%s example: (d0) -> (d0 mod 8), domain: d0 in [0, 7]\n order: weight, then sign\n", rule);
  assert_int_equal(affirm_rules_count(affirm_rules_parse(texts, "r", text)), 1);
}

/* One second of a proof that takes more than a minute. */
#define FOURTH "x * x * x * x"
#define SIXTEENTH FOURTH " * " FOURTH " * " FOURTH " * " FOURTH
static void a_proof_of_a_rule_has_the_limit_of_the_context(void **) {
  const AffirmRules *rules = affirm_rules_parse(texts, "r",
      "rule r (" SIXTEENTH ") mod 64 => min((" SIXTEENTH ") mod 64, 1)\n"
      "rule easy x + k - k => x\n");
  AffirmVerdict verdict;
  affirm_context_limit(texts, 1);
  assert_int_equal(affirm_rule_prove(texts, rules, 0, &verdict), AFFIRM_UNKNOWN);
  assert_string_equal(verdict.text, "out of time");
  assert_int_equal(affirm_rule_prove(texts, rules, 1, &verdict), AFFIRM_PROVED);
}

static size_t bytes_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/* Some allocate before they fail. */
static void reject_each(void) {
  assert_null(affirm_map_parse(texts, "m", "(d0) -> (d0 * 7 + d9), domain: d0 in [0, 3]"));
  assert_string_equal(affirm_error_text(texts), affirm_error_text(texts));
  affirm_error_clear(texts);
  assert_null(affirm_rules_parse(texts, "r", "rule a x + k - k => x\nrule b x =>\n"));
  affirm_error_clear(texts);
  assert_null(
      affirm_module_read(texts, "h", "HloModule a\nENTRY e {\n  ROOT p = f32[3] q(r)\n}\n"));
  affirm_error_clear(texts);
}

static void rejected_texts_take_no_memory(void **) {
  const AffirmMap *map = affirm_map_parse(texts, "m", "(d0) -> (d0 * 7), domain: d0 in [0, 3]");
  reject_each();
  size_t before = bytes_in_use();
  for (int i = 0; i < 3000; i++) reject_each();
  assert_true(bytes_in_use() < before + (1 << 16));
  assert_string_equal(affirm_map_text(texts, map), "(d0) -> (d0 * 7), domain: d0 in [0, 3]");
}

/* The error is the first one, and its text stays with it. */
static void errors_of_rejected_texts_stay(void **) {
  assert_null(affirm_module_read(texts, "first", "HloModule a\nENTRY e {\n  q\n}\n"));
  const char *text = affirm_error_text(texts);
  assert_null(affirm_module_read(texts, "second", "HloModule a\nHloModule b\n"));
  assert_null(affirm_rules_parse(texts, "third", "rule r x => x\n order: frob\n"));
  assert_non_null(affirm_map_parse(texts, "m", "(d0) -> (d0), domain: d0 in [0, 3]"));
  assert_non_null(strstr(text, "first:4:1: error: "));
  assert_string_equal(affirm_error(texts)->source, "first");
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define TEXTS(name) cmocka_unit_test_setup_teardown(name, texts_begin, texts_end)
      TEXTS(names_that_several_have_need_a_computation),
      TEXTS(a_text_of_two_modules_is_rejected_as_such),
      TEXTS(lines_of_rules_are_checked),
      TEXTS(a_proof_of_a_rule_has_the_limit_of_the_context),
      TEXTS(rejected_texts_take_no_memory),
      TEXTS(errors_of_rejected_texts_stay),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
