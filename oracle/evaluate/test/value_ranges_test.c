/* Ranges of operands, against the arithmetic of every value of a small type.
 * Whole ranges: all values of a gap have the outcome of the ranges' ends beside it.
 * Partial ranges: every outcome has a value in the ranges. */
#include "core/base/test/length.h"
#include "oracle/evaluate/value_ranges.h"
#include "oracle/semantics/arithmetic.h"
#include "oracle/test/test_module.h"

typedef enum Completeness : uint8_t { WHOLE, PARTIAL, CUT } Completeness;

typedef struct RangeCase {
  const char *type, *operation, *result; /* the type of `a` and `c`, and of the result */
  int64_t constant;
  Completeness answer;
} RangeCase;

/* The outcome of a value: itself inside of a range, else the upper end of the last range below. */
static Wide outcome_of(const Ranges *result, Wide value) {
  Wide below = integer_lowest(TYPE_s64) - 1;
  for (uint32_t i = 0; i < result->count; i++) {
    if (value > result->lo[i] && value < result->hi[i]) return value;
    if (value >= result->hi[i]) below = wide_max(below, result->hi[i]);
  }
  return below;
}

typedef struct RangeBench {
  OracleFixture bench;
  Flow flow;
  const RangeCase *row;
  Wide other;
  Ranges result, operand;
} RangeBench;

static Wide range_outcome(const RangeBench *range, Wide value) {
  const Node *root = range->flow.root;
  Wide operands[3] = {value, range->other}, result = 0;
  if (root->operand_count > 1 && root->operands[0]->instruction->opcode == HLO_CONSTANT) {
    operands[0] = range->other;
    operands[1] = value;
  }
  assert_true(integer_apply(
      root->instruction, root->operands[0]->leaves[0].shape->type, operands, &result));
  return outcome_of(&range->result, result);
}

static bool is_listed(const Ranges *ranges, Wide value) {
  for (uint32_t i = 0; i < ranges->count; i++)
    if (value >= ranges->lo[i] && value <= ranges->hi[i]) return true;
  return false;
}

static void check_whole(const RangeBench *range, ElementType type) {
  Wide outcome = 0;
  bool was_listed = false, is_known = false;
  for (Wide value = integer_lowest(type); value <= integer_highest(type); value++) {
    bool listed = is_listed(&range->operand, value);
    Wide next = range_outcome(range, value);
    if (is_known && !(listed && was_listed) && next != outcome)
      fail_msg("%s %s %lld: the outcome changes at %lld", range->row->type, range->row->operation,
          (long long)range->row->constant, (long long)value);
    outcome = next;
    was_listed = listed;
    is_known = true;
  }
}

static void check_partial(const RangeBench *range, ElementType type) {
  static uint8_t found[1 << 20];
  static constexpr int64_t zero = 1 << 19;
  memset(found, 0, sizeof found);
  for (int pass = 0; pass < 2; pass++)
    for (Wide value = integer_lowest(type); value <= integer_highest(type); value++) {
      if (pass == 0 && !is_listed(&range->operand, value)) continue;
      int64_t at = (int64_t)wide_max(range_outcome(range, value), -zero) + zero;
      if (pass == 1 && !found[at])
        fail_msg("%s %s %lld: the outcome of %lld is missing", range->row->type,
            range->row->operation, (long long)range->row->constant, (long long)value);
      found[at] = 1;
    }
}

static void check_ranges(const RangeCase *row, Wide lo, Wide hi, bool has_second) {
  RangeBench range = {.bench = bench_create(), .row = row, .other = row->constant};
  const Instruction *root = root_of(&range.bench,
      arena_printf(range.bench.arena,
          "a = %s[] parameter(0)\nc = %s[] constant(%lld)\nROOT r = %s[] %s", row->type, row->type,
          (long long)row->constant, row->result, row->operation));
  Rejection rejection = {};
  assert_true(flow_create(&range.flow, range.bench.arena, root, &rejection));
  const Node *node = range.flow.root;
  uint32_t operand = node->operands[0]->instruction->opcode == HLO_CONSTANT;
  ElementType type = node->operands[operand]->leaves[0].shape->type;
  ranges_set(&range.result, lo, hi);
  if (has_second) ranges_add(&range.result, hi + 20, hi + 25);
  ranges_of_operand(&range.operand, node, operand,
      node->operand_count == 2 ? &range.other : nullptr, &range.result);
  Completeness answer = range.operand.is_cut ? CUT : range.operand.is_partial ? PARTIAL : WHOLE;
  if (answer != row->answer && !has_second)
    fail_msg(
        "%s %s %lld: completeness %u", row->type, row->operation, (long long)row->constant, answer);
  if (answer == WHOLE) check_whole(&range, type);
  if (answer == PARTIAL) check_partial(&range, type);
  bench_destroy(&range.bench);
}

