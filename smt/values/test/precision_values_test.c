/* Dots at all pairs of precisions: two dots with different precisions are never proved the same,
 * and each is the same as itself. If the operands are exchanged, the precisions must be exchanged
 * too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/hlo/test/precision_rows.h"
#include "smt/values/test/values_status.h"

/* The plain dot, and the transpose of the dot of the exchanged transposes. */
static const Computation *dot_at(const PrecisionRow *row, bool is_turned) {
  const char *
      attribute = *row->text == 0 ? "" : ", operand_precision=",
     *text = arena_printf(arena,
         is_turned
             ? "HloModule m\nENTRY e {\na = f32[40,30] parameter(0)\nb = f32[30,20] parameter(1)\n"
               "d = f32[20,40] dot(b, a), lhs_contracting_dims={0}, rhs_contracting_dims={1}%s%s\n"
               "ROOT r = f32[40,20] transpose(d), dimensions={1,0}\n}\n"
             : "HloModule m\nENTRY e {\na = f32[40,30] parameter(0)\nb = f32[30,20] parameter(1)\n"
               "ROOT r = f32[40,20] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}%s%s\n}\n",
         attribute, row->text);
  return values_entry(text);
}

static void precisions_are_told_apart(void **) {
  static constexpr size_t count = sizeof precision_rows / sizeof *precision_rows;
  uint32_t turned = 0, apart = 0;
  for (size_t code = 0; code < 2 * count * count; code++) {
    const PrecisionRow *one = &precision_rows[code / 2 % count],
                       *other = &precision_rows[code / 2 / count];
    bool is_turned = code % 2 == 1,
         is_proved = values_status(dot_at(one, false), dot_at(other, is_turned), LAW_EXACT) ==
                     VERDICT_PROVED;
    bool is_same = is_turned ? precision_is_exchanged(one->meaning, other->meaning)
                             : strcmp(one->meaning, other->meaning) == 0;
    if (is_proved && !is_same)
      fail_msg(
          "'%s' and '%s'%s are the same", one->text, other->text, is_turned ? ", turned," : "");
    if (!is_turned) assert_true(is_proved || one != other);
    turned += is_turned && is_proved;
    apart += is_turned && is_proved && one != other && strstr(one->meaning, "high ") != nullptr;
  }
  assert_true(turned >= 2 && apart >= 1);
}

static void what_is_passed_on_in_another_type_may_be_rounded(void **) {
  uint32_t proved = 0;
  const Computation *input =
      values_entry("HloModule m\nENTRY e {\nROOT p = f32[1,2] parameter(0)\n}\n");
  for (size_t i = 0; i < sizeof passing_rows / sizeof *passing_rows; i++) {
    const Computation *same = values_entry(passing_module(arena, passing_rows[i], "f32")),
                      *rounded = values_entry(passing_module(arena, passing_rows[i], "bf16"));
    if (values_status(rounded, input, LAW_FAST) == VERDICT_PROVED ||
        values_status(input, rounded, LAW_FAST) == VERDICT_PROVED)
      fail_msg("%s of a rounded operand", passing_rows[i][0]);
    proved += values_status(same, input, LAW_EXACT) == VERDICT_PROVED;
  }
  assert_int_equal(proved, 11); /* without select, sort and scatter */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(precisions_are_told_apart, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(
          what_is_passed_on_in_another_type_may_be_rounded, arena_begin, arena_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
