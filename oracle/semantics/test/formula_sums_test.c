/* Contractions, convolutions, reductions and windows with random dimensions and attributes, against
 * their meaning as a relation between elements. */
#include "core/hlo/test/formula_ragged.h"
#include "oracle/semantics/test/formula.h"

static void dots(void **state) { (void)state, formula_rounds(draw_dot, 250); }
static void windows_that_are_summed(void **state) {
  (void)state, formula_rounds(draw_reduce_window, 250);
}
static void windows_that_select(void **state) { (void)state, formula_rounds(draw_select, 250); }
static void reductions(void **state) { (void)state, formula_rounds(draw_reduce, 250); }
static void convolutions(void **state) { (void)state, formula_rounds(draw_convolution, 250); }

/* Reads alone. Where each contracted index has its own groups, the oracle rejects the question. */
static bool check_ragged(OracleFixture *bench, DrawnFormula *formula) {
  Text reads[formula_operands];
  for (uint32_t i = 0; i < formula_operands; i++) reads[i] = text_create(bench->arena);
  formula_evaluate(formula, reads);
  const char *module = formula_module(bench, formula);
  for (uint32_t i = 0; i < formula->operand_count; i++) {
    const char *found = reads_of(bench, read_root(bench, module), i);
    bool is_rejected = i < 2 && ragged_rows_are_contracted(formula);
    if (is_rejected ? strstr(found, "rejected") == nullptr : strcmp(found, reads[i].bytes) != 0)
      fail_msg("operand %u: %s\nexpected: %s\n%s", i, found,
          is_rejected ? "rejected" : reads[i].bytes, module);
  }
  return true;
}

static void ragged_dots(void **state) {
  (void)state, formula_rounds_with(draw_ragged_dot, check_ragged, 400);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dots),
      cmocka_unit_test(ragged_dots),
      cmocka_unit_test(windows_that_are_summed),
      cmocka_unit_test(windows_that_select),
      cmocka_unit_test(reductions),
      cmocka_unit_test(convolutions),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