static void ranges_lead_to_every_outcome(void **state) {
  (void)state;
#define BOTH(operation, constant, answer) \
  {"s16", operation, "s16", constant, answer}, { "u16", operation, "u16", constant, answer }
  static const RangeCase rows[] = {
      BOTH("add(a, c)", 5, WHOLE),
      {"s16", "add(a, c)", "s16", -32768, WHOLE},
      {"s16", "subtract(a, c)", "s16", -7, WHOLE},
      BOTH("subtract(c, a)", 9, WHOLE),
      {"s16", "subtract(c, a)", "s16", -32768, WHOLE},
      BOTH("negate(a)", 0, WHOLE),
      BOTH("not(a)", 0, WHOLE),
      {"s16", "abs(a)", "s16", 0, WHOLE},
      {"s16", "sign(a)", "s16", 0, WHOLE},
      BOTH("multiply(a, c)", 0, WHOLE),
      BOTH("multiply(a, c)", 1, WHOLE),
      {"u16", "multiply(a, c)", "u16", 3, WHOLE},
      {"s16", "multiply(a, c)", "s16", -3, WHOLE},
      {"s16", "multiply(a, c)", "s16", -2, WHOLE},
      BOTH("multiply(a, c)", 256, PARTIAL),
      BOTH("multiply(a, c)", 10, CUT),
      BOTH("shift-left(a, c)", 6, PARTIAL),
      BOTH("shift-left(a, c)", 16, WHOLE),
      BOTH("divide(a, c)", 3, WHOLE),
      {"s16", "divide(a, c)", "s16", -4, WHOLE},
      {"s16", "divide(a, c)", "s16", -1, WHOLE},
      BOTH("divide(a, c)", 0, WHOLE),
      BOTH("divide(c, a)", 100, CUT),
      BOTH("remainder(a, c)", 100, PARTIAL),
      BOTH("remainder(a, c)", 3, PARTIAL),
      {"s16", "remainder(a, c)", "s16", -6, PARTIAL},
      BOTH("remainder(a, c)", 0, WHOLE),
      BOTH("and(a, c)", 1023, PARTIAL),
      BOTH("and(c, a)", 64, PARTIAL),
      {"s16", "and(a, c)", "s16", -8, PARTIAL},
      {"s16", "and(a, c)", "s16", -32768, PARTIAL},
      BOTH("or(a, c)", 1, CUT),
      BOTH("xor(a, c)", 1, CUT),
      BOTH("popcnt(a)", 0, CUT),
      BOTH("count-leading-zeros(a)", 0, CUT),
      BOTH("shift-right-logical(a, c)", 0, WHOLE),
      BOTH("shift-right-logical(a, c)", 3, WHOLE),
      BOTH("shift-right-logical(a, c)", 13, WHOLE),
      BOTH("shift-right-logical(a, c)", 16, WHOLE),
      BOTH("shift-right-arithmetic(a, c)", 3, WHOLE),
      BOTH("shift-right-arithmetic(a, c)", 13, WHOLE),
      BOTH("shift-right-arithmetic(a, c)", 17, WHOLE),
      BOTH("maximum(a, c)", 3, WHOLE),
      BOTH("minimum(a, c)", 3, WHOLE),
      {"s16", "convert(a)", "u16", 0, WHOLE},
      {"u16", "convert(a)", "s16", 0, WHOLE},
      {"s16", "convert(a)", "s32", 0, WHOLE},
      {"s16", "convert(a)", "u32", 0, WHOLE},
      {"s16", "convert(a)", "s8", 0, PARTIAL},
      {"u16", "convert(a)", "u8", 0, PARTIAL},
      {"u16", "convert(a)", "s8", 0, PARTIAL},
      {"s16", "convert(a)", "pred", 0, WHOLE},
      {"s8", "convert(a)", "u4", 0, WHOLE},
      {"s8", "popcnt(a)", "s8", 0, WHOLE},
      {"u8", "xor(a, c)", "u8", 85, WHOLE},
      {"u8", "multiply(a, c)", "u8", 10, WHOLE},
      {"s16", "compare(a, c), direction=LT", "pred", 4, WHOLE},
      {"u16", "compare(c, a), direction=EQ", "pred", 0, WHOLE},
  };
  static const Wide ends[][2] = {{-1, 8}, {-1, 1}, {3, 12}, {-9, -2}, {90, 140}, {-140, -90}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k += test_length(1, 1, 3)) {
      check_ranges(&rows[i], ends[k][0], ends[k][1], false);
      check_ranges(&rows[i], ends[k][0], ends[k][1], true);
    }
}

