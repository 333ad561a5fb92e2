/* Every sixth claim about all sizes, so that each operation and direction is among the quick tests:
 * it is proved, and its false variant is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "smt/smt.h"

static void check_claim(Smt *smt, uint32_t at) {
  SmtSizes claim;
  Verdict verdict;
  Error error = {};
  assert_true(smt_all_sizes(smt, at, false, &claim, &verdict, &error));
  if (verdict.status != VERDICT_PROVED) fail_msg("%s: %s", claim.operation, verdict_text(&verdict));
  assert_true(smt_all_sizes(smt, at, true, &claim, &verdict, &error));
  if (verdict.status == VERDICT_PROVED) fail_msg("%s: a false claim is proved", claim.operation);
  assert_string_equal(claim.operation, smt_all_sizes_operation(at));
}

/* The first claim of each operation too. */
static void each_operation_has_a_claim(void **) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, &(SmtOptions){.rlimit = 2'000'000});
  for (uint32_t i = 0; i < smt_all_sizes_count(); i++) {
    bool is_first =
        i == 0 || strcmp(smt_all_sizes_operation(i), smt_all_sizes_operation(i - 1)) != 0;
    if (is_first || i % test_length(6, 6, 60) == 0) check_claim(smt, i);
  }
  smt_destroy(smt);
  map_context_destroy(context);
}

static bool begins_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

/* Whether anything is read is asked last, of a claim whose every part is proved. With few steps of
 * the solver some part is open, and the verdict names it. */
static void an_open_part_is_named(void **) {
  static const uint32_t limits[] = {1, 100, 1000, 5000};
  uint32_t open = 0, claims = smt_all_sizes_count();
  for (uint32_t limit = 0; limit < sizeof limits / sizeof *limits; limit++) {
    MapContext *context = map_context_create();
    Smt *smt = smt_create(context, &(SmtOptions){.rlimit = limits[limit]});
    for (uint32_t at = 0; at < claims; at += test_length(5, 11, 29)) {
      SmtSizes claim;
      Verdict verdict;
      Error error = {};
      assert_true(smt_all_sizes(smt, at, false, &claim, &verdict, &error));
      assert_int_not_equal(verdict.status, VERDICT_REFUTED);
      const char *text = verdict_text(&verdict);
      if (verdict.status == VERDICT_PROVED) assert_string_equal(text, "at every size");
      else if (strstr(text, "no sizes are found") != nullptr)
        assert_true(begins_with(text, "outside the tensor: ") ||
                    begins_with(text, "padding and an element: "));
      else open++;
    }
    smt_destroy(smt);
    map_context_destroy(context);
  }
  assert_true(open > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_operation_has_a_claim), cmocka_unit_test(an_open_part_is_named)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
