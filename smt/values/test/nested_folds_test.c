/* A fold over the results of folds against a fold over everything: they are proved the same only if
 * they are the same for all small inputs, and always if it is one operation from one number that
 * may be folded once more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "smt/values/test/values_status.h"

typedef enum NestedOperation : uint8_t {
  NESTED_ADD,
  NESTED_MULTIPLY,
  NESTED_MAXIMUM,
  NESTED_MINIMUM,
  NESTED_OPERATIONS
} NestedOperation;

static const char *const nested_names[NESTED_OPERATIONS] = {
    "add", "multiply", "maximum", "minimum"};
static const int32_t neutral_numbers[NESTED_OPERATIONS] = {0, 1, INT32_MIN, INT32_MAX};

/* The fold of an s32[2,2], of its rows first if it is nested. */
typedef struct NestedFold {
  bool is_nested;
  NestedOperation outer, inner;
  int32_t outer_initial, inner_initial;
} NestedFold;

static int32_t nested_applied(NestedOperation operation, int32_t a, int32_t b) {
  switch (operation) {
    case NESTED_ADD: return (int32_t)((uint32_t)a + (uint32_t)b);
    case NESTED_MULTIPLY: return (int32_t)((uint32_t)a * (uint32_t)b);
    case NESTED_MAXIMUM: return a > b ? a : b;
    case NESTED_MINIMUM: return a < b ? a : b;
    case NESTED_OPERATIONS: break;
  }
  return 0;
}

static int32_t nested_value(const NestedFold *fold, const int32_t x[4]) {
  int32_t value = fold->outer_initial;
  for (uint32_t row = 0; row < 2; row++) {
    int32_t inner = fold->inner_initial;
    for (uint32_t i = 0; i < 2; i++) {
      if (fold->is_nested) inner = nested_applied(fold->inner, inner, x[2 * row + i]);
      else value = nested_applied(fold->outer, value, x[2 * row + i]);
    }
    if (fold->is_nested) value = nested_applied(fold->outer, value, inner);
  }
  return value;
}

/* For all inputs of five numbers each. */
static bool are_equal_folds(const NestedFold *a, const NestedFold *b) {
  for (uint32_t code = 0; code < 5 * 5 * 5 * 5; code++) {
    const int32_t x[] = {(int32_t)(code % 5) - 2, (int32_t)(code / 5 % 5) - 2,
        (int32_t)(code / 25 % 5) - 2, (int32_t)(code / 125) - 2};
    if (nested_value(a, x) != nested_value(b, x)) return false;
  }
  return true;
}

static const Computation *nested_graph(const NestedFold *fold) {
  Text text = text_create(arena);
  text_string(&text, "HloModule m\n");
  for (uint32_t i = 0; i < NESTED_OPERATIONS; i++)
    text_printf(&text,
        "f_%s {\na = s32[] parameter(0)\nb = s32[] parameter(1)\nROOT r = s32[] %s(a, b)\n}\n",
        nested_names[i], nested_names[i]);
  text_printf(&text,
      "ENTRY e {\nx = s32[2,2] parameter(0)\ny = s32[] constant(%d)\nz = s32[] constant(%d)\n",
      fold->inner_initial, fold->outer_initial);
  if (fold->is_nested)
    text_printf(&text, "i = s32[2] reduce(x, y), dimensions={1}, to_apply=f_%s\n",
        nested_names[fold->inner]);
  text_printf(&text, "ROOT r = s32[] reduce(%s, z), dimensions={%s}, to_apply=f_%s\n}\n",
      fold->is_nested ? "i" : "x", fold->is_nested ? "0" : "0,1", nested_names[fold->outer]);
  return values_entry(text.bytes);
}

/* Both start from one number, which does not change if it is folded once more. */
static bool is_one_operation(const NestedFold *nested, const NestedFold *flat) {
  int32_t initial = nested->outer_initial;
  return nested->outer == nested->inner && nested->outer == flat->outer &&
         nested->inner_initial == initial && flat->outer_initial == initial &&
         nested_applied(nested->outer, initial, initial) == initial;
}

static void a_fold_of_folds_is_one_fold_of_one_operation(void **) {
  static constexpr uint32_t count = 4 * 4 * 4 * 4 * 2;
  const uint32_t step = test_length(1, 5, 13);
  uint32_t proved = 0;
  for (uint32_t code = 0; code < count; code += step) {
    NestedOperation outer = (NestedOperation)(code % 4);
    const NestedFold nested = {.is_nested = true,
        .outer = outer,
        .inner = (NestedOperation)(code / 4 % 4),
        .outer_initial = neutral_numbers[code / 256 == 0 ? outer : 1],
        .inner_initial = neutral_numbers[code / 16 % 4]};
    const NestedFold flat = {
        .outer = (NestedOperation)(code / 64 % 4), .outer_initial = nested.outer_initial};
    VerdictStatus status = values_status(nested_graph(&nested), nested_graph(&flat), LAW_EXACT);
    if (status == VERDICT_PROVED ? !are_equal_folds(&nested, &flat)
                                 : is_one_operation(&nested, &flat))
      fail_msg("%s of %s from %d and %s, from %d: status %u", nested_names[outer],
          nested_names[nested.inner], nested.inner_initial, nested_names[flat.outer],
          flat.outer_initial, status);
    proved += status == VERDICT_PROVED;
  }
  assert_true(proved > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(
          a_fold_of_folds_is_one_fold_of_one_operation, arena_begin, arena_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
