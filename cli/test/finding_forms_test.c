/* Forms of findings: the form of a question and its answer, without numbers and names, and the
 * counts of findings by form. */
#include "cli/finding_forms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static Arena *arena;

static void form_is(const char *question, const char *answer, const char *wanted) {
  assert_string_equal(finding_form_of_maps(arena, question, answer), wanted);
}

static void a_form_has_neither_numbers_nor_names(void **) {
  static const char form[] = "((v mod c) * c) mod c => c * (v mod c)";
  form_is("(d0) -> (((d0 mod 3) * 2) mod 3), domain: d0 in [0, 2]",
      "(d0) -> (2 * (d0 mod 3)), domain: d0 in [0, 2]", form);
  form_is("()[s0] -> (((s0 mod 14) * -25) mod 10), domain: s0 in [-7, 2]",
      "()[s0] -> (-5 * (s0 mod 2)), domain: s0 in [-7, 2]", form);
  form_is("(){rt0} -> (((rt0 mod 3) * 2) mod 3, rt0), domain: rt0 in [0, 2]",
      "(){rt0} -> (2 * (rt0 mod 3), rt0), domain: rt0 in [0, 2]", form);
}

static void it_does_not_matter_where_an_expression_stands(void **) {
  static const char form[] = "((v mod c) * c) mod c => c * (v mod c)";
  form_is("(d0) -> (), domain: d0 in [0, 2], ((d0 mod 4) * -2) mod 4 in [0, 0]",
      "(d0) -> (), domain: d0 in [0, 2], 2 * (d0 mod 4) in [0, 0]", form);
  form_is("() -> () ; ()[s0] -> (((s0 mod 3) * 15) mod 9), domain: s0 in [0, 2]",
      "()[s0] -> (3 * (s0 mod 3)), domain: s0 in [0, 2]", form);
}

static void a_linear_sum_in_parentheses_is_one_letter(void **) {
  static const char form[] = "((v mod c) * c) mod c => c * (v mod c)";
  form_is("(d0) -> ((((-d0 * 3 + 1) mod 3) * 2) mod 3), domain: d0 in [0, 1]",
      "(d0) -> (2 * ((-1 * (d0 + 4)) mod 3)), domain: d0 in [0, 1]", form);
  form_is("(d0) -> ((d0 * ((1 + d0) * 2)) ceildiv 22, d0 mod 2 + d0), domain: d0 in [0, 1]",
      "(d0) -> (min(d0, (d0 + 1) * 3), (d0 * 2 * d0) mod (4 - 1))",
      "(v * v) ceildiv c, v mod c + v => (v * c * v) mod c, min(v, v * c)");
}

static void expressions_are_sorted_and_stand_once(void **) {
  form_is("(d0, d1) -> (max(d0, 4), d0 + d1, max(d1, -3), 7), domain: d0 in [0, 2], "
          "d1 in [0, 9], d0 floordiv 2 in [0, 1]",
      "KNOWN EMPTY", "max(v, c), v + v, v floordiv c => KNOWN EMPTY");
  form_is("(d0) -> (d0), domain: d0 in [0, 2]", "(d0) -> (0)",
      "nothing but variables and constants => nothing but variables and constants");
}

static void different_operators_are_different_forms(void **) {
  form_is("(d0) -> (d0 floordiv 2), domain: d0 in [0, 2]",
      "(d0) -> (d0 ceildiv 2), domain: d0 in [0, 2]", "v floordiv c => v ceildiv c");
}

static void a_module_has_its_opcodes(void **) {
  static const char module[] =
      "HloModule m\nENTRY e {\n  p0 = f32[4] parameter(0)\n  p = f32[6] pad(p0, z), padding=1_1\n"
      "  ROOT r = f32[6] reverse(p), dimensions={0}\n}\n";
  assert_string_equal(
      finding_form_of_module(arena, module, "(d0) -> (5 - d0), domain: d0 in [0, 5]"),
      "reverse, pad => c - v");
}

static void findings_are_counted_by_form_and_the_shortest_is_kept(void **) {
  FindingForms forms = {};
  char form[] = "v floordiv c => v", text[] = "a longer text";
  finding_forms_add(arena, &forms, form, text);
  form[0] = text[0] = '?';
  finding_forms_add(arena, &forms, "v mod c => v", "");
  FindingForms before = finding_forms_copy(arena, &forms);
  finding_forms_add(arena, &forms, "v floordiv c => v", "short");
  Text printed = text_create(arena);
  finding_forms_print(&printed, &forms);
  assert_string_equal(printed.bytes,
      "2 forms of the smallest wrong answers (v: a variable, c: a constant)\n"
      "  2 findings   v floordiv c => v\n               short\n"
      "  1 finding    v mod c => v\n");
  assert_int_equal(before.items[0].count, 1);
  assert_string_equal(before.items[0].smallest, "a longer text");
}

static void nothing_is_printed_without_findings(void **) {
  Text printed = text_create(arena);
  finding_forms_print(&printed, &(FindingForms){});
  assert_string_equal(printed.bytes, "");
}

static int set_up(void **) {
  arena = arena_create();
  return 0;
}

static int tear_down(void **) {
  arena_destroy(arena);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_form_has_neither_numbers_nor_names),
      cmocka_unit_test(it_does_not_matter_where_an_expression_stands),
      cmocka_unit_test(a_linear_sum_in_parentheses_is_one_letter),
      cmocka_unit_test(expressions_are_sorted_and_stand_once),
      cmocka_unit_test(different_operators_are_different_forms),
      cmocka_unit_test(a_module_has_its_opcodes),
      cmocka_unit_test(findings_are_counted_by_form_and_the_shortest_is_kept),
      cmocka_unit_test(nothing_is_printed_without_findings),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
