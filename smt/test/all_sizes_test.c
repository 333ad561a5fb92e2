/* Every claim about all sizes is proved, and its false variant is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/base/clock.h"
#include "core/base/test/length.h"
#include "smt/smt.h"

#if __has_feature(address_sanitizer)
static constexpr uint32_t step = 5;
#else
static constexpr uint32_t step = 1;
#endif

static void claims_are_proved(void **state) {
  (void)state;
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  uint32_t count = smt_all_sizes_count(), open = 0, stride = step * test_length(1, 1, 4);
  double worst = 0, total = 0;
  for (uint32_t i = 0; i < count; i += stride) {
    Verdict verdict;
    SmtSizes claim;
    Error error = {};
    double start = 1e3 * clock_processor();
    assert_true(smt_all_sizes(smt, i, false, &claim, &verdict, &error));
    double taken = 1e3 * clock_processor() - start;
    total += taken;
    if (taken > worst) worst = taken;
    if (verdict.status == VERDICT_PROVED) continue;
    open++;
    print_message("%s rank %u pattern %u %s: %d %s\n", claim.operation, claim.rank, claim.pattern,
        claim.input_to_output ? "i2o" : "o2i", verdict.status, verdict_text(&verdict));
  }
  print_message("%u claims, %u open, mean %.2f ms, worst %.1f ms\n", count / stride, open,
      total / (count / stride), worst);
  assert_int_equal(open, 0);
  smt_destroy(smt);
  map_context_destroy(context);
}

static void faults_are_not_proved(void **state) {
  (void)state;
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, &(SmtOptions){.rlimit = 2'000'000});
  uint32_t count = smt_all_sizes_count(), refuted = 0, unknown = 0, proved = 0;
  for (uint32_t i = 0; i < count; i += 2 * step * test_length(1, 1, 4)) {
    Verdict verdict;
    SmtSizes claim;
    Error error = {};
    assert_true(smt_all_sizes(smt, i, true, &claim, &verdict, &error));
    refuted += verdict.status == VERDICT_REFUTED;
    unknown += verdict.status == VERDICT_UNKNOWN;
    proved += verdict.status == VERDICT_PROVED;
    if (verdict.status != VERDICT_REFUTED)
      print_message("%s rank %u pattern %u %d: %d %s\n", claim.operation, claim.rank, claim.pattern,
          claim.input_to_output, verdict.status, verdict_text(&verdict));
  }
  print_message("%u refuted, %u unknown, %u proved\n", refuted, unknown, proved);
  assert_int_equal(proved, 0);
  assert_true(refuted > 20 * unknown);
  smt_destroy(smt);
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(claims_are_proved), cmocka_unit_test(faults_are_not_proved)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
