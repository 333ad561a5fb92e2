/* Sums of all elements of op(a, b), where a and b are transposed or not and exchanged or not: two
 * such graphs have the same values if they combine the same pairs of elements, and the operation
 * takes its operands in either order where they are exchanged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "smt/values/test/values_status.h"

typedef struct FoldedPair {
  bool is_left_turned, is_right_turned, is_exchanged;
} FoldedPair;

static const Computation *folded_graph(const char *opcode, FoldedPair pair) {
  const char *left = pair.is_left_turned ? "c" : "a", *right = pair.is_right_turned ? "d" : "b";
  return values_entry(arena_printf(arena,
      "HloModule m\nadd { x = s32[] parameter(0) y = s32[] parameter(1) ROOT s = s32[] add(x, y) }\n"
      "ENTRY e { a = s32[4096,4096] parameter(0) b = s32[4096,4096] parameter(1)\n"
      "c = s32[4096,4096] transpose(a), dimensions={1,0} d = s32[4096,4096] transpose(b), "
      "dimensions={1,0}\nz = s32[] constant(0) o = s32[4096,4096] %s(%s, %s)\n"
      "ROOT r = s32[] reduce(o, z), dimensions={0,1}, to_apply=add }\n",
      opcode, pair.is_exchanged ? right : left, pair.is_exchanged ? left : right));
}

static FoldedPair folded_pair(uint32_t code) {
  return (FoldedPair){(code & 1) != 0, (code & 2) != 0, (code & 4) != 0};
}

/* If only one of the two is turned, an element meets another one. */
static bool pairs_the_same(FoldedPair pair) { return pair.is_left_turned == pair.is_right_turned; }

static void folds_are_the_pairs_that_they_combine(void **) {
  static const struct {
    const char *opcode;
    bool is_either_order, is_linear; /* linear: the sum does not depend on which elements meet */
  } rows[] = {{"add", true, true}, {"multiply", true, false}, {"maximum", true, false},
      {"minimum", true, false}, {"and", true, false}, {"or", true, false}, {"xor", true, false},
      {"subtract", false, true}, {"divide", false, false}, {"remainder", false, false},
      {"shift-left", false, false}};
  const uint32_t count = 8 * sizeof rows / sizeof *rows;
  const bool is_short = test_length(0, 1, 1) != 0; /* one turned, exchanged, and everything */
  for (uint32_t at = 0; at < count; at++) {
    if (is_short && at % 8 % 3 != 1) continue;
    uint32_t i = at / 8, code = at % 8;
    FoldedPair one = {}, other = folded_pair(code);
    VerdictStatus status = values_status(
        folded_graph(rows[i].opcode, one), folded_graph(rows[i].opcode, other), LAW_EXACT);
    bool has_order = rows[i].is_either_order || !other.is_exchanged;
    bool is_wanted = pairs_the_same(other) && has_order;
    bool is_true = is_wanted || (rows[i].is_linear && has_order);
    if (is_wanted ? status != VERDICT_PROVED : status == VERDICT_PROVED && !is_true)
      fail_msg("%s, code %u: status %u", rows[i].opcode, code, status);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(
          folds_are_the_pairs_that_they_combine, arena_begin, arena_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