/* Two unknown operands of 8 bits: each listed pair, against each pair. */
static void two_unknown_operands_lead_to_every_outcome(void **state) {
  (void)state;
  static const char *const operations[] = {"add", "subtract", "multiply"};
  static const ElementType types[] = {TYPE_s8, TYPE_u8};
  for (uint32_t i = 0; i < 6; i++) {
    OracleFixture bench = bench_create();
    const char *type = i % 2 == 0 ? "s8" : "u8";
    const Instruction *root =
        root_of(&bench, arena_printf(bench.arena,
                            "a = %s[] parameter(0)\nb = %s[] parameter(1)\nROOT r = %s[] %s(a, b)",
                            type, type, type, operations[i / 2]));
    Rejection rejection = {};
    Flow flow;
    Ranges result, sides[2];
    bool found[3][16] = {};
    assert_true(flow_create(&flow, bench.arena, root, &rejection));
    ranges_set(&result, 3, 12);
    for (uint32_t k = 0; k < 2; k++) {
      ranges_of_operand(&sides[k], flow.root, k, nullptr, &result);
      assert_true(sides[k].is_partial && !sides[k].is_cut);
    }
    Wide lowest = integer_lowest(types[i % 2]), highest = integer_highest(types[i % 2]);
    for (Wide a = lowest; a <= highest; a++)
      for (Wide b = lowest; b <= highest; b++) {
        Wide operands[3] = {a, b}, value = 0;
        assert_true(integer_apply(root, types[i % 2], operands, &value));
        int64_t outcome = (int64_t)wide_clamp(value, 3, 12);
        found[0][outcome] = true;
        if (is_listed(&sides[0], a) && is_listed(&sides[1], b)) found[1][outcome] = true;
      }
    for (uint32_t k = 3; k <= 12; k++)
      if (found[0][k] != found[1][k]) fail_msg("%s %s: %u", type, operations[i / 2], k);
    bench_destroy(&bench);
  }
}

static void ranges_are_merged_and_cut(void **state) {
  (void)state;
  Ranges ranges, one;
  ranges_set(&ranges, 0, 3);
  ranges_add(&ranges, 10, 12);
  ranges_add(&ranges, 4, 5);
  assert_int_equal(ranges.count, 2);
  ranges_set(&one, 4, 11);
  assert_false(ranges_contain(&ranges, &one));
  ranges_add(&ranges, 6, 9);
  assert_int_equal(ranges.count, 1);
  assert_true(ranges_contain(&ranges, &one));
  for (int64_t i = 1; i < ranges_capacity; i++) ranges_add(&ranges, 100 * i, 100 * i);
  assert_false(ranges.is_cut);
  ranges_add(&ranges, -50, -50);
  assert_true(ranges.is_cut);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranges_lead_to_every_outcome),
      cmocka_unit_test(two_unknown_operands_lead_to_every_outcome),
      cmocka_unit_test(ranges_are_merged_and_cut),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
