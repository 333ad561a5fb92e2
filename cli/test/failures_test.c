/* The last screen of a run: failures are folded by their common operation, the smallest is shown,
 * and each failure is counted once. */
#include "cli/failures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/clock.h"

static Arena *arena;

static void failure_add(
    FailureList *failures, const char *stage, const char *text, uint64_t count, uint64_t size) {
  Failure failure = {.stage = stage, .count = count, .size = size, .text = text};
  opcode_set_add_text(&failure.operations, text, strlen(text));
  failures_add(failures, &failure);
}

static const char *failures_printed(const FailureList *failures) {
  Text text = text_create(arena);
  failures_print(&text, failures, failures_smallest(failures)->text);
  return text.bytes;
}

static void require_failure_text(const char *text, const char *words) {
  if (strstr(text, words) == nullptr) fail_msg("not '%s' in: %s", words, text);
}

static void failures_that_share_an_operation_are_one_line(void **) {
  FailureList failures = {.arena = arena, .begin = clock_wall()};
  failure_add(&failures, "chain-2", "fusion(p) reshape(p) pad(p, z)", 900, 70);
  failure_add(&failures, "modules", "pad(p, z)", 2, 60);
  failure_add(&failures, "pad", "ROOT r = f32[1] pad(p0, p1)", 100, 30);
  const char *text = failures_printed(&failures);
  require_failure_text(text, "the smallest of 1002 counterexamples, in pad\n");
  require_failure_text(
      text, "cause        pad, core/index/ops/pad.c\nROOT r = f32[1] pad(p0, p1)\n");
  require_failure_text(
      text, "1002 of 1002 failures, all of them contain it: chain-2 900, pad 100, modules 2\n");
}

static void two_causes_are_two_lines(void **) {
  FailureList failures = {.arena = arena, .begin = clock_wall()};
  failure_add(&failures, "slice", "slice(p)", 5, 40);
  failure_add(&failures, "chain-2", "slice(p) reverse(p)", 3, 50);
  failure_add(&failures, "reverse", "reverse(p)", 7, 20);
  failure_add(&failures, "maps", "(d0) -> (d0)", 4, 90);
  const char *text = failures_printed(&failures);
  require_failure_text(
      text, "in reverse\n  cause        reverse, core/index/ops/permute.c\nreverse(p)\n");
  require_failure_text(
      text, "  reverse                  10 of 19 failures: reverse 7, chain-2 3\n");
  require_failure_text(text, "  slice                    5 of 19 failures: slice 5\n");
  require_failure_text(text, "  maps and rules           4 of 19 failures: maps 4\n");
}

/* Every case of a scope is inside a fusion; the operation that the fusion calls is the cause. */
static void an_operation_precedes_the_fusion_around_it(void **) {
  FailureList failures = {.arena = arena, .begin = clock_wall()};
  failure_add(&failures, "wrapped", "fusion(p) parameter(0) transpose(p)", 5, 40);
  failure_add(&failures, "chain", "fusion(p) parameter(0) bitcast(p)", 9, 50);
  require_failure_text(failures_cause(&failures, failures_smallest(&failures)), "transpose, ");
  require_failure_text(failures_printed(&failures), "  bitcast                  9 of 14");
}

static void what_is_left_is_counted(void **) {
  static const char *const names[] = {
      "abs(p)", "pad(p)", "slice(p)", "reverse(p)", "dot(p)", "gather(p)", "scatter(p)", "sort(p)"};
  FailureList failures = {.arena = arena, .begin = clock_wall()};
  for (uint32_t i = 0; i < 8; i++) failure_add(&failures, "scope", names[i], 1, 10 + i);
  require_failure_text(failures_printed(&failures), "other operations         2\n");
}

int main(void) {
  arena = arena_create();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(failures_that_share_an_operation_are_one_line),
      cmocka_unit_test(two_causes_are_two_lines),
      cmocka_unit_test(an_operation_precedes_the_fusion_around_it),
      cmocka_unit_test(what_is_left_is_counted),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
