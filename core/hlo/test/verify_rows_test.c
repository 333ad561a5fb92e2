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

/* A fault of an attribute is at its name, another one at the instruction's. */
static void faults_are_where_they_are(void **) {
  static const struct {
    const char *text, *word;
  } rows[] = {
      {"p = f32[4,2] parameter(0) name = f32[4] reduce(p, p), dimensions={0}, to_apply=add",
          "name"},
      {"p = f32[4] parameter(0) name = f32[4] reverse(p), dimensions={7}", "dimensions"},
      {"p = f32[4] parameter(0) name = f32[5] reverse(p), dimensions={0}", "name"},
      {"p = c64[4] parameter(0) name = c64[4] fft(p), fft_type=FT, fft_length={4}", "fft_type"},
      {"p = c64[4] parameter(0) name = c64[4] fft(p), fft_type=FFT, fft_length={5}", "fft_length"},
      {"p = f32[4] parameter(0) name = (f32[9], s32[9]) topk(p), k=9", "k"},
      {"p = f32[4] parameter(0) name = f32[3] slice(p), slice={[2:9]}", "slice"},
      {"p = f32[4] parameter(0) name = f32[4] iota(), iota_dimension=3", "iota_dimension"},
      {"p = f32[4] parameter(0) name = f32[4] add(p), metadata={}", "name"},
      {"p = f32[2,2] parameter(0) name = f32[2,2] triangular-solve(p, p), transpose_a=MAYBE",
          "transpose_a"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    Error error = {};
    const char *word = rows[i].word, *text = with_callees(arena, rows[i].text);
    assert_null(module_of(arena, text, &error));
    if (strncmp(error.excerpt + error.caret, word, strlen(word)) != 0 ||
        error.width != strlen(word))
      fail_msg(
          "%s\n%s: %s, %u", rows[i].text, error.message, error.excerpt + error.caret, error.width);
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
      cmocka_unit_test(faults_are_where_they_are),
      cmocka_unit_test(numbers_of_a_convolution_are_permutations),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
