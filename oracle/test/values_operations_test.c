/* Operations that are not one operation, although much of their texts, types or elements is the
 * same: by attributes, by the wrapping of a type, by precisions, by the order of a sort. */
#include "oracle/test/values_cases.h"
#include "oracle/test/values_modules.h"

#define CALLED(attributes) E("a = f32[4] parameter(0)\nROOT r = f32[4] custom-call(a), " attributes)
#define CALLED_WITH(function, target) \
  M(function, "a = f32[4] parameter(0)\nz = f32[] constant(0)\n" \
              "ROOT r = f32[4] custom-call(a), custom_call_target=\"" target \
              "\", called_computations={add}")

static const ValuesCase rows[] = {
    {"text_like_a_called_computation",
        CALLED("custom_call_target=\"f\", backend_config=\"x={t 1\""),
        CALLED("custom_call_target=\"f\", backend_config=\"x={t 2\""), "unknown"},
    {"text_like_a_called_computation_before_the_target",
        CALLED("backend_config=\"x={t\", custom_call_target=\"f\""),
        CALLED("backend_config=\"x={t\", custom_call_target=\"g\""), "unknown"},
    {"target_like_a_called_computation", CALLED("custom_call_target=\"x={t_a\""),
        CALLED("custom_call_target=\"x={t_b\""), "unknown"},
    {"one_text_is_the_start_of_the_other", CALLED("custom_call_target=\"f\""),
        CALLED("custom_call_target=\"f\", backend_config=\"x={t\""), "unknown"},
    {"called_computation_that_is_exchanged", CALLED_WITH(ADD, "f"), CALLED_WITH(ADD_EXCHANGED, "f"),
        "same values"},
    {"called_computation_that_is_another", CALLED_WITH(ADD, "f"),
        CALLED_WITH(
            "add {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] maximum(x, y)\n}\n",
            "f"),
        "unknown"},
    {"called_computation_of_another_target", CALLED_WITH(ADD, "f"), CALLED_WITH(ADD, "g"),
        "unknown"},
};

static void operations_are_told_apart(void **state) {
  (void)state;
  assert_int_equal(
      values_cases_faults(sizeof rows / sizeof *rows, rows, &(ValuesLimits){.grade = LAW_EXACT}),
      0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(operations_are_told_apart)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
