/* Contractions, convolutions, reductions and windows with random dimensions and attributes, against
 * their meaning as a relation between elements. */
#include "core/hlo/test/formula_sums.h"
#include "oracle/test/formula.h"

static void dots(void **state) { (void)state, formula_rounds(draw_dot, 250); }
static void windows_that_are_summed(void **state) {
  (void)state, formula_rounds(draw_reduce_window, 250);
}
static void windows_that_select(void **state) { (void)state, formula_rounds(draw_select, 250); }
static void reductions(void **state) { (void)state, formula_rounds(draw_reduce, 250); }
static void convolutions(void **state) { (void)state, formula_rounds(draw_convolution, 250); }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dots),
      cmocka_unit_test(windows_that_are_summed),
      cmocka_unit_test(windows_that_select),
      cmocka_unit_test(reductions),
      cmocka_unit_test(convolutions),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
