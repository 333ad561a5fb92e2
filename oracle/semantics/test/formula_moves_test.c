/* Operations that move elements by a fixed rule, with random dimensions and attributes, against
 * their meaning as a relation between elements. */
#include "core/hlo/test/formula_moves.h"
#include "oracle/semantics/test/formula.h"

static void paddings(void **state) { (void)state, formula_rounds(draw_pad, 200); }
static void fixed_slices(void **state) { (void)state, formula_rounds(draw_slice, 100); }
static void transpositions(void **state) { (void)state, formula_rounds(draw_transpose, 100); }
static void reversals(void **state) { (void)state, formula_rounds(draw_reverse, 100); }
static void broadcasts(void **state) { (void)state, formula_rounds(draw_broadcast, 100); }
static void concatenations(void **state) { (void)state, formula_rounds(draw_concatenate, 100); }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paddings),
      cmocka_unit_test(fixed_slices),
      cmocka_unit_test(transpositions),
      cmocka_unit_test(reversals),
      cmocka_unit_test(broadcasts),
      cmocka_unit_test(concatenations),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
