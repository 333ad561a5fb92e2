/* Sizes of texts that are counted by hand; the order of sizes; texts that are cut off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "exhaust/case_size.h"

static const struct {
  const char *text;
  CaseSize size;
} rows[] = {
    {"(d0) -> (d0), domain: d0 in [0, 3]", {0, 1, 4, 0}},
    {"(d0)[s0] -> ((d0 * -2 + s0) floordiv 3), domain: d0 in [-3, 2], s0 in [0, 1]", {3, 2, 12, 3}},
    {"(d0) -> (max(d0 - 1, 7)), domain: d0 in [5, 4]", {2, 1, 0, 7}},
    {"(d0) -> (-d0 + -(d0 mod 2)), domain: d0 in [0, 3]", {4, 1, 4, 2}},
    {"(d0, d1){rt0} -> (d1), domain: d0 in [0, 1], d1 in [0, 1], rt0 in [0, 2], d0 + rt0 in [0, 9]",
        {1, 3, 12, 9}},
    {"(d0) -> (d0 mod 2), domain: d0 in [0, 1] ; (d0, d1) -> (d0 ceildiv 5), domain: d0 in [0, "
     "3], d1 in [0, 1]",
        {2, 2, 8, 5}},
    {"(d0) -> (d0 * 9223372036854775807), domain: d0 in [0, 9223372036854775807]",
        {1, 1, (uint64_t)INT64_MAX + 1, INT64_MAX}},
    {"rule r\n  x + y*a  =>  (a floordiv 2) - x\n", {4, 0, 1, 2}},
    {"ENTRY %e {\n  %p0 = f32[2,3]{1,0} parameter(0)\n  ROOT %v0 = f32[3,2] transpose(%p0), "
     "dimensions={1,0}\n}\n",
        {1, 2, 6, 1}},
    {"%add {\n  %p0 = f32[] parameter(0)\n  ROOT %v0 = f32[] add(%p0, %p0)\n}\n\nENTRY %e {\n  "
     "%p0 = f32[4] parameter(0)\n  %c0 = f32[] constant(-12)\n  ROOT %v0 = f32[2] "
     "reduce-window(%p0, %c0), window={size=3 pad=1_0x-1_5}, to_apply=%add2\n}\n",
        {1, 1, 4, 12}},
    {"%f {\n  %p0 = f32[] parameter(0)\n  ROOT %v0 = (f32[], (s8[])) tuple(%p0, %p0)\n}\n\nENTRY "
     "%e {\n  %p0 = f32[] parameter(0)\n  ROOT %v0 = (f32[], (s8[])) fusion(%p0), kind=kLoop, "
     "calls=%f\n}\n",
        {1, 0, 1, 0}},
};

static void sizes_are_those_counted_by_hand(void **) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    CaseSize size = case_size(rows[i].text);
    if (case_size_compare(&size, &rows[i].size) != 0)
      fail_msg("%llu %llu %llu %llu of %s", (unsigned long long)size.operations,
          (unsigned long long)size.rank, (unsigned long long)size.elements,
          (unsigned long long)size.constant, rows[i].text);
  }
}

static void earlier_numbers_count_more(void **) {
  static const CaseSize sorted[] = {
      {0, 9, 9, 9}, {1, 0, 9, 9}, {1, 1, 0, 9}, {1, 1, 1, 0}, {1, 1, 1, 1}};
  for (size_t i = 0; i < sizeof sorted / sizeof *sorted; i++)
    for (size_t k = 0; k < sizeof sorted / sizeof *sorted; k++) {
      int order = case_size_compare(&sorted[i], &sorted[k]);
      assert_int_equal((order > 0) - (order < 0), (i > k) - (i < k));
    }
}

/* Reading ends at the end of the text: the sanitized build sees a byte after it. */
static void beginnings_of_texts_are_read(void **) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (size_t length = 0; length < strlen(rows[i].text); length++) {
      char *cut = strndup(rows[i].text, length);
      assert_true(case_size(cut).operations <= rows[i].size.operations + 1);
      free(cut);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_are_those_counted_by_hand),
      cmocka_unit_test(earlier_numbers_count_more), cmocka_unit_test(beginnings_of_texts_are_read)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
