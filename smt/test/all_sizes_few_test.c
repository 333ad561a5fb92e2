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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_operation_has_a_claim)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
