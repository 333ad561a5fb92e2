/* A row for each fault that the verifier names and for its nearest valid text, and convolutions
 * with one dimension number changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "core/hlo/read/from_text.h"
#include "core/hlo/verify/verify.h"

static void texts_are_read_or_name_their_fault(void **) {
  static const struct {
    const char *text, *message;
  } rows[] = {
#define ROW(text, message) {text, message},
#include "core/hlo/test/verify_rows.inc"
#undef ROW
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    Error error = {};
    const char *text = rows[i].text;
    const char *whole = strstr(text, "ENTRY") != nullptr ? text : with_callees(arena, text);
    const char *message = module_of(arena, whole, &error) != nullptr ? "read" : error.message;
    if (strcmp(message, rows[i].message) != 0) fail_msg("%s\n  %s", text, message);
    arena_destroy(arena);
  }
}

/* Each number of a convolution over 4 dimensions at each value: two of one array must differ and be
 * in range. The sizes are all alike, so nothing else can be wrong. */
static void numbers_of_a_convolution_are_permutations(void **) {
  Arena *arena = arena_create();
  Error error = {};
  const Module *module = module_of(arena,
      "ENTRY e { a = f32[2,2,2,2] parameter(0) k = f32[2,2,2,2] parameter(1) ROOT r = f32[2,2,2,2] "
      "convolution(a, k), window={size=2x2 pad=0_1x0_1}, dim_labels=b01f_01io->b01f }",
      &error);
  assert_non_null(module);
  ConvolutionNumbers *numbers = module->entry->root->convolution;
  int64_t *const arrays[3][4] = {
      {&numbers->input_batch, &numbers->input_feature, &numbers->input_spatial.values[0],
          &numbers->input_spatial.values[1]},
      {&numbers->kernel_input_feature, &numbers->kernel_output_feature,
          &numbers->kernel_spatial.values[0], &numbers->kernel_spatial.values[1]},
      {&numbers->output_batch, &numbers->output_feature, &numbers->output_spatial.values[0],
          &numbers->output_spatial.values[1]}};
  for (uint32_t array = 0; array < 3; array++)
    for (uint32_t i = 0; i < 4; i++)
      for (int64_t value = -2; value <= 5; value++) {
        int64_t before = *arrays[array][i];
        Error fault = {};
        *arrays[array][i] = value;
        assert_int_equal(hlo_verify(arena, (Module *)module, &fault), value == before);
        if (value != before) assert_non_null(strstr(fault.message, "is named twice or out of"));
        *arrays[array][i] = before;
      }
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_are_read_or_name_their_fault),
      cmocka_unit_test(numbers_of_a_convolution_are_permutations),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
